//! From a placement in a unit back to a position on a board.

use anqi_rules::{Color, Content, Piece, Position, SQUARES, Setup};

use super::{Groups, square_of, squares};
use crate::classes::{Fit, Material};

/// Returns a position of `set` for a placement of the set's unit, with `turn` (a colour of the
/// unit) to move. Twins are dealt out from the lowest numbers of squares.
///
/// # Panics
///
/// Panics if the groups do not have as many squares as the set has pieces.
pub fn position_of(set: &Material, groups: &Groups, turn: Color) -> Position {
    let fit = Fit::of(set);
    let mut board = [Content::Empty; SQUARES];
    let mut left = *groups;
    for (piece, count) in set.kinds() {
        let rest = &mut left[usize::from(fit.groups[piece.index()])];
        for square in squares(*rest).take(count) {
            board[square_of(square).index()] = Content::FaceUp(piece);
            *rest &= !(1 << square);
        }
    }
    let turn = if fit.swapped { !turn } else { turn };
    let setup = Setup {
        board,
        turn: Some(turn),
        ..Setup::default()
    };
    setup
        .position()
        .expect("a placement of a set's pieces on different squares is a position")
}

/// Returns the material of a position without face-down pieces.
pub fn material_of(position: &Position) -> Option<Material> {
    if !position.face_down().is_empty() || position.hidden().total() > 0 {
        return None;
    }
    let mut set = Material::empty();
    for piece in Piece::all() {
        for _ in 0..position.pieces(piece).len() {
            set = set.with(piece);
        }
    }
    Some(set)
}
