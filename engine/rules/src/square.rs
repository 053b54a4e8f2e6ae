//! Squares and sets of squares.
//!
//! The board has columns `a`–`d` and rows `1`–`8`. A square's index is
//! `column * 8 + row`, so that a column is one byte of a 32-bit set: a step
//! along a column is a shift by one bit, a step across columns a shift by
//! eight, and the two mirrors of the board are `index ^ 7` and `index ^ 24`.
//! Index order is also the text order of the names (`a1 < a2 < … < d8`).

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
use std::str::FromStr;

/// Number of squares on the board.
pub const SQUARES: usize = 32;
/// Number of columns, `a` to `d`.
pub const COLUMNS: usize = 4;
/// Number of rows, `1` to `8`.
pub const ROWS: usize = 8;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// Why a text is not a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square (expected a column a-d and a row 1-8, such as b2)")]
pub struct ParseSquareError(pub String);

impl Square {
    /// Returns the square with this index.
    ///
    /// # Panics
    ///
    /// Panics if `index` is 32 or more.
    #[inline]
    pub const fn new(index: u8) -> Square {
        assert!(index < SQUARES as u8);
        Square(index)
    }

    /// Returns the square with this index, or `None` if there is none.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < SQUARES {
            Some(Square(index as u8))
        } else {
            None
        }
    }

    /// Returns the square whose index is the low five bits of `bits`.
    #[inline]
    pub const fn from_low_bits(bits: u16) -> Square {
        Square((bits & 31) as u8)
    }

    /// Returns the square in this column (0–3) and row (0–7), if there is one.
    #[inline]
    pub const fn at(column: usize, row: usize) -> Option<Square> {
        if column < COLUMNS && row < ROWS {
            Some(Square((column * ROWS + row) as u8))
        } else {
            None
        }
    }

    /// Returns the index, `column * 8 + row`.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the optimiser what the type already guarantees.
        (self.0 & 31) as usize
    }

    /// Returns the column, 0 for `a`.
    #[inline]
    pub const fn column(self) -> usize {
        self.index() / ROWS
    }

    /// Returns the row, 0 for row `1`.
    #[inline]
    pub const fn row(self) -> usize {
        self.index() % ROWS
    }

    /// Returns the set that holds only this square.
    #[inline]
    pub const fn set(self) -> SquareSet {
        SquareSet(1 << self.index())
    }

    /// Returns the squares one orthogonal step away.
    #[inline]
    pub const fn neighbours(self) -> SquareSet {
        NEIGHBOURS[self.index()]
    }

    /// Returns the other squares of this square's column and row.
    #[inline]
    pub const fn lines(self) -> SquareSet {
        let column = 0xff << (self.column() * ROWS);
        let row = SquareSet::BOTTOM_ROW << self.row();
        SquareSet((column | row) & !self.set().0)
    }

    /// Returns the squares strictly between this one and another of the same
    /// column or row; none for other pairs.
    pub const fn between(self, other: Square) -> SquareSet {
        let (low, high) = if self.index() < other.index() {
            (self.index(), other.index())
        } else {
            (other.index(), self.index())
        };
        let step = if low / ROWS == high / ROWS {
            1
        } else if low % ROWS == high % ROWS {
            ROWS
        } else {
            return SquareSet::EMPTY;
        };
        let mut set = 0;
        let mut index = low + step;
        while index < high {
            set |= 1 << index;
            index += step;
        }
        SquareSet(set)
    }

    /// Returns the number of orthogonal steps to `other` on an empty board.
    #[inline]
    pub const fn distance(self, other: Square) -> usize {
        self.column().abs_diff(other.column()) + self.row().abs_diff(other.row())
    }

    /// Iterates over all squares in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..SQUARES as u8).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = (b'a' + self.column() as u8) as char;
        write!(f, "{column}{}", self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        let square = match text.as_bytes() {
            [column @ b'a'..=b'd', row @ b'1'..=b'8'] => {
                Square::at((column - b'a') as usize, (row - b'1') as usize)
            }
            _ => None,
        };
        square.ok_or_else(|| ParseSquareError(crate::notation::excerpt(text)))
    }
}

