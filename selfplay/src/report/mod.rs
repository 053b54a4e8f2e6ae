//! Reports of a match for programs, people and browsers.
//!
//! All reports are made from one [`Report`] and compute no figures of their own.

pub mod html;
pub mod json;
pub mod plot;
pub mod run;
pub mod standings;
mod standings_html;
pub mod table;
pub mod text;
mod viewer;

use self::run::Run;
use crate::record::PairRecord;
use crate::sequential::{Analysis, decided_after};
use crate::store::Identity;
use crate::summary::{Summary, Times};

/// A match with all its figures.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What match it is.
    pub identity: &'a Identity,
    /// The pairs that count, sorted by number.
    pub records: &'a [PairRecord],
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
    pub fn new(identity: &'a Identity, records: &'a [PairRecord], analysis: &Analysis) -> Self {
        let decided = decided_after(records, analysis);
        let records = &records[..decided.unwrap_or(records.len())];
        Report {
            identity,
            records,
            summary: Summary::new(records, analysis),
            times: Times::new(records),
            run: None,
        }
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
