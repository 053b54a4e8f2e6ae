//! `lab sums`: totals over all materials of each number of pieces.

use std::io::{self, Write};

use anqi_lab::materials::sums::Sums;
use serde_json::{Value, json};

use super::counting::Counting;

/// Options of `lab sums`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    counting: Counting,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints a line for each number of pieces.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let all = options.counting.sums()?;
    let mut out = io::stdout().lock();
    if options.json {
        let rows: Vec<Value> = all.iter().map(to_json).collect();
        writeln!(out, "{}", json!({ "sums": rows }))?;
        return Ok(());
    }
    writeln!(
        out,
        "pieces    sets            positions                 wins             both win            both draw            both lose"
    )?;
    for sums in &all {
        writeln!(
            out,
            "{:>6} {:>7} {:>20} {:>20} {:>20} {:>20} {:>20}",
            sums.pieces,
            sums.sets,
            sums.positions,
            sums.wins,
            sums.both_win,
            sums.both_draw,
            sums.both_lose
        )?;
    }
    Ok(())
}

fn to_json(sums: &Sums) -> Value {
    json!({
        "pieces": sums.pieces,
        "sets": sums.sets,
        "positions": sums.positions.to_string(),
        "wins": sums.wins.to_string(),
        "both_win": sums.both_win.to_string(),
        "both_draw": sums.both_draw.to_string(),
        "both_lose": sums.both_lose.to_string(),
    })
}
