//! Evaluations of the paper's players.
//!
//! Both look only at which pieces live, face up or face down, so they change
//! only with captures. *Static* values are fixed. *Dynamic* values follow the
//! paper's wish: a piece is worth what it can still do to the living enemy
//! pieces and what they can still do to it. A pawn is worth much while the enemy
//! king lives and little afterwards; guards become kings when the kings are gone.

use crate::score::ESTIMATE_BOUND;
use anqi_rules::{Color, Piece, Position, ROLES, Role};
use std::fmt;

/// How to value a position without looking ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// Fixed piece values.
    #[default]
    Static,
    /// Values that follow the living enemy pieces.
    Dynamic,
}

/// Static values in the order `KGMRNCP`. One side's pieces sum to 3,640, so that
/// a difference never leaves the range of estimates.
const STATIC_VALUES: [i32; ROLES] = [600, 480, 300, 190, 120, 280, 60];

/// Dynamic values: a living piece is worth this by itself,
const BASE: i32 = 20;
/// this share of the static value of everything it can capture,
const PREY_PERCENT: i32 = 12;
/// and it loses this share of its worth for each piece that can capture it.
const FEAR_PERCENT: i32 = 4;
/// A cannon can capture everything, but only over a screen.
const JUMP_PERCENT: i32 = 50;

impl Evaluation {
    /// Names and evaluations.
    pub const ALL: [(&'static str, Evaluation); 2] = [
        ("static", Evaluation::Static),
        ("dynamic", Evaluation::Dynamic),
    ];

    /// Returns the evaluation with this name.
    pub fn named(name: &str) -> Option<Evaluation> {
        let found = Evaluation::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, evaluation)| *evaluation)
    }

    /// Returns the value of a position for the side to move (for red before the first flip).
    pub fn value(self, position: &Position) -> i32 {
        let side = position.turn().unwrap_or(Color::Red);
        self.side(position, side) - self.side(position, !side)
    }

    fn side(self, position: &Position, color: Color) -> i32 {
        let own = living(position, color);
        let values = match self {
            Evaluation::Static => STATIC_VALUES,
            Evaluation::Dynamic => dynamic_values(&living(position, !color)),
        };
        let sum: i32 = own.iter().zip(values).map(|(n, value)| n * value).sum();
        sum.min(ESTIMATE_BOUND)
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evaluation::Static => "static",
            Evaluation::Dynamic => "dynamic",
        })
    }
}

/// How many pieces of each role live.
fn living(position: &Position, color: Color) -> [i32; ROLES] {
    Role::ALL.map(|role| position.living_of(Piece::new(color, role)) as i32)
}

/// What each role is worth against these living enemies.
fn dynamic_values(enemies: &[i32; ROLES]) -> [i32; ROLES] {
    Role::ALL.map(|role| {
        let mut prey = 0;
        let mut hunters = 0;
        for enemy in Role::ALL {
            let count = enemies[enemy.index()];
            let worth = count * STATIC_VALUES[enemy.index()];
            if role.captures(enemy) {
                prey += worth;
            } else if role.jumps() {
                prey += worth * JUMP_PERCENT / 100;
            }
            if enemy.captures(role) || enemy.jumps() {
                hunters += count;
            }
        }
        let worth = BASE + prey * PREY_PERCENT / 100;
        worth * (100 - FEAR_PERCENT * hunters).max(20) / 100
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_even_and_extremes_stay_estimates() {
        for (_, evaluation) in Evaluation::ALL {
            assert_eq!(evaluation.value(&Position::start()), 0);
            let crushing = "KGGM/MRRN/NCCP/PPPP/4/4/4/p3 r - 0 0".parse().unwrap();
            let value = evaluation.value(&crushing);
            assert!((1_000..=ESTIMATE_BOUND).contains(&value), "{value}");
        }
    }

    #[test]
    fn a_pawn_is_worth_more_while_the_enemy_king_lives() {
        let mut enemies = [1, 1, 0, 0, 0, 0, 1];
        let with_king = dynamic_values(&enemies);
        enemies[0] = 0;
        let without = dynamic_values(&enemies);
        let pawn = Role::Pawn.index();
        assert!(with_king[pawn] > 2 * without[pawn]);
        // With no king against them, guard and king differ only in the pawns that the king spares.
        assert!(without[Role::Guard.index()] >= without[Role::King.index()]);
    }
}
