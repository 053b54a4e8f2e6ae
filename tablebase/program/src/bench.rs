//! `tablebase bench`: how fast this machine solves and probes.

use std::path::PathBuf;

use anqi_rules::Color;
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::numbering::{Block, DenseIndex, usual_order};
use anqi_tablebase::solve::{
    Distance, Goal, Method, Oracles, Store, first_fault, human_bytes, parse_bytes, solve,
};

use crate::timer::Timer;
use crate::{bench_frames, bench_probing};

/// The largest cache: its shelves alone take a thousandth of it.
const MOST_CACHE: usize = 1 << 40;

/// Options of `tablebase bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Sets to solve
    #[arg(default_values = ["KCPgp", "GGppm", "KCPgpm"])]
    sets: Vec<Material>,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Directory of files to probe at positions of the most pieces there
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Most bytes of the files' decoded frames to keep in memory, such as 2G
    #[arg(long, value_name = "BYTES", requires = "dir", default_value = "256M", value_parser = cache)]
    cache: usize,
    /// The set that the two slow solvers solve for comparison
    #[arg(long, default_value = "KCgp")]
    slow: Material,
    /// Only probe
    #[arg(long)]
    probe_only: bool,
    /// Only cut the frames of the directory's files into smaller ones, and compare
    #[arg(long, requires = "dir")]
    frame_sizes: bool,
}

/// Measures.
pub fn run(args: &Args) -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.into())
        .build_global()?;
    if let Some(dir) = args.dir.as_ref().filter(|_| args.frame_sizes) {
        return bench_frames::run(dir);
    }
    if !args.probe_only {
        streaming_bound();
        let timer = Timer::start();
        let store = Store::solve(4, Goal::Distances)?;
        let positions: u64 = store.iter().map(|s| positions(s.layout.unit)).sum();
        timer.report(
            "all units of 2 to 4 pieces, distances",
            positions as f64,
            "positions",
        );
        drop(store);
        slow_solvers(&args.slow);
        for set in &args.sets {
            solving(set)?;
        }
    }
    bench_probing::in_memory()?;
    match &args.dir {
        Some(dir) => bench_probing::from_files(dir, args.cache),
        None => Ok(()),
    }
}

/// Reads the size of a cache.
fn cache(text: &str) -> Result<usize, String> {
    let size = usize::try_from(parse_bytes(text)?).ok();
    size.filter(|&size| size <= MOST_CACHE)
        .ok_or_else(|| format!("more than {}", human_bytes(MOST_CACHE as u64)))
}

/// Positions of a unit with mirrors folded, both sides to move.
fn positions(unit: &anqi_tablebase::classes::Unit) -> u64 {
    2 * DenseIndex::new(unit, usual_order(unit)).len()
}

/// Measures the speed of memory: three planes read, one written.
fn streaming_bound() {
    let blocks = 1 << 18;
    let planes = [
        vec![Block::EMPTY; blocks],
        vec![Block([!0; 32]); blocks],
        vec![Block([5; 32]); blocks],
    ];
    let mut out = vec![Block::EMPTY; blocks];
    let timer = Timer::start();
    let rounds = 10;
    for _ in 0..rounds {
        for (i, out) in out.iter_mut().enumerate() {
            *out = planes[0][i].and_not(&planes[1][i]);
            out.add(&planes[2][i]);
        }
        std::hint::black_box(&mut out);
    }
    timer.report(
        "streaming bound, one pass",
        (rounds * blocks * 1024) as f64,
        "bits",
    );
}

fn slow_solvers(set: &Material) {
    for (name, method) in [
        ("naive forward", Method::Forward),
        ("by position", Method::Backward),
    ] {
        let mut oracles = Oracles::new(method, Distance::ToCapture);
        for (piece, _) in set.kinds() {
            let rest = set.without(piece);
            if Color::ALL.iter().all(|&color| rest.side(color) > 0) {
                oracles.solve(&rest);
            }
        }
        let timer = Timer::start();
        let oracle = oracles.solve(set);
        let all = 2
            * (0..oracle.len())
                .filter(|&i| oracle.get(Color::Red, i).is_some())
                .count();
        timer.report(
            &format!("{set} {name}, mirrors not folded"),
            all as f64,
            "positions",
        );
    }
}

fn solving(set: &Material) -> anyhow::Result<()> {
    let unit = Fit::of(set).unit;
    let mut store = Store::solve_unit(unit, Goal::Values)?;
    store.forget_captures();
    let children = store.children(unit);
    // Twins fold a set's positions further; a unit's rate counts what is left.
    let folded = positions(unit) as f64;
    let apart = set.placements() as f64 / unit.placements() as f64;
    println!(
        "{set} is unit {unit}: {folded} positions for {} of the set",
        folded * apart
    );
    for (name, goal) in [("values", Goal::Values), ("distances", Goal::Distances)] {
        let timer = Timer::start();
        let solved = solve(unit, &children, goal)?;
        timer.report(
            &format!("{set} {name}, {} plies", solved.longest),
            folded,
            "positions",
        );
        if goal == Goal::Values {
            let timer = Timer::start();
            anyhow::ensure!(first_fault(&solved, &children).is_none(), "{set}: wrong");
            timer.report(
                &format!("{set} every bit derived again"),
                folded,
                "positions",
            );
        }
    }
    Ok(())
}
