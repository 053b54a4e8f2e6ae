//! From a placement in a unit back to a position on a board.

use anqi_rules::{Color, Content, Position, SQUARES, Setup};

use crate::combination::squares;
use crate::layout::Groups;
use crate::material::Material;
use crate::unit::Fit;

/// Returns a position of `set` for a placement of the set's unit, with `turn` (a colour of the
/// unit) to move. Twins are dealt out from the lowest squares.
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
            board[square as usize] = Content::FaceUp(piece);
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
