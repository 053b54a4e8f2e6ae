//! Piece values, the base of every evaluation.
//!
//! *Static* values are fixed. *Dynamic* values follow a suggestion of the paper: a piece's
//! value depends on the living enemy pieces that it can capture and that can capture it. A
//! pawn is worth much while the enemy king lives and little afterwards; guards become
//! kings when the kings are gone.

use anqi_rules::{Color, Piece, Position, ROLES, Role};

/// Static values in the order `KGMRNCP`, chosen by hand. One side's pieces sum to
/// 3,640, so a difference stays within the range of estimates.
pub(super) const STATIC_VALUES: [i32; ROLES] = [600, 480, 300, 190, 120, 280, 60];

/// The value of each role in the static evaluation, in the order `KGMRNCP`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValues(pub [i32; ROLES]);

impl Default for PieceValues {
    fn default() -> PieceValues {
        PieceValues(STATIC_VALUES)
    }
}

impl PieceValues {
    /// The greatest value of one piece.
    pub const MOST: i32 = 2_000;
}

// Chosen by hand for the paper's players; the champion's fitted weights multiply
// the resulting values.
/// The part of a dynamic value that every living piece has.
const BASE: i32 = 30;
/// Added in proportion to the share of the enemy's value that the piece can capture.
const PREY_WEIGHT: i32 = 500;
/// Added if no enemy can capture the piece; less by a sixteenth for each that can.
const SAFETY_WEIGHT: i32 = 200;

/// The number of living pieces of each role.
pub(super) fn living(position: &Position, color: Color) -> [i32; ROLES] {
    Role::ALL.map(|role| position.living_of(Piece::new(color, role)) as i32)
}

/// The dynamic value of each role against these living enemies.
///
/// Shares, not sums, so that a piece does not lose value when the enemy has fewer
/// pieces left. A cannon can capture everything but needs a screen: half.
pub(super) fn dynamic_values(enemies: &[i32; ROLES]) -> [i32; ROLES] {
    let value_of = |enemy: Role| enemies[enemy.index()] * STATIC_VALUES[enemy.index()];
    let all_values = Role::ALL.map(value_of).iter().sum::<i32>().max(1);
    Role::ALL.map(|role| {
        let mut prey = if role.jumps() { all_values / 2 } else { 0 };
        let mut hunters = 0;
        for enemy in Role::ALL {
            if role.captures(enemy) {
                prey += value_of(enemy);
            }
            if enemy.captures(role) || enemy.jumps() {
                hunters += enemies[enemy.index()];
            }
        }
        BASE + PREY_WEIGHT * prey / all_values + SAFETY_WEIGHT * (16 - hunters) / 16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_is_worth_more_while_the_enemy_king_lives() {
        let mut enemies = [1, 2, 2, 2, 2, 2, 5];
        let with_king = dynamic_values(&enemies);
        enemies[0] = 0;
        let without = dynamic_values(&enemies);
        let (king, guard, pawn) = (
            Role::King as usize,
            Role::Guard as usize,
            Role::Pawn as usize,
        );
        assert!(2 * (with_king[pawn] - BASE) > 3 * (without[pawn] - BASE));
        // Without kings the guard becomes one: it captures all, and the pawns too.
        assert!(with_king[guard] < with_king[king]);
        assert!(without[guard] >= without[king]);
    }
}
