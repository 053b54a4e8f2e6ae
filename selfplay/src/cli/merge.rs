//! Puts folders of finished pairs together.

use std::process::ExitCode;

use anqi_selfplay::store;

use super::arguments::MergeArguments;

/// Writes all pairs of the folders into one folder, in order.
pub fn run(arguments: &MergeArguments) -> anyhow::Result<ExitCode> {
    let (meta, records) = store::load(&arguments.folders)?;
    store::write(&arguments.out, &meta, &records)?;
    let pairs = records.len();
    let folders = arguments.folders.len();
    eprintln!(
        "{pairs} pairs from {folders} folders are in {}",
        arguments.out.display()
    );
    Ok(ExitCode::SUCCESS)
}
