//! `selfplay analyze`: reports on saved pairs.

use std::process::ExitCode;

use anqi_selfplay::report::Report;
use anqi_selfplay::report::run::Run;
use anqi_selfplay::store;

use super::arguments::AnalyzeArguments;
use super::output::{self, Outputs};
use super::signals;

/// Reports on the pairs in the folders.
pub fn run(arguments: &AnalyzeArguments) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::open(&arguments.output)?;
    let (meta, loaded) = store::load(&arguments.folders)?;
    output::warn_about_torn_lines(&loaded);
    let sprt = arguments.sprt.or(meta.sprt);
    let report = Report::new(&meta.identity, &loaded.records, sprt.as_ref())
        .by(Run::now(signals::command_line()));
    outputs.publish(&report)?;
    Ok(ExitCode::SUCCESS)
}
