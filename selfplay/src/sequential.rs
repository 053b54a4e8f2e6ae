//! When a sequential test may stop a match that several threads play.
//!
//! Pairs end in an order that depends on the machine, and a test that looked at
//! them in that order would decide differently from run to run; worse, short
//! games end first, and they are not a fair sample. So the test looks at pairs
//! in the order of their numbers only: a pair that ended early waits until all
//! before it have ended.

use std::collections::BTreeMap;

use crate::record::PairRecord;
use crate::statistics::pentanomial::Pentanomial;
use crate::statistics::sprt::{Decision, Sprt};

/// A test that is fed pairs in any order and looks at them in theirs.
#[derive(Clone, Debug)]
pub struct Sequential {
    sprt: Sprt,
    counts: Pentanomial,
    waiting: BTreeMap<u64, u64>,
    decided: Option<u64>,
}

impl Sequential {
    /// Starts a test.
    pub fn new(sprt: Sprt) -> Sequential {
        Sequential {
            sprt,
            counts: Pentanomial::default(),
            waiting: BTreeMap::new(),
            decided: None,
        }
    }

    /// Learns of a finished pair.
    pub fn add(&mut self, record: &PairRecord) {
        self.waiting.insert(record.pair, record.half_points_a());
        while self.decided.is_none() {
            let Some(half_points) = self.waiting.remove(&self.counts.pairs()) else {
                return;
            };
            self.counts.add(half_points);
            if self.sprt.state(&self.counts).decision != Decision::Continue {
                self.decided = Some(self.counts.pairs());
            }
        }
    }

    /// Returns after how many pairs the test was decided.
    pub fn decided(&self) -> Option<u64> {
        self.decided
    }
}

/// Returns after how many of the first pairs a test is decided.
pub fn decided_after(records: &[PairRecord], sprt: &Sprt) -> Option<usize> {
    let mut test = Sequential::new(*sprt);
    for record in records {
        test.add(record);
    }
    test.decided().and_then(|pairs| usize::try_from(pairs).ok())
}
