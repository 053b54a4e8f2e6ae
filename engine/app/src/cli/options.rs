//! `anqi options`: the parameters of the players, for programs and for people.

use super::error::UsageError;
use anqi_search::parameters::listing;
use clap::Parser;
use std::io::{self, Write};

/// List every parameter of every player: name, values, default and step.
///
/// A parameter is set in a player's spec (`champion:window=300`), in a file of such settings
/// (`champion:options=FILE`), or as an option of the protocols (`set window 300`).
#[derive(Parser, Debug)]
pub struct Args {
    /// Only the parameters of this player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Print a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Prints the list.
    pub fn run(self) -> anyhow::Result<()> {
        let entries = listing::entries(self.player.as_deref());
        let entries = entries.map_err(|error| UsageError(error.to_string()))?;
        let text = if self.json {
            serde_json::to_string_pretty(&entries)? + "\n"
        } else {
            listing::table(&entries)
        };
        Ok(io::stdout().write_all(text.as_bytes())?)
    }
}
