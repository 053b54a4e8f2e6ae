//! The weights whose sums of features predict the targets best.
//!
//! The objective is the mean loss over all positions ([`crate::training::curve`])
//! plus a ridge penalty towards the initial weights, which counts like `l2`
//! positions with the feature: the weight of a rare feature moves little, that of
//! a frequent one follows the positions.
//!
//! The method is Fisher scoring: with g the gradient of the objective and H its
//! expected curvature, step by −(H + damping · diag H)⁻¹ g. A step that increases
//! the objective is rejected and the damping grows; a good one lets it shrink
//! (Levenberg–Marquardt). Few steps are enough, there is no learning rate, and
//! features of very different sizes or nearly collinear ones do no harm.
//!
//! Sums are taken over fixed chunks of positions ([`crate::training::rows`]) and added in their
//! order, so that the number of threads does not change a digit.

use std::ops::{ControlFlow, Range};

use anqi_search::evaluation::Curve;

use super::cholesky::SquareMatrix;
use super::curve;
use super::features::FeatureMatrix;
use super::rows::{Rows, Survey};

/// The least improvement, relative to the loss, that is worth another step.
const LEAST_GAIN: f64 = 1e-7;
/// The initial damping.
const FIRST_DAMPING: f64 = 1e-4;
/// Damping beyond which no step is small enough to help.
const MOST_DAMPING: f64 = 1e9;
/// Keeps features that never occur from making the matrix singular.
const FLOOR: f64 = 1e-12;

/// From the sum of a position to its chance of a win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale {
    /// The sum that is half of a sure win by the ratio.
    pub half: f64,
    /// The curve.
    pub curve: Curve,
}

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RegressionSettings {
    /// The ridge penalty: how many positions with a feature its initial weight counts for.
    pub l2: f64,
    /// The most steps.
    pub steps: u32,
}

/// The progress of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Which step, from 1.
    pub number: u32,
    /// Mean loss with the penalty.
    pub loss: f64,
}

/// The result of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Regression {
    /// The weights.
    pub weights: Vec<f64>,
    /// How many steps it took.
    pub steps: u32,
}

/// Returns the root mean square of each feature over all positions.
pub fn sizes(survey: &Survey) -> Vec<f64> {
    let count = survey.total.max(1.0);
    let squares = survey.occurrences.iter();
    squares.map(|(_, sum)| (sum / count).sqrt()).collect()
}

/// Finds the best weights, starting from `first`; `seen` may stop it after any step.
///
/// A feature that never occurs keeps its initial weight.
///
/// # Errors
///
/// Fails if the rows cannot be read.
pub fn fit<R: Rows>(
    rows: &R,
    survey: &Survey,
    first: &[f64],
    scale: Scale,
    settings: RegressionSettings,
    mut seen: impl FnMut(Step) -> ControlFlow<()>,
) -> Result<Regression, R::Error> {
    let problem = Problem::new(rows, survey, first, scale, settings.l2);
    // Displacements from the initial weights, in units in which all features are of size one.
    let mut moved = vec![0.0; first.len()];
    let mut loss = problem.loss(&moved)?;
    let mut damping = FIRST_DAMPING;
    let mut steps = 0;
    while steps < settings.steps {
        let derivatives = problem.derivatives(&moved)?;
        let Some((better, lower)) = problem.step(&moved, loss, &derivatives, &mut damping)? else {
            break;
        };
        let gain = loss - lower;
        (moved, loss) = (better, lower);
        steps += 1;
        let flow = seen(Step {
            number: steps,
            loss,
        });
        if flow.is_break() || gain < LEAST_GAIN * loss {
            break;
        }
    }
    Ok(Regression {
        weights: problem.weights(&moved),
        steps,
    })
}

/// Gradient and expected curvature of the objective.
struct Derivatives {
    gradient: Vec<f64>,
    /// Its lower triangle.
    curvature: SquareMatrix,
}

/// The objective to be minimised.
struct Problem<'a, R> {
    rows: &'a R,
    /// The sum of the weights of all positions.
    total: f64,
    first: &'a [f64],
    scale: Scale,
    /// What a displacement of one adds to a weight: zero for features that never occur.
    units: Vec<f64>,
    /// The ridge penalty of each displacement.
    ridge: Vec<f64>,
}

impl<'a, R: Rows> Problem<'a, R> {
    fn new(rows: &'a R, survey: &Survey, first: &'a [f64], scale: Scale, l2: f64) -> Self {
        let total = survey.total.max(1.0);
        let unit = |&(times, sum): &(f64, f64)| {
            if times > 0.0 {
                scale.half / (sum / total).sqrt()
            } else {
                0.0
            }
        };
        let ridge = |&(times, _): &(f64, f64)| if times > 0.0 { l2 / times } else { 0.0 };
        Problem {
            rows,
            total,
            first,
            scale,
            units: survey.occurrences.iter().map(unit).collect(),
            ridge: survey.occurrences.iter().map(ridge).collect(),
        }
    }

    fn weights(&self, moved: &[f64]) -> Vec<f64> {
        let parts = self.first.iter().zip(&self.units).zip(moved);
        parts
            .map(|((first, unit), moved)| first + unit * moved)
            .collect()
    }

