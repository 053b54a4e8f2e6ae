//! The floating-point network, as it is trained.
//!
//! The free numbers are a row of filters for each input, a bias for each filter, and for
//! each bucket a bias and a filter's weights in both views. Every filter is applied to
//! the four mirrorings of the board, so the first layer has four units for each, and
//! mirrored positions always have the same value: training on mirrored positions as well
//! would change nothing.
//!
//! A unit's output is its sum, clipped to between 0 and 1 and squared.

use anqi_rules::Symmetry;
use anqi_search::evaluation::Curve;
use anqi_search::evaluation::network::{BUCKETS, INPUTS, Input};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use super::samples::TrainingSample;
use crate::training::curve;

/// The mirrors of the board.
const MIRRORS: usize = Symmetry::ALL.len();
/// Initial rows are uniform within ± this: a sum of some fifty has a deviation of about 0.5.
const FIRST_ROWS: f32 = 0.12;
/// Initial biases are this, so that most units are between 0 and 1.
const FIRST_BIAS: f32 = 0.3;
/// Initial weights of the last layers are uniform within ± this.
const FIRST_OUTPUT: f32 = 0.1;

/// The free numbers: rows, then biases, then weights of the last layers, then their biases.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    filters: usize,
    /// All numbers.
    pub numbers: Vec<f32>,
}

/// Where the parts of the free numbers begin.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// How many filters there are.
    pub filters: usize,
}

impl Layout {
    /// The place of the first bias.
    pub fn bias(self) -> usize {
        INPUTS * self.filters
    }

    /// The place of the first weight of the last layers.
    pub fn output(self) -> usize {
        self.bias() + self.filters
    }

    /// The place of the first bias of the last layers.
    pub fn output_bias(self) -> usize {
        self.output() + BUCKETS * 2 * self.filters
    }

    /// How many numbers there are.
    pub fn numbers(self) -> usize {
        self.output_bias() + BUCKETS
    }
}

impl Model {
    /// Draws the initial numbers.
    pub fn new(filters: usize, lots: &mut Pcg64) -> Model {
        let layout = Layout { filters };
        let mut numbers = vec![0.0; layout.numbers()];
        // The upper 24 bits fill the mantissa of an `f32`.
        let mut draw = || (lots.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0;
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = match index {
                _ if index < layout.bias() => FIRST_ROWS * draw(),
                _ if index < layout.output() => FIRST_BIAS,
                _ if index < layout.output_bias() => FIRST_OUTPUT * draw(),
                _ => 0.0,
            };
        }
        Model { filters, numbers }
    }

    /// Returns a model with these numbers, `None` if they are too many or too few.
    pub fn with_numbers(filters: usize, numbers: Vec<f32>) -> Option<Model> {
        let fits = numbers.len() == Layout { filters }.numbers();
        fits.then_some(Model { filters, numbers })
    }

    /// Returns where its parts begin.
    pub fn layout(&self) -> Layout {
        Layout {
            filters: self.filters,
        }
    }
}

/// A model, or its gradient, with every unit of the first layer written out.
#[derive(Clone, Debug)]
pub struct Units {
    /// Units of the first layer: one for each filter and mirror, mirror by mirror.
    units: usize,
    rows: Vec<f32>,
    bias: Vec<f32>,
    output: Vec<f32>,
    output_bias: [f32; BUCKETS],
}

impl Units {
    /// Zeros.
    pub fn zero(filters: usize) -> Units {
        let units = MIRRORS * filters;
        Units {
            units,
            rows: vec![0.0; INPUTS * units],
            bias: vec![0.0; units],
            output: vec![0.0; BUCKETS * 2 * units],
            output_bias: [0.0; BUCKETS],
        }
    }

    /// Writes out a model.
    pub fn of(model: &Model) -> Units {
        let mut units = Units::zero(model.filters);
        units.for_each_number(model.filters, |unit, number| *unit = model.numbers[number]);
        units
    }

    /// Adds to the gradient of each free number those of all its copies.
    pub fn fold(&mut self, filters: usize, slope: &mut [f32]) {
        self.for_each_number(filters, |unit, number| slope[number] += *unit);
    }

    /// Visits every number with the index of the free number that it copies.
    fn for_each_number(&mut self, filters: usize, mut visit: impl FnMut(&mut f32, usize)) {
        let layout = Layout { filters };
        for input in Input::all() {
            let row = self.rows[input.index() * self.units..].chunks_exact_mut(filters);
            for (symmetry, part) in Symmetry::ALL.into_iter().zip(row) {
                let first = input.mirrored(symmetry).index() * filters;
                (part.iter_mut().zip(first..)).for_each(|(unit, number)| visit(unit, number));
            }
        }
        for part in self.bias.chunks_exact_mut(filters) {
            (part.iter_mut().zip(layout.bias()..)).for_each(|(unit, number)| visit(unit, number));
        }
        for (view, of_view) in self.output.chunks_exact_mut(self.units).enumerate() {
            let first = layout.output() + view * filters;
            for part in of_view.chunks_exact_mut(filters) {
                (part.iter_mut().zip(first..)).for_each(|(unit, number)| visit(unit, number));
            }
        }
        let last = self.output_bias.iter_mut().zip(layout.output_bias()..);
        last.for_each(|(unit, number)| visit(unit, number));
    }

    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        self.rows.fill(0.0);
        self.bias.fill(0.0);
        self.output.fill(0.0);
        self.output_bias.fill(0.0);
    }

    fn row(&self, input: Input) -> &[f32] {
        &self.rows[input.index() * self.units..][..self.units]
    }

    fn row_mut(&mut self, input: Input) -> &mut [f32] {
        &mut self.rows[input.index() * self.units..][..self.units]
    }

    fn view_mut(&mut self, bucket: usize, view: usize) -> &mut [f32] {
        &mut self.output[(2 * bucket + view) * self.units..][..self.units]
    }

    fn view(&self, bucket: usize, view: usize) -> &[f32] {
        &self.output[(2 * bucket + view) * self.units..][..self.units]
    }
}

