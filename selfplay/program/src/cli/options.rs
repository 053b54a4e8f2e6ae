//! `selfplay options`: the parameters of the built-in players.

use std::process::ExitCode;

use anqi_search::parameters::listing;
use clap::Args;

use super::output;

/// Which parameters to list, and how.
#[derive(Args, Debug)]
pub struct OptionsArguments {
    /// Only the parameters of this player.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Prints a JSON array instead of a table.
    #[arg(long)]
    json: bool,
}

/// Prints the list.
pub fn run(arguments: &OptionsArguments) -> anyhow::Result<ExitCode> {
    let entries = listing::entries(arguments.player.as_deref())?;
    let text = if arguments.json {
        serde_json::to_string_pretty(&entries)? + "\n"
    } else {
        listing::table(&entries)
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
