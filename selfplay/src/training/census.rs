//! Counts over a file of positions.

use anqi_search::score::UNPROVEN_BOUND;
use serde::Serialize;

use super::example::{BestAction, Example, GameResult};
use super::file::{DataFault, DataFile};

/// How many bars the histogram of values has.
pub const BARS: usize = 10;

/// Counts over the positions of one file.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Census {
    /// How the games were played.
    pub recipe: String,
    /// Their seed.
    pub seed: u64,
    /// Number of games.
    pub games: u64,
    /// How many positions.
    pub positions: u64,
    /// Positions whose game the side to move lost, drew, won.
    pub results: [u64; 3],
    /// Positions by the search's value, in equal steps from −1 to 1, without the proven ones.
    pub values: [u64; BARS],
    /// Positions that the search has proven lost, and won.
    pub proven: [u64; 2],
    /// Positions whose best action is a step, a capture, a flip.
    pub best: [u64; 3],
    /// Positions with face-down pieces.
    pub with_face_down: u64,
    /// The mean search depth in plies.
    pub mean_depth: f64,
    /// The mean ply number of the positions.
    pub mean_ply: f64,
}

impl Census {
    /// Counts the positions of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if a record is invalid.
    pub fn new(data: &DataFile) -> Result<Census, DataFault> {
        let header = data.header();
        let mut census = Census {
            recipe: header.recipe.clone(),
            seed: header.seed,
            games: header.games,
            ..Census::default()
        };
        for index in 0..data.records().len() {
            census.add(&data.example(index)?);
        }
        let count = census.positions.max(1) as f64;
        census.mean_depth /= count;
        census.mean_ply /= count;
        Ok(census)
    }

    /// Counts one position; the means are sums until all are counted.
    fn add(&mut self, example: &Example) {
        self.positions += 1;
        self.results[match example.result {
            GameResult::Loss => 0,
            GameResult::Draw => 1,
            GameResult::Win => 2,
        }] += 1;
        match example.is_proven() {
            true => self.proven[usize::from(example.value > 0)] += 1,
            false => self.values[bar(example.value)] += 1,
        }
        self.best[match example.best {
            BestAction::Step => 0,
            BestAction::Capture => 1,
            BestAction::Flip => 2,
        }] += 1;
        self.with_face_down += u64::from(!example.position.face_down().is_empty());
        self.mean_depth += f64::from(example.depth);
        self.mean_ply += f64::from(example.position.ply());
    }
}

/// Returns the bar of a value that is not proven.
fn bar(value: i16) -> usize {
    ((i32::from(value) + UNPROVEN_BOUND) as usize * BARS / (2 * UNPROVEN_BOUND as usize))
        .min(BARS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_equally_wide() {
        assert_eq!([-9_999, -8_001, -8_000].map(bar), [0, 0, 1]);
        assert_eq!([-1, 0, 1_999, 2_000, 9_999].map(bar), [4, 5, 5, 6, 9]);
        let mut counts = [0; BARS];
        (-9_999..=9_999).for_each(|value| counts[bar(value)] += 1);
        assert!(counts.iter().all(|&count| count == 2_000 || count == 1_999));
    }
}
