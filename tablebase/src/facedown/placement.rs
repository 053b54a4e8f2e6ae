//! Face-up pieces on their squares, and their number within a phase.
//!
//! The pieces of a phase stand in the order of their kinds, like pieces
//! distinguished; five bits per square make the number. Impossible placements
//! waste numbers, but every step is a shift.

use anqi_rules::order::sort_few_by;
use anqi_rules::{Piece, Position, Square, SquareSet};
use smallvec::SmallVec;

use crate::classes::{MAX_PIECES, Material};

/// Pieces with their squares, in the order of their kinds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    standing: SmallVec<[(Piece, Square); MAX_PIECES]>,
}

impl Placement {
    /// Returns the face-up pieces of a position.
    pub fn of(position: &Position) -> Placement {
        let face_up = position.occupied() & !position.face_down();
        let standing = face_up
            .into_iter()
            .filter_map(|square| Some((position.piece_at(square)?, square)));
        let mut placement = Placement {
            standing: standing.collect(),
        };
        sort_few_by(&mut placement.standing, Ord::cmp);
        placement
    }

    /// Returns the placement of a material set with this number.
    pub fn with_code(pieces: &[Piece], code: usize) -> Placement {
        let square = |index: usize| Square::from_low_bits((code >> (5 * index)) as u16);
        let standing = pieces.iter().enumerate();
        Placement {
            standing: standing
                .map(|(index, &piece)| (piece, square(index)))
                .collect(),
        }
    }

    /// Returns the number.
    pub fn code(&self) -> usize {
        let squares = self.standing.iter().enumerate();
        squares.fold(0, |code, (index, (_, square))| {
            code | square.index() << (5 * index)
        })
    }

    /// Returns the squares, or `None` if two pieces stand on one.
    pub fn squares(&self) -> Option<SquareSet> {
        let squares: SquareSet = self.standing.iter().map(|(_, square)| *square).collect();
        (squares.len() == self.standing.len()).then_some(squares)
    }

    /// Iterates over the pieces with their squares.
    pub fn iter(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        self.standing.iter().copied()
    }

    /// Returns the placement after a piece has moved.
    pub fn moved(&self, index: usize, to: Square) -> Placement {
        let mut next = self.clone();
        next.standing[index].1 = to;
        next
    }

    /// Returns the placement after a piece has captured another.
    pub fn captured(&self, index: usize, prey: usize) -> Placement {
        let mut next = self.clone();
        next.standing[index].1 = next.standing[prey].1;
        next.standing.remove(prey);
        next
    }

    /// Returns the placement with one more piece.
    pub fn revealed(&self, piece: Piece, square: Square) -> Placement {
        let mut next = self.clone();
        let place = next.standing.partition_point(|(known, _)| *known <= piece);
        next.standing.insert(place, (piece, square));
        next
    }
}

/// Lists the pieces of a set in the order of their kinds.
pub(super) fn pieces_of(set: &Material) -> Vec<Piece> {
    let kinds = set.kinds();
    kinds
        .flat_map(|(piece, count)| std::iter::repeat_n(piece, count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_invert_and_captures_keep_the_order() {
        let position: Position = "4/3?/2?G/4/4/k3/4/1C2 b cp 0 40".parse().unwrap();
        let placement = Placement::of(&position);
        let pieces = pieces_of(&"GCk".parse().unwrap());
        assert_eq!(Placement::with_code(&pieces, placement.code()), placement);
        // The king, third in order, takes the guard.
        let after = placement.captured(2, 0);
        let d6 = "d6".parse().unwrap();
        let standing: Vec<_> = after.iter().map(|(piece, _)| piece.letter()).collect();
        assert_eq!(standing, ['C', 'k']);
        assert_eq!(after.iter().nth(1).map(|(_, square)| square), Some(d6));
        let black_cannon = Piece::from_letter('c').unwrap();
        let more = after.revealed(black_cannon, "a1".parse().unwrap());
        let standing: Vec<_> = more.iter().map(|(piece, _)| piece.letter()).collect();
        assert_eq!(standing, ['C', 'k', 'c']);
        assert_eq!(more.squares().map(SquareSet::len), Some(3));
    }
}
