//! Values of positions.
//!
//! A search value is an integer: the expected result for the side to move in
//! ten-thousandths, −10,000 to 10,000. Estimates stay within ±9,000. Proven
//! values lie beyond ±10,000, apart from everything else: a win in n plies is
//! 11,000 − n, and a win known from an endgame table 10,500 − n, where n counts
//! the plies to the next capture. At the root a table may know the plies to the
//! end: such a win is 80,000 − n.
//!
//! The value of a flip is the average over its outcomes ([`Mixture`]). It is
//! proven only if every outcome is; if one is not, the proven ones count as
//! plain ±10,000. So the average stays an expected result, a value beyond
//! 10,000 always means a proof, and the average is monotone in every outcome,
//! as pruning requires.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The largest unproven value: the expected result of a certain win.
pub const UNPROVEN_BOUND: i32 = 10_000;
/// The value of a win in 0 plies.
pub const WIN: i32 = UNPROVEN_BOUND + 1_000;
/// The value of a win known from a table, with the next capture in 0 plies.
pub const TABLE_WIN: i32 = UNPROVEN_BOUND + 500;
/// The value of a win known from a table of plies to the end, in 0 plies; any number in such a table
/// leaves it above [`WIN`].
pub const TABLE_END: i32 = 80_000;
/// The greatest absolute value of an estimate.
pub const ESTIMATE_BOUND: i32 = 9_000;

/// Returns the value of a loss `plies` plies below the root.
#[inline]
pub const fn lost_in(plies: u32) -> i32 {
    plies as i32 - WIN
}

/// The running average over the outcomes of a flip.
///
/// Sums are exact; the one division rounds toward zero, so that the average of
/// negated values is the negated average. If every outcome is won, the average is
/// the longest of the wins, as no shorter one is certain; likewise for losses.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    capped: i64,
    weight: i64,
    least: i32,
    greatest: i32,
}

impl Default for Mixture {
    fn default() -> Mixture {
        Mixture {
            capped: 0,
            weight: 0,
            least: WIN,
            greatest: -WIN,
        }
    }
}

impl Mixture {
    /// Adds an outcome.
    #[inline]
    pub fn add(&mut self, value: i32, weight: u32) {
        let weight = i64::from(weight);
        self.capped += i64::from(value.clamp(-UNPROVEN_BOUND, UNPROVEN_BOUND)) * weight;
        self.weight += weight;
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// Returns the average of the outcomes added, zero for none.
    #[inline]
    pub fn average(&self) -> i32 {
        if self.weight == 0 {
            0
        } else if self.least > UNPROVEN_BOUND {
            self.least
        } else if self.greatest < -UNPROVEN_BOUND {
            self.greatest
        } else {
            (self.capped / self.weight) as i32
        }
    }
}

/// A value with its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Score {
    /// An estimate: the expected result for the side to move, in ±10,000.
    Estimate(i32),
    /// A win in this many plies, whatever the other side does and whatever appears.
    Win {
        /// Plies to the end of the game, or to the winning conversion if from a table.
        plies: u32,
        /// Where it comes from.
        source: ProofSource,
    },
    /// A loss in this many plies.
    Loss {
        /// Plies to the end of the game, or to the losing conversion if from a table.
        plies: u32,
        /// Where it comes from.
        source: ProofSource,
    },
    /// A draw, known from a table.
    Draw,
}

/// Where an exact value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ProofSource {
    /// The search has seen the end on every line.
    Proof,
    /// An endgame table of plies to the next capture.
    Table,
    /// An endgame table of plies to the end.
    TableEnd,
}

impl ProofSource {
    /// Returns whether the plies of such a score lead to the end of the game, not only to a capture.
    pub fn is_to_end(self) -> bool {
        match self {
            ProofSource::Proof | ProofSource::TableEnd => true,
            ProofSource::Table => false,
        }
    }
}

impl Score {
    /// Returns the score of a search value.
    pub fn from_value(value: i32) -> Score {
        if value.abs() <= UNPROVEN_BOUND {
            return Score::Estimate(value);
        }
        let (from, source) = match value.abs() {
            proven if proven > WIN => (TABLE_END, ProofSource::TableEnd),
            proven if proven > TABLE_WIN => (WIN, ProofSource::Proof),
            _ => (TABLE_WIN, ProofSource::Table),
        };
        let plies = (from - value.abs()) as u32;
        if value > 0 {
            Score::Win { plies, source }
        } else {
            Score::Loss { plies, source }
        }
    }

    /// Returns the plies to the end of the game if it is proven to end in so many, negative for a loss.
    pub fn plies_to_end(self) -> Option<i32> {
        match self {
            Score::Win { plies, source } if source.is_to_end() => Some(plies as i32),
            Score::Loss { plies, source } if source.is_to_end() => Some(-(plies as i32)),
            _ => None,
        }
    }

    /// Returns the expected result in ±1.
    pub fn expected_result(self) -> f64 {
        match self {
            Score::Estimate(value) => f64::from(value) / f64::from(UNPROVEN_BOUND),
            Score::Win { .. } => 1.0,
            Score::Loss { .. } => -1.0,
            Score::Draw => 0.0,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Estimate(_) => write!(f, "{:+.3}", self.expected_result()),
            Score::Win { plies, .. } => write!(f, "win {plies}"),
            Score::Loss { plies, .. } => write!(f, "loss {plies}"),
            Score::Draw => f.write_str("draw"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_beyond_the_unproven_ones_are_wins_and_losses() {
        assert_eq!(Score::from_value(9_000).to_string(), "+0.900");
        assert_eq!(Score::from_value(UNPROVEN_BOUND).to_string(), "+1.000");
        assert_eq!(Score::from_value(-123).to_string(), "-0.012");
        assert_eq!(Score::from_value(WIN - 5).to_string(), "win 5");
        assert_eq!(Score::from_value(lost_in(4)).to_string(), "loss 4");
        assert_eq!(Score::from_value(7 - TABLE_WIN).to_string(), "loss 7");
    }

    #[test]
    fn plies_to_the_end_are_told_apart_from_those_to_a_capture() {
        let end = |value| Score::from_value(value).plies_to_end();
        assert_eq!(end(WIN - 5), Some(5));
        assert_eq!(end(lost_in(4)), Some(-4));
        assert_eq!((end(TABLE_WIN - 5), end(7 - TABLE_WIN)), (None, None));
        assert_eq!(end(9_000), None);
        for plies in [1, 121, 600, u16::MAX - 1] {
            let value = TABLE_END - i32::from(plies);
            assert_eq!(end(value), Some(plies.into()));
            assert_eq!(end(-value), Some(-i32::from(plies)));
            assert_eq!(Score::from_value(value).to_string(), format!("win {plies}"));
        }
    }

    fn mix(outcomes: &[(i32, u32)]) -> i32 {
        let mut mixture = Mixture::default();
        for &(value, weight) in outcomes {
            mixture.add(value, weight);
        }
        mixture.average()
    }

    #[test]
    fn a_mixture_is_proven_only_if_every_outcome_is() {
        assert_eq!(mix(&[(WIN - 3, 1), (WIN - 5, 1)]), WIN - 5);
        assert_eq!(mix(&[(5 - WIN, 2), (3 - WIN, 1)]), 5 - WIN);
        assert_eq!(mix(&[(WIN - 3, 9), (0, 1)]), 9_000);
        assert_eq!(mix(&[(WIN, 1), (-WIN, 1)]), 0);
        assert_eq!(mix(&[(7, 1), (0, 1)]), -mix(&[(-7, 1), (0, 1)]));
    }
}
