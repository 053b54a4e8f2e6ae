//! Counts of the five results a pair can have.
//!
//! A pair is two games, so A scores between nothing and two points in steps of
//! a half: LL, LD (or DL), DD (or WL or LW), WD (or DW), WW. These five counts
//! keep what pairing does to the variance; win, draw and loss counts lose it.

use serde::{Deserialize, Serialize};

/// Number of pairs for each score of A: `[LL, LD, DD and WL, WD, WW]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

/// The chance that a bound is wrong.
const DOUBT: f64 = 0.05;

/// What A can score per game over a pair, from LL to WW.
pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Pentanomial {
    /// Counts a pair in which A scored this many half points.
    ///
    /// # Panics
    ///
    /// Panics if `half_points` is more than four, which no pair yields.
    pub fn add(&mut self, half_points: u64) {
        self.0[half_points as usize] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns A's half points over all pairs.
    pub fn half_points(&self) -> u64 {
        (0..5)
            .zip(self.0)
            .map(|(points, count)| points * count)
            .sum()
    }

    /// Returns A's mean score per game, from 0 to 1.
    pub fn mean(&self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| self.half_points() as f64 / (4 * pairs) as f64)
    }

    /// Returns the unbiased variance of a pair's mean score.
    pub fn variance(&self) -> Option<f64> {
        let pairs = self.pairs();
        if pairs < 2 {
            return None;
        }
        let mean = self.mean()?;
        let squares: f64 = SCORES
            .iter()
            .zip(self.0)
            .map(|(score, count)| count as f64 * (score - mean).powi(2))
            .sum();
        Some(squares / (pairs - 1) as f64)
    }

    /// Returns the 95 % interval of the mean score where all pairs ended alike; `None` where
    /// they did not.
    ///
    /// Such results have no spread to estimate an error from. If pairs ended otherwise with a
    /// chance of more than `1 - m^(1/n)`, where `m` is 5 %, `n` pairs without one would be seen
    /// less than once in twenty matches; and a pair that ends otherwise scores from 0 to 1.
    pub fn interval_without_spread(&self) -> Option<[f64; 2]> {
        let pairs = self.pairs();
        let alike = |&count: &u64| count > 0 && count == pairs;
        let score = SCORES[self.0.iter().position(alike)?];
        let likely = DOUBT.powf(1.0 / pairs as f64);
        Some([likely * score, 1.0 - likely * (1.0 - score)])
    }

    /// Returns the same results as the other side sees them.
    pub fn of_opponent(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }

    /// Returns the standard error of [`Pentanomial::mean`].
    pub fn standard_error(&self) -> Option<f64> {
        let variance = self.variance()?;
        Some((variance / self.pairs() as f64).sqrt())
    }
}

impl FromIterator<u64> for Pentanomial {
    fn from_iter<I: IntoIterator<Item = u64>>(half_points: I) -> Pentanomial {
        let mut counts = Pentanomial::default();
        for points in half_points {
            counts.add(points);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::moments::Sample;

    #[test]
    fn moments_agree_with_a_list_of_all_pairs() {
        let counts = Pentanomial([3, 10, 21, 11, 4]);
        let list: Sample = SCORES
            .iter()
            .zip(counts.0)
            .flat_map(|(&score, count)| std::iter::repeat_n(score, count as usize))
            .collect();
        let estimate = list.estimate().expect("49 pairs");
        assert_eq!(counts.pairs(), 49);
        assert!((counts.mean().expect("pairs") - estimate.mean).abs() < 1e-12);
        let error = counts.standard_error().expect("pairs");
        assert!((error - estimate.standard_error.expect("pairs")).abs() < 1e-12);
    }

    #[test]
    fn results_that_are_all_alike_have_bounds_instead_of_an_error() {
        let close = |found: [f64; 2], expected: [f64; 2]| {
            let near = |i: usize| (found[i] - expected[i]).abs() < 1e-9;
            assert!(near(0) && near(1), "{found:?} {expected:?}");
        };
        let ends = |counts| Pentanomial(counts).interval_without_spread();
        // The tenth root of 5 % is 0.741.
        let likely = 0.741_134_449_106_948;
        close(ends([0, 0, 0, 0, 10]).expect("bounds"), [likely, 1.0]);
        close(ends([10, 0, 0, 0, 0]).expect("bounds"), [0.0, 1.0 - likely]);
        let drawn = ends([0, 0, 10, 0, 0]).expect("bounds");
        close(drawn, [likely / 2.0, 1.0 - likely / 2.0]);
        assert_eq!(ends([0, 0, 9, 1, 0]), None);
        assert_eq!(ends([0; 5]), None);
        let few = Pentanomial([1, 2, 3, 4, 5]).of_opponent();
        assert_eq!(few, Pentanomial([5, 4, 3, 2, 1]));
    }

    #[test]
    fn nothing_is_said_of_an_empty_match() {
        let counts = Pentanomial::default();
        assert_eq!(counts.mean(), None);
        assert_eq!(counts.standard_error(), None);
    }
}
