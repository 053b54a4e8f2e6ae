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
    /// By the same steps: the mean value, in ±1; 0 without positions.
    pub mean_values: [f64; BARS],
    /// By the same steps: the mean result of the games. Of calibrated values it is near the mean value.
    pub mean_results: [f64; BARS],
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
        census.divide();
        Ok(census)
    }

    /// Makes means of sums.
    fn divide(&mut self) {
        let count = self.positions.max(1) as f64;
        self.mean_depth /= count;
        self.mean_ply /= count;
        for (bar, &count) in self.values.iter().enumerate() {
            let count = count.max(1) as f64;
            self.mean_values[bar] /= count;
            self.mean_results[bar] /= count;
        }
    }

    /// Counts one position; the means are sums until all are counted.
    fn add(&mut self, example: &Example) {
        self.positions += 1;
        self.results[match example.result {
            GameResult::Loss => 0,
            GameResult::Draw => 1,
            GameResult::Win => 2,
        }] += 1;
        if example.is_proven() {
            self.proven[usize::from(example.value > 0)] += 1;
        } else {
            self.add_value(example)
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

    fn add_value(&mut self, example: &Example) {
        let bar = bar(example.value);
        self.values[bar] += 1;
        self.mean_values[bar] += f64::from(example.value) / f64::from(UNPROVEN_BOUND);
        self.mean_results[bar] += f64::from(example.result.sign());
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
    use anqi_rules::Position;

    #[test]
    fn values_and_results_are_averaged_step_by_step() {
        let example = |value, result| Example {
            position: Position::start(),
            value,
            result,
            best: BestAction::Step,
            depth: 1,
            game: 0,
        };
        let (mut census, mut all) = (Census::default(), Vec::new());
        for (value, result) in [
            (6_100, GameResult::Win),
            (7_100, GameResult::Win),
            (7_200, GameResult::Draw),
            (7_600, GameResult::Loss),
            (-9_000, GameResult::Loss),
            (10_000, GameResult::Win),
        ] {
            all.push(example(value, result));
        }
        all.iter().for_each(|example| census.add(example));
        census.divide();
        assert_eq!((census.values[8], census.values[0]), (4, 1));
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(close(census.mean_values[8], 0.7) && close(census.mean_results[8], 0.25));
        assert!(close(census.mean_values[0], -0.9) && close(census.mean_results[0], -1.0));
        assert_eq!(census.mean_results[5], 0.0);
        assert_eq!(census.proven, [0, 1]);
    }

    #[test]
    fn bars_are_equally_wide() {
        assert_eq!([-9_999, -8_001, -8_000].map(bar), [0, 0, 1]);
        assert_eq!([-1, 0, 1_999, 2_000, 9_999].map(bar), [4, 5, 5, 6, 9]);
        let mut counts = [0; BARS];
        (-9_999..=9_999).for_each(|value| counts[bar(value)] += 1);
        assert!(counts.iter().all(|&count| count == 2_000 || count == 1_999));
    }
}
