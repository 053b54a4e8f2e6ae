//! Training: epochs of batches, the same numbers on any number of threads.
//!
//! A batch is cut into a fixed number of slices. Threads compute the gradients of slices,
//! which are added in the order of the slices: scheduling cannot change the result.

use std::ops::ControlFlow;

use anqi_rules::random::below;
use anqi_search::evaluation::Curve;
use anqi_search::evaluation::network::{MOST_OUTPUT, OUTPUT_UNIT};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::adam::{Adam, cosine};
use super::model::{Layout, Model, Units, Worker};
use super::samples::Samples;

/// Slices of a batch.
const SLICES: usize = 16;
/// The weights of the last layers stay within this: what a file holds.
const OUTPUT_BOUND: f32 = MOST_OUTPUT as f32 / OUTPUT_UNIT as f32;
/// Steps of learning rate warmup.
const WARMUP: u64 = 100;

/// How to train.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainSettings {
    /// How many filters, each applied in four mirrors.
    pub filters: usize,
    /// Passes over all samples.
    pub epochs: u32,
    /// Samples in a batch.
    pub batch: usize,
    /// How sums become expected results.
    pub curve: Curve,
    /// The greatest learning rate.
    pub rate: f64,
    /// Decides the initial numbers and the order of samples.
    pub seed: u64,
}

/// The state of training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingProgress {
    /// Epochs done.
    pub epochs: u32,
    /// The model now.
    pub model: Model,
    /// The state of the optimiser.
    pub adam: Adam,
}

impl TrainingProgress {
    /// Returns the state before the first epoch.
    pub fn start(settings: &TrainSettings) -> TrainingProgress {
        let mut lots = Pcg64::seed_from_u64(settings.seed);
        let model = Model::new(settings.filters, &mut lots);
        TrainingProgress {
            epochs: 0,
            adam: Adam::new(model.numbers.len()),
            model,
        }
    }
}

/// Loss and gradient of one slice of a batch.
struct Slice {
    worker: Worker,
    curve: Curve,
    gradient: Units,
    loss: f64,
}

impl Slice {
    fn new(filters: usize, curve: Curve) -> Slice {
        Slice {
            curve,
            worker: Worker::new(filters),
            gradient: Units::zero(filters),
            loss: 0.0,
        }
    }

    fn learn(&mut self, units: &Units, samples: &Samples, mine: &[u32]) {
        self.gradient.clear();
        for &index in mine {
            let sample = samples.get(index as usize);
            let gradient = &mut self.gradient;
            self.loss += self.worker.learn(units, &sample, self.curve, gradient);
        }
    }
}

/// Trains one more epoch and returns its mean loss, `None` if `seen` stops it.
///
/// After every batch `seen` receives the number of batches done, and of all.
pub fn epoch(
    progress: &mut TrainingProgress,
    samples: &Samples,
    settings: &TrainSettings,
    mut seen: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Option<f64> {
    let order = order(samples.len(), settings.seed, progress.epochs);
    let mut slices: Vec<Slice> = (0..SLICES)
        .map(|_| Slice::new(settings.filters, settings.curve))
        .collect();
    let batches = samples.len().div_ceil(settings.batch) as u64;
    let steps = batches * u64::from(settings.epochs);
    for (number, batch) in (1..).zip(order.chunks(settings.batch)) {
        let gradient = gradient(&progress.model, samples, batch, &mut slices);
        let rate = settings.rate * cosine(progress.adam.steps, steps, WARMUP.min(steps / 4));
        let numbers = &mut progress.model.numbers;
        progress.adam.step(numbers, &gradient, rate);
        let layout = Layout {
            filters: settings.filters,
        };
        for weight in &mut numbers[layout.output()..layout.output_bias()] {
            *weight = weight.clamp(-OUTPUT_BOUND, OUTPUT_BOUND);
        }
        if seen(number, batches).is_break() {
            return None;
        }
    }
    progress.epochs += 1;
    let loss: f64 = slices.iter().map(|slice| slice.loss).sum();
    Some(loss / samples.len().max(1) as f64)
}

/// Returns the mean gradient of the loss over a batch.
fn gradient(model: &Model, samples: &Samples, batch: &[u32], slices: &mut [Slice]) -> Vec<f32> {
    let units = Units::of(model);
    let part = batch.len().div_ceil(slices.len());
    let work = slices.par_iter_mut().enumerate();
    work.for_each(|(index, slice)| {
        let start = (index * part).min(batch.len());
        let end = (start + part).min(batch.len());
        slice.learn(&units, samples, &batch[start..end]);
    });
    let mut gradient = vec![0.0; model.numbers.len()];
    for slice in slices {
        slice.gradient.fold(model.layout().filters, &mut gradient);
    }
    let share = 1.0 / batch.len() as f32;
    gradient.iter_mut().for_each(|slope| *slope *= share);
    gradient
}

/// The order in which an epoch sees the samples.
fn order(samples: usize, seed: u64, epoch: u32) -> Vec<u32> {
    let mut lots = Pcg64::seed_from_u64(seed.wrapping_add(u64::from(epoch) + 1));
    let mut order: Vec<u32> = (0..samples as u32).collect();
    // Fisher–Yates shuffle.
    for last in (1..order.len()).rev() {
        order.swap(last, below(last as u64 + 1, || lots.next_u64()) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::checkpoint;
    use crate::training::network::losses::losses;
    use crate::training::network::quantize::quantize;
    use crate::training::network::samples::tests::some_samples;
    use anqi_search::evaluation::Weights;

    const SETTINGS: TrainSettings = TrainSettings {
        filters: 4,
        epochs: 60,
        batch: 32,
        curve: Curve::Logistic,
        rate: 0.02,
        seed: 7,
    };

    fn train(progress: &mut TrainingProgress, samples: &Samples, epochs: u32) {
        while progress.epochs < epochs {
            let loss = epoch(progress, samples, &SETTINGS, |_, _| {
                ControlFlow::Continue(())
            });
            assert!(loss.is_some());
        }
    }

    #[test]
    fn what_is_shown_is_learnt_and_survives_rounding() {
        let samples = some_samples();
        let mut progress = TrainingProgress::start(&SETTINGS);
        train(&mut progress, &samples, SETTINGS.epochs);
        let weights = Weights::built_in().with_curve(SETTINGS.curve);
        let network = quantize(&progress.model, &weights, String::new()).expect("a network");
        let losses = losses(&progress.model, &network, &samples);
        assert!(losses.model < losses.floor + 1e-3, "{losses:?}");
        assert!((losses.network - losses.model).abs() < 1e-3, "{losses:?}");
        assert!(losses.linear > losses.floor + 0.01, "{losses:?}");
    }

    #[test]
    fn a_training_that_was_killed_ends_with_the_same_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("checkpoint");
        let samples = some_samples();
        let mut whole = TrainingProgress::start(&SETTINGS);
        train(&mut whole, &samples, 4);
        let mut half = TrainingProgress::start(&SETTINGS);
        train(&mut half, &samples, 2);
        checkpoint::write(&path, "this", &half).expect("written");
        let mut rest = checkpoint::read(&path, "this")
            .expect("whole")
            .expect("there");
        train(&mut rest, &samples, 4);
        assert_eq!(rest, whole);
    }

    #[test]
    fn an_interrupt_breaks_an_epoch_off() {
        let mut progress = TrainingProgress::start(&SETTINGS);
        let ended = epoch(&mut progress, &some_samples(), &SETTINGS, |_, _| {
            ControlFlow::Break(())
        });
        assert!(ended.is_none() && progress.epochs == 0);
    }
}
