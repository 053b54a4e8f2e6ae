//! From a sum of weighted features to a chance of winning, and its loss.
//!
//! The evaluation turns its sum s into an expected result by a [`Curve`]. With x = s / half the
//! chance that goes with it, counting a draw as half, is
//!
//! ```text
//! ratio      p(x) = (1 + x / (1 + |x|)) / 2
//! logistic   p(x) = (1 - c) / (1 + exp(-1.2 x)) + c (1 + x / (1 + |x|)) / 2,  c = 1/64
//! ```
//!
//! and the loss against a target q is the cross-entropy −q ln p − (1 − q) ln (1 − p). Its slope
//! is (p − q) p′ / (p (1 − p)), and its expected curvature if p is right (the Fisher information)
//! p′² / (p (1 − p)). For the ratio these are 2 (p − q) / (1 + 2a) and
//! 1 / ((1 + a)² (1 + 2a)) with a = |x|. Both are bounded, and p is never 0 or 1
//! for a finite x: no target makes the loss infinite.

use anqi_search::evaluation::{Curve, LOGISTIC_FACTOR, RATIO_SHARE};

/// Returns the chance p(x).
pub fn chance(curve: Curve, x: f64) -> f64 {
    // Written so that a tiny chance keeps its digits.
    let small = small_chance(curve, x.abs());
    if x < 0.0 { small } else { 1.0 - small }
}

/// Returns p(−a).
fn small_chance(curve: Curve, a: f64) -> f64 {
    let ratio = 0.5 / (1.0 + a);
    match curve {
        Curve::Ratio => ratio,
        Curve::Logistic => {
            let odds = (-2.0 * LOGISTIC_FACTOR * a).exp();
            (1.0 - RATIO_SHARE) * odds / (1.0 + odds) + RATIO_SHARE * ratio
        }
    }
}

/// Returns p′(x), which is p′(−x).
fn steepness(curve: Curve, x: f64) -> f64 {
    let a = x.abs();
    let ratio = 0.5 / ((1.0 + a) * (1.0 + a));
    match curve {
        Curve::Ratio => ratio,
        Curve::Logistic => {
            let odds = (-2.0 * LOGISTIC_FACTOR * a).exp();
            let logistic = 2.0 * LOGISTIC_FACTOR * odds / ((1.0 + odds) * (1.0 + odds));
            (1.0 - RATIO_SHARE) * logistic + RATIO_SHARE * ratio
        }
    }
}

/// Returns the cross-entropy between the target and p(x).
pub fn loss(curve: Curve, x: f64, target: f64) -> f64 {
    let (p, not_p) = (chance(curve, x), chance(curve, -x));
    -target * p.ln() - (1.0 - target) * not_p.ln()
}

/// Returns the derivative of the loss by x.
pub fn slope(curve: Curve, x: f64, target: f64) -> f64 {
    let missed = chance(curve, x) - target;
    match curve {
        Curve::Ratio => 2.0 * missed / (1.0 + 2.0 * x.abs()),
        Curve::Logistic => missed * steepness(curve, x) / variance(curve, x),
    }
}

/// Returns the expected curvature of the loss if the chance is right.
pub fn information(curve: Curve, x: f64) -> f64 {
    let a = x.abs();
    match curve {
        Curve::Ratio => 1.0 / ((1.0 + a) * (1.0 + a) * (1.0 + 2.0 * a)),
        Curve::Logistic => steepness(curve, x).powi(2) / variance(curve, x),
    }
}

/// Returns p (1 − p).
fn variance(curve: Curve, x: f64) -> f64 {
    chance(curve, x) * chance(curve, -x)
}

/// Returns the loss of a prediction equal to the target: the least possible.
pub fn entropy(target: f64) -> f64 {
    let part = |q: f64| if q > 0.0 { -q * q.ln() } else { 0.0 };
    part(target) + part(1.0 - target)
}

/// Returns the cross-entropy between a target and a constant chance.
pub fn constant_loss(chance: f64, target: f64) -> f64 {
    // A weight of zero makes the infinite logarithm of zero harmless.
    let part = |q: f64, p: f64| if q > 0.0 { -q * p.ln() } else { 0.0 };
    part(target, chance) + part(1.0 - target, 1.0 - chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [f64; 9] = [-40.0, -3.0, -1.0, -0.2, 0.0, 0.3, 1.0, 5.0, 100.0];
    const CURVES: [Curve; 2] = [Curve::Ratio, Curve::Logistic];

    /// Every curve at every point.
    fn everywhere() -> impl Iterator<Item = (Curve, f64)> {
        let points = |curve| POINTS.into_iter().map(move |x| (curve, x));
        CURVES.into_iter().flat_map(points)
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let step = 1e-6;
        for (curve, x) in everywhere().map(|(curve, x)| (curve, x + 0.01)) {
            for target in [0.0, 0.3, 0.5, 1.0] {
                let rise = loss(curve, x + step, target) - loss(curve, x - step, target);
                let error = rise / (2.0 * step) - slope(curve, x, target);
                assert!(error.abs() < 1e-6, "{curve:?} {x} {target}: {error}");
            }
        }
    }

    #[test]
    fn information_is_the_mean_square_of_the_slope() {
        for (curve, x) in everywhere() {
            let p = chance(curve, x);
            let square = |target| slope(curve, x, target).powi(2);
            let mean = p * square(1.0) + (1.0 - p) * square(0.0);
            assert!(
                (mean - information(curve, x)).abs() < 1e-12,
                "{curve:?} {x}"
            );
        }
    }

    #[test]
    fn the_target_itself_loses_least() {
        for (curve, x) in everywhere() {
            let target = chance(curve, x);
            assert!(
                (loss(curve, x, target) - entropy(target)).abs() < 1e-9,
                "{x}"
            );
            assert!(loss(curve, x + 0.1, target) > entropy(target));
            assert!((constant_loss(target, target) - entropy(target)).abs() < 1e-9);
        }
        assert_eq!(entropy(1.0), 0.0);
        assert_eq!(constant_loss(0.0, 0.0), 0.0);
    }
}
