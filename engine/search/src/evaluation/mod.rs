//! The static evaluation.
//!
//! From the bottom: `piece_values`, `curve` (from sums to expected results), `terms` (what is
//! counted on the squares), `material` (terms of the living pieces alone), `weights` (of each
//! term, fitted on self-play), `features` (the same sum as a plain list: the slow twin), [`network`] (the learned part), `flips` (the values of all
//! outcomes of a flip at once), and the [`Evaluator`].
//!
//! The champion's evaluation is a sum of terms, each with a weight for the full
//! board and one for the open board; in between the two are mixed by the number of
//! pieces still face down. A curve turns the sum into an estimate within ±9,000.
//! What depends on the material alone is cached, so that a leaf pays only for what
//! depends on squares.
//!
//! The tree search uses [`Evaluator`] alone: it asks for values of positions and of all
//! outcomes of a flip, and announces every action played and taken back, so that the network
//! can keep its sums up to date.

#[cfg(test)]
mod any_ply;
mod curve;
mod facts;
mod features;
mod flips;
mod material;
#[cfg(feature = "unstable")]
pub mod network;
#[cfg(not(feature = "unstable"))]
mod network;
mod piece_values;
mod plain;
mod terms;
mod weights;

pub use curve::Curve;
pub(crate) use flips::{Flips, Precision};
pub(crate) use network::NetworkSource;
pub use network::{Network, NetworkError};
pub(crate) use piece_values::PieceValues;
pub(crate) use weights::WeightsSource;
pub use weights::{Weights, WeightsError};

unstable!(pub use curve::{LOGISTIC_FACTOR, RATIO_SHARE});
unstable!(pub use features::{features});
unstable!(pub use plain::{PlainEvaluation});
unstable!(pub use terms::{FEATURES, feature_name});

use anqi_rules::{Color, PIECES, Position, SQUARES, Square, SquareSet};
use curve::half_sum;
use facts::Facts;
use network::{Accumulators, RESULT_UNIT};
use std::sync::{Arc, LazyLock};
use terms::{CORNER, CORNERS, EDGE, EDGES, SQUARE_TERMS, Tally};
use terms::{hunt, steps_beyond};
use weights::Scope;

/// Cached materials; a few hundred come up in one search.
const CACHE_SLOTS: usize = 1 << 10;

/// Cached values: positions that a search soon returns to.
const VALUE_SLOTS: usize = 1 << 12;

/// Weights or a network, shared by all searches.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The hand-made terms with these weights.
    Linear(Arc<Weights>),
    /// This network, added to the hand-made terms with the weights in its file.
    Learned(Arc<Network>),
}

static DEFAULT: LazyLock<Evaluation> =
    LazyLock::new(|| Evaluation::Linear(Weights::built_in().clone()));

/// The hand-made terms alone; the champion's evaluation is [`Evaluation::learned`].
impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::built_in().clone()
    }
}

impl From<Arc<Weights>> for Evaluation {
    fn from(weights: Arc<Weights>) -> Evaluation {
        Evaluation::Linear(weights)
    }
}

impl Evaluation {
    /// Returns the hand-made terms with the built-in weights.
    pub fn built_in() -> &'static Evaluation {
        &DEFAULT
    }

    /// Returns the champion's: the hand-made terms and the built-in network.
    pub fn learned() -> Evaluation {
        Evaluation::Learned(Network::built_in().clone())
    }

    /// Returns the same evaluation with another curve.
    #[must_use]
    pub fn with_curve(&self, curve: Curve) -> Evaluation {
        match self {
            Evaluation::Linear(weights) => Evaluation::Linear(Arc::new(weights.with_curve(curve))),
            Evaluation::Learned(network) => {
                Evaluation::Learned(Arc::new(network.with_curve(curve)))
            }
        }
    }

    /// Returns the value of a position for the side to move, computed from scratch:
    /// the slow twin of [`Evaluator::value`].
    pub fn value(&self, position: &Position) -> i32 {
        match self {
            Evaluation::Linear(weights) => weights.value(position),
            Evaluation::Learned(network) => {
                let weights = network.weights();
                let learned = scaled(network.result(position), weights.half);
                weights.estimate(weights.sum(position) + learned)
            }
        }
    }
}

/// An evaluation with its cache.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Arc<Weights>,
    /// Which of them are other than zero: terms without weights are not computed.
    scope: Scope,
    /// The sums of the network, if there is one.
    accumulators: Option<Accumulators>,
    /// The weights of the terms on squares, by the number of pieces face down.
    mixed: Arc<[SquareWeights]>,
    cache: Vec<Facts>,
    values: Box<[Remembered]>,
}

