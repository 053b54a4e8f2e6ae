//! The loss of a network, beside those of the terms alone, the model and the targets.

use anqi_search::evaluation::network::RESULT_UNIT;
use anqi_search::evaluation::{Curve, Network};
use rayon::prelude::*;

use super::model::{Model, Units, Worker};
use super::samples::{Samples, TrainingSample};
use crate::training::curve;

/// Samples in a thread's unit of work.
const CHUNK: usize = 4096;

/// Mean losses over the same samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkLosses {
    /// Of the hand-made terms alone.
    pub linear: f64,
    /// Of the floating-point model.
    pub model: f64,
    /// Of the quantized network.
    pub network: f64,
    /// Of a model that knows every target: the least possible.
    pub floor: f64,
}

/// Returns the mean losses over some samples.
pub fn losses(model: &Model, network: &Network, samples: &Samples) -> NetworkLosses {
    let units = Units::of(model);
    let filters = model.layout().filters;
    let curve = network.weights().curve;
    NetworkLosses {
        linear: mean(samples, || {
            |sample: &TrainingSample<'_>| loss_at(curve, sample.base, sample)
        }),
        model: mean(samples, || {
            let mut worker = Worker::new(filters);
            let units = &units;
            move |sample: &TrainingSample<'_>| loss_at(curve, worker.output(units, sample), sample)
        }),
        network: mean(samples, || {
            |sample: &TrainingSample<'_>| {
                let result = network.result_of(sample.inputs, sample.bucket);
                let x = sample.base + result as f32 / RESULT_UNIT as f32;
                loss_at(curve, x, sample)
            }
        }),
        floor: mean(samples, || {
            |sample: &TrainingSample<'_>| curve::entropy(sample.target.into())
        }),
    }
}

/// Returns the mean loss of a model.
pub fn loss(model: &Model, samples: &Samples, curve: Curve) -> f64 {
    let units = Units::of(model);
    mean(samples, || {
        let mut worker = Worker::new(model.layout().filters);
        let units = &units;
        move |sample: &TrainingSample<'_>| loss_at(curve, worker.output(units, sample), sample)
    })
}

fn loss_at(curve: Curve, x: f32, sample: &TrainingSample<'_>) -> f64 {
    curve::loss(curve, x.into(), sample.target.into())
}

/// The mean over all samples, the same on any number of threads.
fn mean<F: FnMut(&TrainingSample<'_>) -> f64>(
    samples: &Samples,
    worker: impl Fn() -> F + Sync,
) -> f64 {
    let chunks = samples.len().div_ceil(CHUNK);
    let sums: Vec<f64> = (0..chunks)
        .into_par_iter()
        .map(|index| {
            let mut of = worker();
            let end = ((index + 1) * CHUNK).min(samples.len());
            let range = index * CHUNK..end;
            range.map(|sample| of(&samples.get(sample))).sum()
        })
        .collect();
    sums.iter().sum::<f64>() / samples.len().max(1) as f64
}