/// Does the forward and backward pass of samples.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The sums of the units in both views.
    sums: [Vec<f32>; 2],
}

impl Worker {
    /// Returns a worker for a number of filters.
    pub fn new(filters: usize) -> Worker {
        Worker {
            sums: std::array::from_fn(|_| vec![0.0; MIRRORS * filters]),
        }
    }

    /// Returns the output of the network for a sample, as a multiple of half a sure win,
    /// the hand-made terms included.
    pub fn output(&mut self, units: &Units, sample: &TrainingSample<'_>) -> f32 {
        for sums in &mut self.sums {
            sums.copy_from_slice(&units.bias);
        }
        let [own, other] = &mut self.sums;
        for &input in sample.inputs {
            add(own, units.row(input));
            add(other, units.row(input.other_view()));
        }
        let views = [(0, own), (1, other)];
        let sums = views.map(|(view, sums)| activated_sum(sums, units.view(sample.bucket, view)));
        sample.base + units.output_bias[sample.bucket] + sums[0] + sums[1]
    }

    /// Adds the gradient of a sample and returns its loss.
    pub fn learn(
        &mut self,
        units: &Units,
        sample: &TrainingSample<'_>,
        curve: Curve,
        gradient: &mut Units,
    ) -> f64 {
        let x = f64::from(self.output(units, sample));
        let target = f64::from(sample.target);
        let slope = curve::slope(curve, x, target) as f32;
        gradient.output_bias[sample.bucket] += slope;
        for (view, sums) in self.sums.iter_mut().enumerate() {
            let weights = units.view(sample.bucket, view);
            let output_gradient = gradient.view_mut(sample.bucket, view);
            back(sums, weights, slope, output_gradient);
            add(&mut gradient.bias, sums);
        }
        let [own, other] = &self.sums;
        for &input in sample.inputs {
            add(gradient.row_mut(input), own);
            add(gradient.row_mut(input.other_view()), other);
        }
        curve::loss(curve, x, target)
    }
}

#[inline(always)]
pub(super) fn add(to: &mut [f32], numbers: &[f32]) {
    for (to, number) in to.iter_mut().zip(numbers) {
        *to += number;
    }
}

/// Lanes that are summed side by side, so that every machine adds in the same order.
const LANES: usize = 16;

/// The weighted sum of the units' outputs.
#[inline(always)]
fn activated_sum(sums: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (sums, weights) in sums.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let cut = sums[lane].clamp(0.0, 1.0);
            lanes[lane] += cut * cut * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Turns sums into their gradient, and adds to the gradient of the weights.
#[inline(always)]
fn back(sums: &mut [f32], weights: &[f32], slope: f32, weight_slopes: &mut [f32]) {
    for ((sum, weight), of_weight) in sums.iter_mut().zip(weights).zip(weight_slopes) {
        let cut = sum.clamp(0.0, 1.0);
        *of_weight += slope * cut * cut;
        let inside = if cut == *sum { 2.0 * cut } else { 0.0 };
        *sum = slope * weight * inside;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::network::samples::tests::some_samples;
    use rand_pcg::rand_core::SeedableRng;

    const FILTERS: usize = 4;

    #[test]
    fn slopes_are_those_of_the_loss() {
        let mut model = Model::new(FILTERS, &mut Pcg64::seed_from_u64(2));
        let samples = some_samples();
        let sample = samples.get(0);
        let mut worker = Worker::new(FILTERS);
        let curve = Curve::Logistic;
        let mut loss_of = |model: &Model| {
            let x = worker.output(&Units::of(model), &sample);
            curve::loss(curve, x.into(), sample.target.into())
        };
        let mut gradient = Units::zero(FILTERS);
        Worker::new(FILTERS).learn(&Units::of(&model), &sample, curve, &mut gradient);
        let mut folded = vec![0.0; model.numbers.len()];
        gradient.fold(FILTERS, &mut folded);
        let mut compared = 0;
        for (number, &found) in folded.iter().enumerate() {
            let (old, step) = (model.numbers[number], 1e-2);
            let [above, below] = [step, -step].map(|step| {
                model.numbers[number] = old + step;
                loss_of(&model)
            });
            model.numbers[number] = old;
            let expected = (above - below) / (2.0 * f64::from(step));
            let found = f64::from(found);
            assert!(
                (found - expected).abs() < 2e-3,
                "{number}: {found} {expected}"
            );
            compared += usize::from(found != 0.0);
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn mirrors_are_worth_the_same() {
        let model = Model::new(FILTERS, &mut Pcg64::seed_from_u64(2));
        let units = Units::of(&model);
        let samples = some_samples();
        let sample = samples.get(0);
        let value = Worker::new(FILTERS).output(&units, &sample);
        for symmetry in Symmetry::ALL {
            let inputs: Vec<Input> = (sample.inputs.iter())
                .map(|input| input.mirrored(symmetry))
                .collect();
            let image = TrainingSample {
                inputs: &inputs,
                ..sample
            };
            let mirrored = Worker::new(FILTERS).output(&units, &image);
            assert!((mirrored - value).abs() < 1e-5, "{mirrored} {value}");
        }
    }
}
