//! The four symmetries of the board.
//!
//! The identity, mirrored columns, mirrored rows, and both. Only the identity
//! fixes a square, and each is its own inverse. On squares each is an exclusive
//! or of the index; on sets it moves bytes or the bits inside them.

use crate::moves::{Action, Ply};
use crate::position::Position;
use crate::setup::Setup;
use crate::square::{Square, SquareSet};

/// A symmetry of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Leaves everything where it is.
    Identity,
    /// Exchanges rows 1 and 8, 2 and 7, ….
    MirrorRows,
    /// Exchanges columns a and d, b and c.
    MirrorColumns,
    /// Both mirrors: a half turn of the board.
    Rotate,
}

impl Symmetry {
    /// All four symmetries.
    pub const ALL: [Symmetry; 4] = [
        Symmetry::Identity,
        Symmetry::MirrorRows,
        Symmetry::MirrorColumns,
        Symmetry::Rotate,
    ];

    /// Returns the image of a square.
    #[inline]
    pub const fn square(self, square: Square) -> Square {
        Square::from_low_bits(square.index() as u16 ^ self.mask())
    }

    /// Returns the image of a set.
    #[inline]
    pub const fn set(self, set: SquareSet) -> SquareSet {
        // Reversing all bits reverses both the bytes (columns) and the bits in them (rows).
        SquareSet(match self {
            Symmetry::Identity => set.0,
            Symmetry::MirrorRows => set.0.reverse_bits().swap_bytes(),
            Symmetry::MirrorColumns => set.0.swap_bytes(),
            Symmetry::Rotate => set.0.reverse_bits(),
        })
    }

    /// Returns the image of an action.
    #[inline]
    pub const fn action(self, action: Action) -> Action {
        Action::step(self.square(action.from()), self.square(action.to()))
    }

    /// Returns the image of a ply.
    pub const fn ply(self, ply: Ply) -> Ply {
        Ply {
            action: self.action(ply.action),
            reveal: ply.reveal,
        }
    }

    /// Returns the image of a position.
    pub fn position(self, position: &Position) -> Position {
        let setup = Setup::from(position);
        let mut image = setup.clone();
        for square in Square::all() {
            image.board[self.square(square).index()] = setup.board[square.index()];
        }
        let image = image
            .position()
            .expect("the mirror of a legal position is legal: no check names a square");
        image.under(position.convention())
    }

    /// Returns the mask whose exclusive or with a square's index gives its image.
    #[inline]
    pub const fn mask(self) -> u16 {
        match self {
            Symmetry::Identity => 0,
            Symmetry::MirrorRows => 7,
            Symmetry::MirrorColumns => 24,
            Symmetry::Rotate => 31,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_go_where_their_squares_go() {
        for symmetry in Symmetry::ALL {
            let sample: SquareSet = ["a1", "b5", "c8", "d3"]
                .iter()
                .flat_map(|s| s.parse())
                .collect();
            let image: SquareSet = sample.into_iter().map(|s| symmetry.square(s)).collect();
            assert_eq!(symmetry.set(sample), image);
            assert_eq!(symmetry.set(image), sample);
        }
        let a1: Square = "a1".parse().unwrap();
        assert_eq!(Symmetry::MirrorRows.square(a1).to_string(), "a8");
        assert_eq!(Symmetry::MirrorColumns.square(a1).to_string(), "d1");
        assert_eq!(Symmetry::Rotate.square(a1).to_string(), "d8");
    }
}
