//! The champion's evaluation.
//!
//! A sum of terms ([`terms`]), each with a weight for the full board and one for
//! the open board ([`weights`]); in between the two are mixed by the number of
//! pieces still face down. The weights are fitted on self-play and live in the
//! file `weights.txt` of this crate, which is built into the program.
//!
//! What depends only on which pieces live and lie face down is looked up in a
//! small cache, so that a leaf pays only for what depends on squares. The sum is
//! squashed into ±9,000, the range of expected results.

mod flips;
mod material;
mod terms;
mod weights;

pub use flips::Flips;
pub use terms::name;
pub use weights::{Source, Weights, WeightsError};

use crate::score::ESTIMATE_BOUND;
use anqi_rules::{Color, PIECES, Position, SQUARES, SquareSet};
use material::Facts;
use std::sync::Arc;
use terms::{Rings, SQUARE_TERMS, TERMS, Tally};

/// Weights there are: two for each term.
pub const FEATURES: usize = 2 * TERMS;

/// One weight is this many times its real worth.
const UNIT: i64 = 256;

const CACHE_SLOTS: usize = 1 << 10;

/// The evaluation with its cache.
#[derive(Clone, Debug)]
pub struct Judge {
    weights: Arc<Weights>,
    /// The weights of the terms on squares, by the number of pieces face down.
    mixed: Arc<[[i32; SQUARE_TERMS]; SQUARES + 1]>,
    cache: Vec<Facts>,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new(Weights::built_in().clone())
    }
}

impl Judge {
    /// Returns an evaluation with these weights.
    pub fn new(weights: Arc<Weights>) -> Judge {
        let mut mixed = Box::new([[0; SQUARE_TERMS]; SQUARES + 1]);
        for (hidden, row) in mixed.iter_mut().enumerate() {
            for (term, weight) in row.iter_mut().enumerate() {
                *weight = weights.mixed(term, hidden as i32);
            }
        }
        Judge {
            weights,
            mixed: Arc::from(mixed),
            cache: vec![Facts::NONE; CACHE_SLOTS],
        }
    }

    /// Returns the expected result for the side to move, within the bound of estimates.
    pub fn value(&mut self, position: &Position) -> i32 {
        let slot = self.look_up(position);
        let facts = &self.cache[slot];
        let material = match position.turn() {
            Some(Color::Black) => -facts.balance,
            _ => facts.balance,
        };
        let mut sum = Weighed {
            weights: &self.mixed[position.face_down().len()],
            sum: material,
        };
        terms::on_squares(position, facts, &mut sum);
        squashed(sum.sum, self.weights.half)
    }

    /// Returns what the pieces are worth now, in the order `KGMRNCPkgmrncp`.
    pub fn values(&mut self, position: &Position) -> [i32; PIECES] {
        let slot = self.look_up(position);
        self.cache[slot].values
    }

    /// Returns where in the cache the facts about a position's material are.
    fn look_up(&mut self, position: &Position) -> usize {
        self.slot_of(material::signature(position), || *position)
    }

    /// Returns where in the cache the facts about a material are; `position` is one that has it.
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

/// Sums what terms on squares weigh.
struct Weighed<'a> {
    weights: &'a [i32; SQUARE_TERMS],
    sum: i64,
}

impl Tally for Weighed<'_> {
    #[inline]
    fn add(&mut self, term: usize, amount: i32) {
        self.sum += i64::from(self.weights[term]) * i64::from(amount);
    }

    #[inline]
    fn add_by_distance(&mut self, first: usize, rings: &Rings, squares: SquareSet, amount: i32) {
        let weights = self.weights[first..].iter().zip(rings);
        let weighed = weights.map(|(weight, ring)| weight * (squares & *ring).len() as i32);
        self.sum += i64::from(weighed.sum::<i32>()) * i64::from(amount);
    }
}

/// Lists how much of each term there is.
struct Listed([i32; TERMS]);

impl Tally for Listed {
    fn add(&mut self, term: usize, amount: i32) {
        self.0[term] += amount;
    }
}

/// Returns how much there is of every feature, for the side to move: the
/// evaluation is the sum of weight × amount, squashed.
///
/// The first half belongs to the weights of the full board, the second to those
/// of the open board.
pub fn features(position: &Position) -> [i32; FEATURES] {
    let facts = Facts::of(position, Weights::built_in());
    let mut listed = Listed([0; TERMS]);
    material::compare(position, &facts.values, &mut listed);
    if position.turn() == Some(Color::Black) {
        listed.0.iter_mut().for_each(|amount| *amount = -*amount);
    }
    terms::on_squares(position, &facts, &mut listed);
    let hidden = position.face_down().len() as i32;
    let mut features = [0; FEATURES];
    for (term, amount) in listed.0.into_iter().enumerate() {
        features[term] = amount * hidden;
        features[TERMS + term] = amount * (SQUARES as i32 - hidden);
    }
    features
}

/// The sum in units of a weight, squashed into the range of estimates.
fn squashed(sum: i64, half: i32) -> i32 {
    let scale = UNIT * SQUARES as i64;
    let value = sum * i64::from(ESTIMATE_BOUND) / (sum.abs() + i64::from(half) * scale);
    value as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_mirrors_agree() {
        let mut judge = Judge::default();
        assert_eq!(judge.value(&Position::start()), 0);
        let position: Position = "K1p1/1?2/4/c?P1/4/2r1/4/1G2 r Gp 0 0".parse().unwrap();
        let value = judge.value(&position);
        for symmetry in anqi_rules::Symmetry::ALL {
            assert_eq!(judge.value(&symmetry.position(&position)), value);
        }
        assert!(value.abs() <= ESTIMATE_BOUND);
    }

    #[test]
    fn nearer_prey_is_better() {
        let mut judge = Judge::default();
        let near: Position = "4/4/4/4/4/g3/4/K3 r - 0 0".parse().unwrap();
        let far: Position = "g3/4/4/4/4/4/4/K3 r - 0 0".parse().unwrap();
        assert!(judge.value(&near) > judge.value(&far));
    }
}
