//! From a sum of weighted terms to an expected result.
//!
//! With x = sum / half, the *ratio* is x / (1 + |x|): half of a win at x = 1, and a long way to a
//! whole one. The *logistic* curve is tanh(0.6 x): terms add up as they do in logarithms of odds.
//! Games say which one is right. Up to ±0.4 the two hardly differ, but positions that the ratio
//! values at 0.7 score 0.96 (docs/lab/networks.md), and a flip averages such values.
//!
//! One sixty-fourth of the logistic curve is the ratio. It keeps a slope where tanh has none left, so
//! that a winning side still sees which captures bring it further.

use super::terms::UNIT;
use crate::score::ESTIMATE_BOUND;
use anqi_rules::SQUARES;
use std::sync::LazyLock;

/// How a sum becomes an expected result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Curve {
    /// x / (1 + |x|).
    #[default]
    Ratio,
    /// Nearly tanh(0.6 x).
    Logistic,
}

/// The logistic curve's factor of x. Fitted to 500,000 positions of games at 2,000 nodes a move.
pub const LOGISTIC_FACTOR: f64 = 0.6;
/// The share of the ratio in the logistic curve.
pub const RATIO_SHARE: f64 = 1.0 / 64.0;

/// The logistic value of each value of the ratio. Computed once: as a constant it would be a fiftieth of what a browser loads.
static LOGISTIC: LazyLock<[i16; ESTIMATE_BOUND as usize + 1]> = LazyLock::new(logistic_values);

impl Curve {
    /// The names of the curves.
    pub const NAMES: &'static [&'static str] = &["ratio", "logistic"];

    /// Returns the curve with this name.
    pub fn named(name: &str) -> Option<Curve> {
        match name {
            "ratio" => Some(Curve::Ratio),
            "logistic" => Some(Curve::Logistic),
            _ => None,
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        Curve::NAMES[self as usize]
    }

    /// Returns the estimate for a sum of weighted terms, where `half` is in units of that sum.
    #[inline]
    pub(super) fn estimate(self, sum: i64, half: i64) -> i32 {
        let ratio = (sum * i64::from(ESTIMATE_BOUND) / (sum.abs() + half)) as i32;
        match self {
            Curve::Ratio => ratio,
            Curve::Logistic => ratio.signum() * i32::from(LOGISTIC[ratio.unsigned_abs() as usize]),
        }
    }
}

/// Only additions, multiplications and divisions, which all machines round alike.
fn logistic_values() -> [i16; ESTIMATE_BOUND as usize + 1] {
    let bound = f64::from(ESTIMATE_BOUND);
    std::array::from_fn(|index| {
        let ratio = index as f64 / bound;
        let result = (1.0 - RATIO_SHARE) * tanh_of_ratio(ratio) + RATIO_SHARE * ratio;
        (result * bound + 0.5) as i16
    })
}

/// Returns tanh(0.6 x) where x / (1 + x) is the ratio.
fn tanh_of_ratio(ratio: f64) -> f64 {
    let double = 2.0 * LOGISTIC_FACTOR * ratio / (1.0 - ratio);
    // Beyond this the result is one to the last bit.
    if double >= 40.0 {
        return 1.0;
    }
    let small = exp_of_minus(double);
    (1.0 - small) / (1.0 + small)
}

/// Returns e to the power of −y for y from 0 to 40.
fn exp_of_minus(y: f64) -> f64 {
    // A series for a small part of the exponent, squared ten times.
    let part = -y / 1024.0;
    let (mut sum, mut term, mut n) = (1.0, 1.0, 1);
    while n <= 8 {
        term *= part / n as f64;
        sum += term;
        n += 1;
    }
    let mut squarings = 0;
    while squarings < 10 {
        sum *= sum;
        squarings += 1;
    }
    sum
}

/// The sum of weighted terms that `half` of the weights stands for.
#[inline]
pub(super) fn half_sum(half: i32) -> i64 {
    i64::from(half) * UNIT * SQUARES as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: i64 = 1_000_000;

    /// The estimates where the sum is this multiple of half.
    fn estimates(x: f64) -> [i32; 2] {
        let sum = (x * HALF as f64) as i64;
        [Curve::Ratio, Curve::Logistic].map(|curve| curve.estimate(sum, HALF))
    }

    #[test]
    fn names_are_those_of_the_curves() {
        for name in Curve::NAMES {
            assert_eq!(Curve::named(name).map(Curve::name), Some(*name));
        }
        assert_eq!(Curve::named("linear"), None);
    }

    #[test]
    fn estimates_are_those_of_the_formulas() {
        for step in -400..=400 {
            let x = f64::from(step) / 20.0;
            let ratio = x / (1.0 + x.abs());
            let logistic = (1.0 - RATIO_SHARE) * (LOGISTIC_FACTOR * x).tanh() + RATIO_SHARE * ratio;
            let exact = [ratio, logistic].map(|result| result * f64::from(ESTIMATE_BOUND));
            // The table is steep where a step of the ratio is two of its own.
            for ((found, exact), error) in estimates(x).into_iter().zip(exact).zip([1.0, 2.5]) {
                assert!(
                    (f64::from(found) - exact).abs() <= error,
                    "{x}: {found} {exact}"
                );
            }
        }
    }

    #[test]
    fn more_is_never_worse_and_sides_are_alike() {
        assert!(LOGISTIC.is_sorted());
        assert_eq!((LOGISTIC[0], LOGISTIC[ESTIMATE_BOUND as usize]), (0, 9_000));
        for step in 0..2_000 {
            let x = f64::from(step) / 50.0;
            assert_eq!(estimates(x), estimates(-x).map(|value| -value));
        }
        // Far ahead there is still more to win.
        assert!(estimates(6.0)[1] + 20 < estimates(20.0)[1]);
    }

    #[test]
    fn the_table_is_the_same_on_every_machine() {
        let sum: i64 = (1..)
            .zip(*LOGISTIC)
            .map(|(n, value)| n * i64::from(value))
            .sum();
        assert_eq!(sum, 273_742_217_441);
    }
}
