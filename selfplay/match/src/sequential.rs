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

/// How finished pairs are analysed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Analysis {
    /// The test that may end the match early, if there is one.
    pub sprt: Option<Sprt>,
    /// Where the coefficient of luck comes from.
    pub coefficient: Coefficient,
}

/// The pairs counted so far.
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

    /// Returns the state of a test.
    pub fn state(&self, sprt: &Sprt) -> SprtState {
        match sprt.scores {
            Scores::Raw => sprt.state(&self.counts),
            Scores::Adjusted => sprt.adjusted_state(&self.adjusted),
        }
    }
}

/// A test that receives pairs in any order and counts them by number.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    tally: Tally,
    waiting: BTreeMap<u64, (u64, PairResult)>,
    decided: Option<u64>,
}

impl SequentialTest {
    /// Starts the test of an analysis, if it has one.
    pub fn of(analysis: &Analysis) -> Option<SequentialTest> {
        Some(SequentialTest {
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
    let mut test = SequentialTest::of(analysis)?;
    for record in records {
        test.add(record);
    }
    test.decided().and_then(|pairs| usize::try_from(pairs).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::luck::PairLuck;
    use crate::record::{GameRecord, Reason, Timing, Verdict};
    use crate::side::{BySide, Side};

    /// A pair in which A wins both games, or one, with this luck.
    fn pair(number: u64, wins: usize, luck: i32) -> PairRecord {
        let game = |index: usize| GameRecord {
            opening: None,
            starter: [Side::A, Side::B][index],
            starter_color: None,
            verdict: Verdict {
                winner: Some(if index < wins { Side::A } else { Side::B }),
                reason: Reason::Annihilation,
                detail: None,
            },
            nodes: BySide::default(),
            last_values: BySide::default(),
            plies: String::new(),
        };
        PairRecord {
            pair: number,
            games: [game(0), game(1)],
            timing: [Timing::default(); 2],
            luck: Some(PairLuck {
                appraiser: "test".to_owned(),
                flips: [vec![luck], Vec::new()],
            }),
        }
    }

    /// Pairs of which A wins most, luckily or not.
    fn pairs() -> Vec<PairRecord> {
        let wins = |number| if number % 5 == 0 { 1 } else { 2 };
        let luck = |number| [3_000, -2_000, -1_000][number as usize % 3];
        (0..60)
            .map(|number| pair(number, wins(number), luck(number)))
            .collect()
    }

    fn analysis(sprt: &str) -> Analysis {
        Analysis {
            sprt: sprt.parse().ok(),
            coefficient: Coefficient::Estimated,
        }
    }

    #[test]
    fn the_order_in_which_pairs_end_does_not_matter() {
        for sprt in ["elo0=0,elo1=50", "elo0=0,elo1=50,adjusted"] {
            let analysis = analysis(sprt);
            let in_order = decided_after(&pairs(), &analysis);
            assert!(
                in_order.is_some_and(|pairs| pairs < 60),
                "{sprt}: {in_order:?}"
            );
            let mut reversed = SequentialTest::of(&analysis).expect("a test");
            pairs().iter().rev().for_each(|pair| reversed.add(pair));
            assert_eq!(reversed.decided().map(|pairs| pairs as usize), in_order);
        }
    }

    #[test]
    fn a_pair_that_is_missing_holds_the_test_up() {
        let mut test = SequentialTest::of(&analysis("elo0=0,elo1=50")).expect("a test");
        pairs()[1..].iter().for_each(|pair| test.add(pair));
        assert_eq!(test.decided(), None);
        test.add(&pairs()[0]);
        assert!(test.decided().is_some());
    }

    #[test]
    fn without_a_test_nothing_is_decided() {
        assert!(SequentialTest::of(&Analysis::default()).is_none());
        assert_eq!(decided_after(&pairs(), &Analysis::default()), None);
    }
}
