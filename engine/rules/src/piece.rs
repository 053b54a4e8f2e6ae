//! Colours, roles and pieces, and which captures which by a step.
//!
//! The capture table is the heart of the game: a role captures itself and
//! everything below it, except that the king does not capture pawns, pawns capture
//! kings, and the cannon captures nothing by a step (its jumps depend on the board,
//! see [`crate::moves`]).

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// Number of different pieces: seven roles in two colours.
pub const PIECES: usize = 14;
/// Number of roles.
pub const ROLES: usize = 7;

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Red, written in upper case.
    Red = 0,
    /// Black, written in lower case.
    Black = 1,
}

impl Color {
    /// Both colours, red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// Returns 0 for red and 1 for black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the other colour.
    #[inline]
    pub const fn opposite(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }

    /// Returns the colour's letter in position strings, `r` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Color::Red => 'r',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        self.opposite()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "red",
            Color::Black => "black",
        })
    }
}

/// A piece without its colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Role {
    /// King (帥 將): captures everything except pawns.
    King = 0,
    /// Guard (仕 士).
    Guard = 1,
    /// Minister (相 象).
    Minister = 2,
    /// Rook (俥 車).
    Rook = 3,
    /// Knight (傌 馬).
    Knight = 4,
    /// Cannon (炮 包): captures anything, but only by jumping.
    Cannon = 5,
    /// Pawn (兵 卒): captures pawns and the king.
    Pawn = 6,
}

impl Role {
    /// All roles from the king down, in the order of the letters `KGMRNCP`.
    pub const ALL: [Role; ROLES] = [
        Role::King,
        Role::Guard,
        Role::Minister,
        Role::Rook,
        Role::Knight,
        Role::Cannon,
        Role::Pawn,
    ];

    /// Returns the place in `KGMRNCP`, 0 for the king.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns how many pieces of this role each side starts with.
    #[inline]
    pub const fn per_side(self) -> usize {
        match self {
            Role::King => 1,
            Role::Pawn => 5,
            _ => 2,
        }
    }

    /// Returns the rank, 7 for the king down to 1 for the pawn.
    #[inline]
    pub const fn rank(self) -> usize {
        ROLES - self.index()
    }

    /// Returns whether this role captures an adjacent enemy of role `prey` by a step.
    #[inline]
    pub const fn captures(self, prey: Role) -> bool {
        match (self, prey) {
            (Role::Cannon, _) | (Role::King, Role::Pawn) => false,
            (Role::Pawn, Role::King) => true,
            _ => self.index() <= prey.index(),
        }
    }

    /// Returns whether this role captures by jumping over one piece, as only the cannon does.
    #[inline]
    pub const fn jumps(self) -> bool {
        matches!(self, Role::Cannon)
    }

    /// Returns the English name in lower case.
    pub const fn name(self) -> &'static str {
        [
            "king", "guard", "minister", "rook", "knight", "cannon", "pawn",
        ][self.index()]
    }
}

/// A piece: a colour and a role.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(u8);

const LETTERS: [char; PIECES] = [
    'K', 'G', 'M', 'R', 'N', 'C', 'P', 'k', 'g', 'm', 'r', 'n', 'c', 'p',
];
const CHARACTERS: [char; PIECES] = [
    '帥', '仕', '相', '俥', '傌', '炮', '兵', '將', '士', '象', '車', '馬', '包', '卒',
];

impl Piece {
    /// Returns the piece of this colour and role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Piece {
        Piece((color.index() * ROLES + role.index()) as u8)
    }

    /// Returns the piece with this index, or `None` if there is none.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Piece> {
        if index < PIECES {
            Some(Piece(index as u8))
        } else {
            None
        }
    }

    /// Returns the index: `color * 7 + role`, the place in `KGMRNCPkgmrncp`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the colour.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 < ROLES as u8 {
            Color::Red
        } else {
            Color::Black
        }
    }

    /// Returns the role.
    #[inline]
    pub const fn role(self) -> Role {
        Role::ALL[self.index() % ROLES]
    }

    /// Returns the piece of the other colour with the same role.
    #[inline]
    pub const fn recolored(self) -> Piece {
        Piece::new(self.color().opposite(), self.role())
    }

    /// Returns the letter, upper case for red.
    pub const fn letter(self) -> char {
        LETTERS[self.index()]
    }

    /// Returns the Chinese character on the piece.
    pub const fn character(self) -> char {
        CHARACTERS[self.index()]
    }

    /// Returns the piece with this letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let index = LETTERS.iter().position(|&known| known == letter)?;
        Piece::from_index(index)
    }

    /// Iterates over all pieces in the order `KGMRNCPkgmrncp`.
    pub fn all() -> impl DoubleEndedIterator<Item = Piece> + ExactSizeIterator {
        (0..PIECES as u8).map(Piece)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One value for each colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capture_table_is_the_one_in_the_rule_book() {
        // Row: capturer, column: prey, both in the order KGMRNCP.
        let book = [
            "xxxxxx-", ".xxxxxx", "..xxxxx", "...xxxx", "....xxx", ".......", "x.....x",
        ];
        for capturer in Role::ALL {
            for prey in Role::ALL {
                let expected = book[capturer.index()].as_bytes()[prey.index()] == b'x';
                assert_eq!(capturer.captures(prey), expected, "{capturer:?} x {prey:?}");
            }
        }
    }

    #[test]
    fn sixteen_pieces_a_side_and_letters_invert() {
        assert_eq!(Role::ALL.iter().map(|r| r.per_side()).sum::<usize>(), 16);
        for piece in Piece::all() {
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::new(piece.color(), piece.role()), piece);
            assert_eq!(piece.recolored().recolored(), piece);
        }
        assert_eq!(Piece::from_letter('X'), None);
    }
}