/// A set of squares, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SquareSet(pub u32);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: SquareSet = SquareSet(0);
    /// All squares.
    pub const ALL: SquareSet = SquareSet(!0);
    const BOTTOM_ROW: u32 = 0x0101_0101;
    const TOP_ROW: u32 = 0x8080_8080;

    /// Returns whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set holds `square`.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Adds `square`.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        self.0 |= square.set().0;
    }

    /// Removes `square`.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        self.0 &= !square.set().0;
    }

    /// Returns the square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square(self.0.trailing_zeros() as u8))
        }
    }

    /// Returns all squares one orthogonal step away from a square of the set.
    #[inline]
    pub const fn neighbours(self) -> SquareSet {
        SquareSet(self.up().0 | self.down().0 | self.left().0 | self.right().0)
    }

    /// Returns the set moved one row up (towards row 8); the top row leaves the board.
    #[inline]
    pub const fn up(self) -> SquareSet {
        SquareSet((self.0 & !Self::TOP_ROW) << 1)
    }

    /// Returns the set moved one row down (towards row 1); the bottom row leaves the board.
    #[inline]
    pub const fn down(self) -> SquareSet {
        SquareSet((self.0 & !Self::BOTTOM_ROW) >> 1)
    }

    /// Returns the set moved one column towards `a`; column `a` leaves the board.
    #[inline]
    pub const fn left(self) -> SquareSet {
        SquareSet(self.0 >> 8)
    }

    /// Returns the set moved one column towards `d`; column `d` leaves the board.
    #[inline]
    pub const fn right(self) -> SquareSet {
        SquareSet(self.0 << 8)
    }
}

/// The neighbour sets of all squares.
const NEIGHBOURS: [SquareSet; SQUARES] = {
    let mut table = [SquareSet::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        table[index] = SquareSet(1 << index).neighbours();
        index += 1;
    }
    table
};

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident, $op:tt) => {
        impl $trait for SquareSet {
            type Output = SquareSet;
            #[inline]
            fn $method(self, other: SquareSet) -> SquareSet {
                SquareSet(self.0 $op other.0)
            }
        }
        impl $assign_trait for SquareSet {
            #[inline]
            fn $assign_method(&mut self, other: SquareSet) {
                *self = *self $op other;
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for SquareSet {
    type Output = SquareSet;
    #[inline]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl From<Square> for SquareSet {
    fn from(square: Square) -> SquareSet {
        square.set()
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares
            .into_iter()
            .fold(SquareSet::EMPTY, |set, square| set | square.set())
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterates over the squares of a set in index order.
#[derive(Clone, Debug)]
pub struct Squares(SquareSet);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_indices_agree() {
        let names: Vec<String> = Square::all().map(|s| s.to_string()).collect();
        assert_eq!(names[0], "a1");
        assert_eq!(names[7], "a8");
        assert_eq!(names[31], "d8");
        assert!(names.is_sorted());
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "a", "a9", "e1", "A1", "a11", "1a", "é1"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_and_what_lies_between_are_those_of_the_board() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let between = |a, b| {
            let squares = square(a).between(square(b)).into_iter();
            squares.map(|s| s.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(between("a1", "a4"), ["a2", "a3"]);
        assert_eq!(between("d2", "a2"), ["b2", "c2"]);
        assert!(between("a1", "b2").is_empty() && between("a1", "a2").is_empty());
        for a in Square::all() {
            assert_eq!(a.lines().len(), 10);
            for b in Square::all() {
                assert_eq!(a.between(b), b.between(a));
                let lies = a.distance(b).saturating_sub(1);
                let on_line = a.lines().contains(b);
                assert_eq!(a.between(b).len(), if on_line { lies } else { 0 });
            }
        }
    }

    #[test]
    fn neighbours_are_exactly_the_squares_at_distance_one() {
        for square in Square::all() {
            let near: SquareSet = Square::all().filter(|s| s.distance(square) == 1).collect();
            assert_eq!(square.neighbours(), near);
        }
    }
}
