//! The luck of all flips of a pair, as its record keeps it.

use serde::{Deserialize, Serialize};

/// A win, in the units of luck: ten-thousandths of the way from a draw to a win.
pub const WIN: i32 = 10_000;

/// The luck of all flips of a pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairLuck {
    /// The name of the appraiser.
    pub appraiser: String,
    /// A's luck in each flip of the two games, in ten-thousandths of a win.
    pub flips: [Vec<i32>; 2],
}

impl PairLuck {
    /// Returns A's luck over the pair in points per game, to be compared with its mean score.
    pub fn points(&self) -> f64 {
        points_of(self.sum())
    }

    /// Returns A's luck over the pair in ten-thousandths of a win.
    pub fn sum(&self) -> i64 {
        let flips = self.flips.iter().flatten();
        flips.map(|&luck| i64::from(luck)).sum()
    }
}

/// Returns points per game for luck over a pair in ten-thousandths of a win.
pub fn points_of(sum: i64) -> f64 {
    // From a draw to a win is half a point, and a pair is two games.
    sum as f64 / f64::from(WIN) / 2.0 / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_of_both_games_makes_points() {
        let luck = PairLuck {
            appraiser: String::new(),
            flips: [vec![5_000, -1_000], vec![0, 4_000]],
        };
        // 8,000 of 10,000 are 0.4 points, over two games.
        assert!((luck.points() - 0.2).abs() < 1e-12);
    }
}
