//! From floating-point numbers to the integers used in play.

use anqi_search::evaluation::Weights;
use anqi_search::evaluation::network::{
    BUCKETS, MOST_OUTPUT, Network, NetworkFault, OUTPUT_UNIT, Parameters, RESULT_UNIT, SUM_UNIT,
};

use super::model::Model;

/// Rounds a model to the integers of a network.
///
/// # Errors
///
/// Fails if some sum of the network might overflow, as it might if training diverged.
pub fn quantize(model: &Model, weights: &Weights, origin: String) -> Result<Network, NetworkFault> {
    let layout = model.layout();
    let numbers = &model.numbers;
    let rounded = |number: &f32, unit: i32, most: i16| {
        let most = f32::from(most);
        (number * unit as f32).round().clamp(-most, most) as i16
    };
    let sums = |range: std::ops::Range<usize>| {
        let sums = numbers[range].iter();
        sums.map(|number| rounded(number, SUM_UNIT, i16::MAX))
            .collect()
    };
    let output = numbers[layout.output()..layout.output_bias()].iter();
    let last = &numbers[layout.output_bias()..];
    Network::new(Parameters {
        filters: layout.filters,
        rows: sums(0..layout.bias()),
        bias: sums(layout.bias()..layout.output()),
        output: output
            .map(|number| rounded(number, OUTPUT_UNIT, MOST_OUTPUT))
            .collect(),
        // Conversions of floats saturate, and a bias that great is refused.
        output_bias: std::array::from_fn::<_, BUCKETS, _>(|bucket| {
            (f64::from(last[bucket]) * f64::from(RESULT_UNIT)).round() as i32
        }),
        weights: weights.clone(),
        origin,
    })
}
