//! `selfplay analyze`: reports on saved pairs.

use std::process::ExitCode;

use anqi_rules::Rules;
use anqi_selfplay::luck;
use anqi_selfplay::report::Report;
use anqi_selfplay::report::run::Run;
use anqi_selfplay::sequential::Analysis;
use anqi_selfplay::store;
use anyhow::Context;

use super::arguments::AnalyzeArguments;
use super::output::{self, Outputs};
use super::signals;

/// Reports on the pairs in the folders.
pub fn run(arguments: &AnalyzeArguments) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::open(&arguments.output)?;
    let (meta, mut loaded) = store::load(&arguments.folders)?;
    output::warn_about_torn_lines(&loaded);
    let analysis = Analysis {
        sprt: arguments.sprt.or(meta.sprt),
        coefficient: arguments.luck.coefficient(),
    };
    if let Some(appraiser) = arguments.luck.appraiser(analysis.sprt.as_ref()) {
        let rules = Rules::preset(&meta.identity.rules).context("unknown rules")?;
        luck::complete(&mut loaded.records, rules, appraiser)?;
    }
    let report = Report::new(&meta.identity, &loaded.records, &analysis)
        .by(Run::now(signals::command_line()));
    outputs.publish(&report)?;
    Ok(ExitCode::SUCCESS)
}