    /// Returns the weights divided by half, with which a sum of features is x.
    fn scaled(&self, moved: &[f64]) -> Vec<f64> {
        let weights = self.weights(moved);
        weights
            .iter()
            .map(|weight| weight / self.scale.half)
            .collect()
    }

    fn loss(&self, moved: &[f64]) -> Result<f64, R::Error> {
        let (scaled, curve) = (self.scaled(moved), self.scale.curve);
        let mut sum = 0.0;
        let work = |rows: &FeatureMatrix, range| loss_of(rows, range, &scaled, curve);
        self.rows.in_chunks(work, |part| sum += part)?;
        let shrunk = self.ridge.iter().zip(moved);
        Ok(sum / self.total + shrunk.map(|(ridge, d)| ridge * d * d / 2.0).sum::<f64>())
    }

    fn derivatives(&self, moved: &[f64]) -> Result<Derivatives, R::Error> {
        let scaled = self.scaled(moved);
        let size = self.first.len();
        let mut gradient = vec![0.0; size];
        let mut curvature = SquareMatrix::zeros(size);
        let work = |rows: &FeatureMatrix, range| self.sums(rows, range, &scaled);
        self.rows.in_chunks(work, |part: Derivatives| {
            let sums = gradient.iter_mut().zip(part.gradient);
            sums.for_each(|(sum, part)| *sum += part);
            curvature.add(&part.curvature);
        })?;
        for i in 0..size {
            gradient[i] = gradient[i] / self.total + self.ridge[i] * moved[i];
            curvature
                .row_mut(i)
                .iter_mut()
                .for_each(|cell| *cell /= self.total);
            *curvature.at_mut(i, i) += self.ridge[i] + FLOOR;
        }
        Ok(Derivatives {
            gradient,
            curvature,
        })
    }

    /// Sums gradient and curvature over some positions.
    fn sums(&self, rows: &FeatureMatrix, range: Range<usize>, scaled: &[f64]) -> Derivatives {
        let size = self.first.len();
        let (mut gradient, mut curvature) = (vec![0.0; size], SquareMatrix::zeros(size));
        let mut sized = Vec::with_capacity(size);
        for row in range.map(|index| rows.row(index)) {
            let x = row.sum(scaled);
            let rise = row.weight * curve::slope(self.scale.curve, x, row.target);
            let information = row.weight * curve::information(self.scale.curve, x);
            sized.clear();
            sized.extend(
                row.columns
                    .iter()
                    .zip(row.amounts)
                    .map(|(&column, &amount)| {
                        let column = usize::from(column);
                        (
                            column,
                            f64::from(amount) * self.units[column] / self.scale.half,
                        )
                    }),
            );
            for (place, &(i, amount)) in sized.iter().enumerate() {
                gradient[i] += rise * amount;
                let line = curvature.row_mut(i);
                for &(j, other) in &sized[..=place] {
                    line[j] += information * amount * other;
                }
            }
        }
        Derivatives {
            gradient,
            curvature,
        }
    }

    /// Returns a better point and its loss, `None` if there is none in reach.
    fn step(
        &self,
        moved: &[f64],
        loss: f64,
        derivatives: &Derivatives,
        damping: &mut f64,
    ) -> Result<Option<(Vec<f64>, f64)>, R::Error> {
        while *damping < MOST_DAMPING {
            let mut damped = derivatives.curvature.clone();
            for i in 0..moved.len() {
                *damped.at_mut(i, i) *= 1.0 + *damping;
            }
            if let Some(step) = damped.solve(&derivatives.gradient) {
                let better: Vec<f64> = moved.iter().zip(&step).map(|(d, s)| d - s).collect();
                let lower = self.loss(&better)?;
                if lower < loss {
                    *damping = (*damping / 5.0).max(FIRST_DAMPING * 1e-4);
                    return Ok(Some((better, lower)));
                }
            }
            *damping *= 8.0;
        }
        Ok(None)
    }
}

