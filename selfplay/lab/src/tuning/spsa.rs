//! Simultaneous perturbation stochastic approximation: the arithmetic of tuning.
//!
//! The gradient of a player's score by its parameters cannot be computed, but two players
//! can be compared. Iteration k perturbs all parameters at once, each by c(k) up or down as
//! a coin Δ decides; the player perturbed by Δ meets the one perturbed by −Δ, and the
//! difference d of their scores estimates the slope in the direction of Δ. A step a(k)
//! along it follows:
//!
//! ```text
//! a(k) = a / (k + 1 + A)^alpha        c(k) = c / (k + 1)^gamma
//! x  ←  x + a(k) d / (2 c(k)) Δ
//! ```
//!
//! (Spall 1992, where alpha = 0.602 and gamma = 0.101 come from.) Here x is a
//! parameter in units of its own *step*, so that one set of gains serves parameters of
//! any size. An iteration costs the same for two parameters and for two hundred.
//!
//! Parameters are integers, x is not. A perturbed value is rounded up with a chance
//! equal to its fraction, so that its mean is the value itself. Coins and rounding
//! follow from the seed and the iteration.

use anqi_match::seed::perturbation_word;

/// A parameter that is tuned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    /// Where it starts.
    pub start: i64,
    /// The least value.
    pub min: i64,
    /// The greatest value.
    pub max: i64,
    /// The unit of its perturbations.
    pub step: i64,
}

/// How long the steps and the perturbations are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// The length of the steps.
    pub a: f64,
    /// The reach of the perturbations, in steps of each parameter.
    pub c: f64,
    /// Spall's stability constant, in iterations: it shortens the first steps.
    pub stability: f64,
    /// How fast the steps shrink.
    pub alpha: f64,
    /// How fast the perturbations shrink.
    pub gamma: f64,
}

impl Gains {
    /// Returns the length of the step of an iteration.
    pub fn step(&self, iteration: u64) -> f64 {
        self.a / (iteration as f64 + 1.0 + self.stability).powf(self.alpha)
    }

    /// Returns the reach of the perturbations of an iteration, in steps.
    pub fn reach(&self, iteration: u64) -> f64 {
        self.c / (iteration as f64 + 1.0).powf(self.gamma)
    }
}

/// The two settings that meet in an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// Each parameter moved along its coin.
    pub plus: Vec<i64>,
    /// Each parameter moved against it.
    pub minus: Vec<i64>,
}

/// The arithmetic of a tuning run.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// The parameters.
    pub axes: Vec<Axis>,
    /// The gains.
    pub gains: Gains,
    /// The seed of coins and rounding.
    pub seed: u64,
}

impl Spsa {
    /// Returns where the parameters start.
    pub fn start(&self) -> Vec<f64> {
        self.axes.iter().map(|axis| axis.start as f64).collect()
    }

    /// Returns the settings that meet in an iteration.
    pub fn trial(&self, iteration: u64, values: &[f64]) -> Trial {
        let mut trial = Trial {
            plus: Vec::new(),
            minus: Vec::new(),
        };
        for (index, (axis, &value)) in self.axes.iter().zip(values).enumerate() {
            let (min, max) = (axis.min as f64, axis.max as f64);
            let reach = self.gains.reach(iteration) * axis.step as f64;
            // At the edge the middle moves inwards, so that both sides keep their distance.
            let middle = value.clamp(min + reach, (max - reach).max(min + reach));
            let (coin, fraction) = self.draw(iteration, index);
            let rounded = |value: f64| (value + fraction).floor().clamp(min, max) as i64;
            trial.plus.push(rounded(middle + coin * reach));
            trial.minus.push(rounded(middle - coin * reach));
        }
        trial
    }

    /// Returns the parameters after an iteration in which the first setting scored
    /// `difference` more per game than the second, from -1 to 1.
    pub fn step(&self, iteration: u64, values: &[f64], difference: f64) -> Vec<f64> {
        let slope = difference / (2.0 * self.gains.reach(iteration));
        let length = self.gains.step(iteration) * slope;
        let moved = self.axes.iter().zip(values).enumerate();
        moved
            .map(|(index, (axis, &value))| {
                let (coin, _) = self.draw(iteration, index);
                let next = value + length * coin * axis.step as f64;
                next.clamp(axis.min as f64, axis.max as f64)
            })
            .collect()
    }

    /// Returns the whole numbers nearest to the parameters.
    pub fn settled(&self, values: &[f64]) -> Vec<i64> {
        values.iter().map(|value| value.round() as i64).collect()
    }

