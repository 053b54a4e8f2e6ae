//! The normal distribution, for error bars.

use std::f64::consts::{PI, SQRT_2};

/// Half the width of a two-sided 95 % interval, in standard errors.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Returns the chance that a standard normal variable is below `z`.
pub fn cumulative(z: f64) -> f64 {
    let tail = upper_tail(z.abs());
    if z < 0.0 { tail } else { 1.0 - tail }
}

/// Returns the chance that a standard normal variable is above `z >= 0`.
///
/// Near the middle the Taylor series of the error function converges at once;
/// far out its alternating terms cancel, and a continued fraction takes over.
fn upper_tail(z: f64) -> f64 {
    let x = z / SQRT_2;
    if x < 2.0 {
        0.5 * (1.0 - error_function_series(x))
    } else {
        0.5 * complement_fraction(x)
    }
}

/// Sums `2/sqrt(pi) * sum of (-1)^n x^(2n+1) / (n! (2n+1))`.
fn error_function_series(x: f64) -> f64 {
    let mut power = x;
    let mut sum = x;
    for n in 1..60_u32 {
        let n = f64::from(n);
        power *= -x * x / n;
        sum += power / (2.0 * n + 1.0);
    }
    sum * 2.0 / PI.sqrt()
}

/// Evaluates `exp(-x^2)/sqrt(pi) / (x + 1/2/(x + 1/(x + 3/2/(x + 2/(x + …)))))`.
fn complement_fraction(x: f64) -> f64 {
    let fraction = (1..=60_u32)
        .rev()
        .fold(x, |below, k| x + f64::from(k) / 2.0 / below);
    (-x * x).exp() / PI.sqrt() / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integrates the density by Simpson's rule: slow but sure.
    fn integrated(z: f64) -> f64 {
        let steps = 20_000;
        let width = z / f64::from(steps);
        let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
        let sum: f64 = (0..=steps)
            .map(|i| {
                let weight = match i {
                    0 => 1.0,
                    i if i == steps => 1.0,
                    i if i % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                weight * density(f64::from(i) * width)
            })
            .sum();
        0.5 + sum * width / 3.0
    }

    #[test]
    fn agrees_with_the_integral_on_both_sides_of_the_seam() {
        for hundredths in -600..=600 {
            let z = f64::from(hundredths) / 100.0;
            let error = (cumulative(z) - integrated(z)).abs();
            assert!(error < 1e-12, "{z}: {error}");
        }
    }

    #[test]
    fn the_interval_holds_95_percent() {
        assert!((cumulative(Z_95) - 0.975).abs() < 1e-14);
        assert_eq!(cumulative(40.0), 1.0);
        assert_eq!(cumulative(-40.0), 0.0);
    }
}
