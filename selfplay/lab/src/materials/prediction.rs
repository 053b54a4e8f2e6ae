//! How well scores of materials predict the results of games, beside the evaluation.
//!
//! Each predictor is a logistic regression on the results of some games, tested on those of others.
//! A score is a category, so that whatever it means in results is learned; scores s and 9 − s mean
//! opposite results. Positions of one game are not independent: errors are taken over games.

use anqi_search::evaluation::Curve;

use super::estimates::GameId;
use super::lattice::TOP_SCORE;
use crate::training::cholesky::SquareMatrix;
use crate::training::curve;

/// Scores of a material that are compared: estimated, basic, refined.
pub const SCORES: usize = 3;

/// Steps of a regression; it converges in far fewer.
const STEPS: usize = 30;
/// Keeps scores that never occur from making the matrix singular.
const RIDGE: f64 = 1e-6;
/// The greatest value that an evaluation may have; beyond it the odds would be infinite.
pub(super) const MOST: f64 = 0.9999;

/// A position, seen by red.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its game.
    pub game: GameId,
    /// The result of the game as a chance: 1 won, ½ drawn, 0 lost.
    pub target: f64,
    /// The static evaluation of the position, between −1 and 1.
    pub position: f64,
    /// The mean static evaluation of its material.
    pub material: f64,
    /// The scores of its material.
    pub scores: [u8; SCORES],
}

/// What a predictor looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The static evaluation of the position.
    Position,
    /// The mean static evaluation of the material.
    Material,
    /// One of the scores of the material.
    Score(usize),
}

/// The loss of a predictor on games that it was not fitted to.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// Mean cross-entropy of a position, in nats.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
    /// The mean less that of the first predictor.
    pub difference: f64,
    /// The standard error of the difference.
    pub difference_error: f64,
}

impl Row {
    fn columns(&self, parts: &[Part]) -> Vec<f64> {
        let odds = |value: f64| value.clamp(-MOST, MOST).atanh();
        let mut columns = Vec::new();
        for part in parts {
            match part {
                Part::Position => columns.push(odds(self.position)),
                Part::Material => columns.push(odds(self.material)),
                Part::Score(which) => columns.extend(categories(self.scores[*which])),
            }
        }
        columns
    }
}

/// One column for each distance from the middle, with the sign of the side ahead.
fn categories(score: u8) -> [f64; 4] {
    let is_ahead = score > TOP_SCORE / 2;
    let off = if is_ahead {
        score - TOP_SCORE / 2 - 1
    } else {
        TOP_SCORE / 2 - score
    };
    let mut columns = [0.0; 4];
    if off > 0 {
        columns[usize::from(off) - 1] = if is_ahead { 1.0 } else { -1.0 };
    }
    columns
}

fn dot(weights: &[f64], columns: &[f64]) -> f64 {
    weights.iter().zip(columns).map(|(a, b)| a * b).sum()
}

/// Fits the weights of a predictor by Fisher scoring.
fn fit(rows: &[Row], parts: &[Part]) -> Vec<f64> {
    let columns: Vec<Vec<f64>> = rows.iter().map(|row| row.columns(parts)).collect();
    let size = columns.first().map_or(0, Vec::len);
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS {
        let mut curvature = SquareMatrix::zeros(size);
        let mut gradient = vec![0.0; size];
        for (row, columns) in rows.iter().zip(&columns) {
            let x = dot(&weights, columns);
            let slope = curve::slope(Curve::Logistic, x, row.target);
            let information = curve::information(Curve::Logistic, x);
            for (i, column) in columns.iter().enumerate() {
                gradient[i] += slope * column;
                for (j, other) in columns.iter().enumerate() {
                    *curvature.at_mut(i, j) += information * column * other;
                }
            }
        }
        for i in 0..size {
            *curvature.at_mut(i, i) += RIDGE;
        }
        let Some(step) = curvature.solve(&gradient) else {
            break;
        };
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight -= step;
        }
    }
    weights
}

/// Fits predictors to some rows and returns their losses on others, which are sorted by game.
pub fn losses(fitted: &[Row], tested: &[Row], predictors: &[&[Part]]) -> Vec<Loss> {
    let of = |parts: &&[Part]| -> Vec<f64> {
        let weights = fit(fitted, parts);
        let loss = |row: &Row| {
            let x = dot(&weights, &row.columns(parts));
            curve::loss(Curve::Logistic, x, row.target)
        };
        tested.iter().map(loss).collect()
    };
    let losses: Vec<Vec<f64>> = predictors.iter().map(of).collect();
    let games: Vec<GameId> = tested.iter().map(|row| row.game).collect();
    let first = losses.first().cloned().unwrap_or_default();
    losses
        .iter()
        .map(|own| {
            let less: Vec<f64> = own
                .iter()
                .zip(&first)
                .map(|(own, first)| own - first)
                .collect();
            let ((mean, error), (difference, difference_error)) =
                (mean_of(own, &games), mean_of(&less, &games));
            Loss {
                mean,
                error,
                difference,
                difference_error,
            }
        })
        .collect()
}

/// Returns a mean and its standard error over games, whose values stand together.
fn mean_of(values: &[f64], games: &[GameId]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let (mut squares, mut start) = (0.0, 0);
    for one in games.chunk_by(|a, b| a == b) {
        let end = start + one.len();
        let off: f64 = values[start..end].iter().map(|value| value - mean).sum();
        squares += off * off;
        start = end;
    }
    (mean, squares.sqrt() / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games whose first score is right in three of four, the second never tells anything.
    fn rows() -> Vec<Row> {
        (0..4000_u32)
            .map(|game| {
                let wins = game % 2 == 0;
                let says_win = wins == (game % 8 < 6);
                Row {
                    game: (0, game),
                    target: f64::from(u8::from(wins)),
                    position: 0.0,
                    material: 0.0,
                    scores: [if says_win { 7 } else { 2 }, 4, 5],
                }
            })
            .collect()
    }

    #[test]
    fn a_score_is_as_good_as_what_it_says_of_results() {
        let rows = rows();
        let parts: [&[Part]; 3] = [
            &[Part::Score(1)],
            &[Part::Score(0)],
            &[Part::Position, Part::Score(0)],
        ];
        let losses = losses(&rows, &rows, &parts);
        assert!((losses[0].mean - 2_f64.ln()).abs() < 1e-6, "{losses:?}");
        let entropy = curve::entropy(0.75);
        for loss in &losses[1..] {
            assert!((loss.mean - entropy).abs() < 1e-6, "{losses:?}");
            assert!((loss.difference - entropy + 2_f64.ln()).abs() < 1e-6);
            assert!(loss.difference_error > 0.0);
        }
    }

    #[test]
    fn opposite_scores_are_opposite_columns() {
        for score in 0..=TOP_SCORE {
            let opposite = categories(TOP_SCORE - score).map(|column| -column);
            assert_eq!(categories(score), opposite);
        }
        assert_eq!(categories(9), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(categories(3), [-1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn errors_are_over_games() {
        // Two games of two positions: as good as two values.
        let (mean, error) = mean_of(&[1.0, 1.0, 3.0, 3.0], &[(0, 0), (0, 0), (0, 1), (0, 1)]);
        assert!((mean - 2.0).abs() < 1e-12 && (error - 8_f64.sqrt() / 4.0).abs() < 1e-12);
    }
}
