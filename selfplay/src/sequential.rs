//! When a sequential test may stop a match that several threads play.
//!
//! Pairs end in an order that depends on the machine, and a test that looked at
//! them in that order would decide differently from run to run; worse, short
//! games end first, and they are not a fair sample. So the test looks at pairs
//! in the order of their numbers only: a pair that ended early waits until all
//! before it have ended.

use std::collections::BTreeMap;

use crate::record::PairRecord;
use crate::statistics::adjusted::{Coefficient, PairResult, RunningAdjustment};
use crate::statistics::pentanomial::Pentanomial;
use crate::statistics::sprt::{Decision, Scores, Sprt, SprtState};

/// How finished pairs are to be read.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Analysis {
    /// The test that may end the match early, if there is one.
    pub sprt: Option<Sprt>,
    /// Where the coefficient of luck comes from.
    pub coefficient: Coefficient,
}

/// The pairs that a test has looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Counts of raw results.
    pub counts: Pentanomial,
    /// The same results with the luck taken out.
    pub adjusted: RunningAdjustment,
}

impl Tally {
    /// Begins before the first pair.
    pub fn new(coefficient: Coefficient) -> Tally {
        Tally {
            counts: Pentanomial::default(),
            adjusted: RunningAdjustment::new(coefficient),
        }
    }

    /// Counts the next pair.
    pub fn add(&mut self, half_points: u64, result: PairResult) {
        self.counts.add(half_points);
        self.adjusted.add(result);
    }

    /// Returns where a test stands.
    pub fn state(&self, sprt: &Sprt) -> SprtState {
        match sprt.scores {
            Scores::Raw => sprt.state(&self.counts),
            Scores::Adjusted => sprt.adjusted_state(&self.adjusted),
        }
    }
}

/// A test that is fed pairs in any order and looks at them in theirs.
#[derive(Clone, Debug)]
pub struct Sequential {
    sprt: Sprt,
    tally: Tally,
    waiting: BTreeMap<u64, (u64, PairResult)>,
    decided: Option<u64>,
}

impl Sequential {
    /// Starts the test of an analysis, if it has one.
    pub fn of(analysis: &Analysis) -> Option<Sequential> {
        Some(Sequential {
            sprt: analysis.sprt?,
            tally: Tally::new(analysis.coefficient),
            waiting: BTreeMap::new(),
            decided: None,
        })
    }

    /// Counts a finished pair.
    pub fn add(&mut self, record: &PairRecord) {
        let result = (record.half_points_a(), record.result());
        self.waiting.insert(record.pair, result);
        while self.decided.is_none() {
            let pairs = self.tally.counts.pairs();
            let Some((half_points, result)) = self.waiting.remove(&pairs) else {
                return;
            };
            self.tally.add(half_points, result);
            if self.tally.state(&self.sprt).decision != Decision::Continue {
                self.decided = Some(pairs + 1);
            }
        }
    }

    /// Returns after how many pairs the test was decided.
    pub fn decided(&self) -> Option<u64> {
        self.decided
    }
}

/// Returns after how many of the first pairs the test of an analysis is decided.
pub fn decided_after(records: &[PairRecord], analysis: &Analysis) -> Option<usize> {
    let mut test = Sequential::of(analysis)?;
    for record in records {
        test.add(record);
    }
    test.decided().and_then(|pairs| usize::try_from(pairs).ok())
}
