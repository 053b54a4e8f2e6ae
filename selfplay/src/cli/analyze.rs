//! Reports on finished pairs without playing any.

use std::process::ExitCode;

use anqi_selfplay::report::Report;
use anqi_selfplay::store;

use super::arguments::AnalyzeArguments;
use super::output;

/// Says what the pairs in the folders mean.
pub fn run(arguments: &AnalyzeArguments) -> anyhow::Result<ExitCode> {
    let (meta, records) = store::load(&arguments.folders)?;
    let sprt = arguments.sprt.or(meta.sprt);
    let report = Report::new(&meta.identity, &records, sprt.as_ref());
    output::write(&report, &arguments.output)?;
    Ok(ExitCode::SUCCESS)
}
