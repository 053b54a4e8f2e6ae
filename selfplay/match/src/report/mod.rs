//! Reports of a match for programs, people and browsers.
//!
//! All reports are made from one [`Report`] and compute no figures of their own.

pub mod digest;
pub mod html;
pub mod json;
pub mod plot;
pub mod run;
pub mod standings;
pub mod standings_html;
pub mod table;
pub mod text;
mod viewer;

use self::digest::Digest;
use self::run::Run;
use crate::record::PairRecord;
use crate::sequential::{Analysis, decided_after};
use crate::statistics::adjusted::PairResult;
use crate::store::Identity;
use crate::summary::tally::{SummaryTally, TimesTally};
use crate::summary::{Summary, Times};

/// A match with all its figures.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What match it is.
    pub identity: &'a Identity,
    /// What is shown of single games.
    pub digest: Digest,
    /// All figures that do not depend on time.
    pub summary: Summary,
    /// All figures that do.
    pub times: Times,
    /// How the report was made, if it should say so.
    pub run: Option<Run>,
}

/// How much a report says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// What follows from the games alone: the same games give the same bytes.
    #[default]
    Reproducible,
    /// Also times, date and command, which differ from run to run.
    WithTimes,
}

impl<'a> Report<'a> {
    /// Computes all figures from records sorted by number.
    ///
    /// A decided sequential test counts only the pairs up to its decision, not
    /// those that other threads were still playing.
    pub fn new(identity: &'a Identity, records: &[PairRecord], analysis: &Analysis) -> Self {
        let decided = decided_after(records, analysis);
        let records = &records[..decided.unwrap_or(records.len())];
        let mut tally = ReportTally::new(identity, analysis);
        records.iter().for_each(|record| tally.add(record));
        tally.finish(records.iter().map(PairRecord::result))
    }

    /// Returns how many pairs count: the first ones, by number.
    pub fn pairs(&self) -> usize {
        self.summary.pentanomial.pairs() as usize
    }

    /// Adds how the report was made.
    pub fn by(self, run: Run) -> Self {
        Report {
            run: Some(run),
            ..self
        }
    }

    /// Returns whether the games were played with a clock.
    pub fn has_clock(&self) -> bool {
        self.identity.limits.a.time.is_some() || self.identity.limits.b.time.is_some()
    }
}

/// A report in the making, from pairs in the order of their numbers; it does not grow with them.
#[derive(Clone, Debug)]
pub struct ReportTally<'a> {
    identity: &'a Identity,
    summary: SummaryTally,
    times: TimesTally,
    digest: Digest,
    pairs: usize,
}

impl<'a> ReportTally<'a> {
    /// Begins before the first pair.
    pub fn new(identity: &'a Identity, analysis: &Analysis) -> Self {
        ReportTally {
            identity,
            summary: SummaryTally::new(analysis),
            times: TimesTally::default(),
            digest: Digest::default(),
            pairs: 0,
        }
    }

    /// Counts the next pair.
    pub fn add(&mut self, record: &PairRecord) {
        self.summary.add(record);
        self.times.add(record);
        self.digest.add(record);
        self.pairs += 1;
    }

    /// Returns the report; `results` are those of the same pairs, in the same order.
    pub fn finish(self, results: impl Iterator<Item = PairResult> + Clone) -> Report<'a> {
        Report {
            identity: self.identity,
            digest: self.digest.with_course(self.pairs, results.clone()),
            summary: self.summary.finish(results),
            times: self.times.finish(),
            run: None,
        }
    }
}