/// The weights of the terms on squares with one number of pieces face down.
#[derive(Clone, Debug)]
struct SquareWeights {
    terms: [i32; SQUARE_TERMS],
    /// By side and the victim's square: the weights of its edge and corner.
    places: [[i32; SQUARES]; 2],
}

impl SquareWeights {
    fn mixed(weights: &Weights, hidden: usize) -> SquareWeights {
        let terms: [i32; SQUARE_TERMS] =
            std::array::from_fn(|term| weights.mixed(term, hidden as i32));
        let mut places = [[0; SQUARES]; 2];
        for (side, places) in places.iter_mut().enumerate() {
            for square in EDGES {
                places[square.index()] += terms[EDGE + side];
            }
            for square in CORNERS {
                places[square.index()] += terms[CORNER + side];
            }
        }
        SquareWeights { terms, places }
    }
}

impl Scope {
    /// Tallies the terms on squares that have weights.
    #[inline]
    fn on_squares(self, position: &Position, facts: &Facts, tally: &mut impl Tally) {
        match self {
            Scope::Everything => terms::on_squares::<true>(position, facts, tally),
            Scope::Beside => terms::on_squares::<false>(position, facts, tally),
            Scope::Material => terms::turn(position, tally),
        }
    }
}

/// The value of a position, by its key.
#[derive(Clone, Copy, Default, Debug)]
struct Remembered {
    key: u64,
    value: i32,
}

/// Of the hand-made terms alone.
impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(Evaluation::default())
    }
}

impl Evaluator {
    /// Returns an evaluator with an empty cache.
    pub fn new(evaluation: impl Into<Evaluation>) -> Evaluator {
        let (weights, accumulators) = match evaluation.into() {
            Evaluation::Linear(weights) => (weights, None),
            Evaluation::Learned(network) => {
                (network.weights().clone(), Some(Accumulators::new(network)))
            }
        };
        let mixed = (0..=SQUARES).map(|hidden| SquareWeights::mixed(&weights, hidden));
        let mixed = mixed.collect();
        Evaluator {
            scope: weights.scope(),
            weights,
            accumulators,
            mixed,
            cache: vec![Facts::NONE; CACHE_SLOTS],
            values: vec![Remembered::default(); VALUE_SLOTS].into_boxed_slice(),
        }
    }

    /// Returns the expected result for the side to move, within the bound of estimates.
    #[inline]
    pub fn value(&mut self, position: &Position) -> i32 {
        let key = position.key();
        let slot = key as usize % VALUE_SLOTS;
        let known = self.values[slot];
        if known.key == key {
            return known.value;
        }
        let value = self.fresh_value(position);
        self.values[slot] = Remembered { key, value };
        value
    }

    /// Computes the value, bypassing the cache of values.
    fn fresh_value(&mut self, position: &Position) -> i32 {
        let signature = match &mut self.accumulators {
            Some(sums) => sums.material(position),
            None => material::signature(position),
        };
        let slot = self.slot_of(signature, || *position);
        let facts = &self.cache[slot];
        let material = match position.turn() {
            Some(Color::Black) => -facts.balance,
            _ => facts.balance,
        };
        let mut sum = WeightedSum {
            weights: &self.mixed[position.face_down().len()],
            sum: material,
        };
        self.scope.on_squares(position, facts, &mut sum);
        let half = self.weights.half;
        let learned = self.accumulators.as_mut();
        let learned = learned.map_or(0, |sums| scaled(sums.result(position), half));
        self.weights.estimate(sum.sum + learned)
    }

    /// Announces that a search begins at this position.
    pub fn begin_at(&mut self, position: &Position) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.begin_at(position);
        }
    }

    /// Announces that an action led to this position.
    #[inline]
    pub fn played(&mut self, position: &Position) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.played(position);
        }
    }

    /// Announces that the last action was taken back.
    #[inline]
    pub fn taken_back(&mut self) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.taken_back();
        }
    }

    /// Returns the piece values in this position, in the order `KGMRNCPkgmrncp`.
    pub fn piece_values(&mut self, position: &Position) -> [i32; PIECES] {
        let slot = self.look_up(position);
        self.cache[slot].values
    }

    /// Returns the cache slot of a position's material.
    fn look_up(&mut self, position: &Position) -> usize {
        self.slot_of(material::signature(position), || *position)
    }

    /// Returns the cache slot of a material; `position` returns a position that has it.
    #[inline]
    fn slot_of(
        &mut self,
        (living, hidden): (u64, u64),
        position: impl FnOnce() -> Position,
    ) -> usize {
        let mixed = (living ^ hidden.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (mixed >> 54) as usize % CACHE_SLOTS;
        if !self.cache[slot].are_of(living, hidden) {
            self.cache[slot] = Facts::of(&position(), &self.weights);
        }
        debug_assert!(self.cache[slot].are_of(living, hidden));
        slot
    }
}

