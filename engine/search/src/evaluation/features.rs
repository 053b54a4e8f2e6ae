//! The evaluation as a weighted list of features: the slow twin of [`Evaluator`](super::Evaluator).

use super::curve::half_sum;
use super::facts::Facts;
use super::terms::{self, FEATURES, TERMS, Tally};
use super::{material, weights::Weights};
use anqi_rules::{Color, Position, SQUARES};

/// The amount of each term.
struct Amounts([i32; TERMS]);

impl Tally for Amounts {
    fn add(&mut self, term: usize, amount: i32) {
        self.0[term] += amount;
    }
}

/// Returns the amount of every feature for the side to move: the evaluation is the
/// estimate for the sum of weight × amount, by the [`Curve`](super::Curve).
///
/// The first half belongs to the weights of the full board, the second to the weights
/// of the open board.
pub fn features(position: &Position) -> [i32; FEATURES] {
    let facts = Facts::of(position, Weights::built_in());
    let mut amounts = Amounts([0; TERMS]);
    material::compare(position, &facts.values, &mut amounts);
    if position.turn() == Some(Color::Black) {
        amounts.0.iter_mut().for_each(|amount| *amount = -*amount);
    }
    terms::on_squares::<true>(position, &facts, &mut amounts);
    let hidden = position.face_down().len() as i32;
    let mut features = [0; FEATURES];
    for (term, amount) in amounts.0.into_iter().enumerate() {
        features[term] = amount * hidden;
        features[TERMS + term] = amount * (SQUARES as i32 - hidden);
    }
    features
}

impl Weights {
    /// Returns the expected result for the side to move, computed from the
    /// list of features: the slow twin of [`super::Evaluator::value`].
    pub fn value(&self, position: &Position) -> i32 {
        self.estimate(self.sum(position))
    }

    /// Returns the sum behind the value, as a multiple of `half`.
    pub fn relative_sum(&self, position: &Position) -> f64 {
        self.sum(position) as f64 / half_sum(self.half) as f64
    }

    pub(super) fn sum(&self, position: &Position) -> i64 {
        let products = features(position).into_iter().zip(self.weights);
        let products = products.map(|(amount, weight)| i64::from(amount) * i64::from(weight));
        products.sum()
    }
}
