//! A solved unit compared with an oracle, position by position.

use anqi_rules::Color;

use super::distance::Distance;
use super::oracle::Oracle;
use super::solved::Solved;
use super::wdl::Wdl;
use crate::classes::{Fit, MAX_GROUPS};
use crate::numbering::number_of;

/// The first position on which an oracle and a solved unit differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "placement {index:x}, {turn} to move: {expected:?} in {distance} expected, {found:?} found"
)]
pub struct Difference {
    /// The oracle's index of the placement.
    pub index: usize,
    /// The side to move.
    pub turn: Color,
    /// The oracle's value.
    pub expected: Wdl,
    /// The oracle's distance, zero for a draw.
    pub distance: u16,
    /// The unit's value and distance.
    pub found: (Wdl, Option<u16>),
}

/// Compares every value and every distance of decided positions, and returns how many positions
/// were compared.
///
/// # Errors
///
/// Returns the first difference.
pub fn compare(oracle: &Oracle, solved: &Solved, count: Distance) -> Result<u64, Difference> {
    let fit = Fit::of(&oracle.set);
    let mut compared = 0;
    for index in 0..oracle.len() {
        let mut groups = [0; MAX_GROUPS];
        for (square, piece) in oracle.squares(index).zip(oracle.pieces()) {
            groups[usize::from(fit.groups[piece.index()])] |= 1 << number_of(square);
        }
        for turn in Color::ALL {
            let Some((expected, distance)) = oracle.get(turn, index) else {
                continue;
            };
            let side = if fit.swapped { !turn } else { turn };
            let address = solved.layout.address(&groups);
            let found = (
                solved.wdl(side, address),
                solved.distance(count, side, address),
            );
            let is_same_distance = expected == Wdl::Draw || found.1 == Some(distance);
            if found.0 != expected || !is_same_distance {
                return Err(Difference {
                    index,
                    turn,
                    expected,
                    distance,
                    found,
                });
            }
            compared += 1;
        }
    }
    Ok(compared)
}