/// The weighted sum of terms on squares.
struct WeightedSum<'a> {
    weights: &'a SquareWeights,
    sum: i64,
}

impl Tally for WeightedSum<'_> {
    #[inline]
    fn add(&mut self, term: usize, amount: i32) {
        self.sum += i64::from(self.weights.terms[term]) * i64::from(amount);
    }

    /// Few pieces can capture one victim: looking each up is faster than
    /// counting those at every distance.
    #[inline]
    fn add_victim(&mut self, side: usize, victim: Square, hunters: SquareSet, amount: i32) {
        let weighed = hunters
            .into_iter()
            .map(|hunter| self.weights.terms[hunt(side) + steps_beyond(victim, hunter)]);
        let weight = weighed.sum::<i32>() + self.weights.places[side][victim.index()];
        self.sum += i64::from(weight) * i64::from(amount);
    }
}

/// A network's result, in units of the sum of the hand-made terms.
#[inline]
fn scaled(result: i32, half: i32) -> i64 {
    i64::from(result) * half_sum(half) / i64::from(RESULT_UNIT)
}

#[cfg(test)]
mod tests {
    use super::any_ply::any_ply;
    use super::*;
    use crate::score::ESTIMATE_BOUND;
    use anqi_rules::{Game, Rules};
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    fn evaluations() -> Vec<Evaluation> {
        let scopes = [Scope::Everything, Scope::Beside, Scope::Material];
        let of_scope = |scope| {
            let weights = Weights::within(scope);
            let mut parameters = Network::built_in().parameters().clone();
            parameters.weights = weights.clone();
            let network = Network::new(parameters).expect("only other weights");
            let learned = Evaluation::Learned(Arc::new(network));
            [Evaluation::Linear(Arc::new(weights)), learned]
        };
        let curves = |evaluation: Evaluation| {
            [Curve::Ratio, Curve::Logistic].map(|curve| evaluation.with_curve(curve))
        };
        scopes
            .into_iter()
            .flat_map(of_scope)
            .flat_map(curves)
            .collect()
    }

    fn evaluators() -> impl Iterator<Item = Evaluator> {
        evaluations().into_iter().map(Evaluator::new)
    }

    #[test]
    fn values_are_those_computed_from_scratch() {
        let mut source = Pcg64Mcg::seed_from_u64(9);
        for evaluation in evaluations() {
            let mut evaluator = Evaluator::new(evaluation.clone());
            let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
            while game.outcome().is_none() {
                let position = *game.position();
                assert_eq!(evaluator.value(&position), evaluation.value(&position));
                let ply = any_ply(&position, &mut source, 0.6);
                game.play(ply).expect("a generated action is legal");
            }
        }
    }

    #[test]
    fn sides_and_mirrors_agree() {
        for mut evaluator in evaluators() {
            assert_eq!(evaluator.value(&Position::start()), 0);
            let position: Position = "K1p1/1?2/4/c?P1/4/2r1/4/1G2 r Gp 0 0".parse().unwrap();
            let value = evaluator.value(&position);
            for symmetry in anqi_rules::Symmetry::ALL {
                assert_eq!(evaluator.value(&symmetry.position(&position)), value);
            }
            assert!(value.abs() <= ESTIMATE_BOUND);
            let swapped: Position = "k1P1/1?2/4/C?p1/4/2R1/4/1g2 b gP 0 0".parse().unwrap();
            assert_eq!(evaluator.value(&swapped), value);
        }
    }

    #[test]
    fn nearer_prey_is_better() {
        let mut evaluator = Evaluator::default();
        let near: Position = "4/4/4/4/4/g3/4/K3 r - 0 0".parse().unwrap();
        let far: Position = "g3/4/4/4/4/4/4/K3 r - 0 0".parse().unwrap();
        assert!(evaluator.value(&near) > evaluator.value(&far));
    }
}
