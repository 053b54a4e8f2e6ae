//! The bag of face-down pieces.
//!
//! The board alone does not show which pieces are still face down, because
//! captured pieces have left it. The bag counts them: fourteen four-bit counts
//! in one word, copied and compared like a number.

use crate::piece::{Color, PIECES, Piece, ROLES};
use crate::random;
use std::fmt;

const BITS: u32 = 4;
const RED_MASK: u64 = (1 << (BITS * ROLES as u32)) - 1;

/// The number of face-down pieces of each kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct HiddenBag(u64);

impl HiddenBag {
    /// The empty bag.
    pub const EMPTY: HiddenBag = HiddenBag(0);

    /// Returns the bag of a game that has not begun: all 32 pieces.
    pub fn full() -> HiddenBag {
        let mut bag = HiddenBag::EMPTY;
        for piece in Piece::all() {
            for _ in 0..piece.role().per_side() {
                bag.insert(piece);
            }
        }
        bag
    }

    /// Returns how many pieces of this kind are in the bag.
    #[inline]
    pub const fn count(self, piece: Piece) -> u32 {
        (self.0 >> (BITS * piece.index() as u32)) as u32 & 15
    }

    /// Returns whether the bag is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of pieces in the bag.
    #[inline]
    pub const fn total(self) -> u32 {
        nibble_sum(self.0)
    }

    /// Returns the number of pieces of one colour in the bag.
    #[inline]
    pub const fn total_of(self, color: Color) -> u32 {
        nibble_sum(self.of(color))
    }

    /// Returns whether a piece of this colour is in the bag.
    #[inline]
    pub const fn has_color(self, color: Color) -> bool {
        self.of(color) != 0
    }

    /// Returns the number of different kinds in the bag.
    #[inline]
    pub const fn kinds(self) -> u32 {
        // Fold each nibble onto its lowest bit.
        let pairs = self.0 | self.0 >> 1;
        ((pairs | pairs >> 2) & 0x11_1111_1111_1111).count_ones()
    }

    /// Adds one piece.
    ///
    /// # Panics
    ///
    /// Panics in debug builds if there are fifteen of this kind already.
    #[inline]
    pub fn insert(&mut self, piece: Piece) {
        debug_assert!(self.count(piece) < 15);
        self.0 += 1 << (BITS * piece.index() as u32);
    }

    /// Removes one piece.
    ///
    /// # Panics
    ///
    /// Panics in debug builds if there is none of this kind.
    #[inline]
    pub fn remove(&mut self, piece: Piece) {
        debug_assert!(self.count(piece) > 0);
        self.0 -= 1 << (BITS * piece.index() as u32);
    }

    /// Draws a piece, each as likely as any other, by the words of `next`; `None` if the bag is
    /// empty.
    ///
    /// The bag itself stays as it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use anqi_rules::random::split_mix;
    /// use anqi_rules::{HiddenBag, Piece};
    ///
    /// let bag: HiddenBag = "Kpp".chars().filter_map(Piece::from_letter).collect();
    /// let mut state = 1;
    /// let drawn = bag.draw(|| split_mix(&mut state)).expect("three pieces");
    /// assert!(bag.count(drawn) > 0);
    /// ```
    pub fn draw(self, next: impl FnMut() -> u64) -> Option<Piece> {
        let total = u64::from(self.total());
        let mut drawn = (total > 0).then(|| random::below(total, next))?;
        self.iter().find_map(|(piece, count)| {
            let rest = drawn.checked_sub(count.into());
            drawn = rest.unwrap_or_default();
            rest.is_none().then_some(piece)
        })
    }

    /// Iterates over the kinds in the bag with their counts, in the order `KGMRNCPkgmrncp`.
    #[inline]
    pub fn iter(self) -> Kinds {
        Kinds(self.0)
    }

    /// Returns the four-bit counts as one word, the red king lowest.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    const fn of(self, color: Color) -> u64 {
        match color {
            Color::Red => self.0 & RED_MASK,
            Color::Black => self.0 >> (BITS * ROLES as u32),
        }
    }
}

const fn nibble_sum(word: u64) -> u32 {
    // Counts are at most fifteen, so byte sums fit a byte, and so does their total here (≤ 14 × 15).
    let bytes = (word & 0x0f0f_0f0f_0f0f_0f0f) + (word >> 4 & 0x0f0f_0f0f_0f0f_0f0f);
    (bytes.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// Iterates over the kinds in a bag with their counts.
#[derive(Clone, Debug)]
pub struct Kinds(u64);

impl Iterator for Kinds {
    type Item = (Piece, u32);

    #[inline]
    fn next(&mut self) -> Option<(Piece, u32)> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() / BITS;
        let count = (self.0 >> (BITS * index)) as u32 & 15;
        self.0 &= !(15 << (BITS * index));
        Piece::from_index(index as usize % PIECES).map(|piece| (piece, count))
    }
}

impl IntoIterator for HiddenBag {
    type Item = (Piece, u32);
    type IntoIter = Kinds;

    fn into_iter(self) -> Kinds {
        self.iter()
    }
}

impl FromIterator<Piece> for HiddenBag {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> HiddenBag {
        let mut bag = HiddenBag::EMPTY;
        for piece in pieces {
            bag.insert(piece);
        }
        bag
    }
}

impl fmt::Display for HiddenBag {
    /// Writes the letters, repeated, or `-` for an empty bag.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (piece, count) in *self {
            for _ in 0..count {
                write!(f, "{piece}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for HiddenBag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HiddenBag({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_bag_counts_and_prints() {
        let bag = HiddenBag::full();
        assert_eq!(bag.total(), 32);
        assert_eq!(bag.kinds(), 14);
        assert_eq!(bag.total_of(Color::Red), 16);
        assert_eq!(bag.to_string(), "KGGMMRRNNCCPPPPPkggmmrrnnccppppp");
        assert_eq!(HiddenBag::EMPTY.to_string(), "-");
    }

    #[test]
    fn taking_everything_out_empties_it() {
        let mut bag = HiddenBag::full();
        for (piece, count) in HiddenBag::full() {
            for left in (0..count).rev() {
                bag.remove(piece);
                assert_eq!(bag.count(piece), left);
            }
        }
        assert!(bag.is_empty());
        assert_eq!(bag.kinds(), 0);
    }

    #[test]
    fn pieces_are_drawn_as_often_as_there_are_of_them() {
        let bag: HiddenBag = "Kppppp".chars().filter_map(Piece::from_letter).collect();
        let mut words = 0..60_u64;
        let drawn: HiddenBag = (0..12)
            .filter_map(|_| bag.draw(|| words.next().unwrap()))
            .collect();
        assert_eq!(
            drawn,
            "KKpppppppppp"
                .chars()
                .filter_map(Piece::from_letter)
                .collect()
        );
        assert_eq!(HiddenBag::default().draw(|| 0), None);
    }
}
