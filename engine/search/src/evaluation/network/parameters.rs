//! The free parameters of a network, and the conditions they must satisfy.

use super::block::LANES;
use super::{BUCKETS, INPUTS, SUM_UNIT};
use crate::evaluation::Weights;
use anqi_rules::{PIECES, SQUARES, Symmetry};

/// The most filters of a network: with more, a search is too slow to be useful.
const MOST_FILTERS: usize = 256;
/// The greatest absolute weight of the last layer: times 255 it still fits in 16 bits.
pub const MOST_OUTPUT: i16 = 127;

/// The free parameters of a network and where they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// Filters, each applied to the board in its four mirrors.
    pub filters: usize,
    /// Each filter's weight of each input, in units of 1/255; filters of one input lie together.
    pub rows: Vec<i16>,
    /// Each filter's bias.
    pub bias: Vec<i16>,
    /// Each filter's weight in the last layer, by bucket and view, in units of 1/128.
    pub output: Vec<i16>,
    /// Each last layer's bias, in units of 1/(255 · 255 · 128).
    pub output_bias: [i32; BUCKETS],
    /// The weights of the hand-made terms that the network is added to.
    pub weights: Weights,
    /// How the network was made, as text for people.
    pub origin: String,
}

/// Why numbers do not make a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFault {
    /// The number of filters is not allowed.
    #[error("has {found} filters (expected a multiple of 4 up to {MOST_FILTERS})")]
    Filters {
        /// How many it has.
        found: usize,
    },
    /// A part has too many or too few numbers.
    #[error("has {found} numbers for its {part} (expected {expected})")]
    Length {
        /// The part.
        part: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Its sums may overflow.
    #[error("has numbers so great that its {part} might overflow")]
    Overflow {
        /// Which sums.
        part: &'static str,
    },
}

impl Parameters {
    /// Checks that every part has the right length and that no sum can overflow.
    pub(super) fn check(&self) -> Result<(), NetworkFault> {
        let filters = self.filters;
        let mirrors = Symmetry::ALL.len();
        let fits = filters > 0 && (mirrors * filters).is_multiple_of(LANES);
        if !fits || filters > MOST_FILTERS {
            return Err(NetworkFault::Filters { found: filters });
        }
        for (part, found, expected) in [
            ("rows", self.rows.len(), INPUTS * filters),
            ("bias", self.bias.len(), filters),
            ("last layers", self.output.len(), BUCKETS * 2 * filters),
        ] {
            if found != expected {
                return Err(NetworkFault::Length {
                    part,
                    found,
                    expected,
                });
            }
        }
        if (0..filters).any(|filter| self.greatest_sum(filter) > i32::from(i16::MAX)) {
            return Err(NetworkFault::Overflow {
                part: "first layer",
            });
        }
        let buckets = self.output.chunks_exact(2 * filters).zip(self.output_bias);
        for (weights, bias) in buckets {
            let greatest = weights.iter().map(|weight| weight.unsigned_abs()).max();
            let sum: i64 = weights.iter().map(|w| i64::from(w.unsigned_abs())).sum();
            let sum = mirrors as i64 * sum * i64::from(SUM_UNIT * SUM_UNIT);
            let sum = sum + i64::from(bias.unsigned_abs());
            if greatest > Some(MOST_OUTPUT as u16) || sum > i64::from(i32::MAX) {
                return Err(NetworkFault::Overflow { part: "last layer" });
            }
        }
        Ok(())
    }

    /// The greatest absolute sum of a filter over all boards and counts.
    fn greatest_sum(&self, filter: usize) -> i32 {
        let of = |input: usize| i32::from(self.rows[input * self.filters + filter]).abs();
        let on_square = |square: usize| {
            let contents = (0..=PIECES).map(|content| of(content * SQUARES + square));
            contents.max().unwrap_or_default()
        };
        let squares: i32 = (0..SQUARES).map(on_square).sum();
        let counts: i32 = ((PIECES + 1) * SQUARES..INPUTS).map(of).sum();
        i32::from(self.bias[filter]).abs() + squares + counts
    }
}
