//! The outcomes of a flip, with exact weights.
//!
//! Every face-down square is equally likely to hide each piece of the bag, so
//! the chance of a kind is its count over the size of the bag, the same for all
//! squares. Weights are the counts themselves: averages stay exact in integers
//! and are divided once at the end.

use crate::hidden::{HiddenBag, Kinds};
use crate::piece::Piece;

/// One possible outcome of a flip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reveal {
    /// The piece that appears.
    pub piece: Piece,
    /// The number of pieces of this kind in the bag.
    pub weight: u32,
    /// The number of pieces in the bag: the sum of all weights.
    pub total: u32,
}

impl Reveal {
    /// Returns the chance of this outcome.
    pub fn chance(self) -> f64 {
        f64::from(self.weight) / f64::from(self.total)
    }
}

/// Iterates over the outcomes of a flip, in the order `KGMRNCPkgmrncp`.
#[derive(Clone, Debug)]
pub struct Reveals {
    kinds: Kinds,
    total: u32,
}

impl Reveals {
    /// Returns the outcomes of flipping a piece from this bag.
    #[inline]
    pub fn of(bag: HiddenBag) -> Reveals {
        Reveals {
            kinds: bag.iter(),
            total: bag.total(),
        }
    }
}

impl Iterator for Reveals {
    type Item = Reveal;

    #[inline]
    fn next(&mut self) -> Option<Reveal> {
        let total = self.total;
        self.kinds.next().map(|(piece, weight)| Reveal {
            piece,
            weight,
            total,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_the_bag_and_chances_to_one() {
        let bag = HiddenBag::full();
        assert_eq!(Reveals::of(bag).count(), 14);
        assert_eq!(Reveals::of(bag).map(|r| r.weight).sum::<u32>(), bag.total());
        let sum: f64 = Reveals::of(bag).map(Reveal::chance).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
}
