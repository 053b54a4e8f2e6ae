//! The speed of drawing subsets with unequal probabilities, against testing every element.
//!
//! After the table of Tsai, Wang, Liau and Hsu: the time of the naive method over that of the hybrid one for a number
//! of samples, preparation included, for different numbers of elements and mean probabilities.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

use crate::training::subset::{SubsetError, SubsetSampler, unit};

/// How the probabilities of elements differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Evenly spread from nothing to twice the mean.
    Even,
    /// A tenth of the elements is ten times as likely as the others.
    Skewed,
}

/// What drawing samples takes.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Testing every element.
    pub naive: Duration,
    /// The hybrid method, preparation included.
    pub hybrid: Duration,
    /// How far the mean size of the hybrid's samples is off, relative to the expected size.
    pub error: f64,
    /// One standard error of that.
    pub spread: f64,
}

impl Cell {
    /// Returns how many times as long the naive method takes.
    pub fn ratio(&self) -> f64 {
        self.naive.as_secs_f64() / self.hybrid.as_secs_f64()
    }
}

/// Elements that a batch is expected to touch at most, unless one sample alone touches more.
const BATCH: f64 = 100_000.0;

/// Draws `samples` subsets of so many elements by both methods, several times.
///
/// Times are lower quartiles of short batches, so that what else the machine does hardly counts.
///
/// # Errors
///
/// Fails if the mean makes some probability more than 1.
pub fn measure(
    shape: Shape,
    elements: usize,
    mean: f64,
    (samples, runs): (u32, u32),
) -> Result<Cell, SubsetError> {
    let probabilities = shape.probabilities(elements, mean);
    let expected: f64 = probabilities.iter().sum();
    let variance: f64 = probabilities.iter().map(|p| p * (1.0 - p)).sum();
    let (mut prepare, mut hybrid, mut naive) = (Vec::new(), Vec::new(), Vec::new());
    let mut drawn = 0;
    for run in 0..runs.max(1) {
        let mut generator = Pcg64::seed_from_u64(run.into());
        let start = Instant::now();
        let sampler = SubsetSampler::new(&probabilities)?;
        prepare.push(start.elapsed());
        let batch = batch(samples, expected);
        timed(&mut hybrid, samples, batch, || {
            drawn += black_box(sampler.draw(&mut generator)).len();
        });
        let batch = self::batch(samples, elements as f64);
        timed(&mut naive, samples, batch, || {
            black_box(by_tests(&probabilities, &mut generator));
        });
    }
    let all = f64::from(samples) * f64::from(runs.max(1));
    Ok(Cell {
        naive: quartile(naive) * samples,
        hybrid: quartile(prepare) + quartile(hybrid) * samples,
        error: (drawn as f64 / all - expected) / expected,
        spread: (variance / all).sqrt() / expected,
    })
}

/// Samples that are timed together when one touches so many elements.
fn batch(samples: u32, touched: f64) -> u32 {
    ((BATCH / touched.max(1.0)) as u32).clamp(1, samples)
}

/// Takes samples, and adds the time of one for each batch.
fn timed(times: &mut Vec<Duration>, samples: u32, batch: u32, mut sample: impl FnMut()) {
    let mut left = samples;
    while left > 0 {
        let now = batch.min(left);
        let start = Instant::now();
        (0..now).for_each(|_| sample());
        times.push(start.elapsed() / now);
        left -= now;
    }
}

fn quartile(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 4]
}

/// Tests every element.
fn by_tests(probabilities: &[f64], generator: &mut impl Rng) -> Vec<u32> {
    let tested = (0_u32..).zip(probabilities);
    let drawn = tested.filter(|(_, p)| unit(generator) < **p);
    drawn.map(|(index, _)| index).collect()
}

impl Shape {
    /// Returns probabilities with this mean.
    fn probabilities(self, elements: usize, mean: f64) -> Vec<f64> {
        let of = |index: usize| match self {
            Shape::Even => 2.0 * mean * (index as f64 + 0.5) / elements as f64,
            Shape::Skewed if index.is_multiple_of(10) => 10.0 * mean / 1.9,
            Shape::Skewed => mean / 1.9,
        };
        (0..elements).map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_methods_draw_as_many_as_the_probabilities_say() {
        for shape in [Shape::Even, Shape::Skewed] {
            let probabilities = shape.probabilities(1_000, 0.02);
            let mean = probabilities.iter().sum::<f64>() / 1_000.0;
            assert!((mean - 0.02).abs() < 1e-12, "{shape:?}: {mean}");
            let mut generator = Pcg64::seed_from_u64(5);
            let sizes = (0..200).map(|_| by_tests(&probabilities, &mut generator).len());
            let size = sizes.sum::<usize>() as f64 / 200.0;
            assert!((size - 20.0).abs() < 1.3, "{shape:?}: {size}");
            let cell = measure(shape, 1_000, 0.02, (100, 2)).expect("probabilities");
            assert!(cell.error.abs() < 4.0 * cell.spread, "{shape:?}: {cell:?}");
            assert!(cell.spread < 0.02 && cell.ratio() > 0.0);
        }
        assert!(measure(Shape::Even, 10, 0.7, (1, 1)).is_err());
    }
}
