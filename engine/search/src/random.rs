//! Reproducible random numbers.
//!
//! A player's random choices come from a generator seeded by the request and
//! the position, never from a clock or a thread, so that paired games stay
//! comparable and every game can be replayed.

use anqi_rules::Position;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A seeded generator for one decision.
#[derive(Clone, Debug)]
pub struct Chance(Pcg64Mcg);

impl Chance {
    /// Returns the generator for a decision in this position.
    pub fn new(seed: u64, position: &Position) -> Chance {
        let ply = u64::from(position.ply()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Chance(Pcg64Mcg::seed_from_u64(seed ^ position.key() ^ ply))
    }

    /// Returns a number below `bound`.
    ///
    /// # Panics
    ///
    /// Panics if `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    /// Returns one of the items, `None` if there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        (!items.is_empty()).then(|| items[self.below(items.len())])
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        items.shuffle(&mut self.0);
    }
}
