//! `lab growth`: how strength grows with nodes or time.

use std::io::{self, Write};
use std::path::PathBuf;

use anqi_lab::growth::{Gain, picture, read};
use anqi_match::report::text::elo_estimate;
use clap::Args;

use super::draw;

/// Options of `lab growth`.
#[derive(Args, Debug)]
pub struct Options {
    /// Folders of matches of a player with itself, one side with more nodes or more time a move, from
    /// `selfplay --out`
    #[arg(required = true, value_name = "DIR")]
    matches: Vec<PathBuf>,

    /// Draw the Elo for twice as much, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Prints a line for each match, the least spent first.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let gains = read(&options.matches)?;
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:>15}  {:>15}  {:>6}  {:>14}  {:>17}",
        "one side has", "the other", "games", "Elo (95 %)", "for twice as much"
    )?;
    for gain in &gains {
        let Gain {
            less, more, games, ..
        } = gain;
        writeln!(
            out,
            "{:>15}  {:>15}  {games:>6}  {:>14}  {:>17}",
            less.to_string(),
            more.to_string(),
            elo_estimate(gain.elo),
            elo_estimate(gain.for_a_doubling())
        )?;
    }
    draw(options.picture.as_deref(), || picture(&gains))
}
