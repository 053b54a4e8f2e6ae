//! tmp bench
use anqi_tablebase::{
    material::Material,
    solve::{Goal, solve},
    solved::Solved,
    store::{Children, Store},
    unit::{Fit, Unit},
};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;
fn get(
    unit: &'static Unit,
    memo: &mut HashMap<Material, Arc<Solved>>,
    store: &Store,
) -> Arc<Solved> {
    if let Some(s) = store.get(unit) {
        return s.clone();
    }
    if let Some(s) = memo.get(&unit.key) {
        return s.clone();
    }
    let ch = children(unit, memo, store);
    let s = Arc::new(solve(unit, &ch, Goal::Values).unwrap());
    memo.insert(unit.key, s.clone());
    s
}
fn children(
    unit: &'static Unit,
    memo: &mut HashMap<Material, Arc<Solved>>,
    store: &Store,
) -> Children {
    let mut ch = Children::default();
    for c in unit.children() {
        ch.insert(get(c, memo, store));
    }
    ch
}
fn main() {
    let t = Instant::now();
    let store = Store::solve(4, Goal::Distances).unwrap();
    eprintln!("all <=4 DTC {:?}", t.elapsed());
    let t = Instant::now();
    let store1 = Store::solve(3, Goal::Values).unwrap();
    eprintln!("all <=3 WDL {:?}", t.elapsed());
    let _ = store1;
    let mut memo = HashMap::new();
    for key in std::env::args().skip(1) {
        let set: Material = key.parse().unwrap();
        let unit = Fit::of(&set).unit;
        let ch = children(unit, &mut memo, &store);
        for goal in [Goal::Values, Goal::Distances] {
            let n = if set.len() < 6 { 3 } else { 1 };
            for _ in 0..n {
                let t = Instant::now();
                let s = solve(unit, &ch, goal).unwrap();
                let e = t.elapsed().as_secs_f64();
                let pos = if s.layout.parts.len() > 2 && s.layout.parts[2].size % 2 == 1 {
                    unit.placements() / 4 * 2
                } else {
                    unit.placements() / 2
                };
                println!(
                    "{unit} {goal:?} {:.3}s {:.1} M pos, {:.1} M/s longest {} lanes {:?}",
                    e,
                    pos as f64 / 1e6,
                    pos as f64 / 1e6 / e,
                    s.longest,
                    &s.layout
                        .parts
                        .iter()
                        .map(|p| unit.graph.nodes[p.group].roles[0].name().to_string()
                            + if p.color == anqi_rules::Color::Red {
                                "R"
                            } else {
                                "b"
                            })
                        .collect::<Vec<_>>()
                );
            }
        }
    }
}
