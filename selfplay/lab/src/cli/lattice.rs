//! `lab lattice`: what each material is worth.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use anqi_lab::materials::exact::{MaterialWorth, worths};
use anqi_lab::materials::lattice::{TOP_SCORE, height, score_of};
use anqi_rules::Color;
use anqi_tablebase::classes::Material;
use anqi_tablebase::counts::KeptCounts;
use anyhow::Context;
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

/// Pairs of materials that differ in one piece.
#[derive(Default)]
struct Pairs {
    all: usize,
    /// Those in which one more piece lowers its owner's worth, however little.
    hurt: usize,
    /// By how much at most.
    most: f64,
    /// Those in which it lowers its owner's score.
    conflicts: usize,
}

impl Pairs {
    fn of(rows: &[MaterialWorth]) -> Pairs {
        let worths: HashMap<Material, f64> = rows.iter().map(|row| (row.set, row.worth)).collect();
        let mut pairs = Pairs::default();
        for row in rows {
            for (piece, _) in row.set.kinds() {
                let Some(&without) = worths.get(&row.set.without(piece)) else {
                    continue;
                };
                let (less, more) = match piece.color() {
                    Color::Red => (without, row.worth),
                    Color::Black => (-without, -row.worth),
                };
                pairs.all += 1;
                if less - more > ROUNDING {
                    pairs.hurt += 1;
                    pairs.most = pairs.most.max(less - more);
                }
                pairs.conflicts += usize::from(height(score_of(less)) > height(score_of(more)));
            }
        }
        pairs
    }
}

/// Prints all materials with how often each wins, draws and loses, and what it is worth.
pub fn run(args: &Options) -> anyhow::Result<()> {
    let record = KeptCounts::open(args.record.as_deref()).context("--record")?;
    let rows = worths(args.pieces.into(), &record)?;
    let pairs = Pairs::of(&rows);
    let mut out = std::io::stdout().lock();
    if args.json {
        let answer = json!({
            "pieces": args.pieces,
            "pairs": pairs.all,
            "hurts": pairs.hurt,
            "hurts_most": pairs.most,
            "conflicts": pairs.conflicts,
            "materials": rows.iter().map(material).collect::<Vec<Value>>(),
        });
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} materials with scores from 0 to {TOP_SCORE}, {} pairs that differ in one piece",
        rows.len(),
        pairs.all
    )?;
    writeln!(
        out,
        "in {} pairs the piece more lowers its owner's worth, by {:.4} at most; in {} its score",
        pairs.hurt, pairs.most, pairs.conflicts
    )?;
    writeln!(
        out,
        "{:<8} {:>20} {:>22} {:>8} {:>6}",
        "", "red to move", "black to move", "worth", ""
    )?;
    writeln!(
        out,
        "{:<8} {:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>8} {:>6}",
        "material", "won", "drawn", "lost", "won", "drawn", "lost", "to red", "score"
    )?;
    for row in &rows {
        // The other half is the same with the colours exchanged.
        if row.set.to_string() <= row.set.swapped().to_string() {
            write_row(&mut out, row)?;
        }
    }
    Ok(())
}

fn write_row(out: &mut impl Write, row: &MaterialWorth) -> std::io::Result<()> {
    let [[a, b, c], [d, e, f]] = row.shares;
    writeln!(
        out,
        "{:<8} {a:>6.2} {b:>6.2} {c:>6.2} {d:>8.2} {e:>6.2} {f:>6.2} {:>+8.3} {:>6}",
        row.set.to_string(),
        row.worth,
        score_of(row.worth)
    )
}

fn material(row: &MaterialWorth) -> Value {
    let side = |[win, draw, loss]: [f64; 3]| json!({"win": win, "draw": draw, "loss": loss});
    json!({
        "set": row.set.to_string(),
        "red_to_move": side(row.shares[0]),
        "black_to_move": side(row.shares[1]),
        "worth": row.worth,
        "score": score_of(row.worth),
    })
}
