//! From a sum of weighted features to a chance of winning, and its loss.
//!
//! The evaluation squashes its sum s to the expected result s / (|s| + half).
//! With x = s / half the chance that goes with it, counting a draw as half, is
//!
//! ```text
//! p(x) = (1 + x / (1 + |x|)) / 2
//! ```
//!
//! and the loss against a target q is the cross-entropy −q ln p − (1 − q) ln (1 − p).
//! Since p (1 − p) = (1 + 2a) / (4 (1 + a)²) with a = |x|, its slope is
//! 2 (p − q) / (1 + 2a), and its expected curvature if p is right (the Fisher
//! information) is 1 / ((1 + a)² (1 + 2a)). Both are bounded, and p is never 0 or 1
//! for a finite x: no target makes the loss infinite.

/// Returns the chance p(x).
pub fn chance(x: f64) -> f64 {
    // Written so that a tiny chance keeps its digits.
    let small = 0.5 / (1.0 + x.abs());
    if x < 0.0 { small } else { 1.0 - small }
}

/// Returns the cross-entropy between the target and p(x).
pub fn loss(x: f64, target: f64) -> f64 {
    let (p, not_p) = (chance(x), chance(-x));
    -target * p.ln() - (1.0 - target) * not_p.ln()
}

/// Returns the derivative of the loss by x.
pub fn slope(x: f64, target: f64) -> f64 {
    2.0 * (chance(x) - target) / (1.0 + 2.0 * x.abs())
}

/// Returns the expected curvature of the loss if the chance is right.
pub fn information(x: f64) -> f64 {
    let a = x.abs();
    1.0 / ((1.0 + a) * (1.0 + a) * (1.0 + 2.0 * a))
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

    #[test]
    fn slopes_are_those_of_the_loss() {
        let step = 1e-6;
        for x in POINTS.map(|x| x + 0.01) {
            for target in [0.0, 0.3, 0.5, 1.0] {
                let rise = loss(x + step, target) - loss(x - step, target);
                let error = rise / (2.0 * step) - slope(x, target);
                assert!(error.abs() < 1e-6, "{x} {target}: {error}");
            }
        }
    }

    #[test]
    fn information_is_the_mean_square_of_the_slope() {
        for x in POINTS {
            let p = chance(x);
            let mean = p * slope(x, 1.0).powi(2) + (1.0 - p) * slope(x, 0.0).powi(2);
            assert!((mean - information(x)).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn the_target_itself_loses_least() {
        for x in POINTS {
            let target = chance(x);
            assert!((loss(x, target) - entropy(target)).abs() < 1e-9, "{x}");
            assert!(loss(x + 0.1, target) > entropy(target));
            assert!((constant_loss(target, target) - entropy(target)).abs() < 1e-9);
        }
        assert_eq!(entropy(1.0), 0.0);
        assert_eq!(constant_loss(0.0, 0.0), 0.0);
    }
}
