//! `lab lattice`: what each material is worth.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use anqi_lab::materials::lattice::{Lattice, TOP_LEVEL};
use anqi_rules::Color;
use anqi_tablebase::classes::{Fit, Material, Units};
use anqi_tablebase::counts::{CountsError, KeptCounts};
use anqi_tablebase::solve::{Goal, SideTotals, Totals, UnitCache};
use anyhow::Context;
use rayon::prelude::*;
use serde_json::{Value, json};

/// Options of `lab lattice`.
#[derive(clap::Args)]
pub struct Options {
    /// Up to this many pieces; five take half a minute of processor time, six an hour
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=6))]
    pieces: u8,
    /// Keep the counts of each unit in this file, and count only what it lacks
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Worths that differ by less are equal: shares are ratios of counts far below its inverse.
const ROUNDING: f64 = 1e-9;

/// A material with its totals over all placements.
struct MaterialWorth {
    set: Material,
    /// Red to move, black to move, in percent: won, drawn, lost.
    shares: [[f64; 3]; 2],
    /// Its worth to red, between -1 and 1, averaged over the side to move.
    worth: f64,
}

impl MaterialWorth {
    fn of(set: Material, totals: &Totals, swapped: bool) -> MaterialWorth {
        let [first, second] = totals;
        let sides = if swapped {
            [second, first]
        } else {
            [first, second]
        };
        let shares = sides.map(shares);
        let gain = |[won, _, lost]: [f64; 3]| (won - lost) / 100.0;
        MaterialWorth {
            set,
            shares,
            worth: (gain(shares[0]) - gain(shares[1])) / 2.0,
        }
    }
}

fn shares(side: &SideTotals) -> [f64; 3] {
    let all = (side.win + side.draw + side.loss).max(1) as f64;
    [side.win, side.draw, side.loss].map(|count| count as f64 * 100.0 / all)
}

/// Prints all materials with how often each wins, draws and loses, and the lattice over them.
pub fn run(args: &Options) -> anyhow::Result<()> {
    let record = KeptCounts::open(args.record.as_deref()).context("--record")?;
    let rows = rows(args.pieces.into(), &record)?;
    let worths: Vec<_> = rows.iter().map(|row| (row.set, row.worth)).collect();
    let plain = Lattice::new(&worths);
    let mut lattice = plain.clone();
    let changed = lattice.resolve();
    let (hurt, most) = hurts(&rows);
    let mut out = std::io::stdout().lock();
    if args.json {
        let materials = rows.iter().enumerate();
        let materials =
            materials.map(|(place, row)| material(row, (plain.level(place), lattice.level(place))));
        let answer = json!({
            "pieces": args.pieces,
            "pairs": plain.pairs(),
            "hurts": hurt,
            "hurts_most": most,
            "conflicts": plain.conflicts(),
            "conflicts_left": lattice.conflicts(),
            "changed": changed,
            "materials": materials.collect::<Vec<Value>>(),
        });
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} materials in levels 0 to {TOP_LEVEL}, {} pairs that differ in one piece",
        rows.len(),
        plain.pairs()
    )?;
    writeln!(
        out,
        "in {hurt} pairs the piece more lowers its owner's worth, by {most:.4} at most; in {} by a \
         level, in {} after {changed} changes by conflict ranking",
        plain.conflicts(),
        lattice.conflicts()
    )?;
    writeln!(
        out,
        "{:<8} {:>20} {:>22} {:>8} {:>6}",
        "", "red to move", "black to move", "worth", ""
    )?;
    writeln!(
        out,
        "{:<8} {:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>8} {:>6}",
        "material", "won", "drawn", "lost", "won", "drawn", "lost", "to red", "level"
    )?;
    for (place, row) in rows.iter().enumerate() {
        // The other half is the same with the colours exchanged.
        if row.set.to_string() <= row.set.swapped().to_string() {
            write_row(&mut out, row, (plain.level(place), lattice.level(place)))?;
        }
    }
    Ok(())
}

/// Returns in how many pairs one more piece lowers its owner's worth, however little, and by how
/// much at most.
fn hurts(rows: &[MaterialWorth]) -> (usize, f64) {
    let worths: HashMap<Material, f64> = rows.iter().map(|row| (row.set, row.worth)).collect();
    let mut hurts = (0, 0.0);
    for row in rows {
        for (piece, _) in row.set.kinds() {
            let Some(without) = worths.get(&row.set.without(piece)) else {
                continue;
            };
            let lost = match piece.color() {
                Color::Red => without - row.worth,
                Color::Black => row.worth - without,
            };
            if lost > ROUNDING {
                hurts = (hurts.0 + 1, lost.max(hurts.1));
            }
        }
    }
    hurts
}

fn write_row(
    out: &mut impl Write,
    row: &MaterialWorth,
    (plain, level): (u8, u8),
) -> std::io::Result<()> {
    let [[a, b, c], [d, e, f]] = row.shares;
    let was = if plain == level {
        String::new()
    } else {
        format!(" (was {plain})")
    };
    writeln!(
        out,
        "{:<8} {a:>6.2} {b:>6.2} {c:>6.2} {d:>8.2} {e:>6.2} {f:>6.2} {:>+8.3} {level:>6}{was}",
        row.set.to_string(),
        row.worth
    )
}

fn material(row: &MaterialWorth, (plain, level): (u8, u8)) -> Value {
    let side = |[win, draw, loss]: [f64; 3]| json!({"win": win, "draw": draw, "loss": loss});
    json!({
        "set": row.set.to_string(),
        "red_to_move": side(row.shares[0]),
        "black_to_move": side(row.shares[1]),
        "worth": row.worth,
        "level": level,
        "level_before": plain,
    })
}

/// Counts all materials of up to this many pieces.
fn rows(pieces: usize, record: &KeptCounts) -> anyhow::Result<Vec<MaterialWorth>> {
    let cache = UnitCache::new(pieces, 1 << 30, Goal::Values)?;
    let mut rows = Vec::new();
    for count in 2..=pieces {
        let units = Units::of(count).list();
        let solved = units
            .par_iter()
            .map(|unit| Ok(record.counted(unit, &cache)?.totals));
        let solved: Vec<Totals> = solved.collect::<Result<_, CountsError>>()?;
        rows.extend(Material::all(count).into_iter().map(|set| {
            let fit = Fit::of(&set);
            MaterialWorth::of(set, &solved[fit.unit.number], fit.swapped)
        }));
    }
    Ok(rows)
}