/// Returns the summed loss over some positions of weights that are divided by half.
pub fn loss_of(rows: &FeatureMatrix, range: Range<usize>, scaled: &[f64], curve: Curve) -> f64 {
    let losses = range.map(|index| {
        let row = rows.row(index);
        row.weight * curve::loss(curve, row.sum(scaled), row.target)
    });
    losses.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::rows::survey;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    const HALF: f64 = 50_000.0;
    const RATIO: Scale = Scale {
        half: HALF,
        curve: Curve::Ratio,
    };
    const LOGISTIC: Scale = Scale {
        half: HALF,
        curve: Curve::Logistic,
    };
    const SETTINGS: RegressionSettings = RegressionSettings { l2: 0.0, steps: 60 };

    /// Weights of very different sizes for as many features.
    const TRUE: [f64; 6] = [300.0, -20.0, 4_000.0, 0.0, 55.0, -700.0];

    /// Draws sparse features of very different sizes and labels them by [`TRUE`].
    fn rows(count: usize, curve: Curve, label: impl Fn(f64, &mut Pcg64) -> f64) -> FeatureMatrix {
        let mut lots = Pcg64::seed_from_u64(9);
        let mut rows = FeatureMatrix::default();
        for game in 0..count {
            let features: Vec<i32> = [200, 3_000, 10, 500, 900, 40]
                .iter()
                .map(|&size| {
                    let drawn = lots.next_u64();
                    let amount = (drawn >> 8) as i64 % (2 * size + 1) - size;
                    if drawn % 3 == 0 { 0 } else { amount as i32 }
                })
                .collect();
            let sum: f64 = features
                .iter()
                .zip(TRUE)
                .map(|(&f, w)| f64::from(f) * w)
                .sum();
            let target = label(curve::chance(curve, sum / HALF), &mut lots);
            rows.push(&features, target, (1, game as u32));
        }
        rows
    }

    /// The mean loss of weights.
    fn mean_loss(rows: &FeatureMatrix, weights: &[f64], scale: Scale) -> f64 {
        let scaled: Vec<f64> = weights.iter().map(|weight| weight / scale.half).collect();
        loss_of(rows, 0..rows.len(), &scaled, scale.curve) / rows.len() as f64
    }

    fn fitted(rows: &FeatureMatrix, first: &[f64], settings: RegressionSettings) -> Regression {
        fitted_to(RATIO, rows, first, settings)
    }

    fn fitted_to(
        scale: Scale,
        rows: &FeatureMatrix,
        first: &[f64],
        settings: RegressionSettings,
    ) -> Regression {
        let Ok(survey) = survey(rows, first.len());
        let Ok(found) = fit(rows, &survey, first, scale, settings, |_| {
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn known_weights_are_found_from_exact_targets() {
        for scale in [RATIO, LOGISTIC] {
            let rows = rows(4_000, scale.curve, |chance, _| chance);
            let found = fitted_to(scale, &rows, &[0.0; 6], SETTINGS);
            for (found, wanted) in found.weights.iter().zip(TRUE) {
                assert!(
                    (found - wanted).abs() < 0.01 * wanted.abs().max(20.0),
                    "{found} {wanted}"
                );
            }
            let floor: f64 = (0..rows.len())
                .map(|i| curve::entropy(rows.row(i).target))
                .sum();
            let loss = mean_loss(&rows, &found.weights, scale);
            assert!((loss - floor / 4_000.0).abs() < 1e-6);
        }
    }

    #[test]
    fn known_weights_are_found_from_won_and_lost_games() {
        let coin = |chance: f64, lots: &mut Pcg64| {
            f64::from(u8::from(
                (lots.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 <= chance,
            ))
        };
        let rows = rows(60_000, Curve::Ratio, coin);
        let found = fitted(&rows, &[0.0; 6], SETTINGS);
        let Ok(survey) = survey(&rows, 6);
        let sizes = sizes(&survey);
        for i in 0..6 {
            // Errors in x: a few hundredths are what sixty thousand games allow.
            let error = (found.weights[i] - TRUE[i]) * sizes[i] / HALF;
            assert!(error.abs() < 0.06, "feature {i}: {error}");
        }
        let (loss, known) = [&found.weights[..], &TRUE]
            .map(|weights| mean_loss(&rows, weights, RATIO))
            .into();
        assert!(loss < known && known - loss < 1e-3, "{loss} {known}");
    }

    #[test]
    fn the_ridge_penalty_holds_rare_features_back_and_lets_frequent_ones_go() {
        let mut rows = rows(4_000, Curve::Ratio, |chance, _| chance);
        for _ in 0..10 {
            rows.push(&[0, 0, 0, 0, 0, 0, 100], 1.0, (1, 0));
        }
        let first = [0.0; 7];
        let [free, shrunk] = [0.01, 5.0].map(|l2| {
            let settings = RegressionSettings { l2, ..SETTINGS };
            fitted(&rows, &first, settings).weights
        });
        assert!(
            shrunk[6] > 0.0 && shrunk[6] < free[6] / 4.0,
            "{free:?} {shrunk:?}"
        );
        assert!(
            (shrunk[0] / free[0] - 1.0).abs() < 0.1,
            "{free:?} {shrunk:?}"
        );
    }

    #[test]
    fn threads_do_not_change_a_digit() {
        let rows = rows(10_000, Curve::Ratio, |chance, _| chance.round());
        let fit_on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads")
                .install(|| fitted(&rows, &[0.0; 6], SETTINGS))
        };
        assert_eq!(fit_on(1), fit_on(3));
    }

    #[test]
    fn features_that_never_occur_or_repeat_others_do_no_harm() {
        let mut rows = FeatureMatrix::default();
        for game in 0..100 {
            let amount = game as i32 % 7 - 3;
            rows.push(&[amount, amount, 0], f64::from(amount > 0), (1, game));
        }
        let found = fitted(
            &rows,
            &[1.0, 2.0, 77.0],
            RegressionSettings {
                l2: 1.0,
                ..SETTINGS
            },
        );
        assert_eq!(found.weights[2], 77.0);
        assert!(found.weights.iter().all(|weight| weight.is_finite()));
        assert!(found.weights[0] > 1.0 && found.weights[1] > 2.0);
    }
}