    /// Draws the coin of a parameter, and the number below one that decides its rounding.
    fn draw(&self, iteration: u64, index: usize) -> (f64, f64) {
        const FRACTION_BITS: i32 = 53;
        let word = perturbation_word(self.seed, iteration, index as u64);
        let coin = if word & 1 == 0 { 1.0 } else { -1.0 };
        let fraction = (word >> (64 - FRACTION_BITS)) as f64 / 2_f64.powi(FRACTION_BITS);
        (coin, fraction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAINS: Gains = Gains {
        a: 20.0,
        c: 2.0,
        stability: 20.0,
        alpha: 0.602,
        gamma: 0.101,
    };

    fn axis(start: i64, min: i64, max: i64, step: i64) -> Axis {
        Axis {
            start,
            min,
            max,
            step,
        }
    }

    /// A noise between -1 and 1 that follows from the iteration.
    fn noise(iteration: u64, seed: u64) -> f64 {
        let word = perturbation_word(!seed, iteration, 99);
        (word >> 11) as f64 / 2_f64.powi(52) - 1.0
    }

    #[test]
    fn a_noisy_hill_is_climbed_from_far_away() {
        for seed in 0..10 {
            let spsa = Spsa {
                axes: vec![axis(900, -1_000, 1_000, 50), axis(2, 0, 40, 2)],
                gains: GAINS,
                seed,
            };
            // The top is at 100 and 30; at the start a step up the hill gains about as much as the noise.
            let height = |at: &[i64]| {
                let [x, y] = [(at[0] - 100) as f64 / 50.0, (at[1] - 30) as f64 / 2.0];
                -0.004 * (x * x + y * y)
            };
            let mut values = spsa.start();
            for iteration in 0..600 {
                let trial = spsa.trial(iteration, &values);
                let difference = height(&trial.plus) - height(&trial.minus);
                let seen = (difference + 0.2 * noise(iteration, seed)).clamp(-1.0, 1.0);
                values = spsa.step(iteration, &values, seen);
            }
            assert!((values[0] - 100.0).abs() < 120.0, "{seed}: {values:?}");
            assert!((values[1] - 30.0).abs() < 5.0, "{seed}: {values:?}");
        }
    }

    #[test]
    fn the_steps_follow_the_estimated_slope() {
        let spsa = Spsa {
            axes: vec![axis(0, -100, 100, 10)],
            gains: GAINS,
            seed: 1,
        };
        for iteration in 0..20 {
            let Trial { plus, minus } = spsa.trial(iteration, &[0.0]);
            let better = spsa.step(iteration, &[0.0], 0.5)[0];
            assert_eq!(better > 0.0, plus[0] > minus[0], "towards the better side");
            let worse = spsa.step(iteration, &[0.0], -0.5)[0];
            assert!((better + worse).abs() < 1e-12);
            assert_eq!(spsa.step(iteration, &[7.5], 0.0), [7.5]);
        }
    }

    #[test]
    fn rounding_is_right_on_average_and_both_sides_share_it() {
        let spsa = Spsa {
            axes: vec![axis(0, -100, 100, 1)],
            gains: Gains {
                c: 1.0,
                gamma: 0.0,
                ..GAINS
            },
            seed: 3,
        };
        let mut sum = 0;
        for iteration in 0..4_000 {
            let Trial { plus, minus } = spsa.trial(iteration, &[2.3]);
            assert_eq!((plus[0] - minus[0]).abs(), 2);
            sum += plus[0] + minus[0];
        }
        let mean = sum as f64 / 8_000.0;
        assert!((mean - 2.3).abs() < 0.03, "{mean}");
    }

    #[test]
    fn values_stay_in_range_and_apart_at_its_edges() {
        let spsa = Spsa {
            axes: vec![axis(10, 0, 10, 1)],
            gains: Gains {
                gamma: 0.0,
                ..GAINS
            },
            seed: 5,
        };
        for iteration in 0..200 {
            let Trial { plus, minus } = spsa.trial(iteration, &[10.0]);
            let [low, high] = [plus[0].min(minus[0]), plus[0].max(minus[0])];
            assert!((0..=10).contains(&low) && (0..=10).contains(&high));
            assert_eq!(high - low, 4);
            let far = spsa.step(iteration, &[10.0], 1.0);
            assert!((0.0..=10.0).contains(&far[0]));
        }
    }
}
