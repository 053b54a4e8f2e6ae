//! Adam (Kingma and Ba 2014) with a learning rate that falls along half a cosine.

use std::f64::consts::PI;

/// The paper's β₁: how much of the mean gradient a step keeps.
const MEAN_KEPT: f64 = 0.9;
/// The paper's β₂: how much of the mean square it keeps.
const SQUARE_KEPT: f64 = 0.999;
/// The paper's ε: keeps the quotient finite.
const LEAST: f32 = 1e-8;

/// Running means of the gradient and of its squares.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// Steps taken.
    pub steps: u64,
    /// The mean gradient of each number.
    pub means: Vec<f32>,
    /// The mean squared gradient of each number.
    pub squares: Vec<f32>,
}

impl Adam {
    /// Returns the state before the first step, for this many numbers.
    pub fn new(numbers: usize) -> Adam {
        Adam {
            steps: 0,
            means: vec![0.0; numbers],
            squares: vec![0.0; numbers],
        }
    }

    /// Moves the numbers against their gradient.
    pub fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f64) {
        self.steps += 1;
        let left = |kept: f64| 1.0 - kept.powf(self.steps as f64);
        let rate = (rate * left(SQUARE_KEPT).sqrt() / left(MEAN_KEPT)) as f32;
        let (mean_kept, square_kept) = (MEAN_KEPT as f32, SQUARE_KEPT as f32);
        let state = self.means.iter_mut().zip(&mut self.squares);
        for ((number, slope), (mean, square)) in numbers.iter_mut().zip(gradient).zip(state) {
            *mean += (1.0 - mean_kept) * (slope - *mean);
            *square += (1.0 - square_kept) * (slope * slope - *square);
            *number -= rate * *mean / (square.sqrt() + LEAST);
        }
    }
}

/// Returns the learning rate of a step relative to the greatest: it rises for `warmup`
/// steps and then falls along half a cosine to zero.
pub fn cosine(step: u64, steps: u64, warmup: u64) -> f64 {
    if step < warmup {
        return (step + 1) as f64 / warmup as f64;
    }
    let part = (step - warmup) as f64 / (steps - warmup).max(1) as f64;
    (1.0 + (PI * part).cos()) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bowl_is_descended() {
        let mut numbers = [3.0_f32, -2.0];
        let mut adam = Adam::new(2);
        for step in 0..2_000 {
            let gradient = [2.0 * (numbers[0] - 1.0), 20.0 * (numbers[1] - 0.5)];
            adam.step(&mut numbers, &gradient, 0.05 * cosine(step, 2_000, 10));
        }
        assert!((numbers[0] - 1.0).abs() < 1e-3 && (numbers[1] - 0.5).abs() < 1e-3);
    }

    #[test]
    fn the_rate_rises_falls_and_ends_at_nothing() {
        assert!(cosine(0, 100, 10) < 0.2 && cosine(9, 100, 10) == 1.0);
        assert!(cosine(10, 100, 10) == 1.0 && cosine(99, 100, 10) < 0.001);
    }
}
