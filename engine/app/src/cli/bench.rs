//! `anqi bench`: the bench signature and the speed.

use crate::bench::{self, Measured, Total};
use anqi_search::players;
use anyhow::anyhow;
use clap::Parser;
use serde_json::json;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Examples:
  anqi bench
  anqi bench --depth 4 --json
";

/// Search a fixed set of positions to a fixed depth, for a signature and a speed.
///
/// Two builds with the same number of nodes search alike; nodes per second then show which
/// is faster. With one thread the number of nodes is the same every time.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player that searches; `anqi players` lists them
    #[arg(long, value_name = "PLAYER", default_value = players::DEFAULT, value_parser = player)]
    player: String,

    /// How many plies deep
    #[arg(long, value_name = "PLIES", default_value_t = 7,
          value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,

    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Measures and prints.
    pub fn run(self) -> anyhow::Result<()> {
        let mut player = players::by_spec(&self.player).map_err(|error| anyhow!(error))?;
        let mut output = io::stdout().lock();
        let mut measured = Vec::new();
        let total = bench::run(player.as_mut(), self.depth, |one| {
            measured.push(one.clone());
            if self.json {
                Ok(())
            } else {
                print_position(one, &mut output)
            }
        })?;
        if self.json {
            writeln!(
                output,
                "{}",
                self.to_json(&player.spec(), &measured, &total)
            )?;
        } else {
            print_total(&total, &mut output)?;
        }
        Ok(())
    }

    fn to_json(&self, spec: &str, measured: &[Measured], total: &Total) -> serde_json::Value {
        let positions: Vec<_> = measured
            .iter()
            .map(|one| {
                json!({
                    "position": one.number,
                    "action": one.action.to_string(),
                    "nodes": one.nodes,
                    "seconds": one.time.as_secs_f64(),
                })
            })
            .collect();
        json!({
            "player": spec,
            "depth": self.depth,
            "nodes": total.nodes,
            "seconds": total.time.as_secs_f64(),
            "nodes_per_second": total.nodes_per_second(),
            "positions": positions,
        })
    }
}

fn print_position(one: &Measured, output: &mut impl Write) -> io::Result<()> {
    let milliseconds = one.time.as_secs_f64() * 1_000.0;
    writeln!(
        output,
        "position {:>2}  {}  {:>12} nodes  {milliseconds:>10.1} ms",
        one.number, one.action, one.nodes
    )?;
    output.flush()
}

fn print_total(total: &Total, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "Positions:        {}", total.positions)?;
    writeln!(output, "Nodes searched:   {}", total.nodes)?;
    writeln!(output, "Seconds:          {:.3}", total.time.as_secs_f64())?;
    match total.nodes_per_second() {
        Some(speed) => writeln!(output, "Nodes per second: {speed}"),
        None => writeln!(output, "Nodes per second: -"),
    }
}

fn player(text: &str) -> Result<String, String> {
    match players::by_spec(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
