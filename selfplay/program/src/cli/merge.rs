//! `selfplay merge`: merges folders of finished pairs.

use std::process::ExitCode;

use anqi_match::store;

use super::arguments::MergeArguments;
use super::output;

/// Writes all pairs of the folders into one folder, in order.
pub fn run(arguments: &MergeArguments) -> anyhow::Result<ExitCode> {
    let merged = store::merge(&arguments.folders, &arguments.out)?;
    output::warn_about_torn(&merged.torn);
    let pairs = merged.pairs;
    let folders = arguments.folders.len();
    eprintln!(
        "{pairs} pairs from {folders} folders are in {}",
        arguments.out.display()
    );
    Ok(ExitCode::SUCCESS)
}
