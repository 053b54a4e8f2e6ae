//! The network's inputs.
//!
//! Every input is on or off, and a position is the list of those that are on:
//!
//! | inputs | on if |
//! |---|---|
//! | 14 × 32 | this kind stands face up on this square |
//! | 32 | this square is face down |
//! | 2 × 16 | at least this many of a kind are face down |
//! | 2 × 16 | at least this many of a kind live |
//!
//! Inputs are numbered from the view of one side, whose pieces come first: with colours
//! exchanged the other side sees the same. Mirroring the board moves the inputs of
//! squares and not those of counts.

use anqi_rules::{Color, Piece, Position, ROLES, Role, SQUARES, Square, Symmetry};
use smallvec::SmallVec;

/// Pieces of one side.
const ARMY: usize = 16;
/// The first input about a face-down square.
const FACE_DOWN: usize = 2 * ROLES * SQUARES;
/// The first input about counts of face-down pieces.
const HIDDEN: usize = FACE_DOWN + SQUARES;
/// The first input about counts of living pieces.
const LIVING: usize = HIDDEN + 2 * ARMY;
/// The number of inputs.
pub const INPUTS: usize = LIVING + 2 * ARMY;

/// An input, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Input(u16);

/// The inputs that are on.
pub type InputList = SmallVec<[Input; 96]>;

/// For each role the number of pieces of one side before it.
const BEFORE: [usize; ROLES] = {
    let mut before = [0; ROLES];
    let mut role = 1;
    while role < ROLES {
        before[role] = before[role - 1] + Role::ALL[role - 1].per_side();
        role += 1;
    }
    before
};

/// 0 for the side whose view it is, 1 for the other.
const fn side(piece: Piece, view: Color) -> usize {
    (piece.color().index() != view.index()) as usize
}

impl Input {
    const fn new(index: usize) -> Input {
        Input(index as u16)
    }

    /// A face-up piece on a square.
    #[inline]
    pub const fn piece(piece: Piece, square: Square, view: Color) -> Input {
        let kind = side(piece, view) * ROLES + piece.role().index();
        Input::new(kind * SQUARES + square.index())
    }

    /// A face-down square.
    #[inline]
    pub const fn face_down(square: Square) -> Input {
        Input::new(FACE_DOWN + square.index())
    }

    /// At least this many of a kind face down, counting from 1.
    #[inline]
    pub const fn hidden(piece: Piece, count: usize, view: Color) -> Input {
        Input::new(HIDDEN + count_of(piece, count, view))
    }

    /// At least this many of a kind living, counting from 1.
    #[inline]
    pub const fn living(piece: Piece, count: usize, view: Color) -> Input {
        Input::new(LIVING + count_of(piece, count, view))
    }

    /// Returns its number, less than [`INPUTS`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the inputs in order.
    pub fn all() -> impl Iterator<Item = Input> {
        (0..INPUTS).map(Input::new)
    }

    /// Returns the same input in the other side's view.
    pub const fn other_view(self) -> Input {
        let index = self.index();
        Input::new(if index < FACE_DOWN {
            const HALF: usize = FACE_DOWN / 2;
            if index < HALF {
                index + HALF
            } else {
                index - HALF
            }
        } else if index < HIDDEN {
            index
        } else {
            // The two armies of a block change places.
            HIDDEN + ((index - HIDDEN) ^ ARMY)
        })
    }

    /// Returns its image on the mirrored board.
    pub const fn mirrored(self, symmetry: Symmetry) -> Input {
        let index = self.index();
        Input::new(if index < HIDDEN {
            index ^ symmetry.mask() as usize
        } else {
            index
        })
    }
}

/// The index of a count within its block.
const fn count_of(piece: Piece, count: usize, view: Color) -> usize {
    debug_assert!(count >= 1 && count <= piece.role().per_side());
    side(piece, view) * ARMY + BEFORE[piece.role().index()] + count - 1
}

/// Returns the inputs that are on in one side's view.
pub fn inputs(position: &Position, view: Color) -> InputList {
    let mut list = InputList::new();
    for piece in Piece::all() {
        let squares = position.pieces(piece).into_iter();
        list.extend(squares.map(|square| Input::piece(piece, square, view)));
        let hidden = position.hidden().count(piece) as usize;
        list.extend((1..=hidden).map(|count| Input::hidden(piece, count, view)));
        let living = position.living_of(piece) as usize;
        list.extend((1..=living).map(|count| Input::living(piece, count, view)));
    }
    list.extend(position.face_down().into_iter().map(Input::face_down));
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn set(list: &[Input]) -> BTreeSet<Input> {
        let set: BTreeSet<Input> = list.iter().copied().collect();
        assert_eq!(set.len(), list.len(), "no input twice");
        set
    }

    #[test]
    fn the_start_shows_squares_and_counts_only() {
        let start = inputs(&Position::start(), Color::Red);
        assert_eq!(start.len(), SQUARES + 2 * SQUARES);
        assert!(start.iter().all(|input| input.index() >= FACE_DOWN));
        assert!(start.iter().all(|input| input.index() < INPUTS));
    }

    #[test]
    fn the_other_side_and_mirrors_see_the_same_elsewhere() {
        let position: Position = "K1p1/1?2/4/c?P1/4/2r1/4/1G2 r Gp 0 0".parse().unwrap();
        let seen = set(&inputs(&position, Color::Red));
        let other = set(&inputs(&position, Color::Black));
        assert_eq!(
            seen.iter().map(|i| i.other_view()).collect::<BTreeSet<_>>(),
            other
        );
        for symmetry in Symmetry::ALL {
            let image = set(&inputs(&symmetry.position(&position), Color::Red));
            assert_eq!(
                seen.iter()
                    .map(|i| i.mirrored(symmetry))
                    .collect::<BTreeSet<_>>(),
                image
            );
        }
    }
}
