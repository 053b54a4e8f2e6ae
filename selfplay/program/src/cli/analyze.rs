//! `selfplay analyze`: reports on saved pairs.
//!
//! The pairs stream by in the order of their numbers; only their places and results stay in
//! memory.

use std::process::ExitCode;

use anqi_match::luck::{self, AppraiserSpec};
use anqi_match::record::PairRecord;
use anqi_match::report::run::Run;
use anqi_match::report::{Report, ReportTally};
use anqi_match::sequential::{Analysis, SequentialTest};
use anqi_match::store::{self, Index, Meta, Records};
use anqi_rules::Rules;
use anyhow::Context;

use super::arguments::AnalyzeArguments;
use super::output::{self, Outputs};
use super::signals;

/// Pairs whose luck is measured at a time, on all threads.
const BATCH: usize = 1_024;

/// Reports on the pairs in the folders.
pub fn run(arguments: &AnalyzeArguments) -> anyhow::Result<ExitCode> {
    let outputs = Outputs::open(&arguments.output)?;
    let (meta, mut index) = store::index(&arguments.folders)?;
    output::warn_about_torn(index.torn());
    let analysis = Analysis {
        sprt: arguments.sprt.or(meta.sprt),
        coefficient: arguments.luck.coefficient(),
    };
    let appraiser = arguments.luck.appraiser(analysis.sprt.as_ref());
    let report = stream(&meta, &mut index, &analysis, appraiser)?;
    let report = report.by(Run::now(signals::command_line()));
    let mut records = Records::default();
    let pairs = (0..report.pairs()).map(|number| records.read_again(&index, number));
    outputs.publish(&report, pairs)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the pairs up to the decision of the test, and reports on them.
fn stream<'a>(
    meta: &'a Meta,
    index: &mut Index,
    analysis: &Analysis,
    appraiser: Option<AppraiserSpec>,
) -> anyhow::Result<Report<'a>> {
    let rules = Rules::preset(&meta.identity.rules).context("unknown rules")?;
    let mut tally = ReportTally::new(&meta.identity, analysis);
    let mut test = Test::of(analysis);
    let mut records = Records::default();
    let mut counted = 0;
    while counted < index.len() && !test.is_decided() {
        let batch = counted..(counted + BATCH).min(index.len());
        let read = batch.map(|number| records.read(index, number));
        let mut batch = read.collect::<Result<Vec<PairRecord>, _>>()?;
        if let Some(appraiser) = appraiser {
            luck::complete(&mut batch, rules, appraiser)?;
        }
        for record in &batch {
            if test.is_decided() {
                break;
            }
            test.add(record);
            tally.add(record);
            index.keep_result(counted, record);
            counted += 1;
        }
    }
    Ok(tally.finish(index.results(counted)))
}

/// A sequential test of pairs in the order of their numbers, until one is missing.
struct Test {
    test: Option<SequentialTest>,
    next: u64,
}

impl Test {
    fn of(analysis: &Analysis) -> Test {
        Test {
            test: SequentialTest::of(analysis),
            next: 0,
        }
    }

    fn add(&mut self, record: &PairRecord) {
        // The test waits for a missing pair for ever; the later ones would only fill memory.
        if let Some(test) = self.test.as_mut().filter(|_| record.pair == self.next) {
            test.add(record);
            self.next += 1;
        }
    }

    fn is_decided(&self) -> bool {
        self.test
            .as_ref()
            .is_some_and(|test| test.decided().is_some())
    }
}
