//! `lab chart`: a picture of wins by their distance to the next capture.

use std::io::{self, Write};
use std::path::PathBuf;

use anqi_lab::materials::chart::chart;
use anyhow::Context;

use super::counting::Counting;

/// Options of `lab chart`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    counting: Counting,
    /// The file to write instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Draws, as SVG.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let svg = chart(&options.counting.sums()?);
    match &options.out {
        Some(place) => anqi_files::replace(place, svg.as_bytes())
            .with_context(|| format!("--out {}", place.display())),
        None => Ok(io::stdout().write_all(svg.as_bytes())?),
    }
}
