//! Evaluations of the paper's players.
//!
//! Both look only at which pieces live, face up or face down, so they change
//! only with captures. *Static* values are fixed. *Dynamic* values follow the
//! paper's wish: a piece is worth what it can still do to the living enemy
//! pieces and what they can still do to it. A pawn is worth much while the enemy
//! king lives and little afterwards; guards become kings when the kings are gone.

use crate::judge::Judge;
use crate::score::ESTIMATE_BOUND;
use anqi_rules::{Color, Piece, Position, ROLES, Role};
use std::cell::RefCell;
use std::fmt;

thread_local! {
    /// The champion's evaluation with its cache.
    static JUDGE: RefCell<Judge> = RefCell::default();
}

/// How to value a position without looking ahead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// Fixed piece values.
    #[default]
    Static,
    /// Values that follow the living enemy pieces.
    Dynamic,
    /// The champion's evaluation, which looks at the squares too.
    Judged,
}

/// Static values in the order `KGMRNCP`. One side's pieces sum to 3,640, so that
/// a difference never leaves the range of estimates.
const STATIC_VALUES: [i32; ROLES] = [600, 480, 300, 190, 120, 280, 60];

/// Dynamic values: a living piece is worth this by itself,
const BASE: i32 = 30;
/// so much more if it could capture everything the enemy has, in proportion to the worth it can,
const PREY_WEIGHT: i32 = 500;
/// and so much more if nothing could capture it, less for each of the sixteen that can.
const SAFETY_WEIGHT: i32 = 200;

impl Evaluation {
    /// Names and evaluations.
    pub const ALL: [(&'static str, Evaluation); 3] = [
        ("static", Evaluation::Static),
        ("dynamic", Evaluation::Dynamic),
        ("judged", Evaluation::Judged),
    ];

    /// Returns the evaluation with this name.
    pub fn named(name: &str) -> Option<Evaluation> {
        let found = Evaluation::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, evaluation)| *evaluation)
    }

    /// Returns the value of a position for the side to move (for red before the first flip).
    pub fn value(self, position: &Position) -> i32 {
        if self == Evaluation::Judged {
            return JUDGE.with_borrow_mut(|judge| judge.value(position));
        }
        let side = position.turn().unwrap_or(Color::Red);
        self.side(position, side) - self.side(position, !side)
    }

    fn side(self, position: &Position, color: Color) -> i32 {
        let own = living(position, color);
        let values = match self {
            Evaluation::Static => STATIC_VALUES,
            _ => dynamic_values(&living(position, !color)),
        };
        let sum: i32 = own.iter().zip(values).map(|(n, value)| n * value).sum();
        sum.min(ESTIMATE_BOUND)
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Evaluation::ALL.iter().find(|(_, known)| known == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

/// How many pieces of each role live.
fn living(position: &Position, color: Color) -> [i32; ROLES] {
    Role::ALL.map(|role| position.living_of(Piece::new(color, role)) as i32)
}

/// What each role is worth against these living enemies.
///
/// Shares, not sums, so that a piece does not lose its worth because the enemy
/// has fewer pieces left. A cannon can capture everything, but needs a screen: half.
pub(crate) fn dynamic_values(enemies: &[i32; ROLES]) -> [i32; ROLES] {
    let worth_of = |enemy: Role| enemies[enemy.index()] * STATIC_VALUES[enemy.index()];
    let all_worth = Role::ALL.map(worth_of).iter().sum::<i32>().max(1);
    Role::ALL.map(|role| {
        let mut prey = if role.jumps() { all_worth / 2 } else { 0 };
        let mut hunters = 0;
        for enemy in Role::ALL {
            if role.captures(enemy) {
                prey += worth_of(enemy);
            }
            if enemy.captures(role) || enemy.jumps() {
                hunters += enemies[enemy.index()];
            }
        }
        BASE + PREY_WEIGHT * prey / all_worth + SAFETY_WEIGHT * (16 - hunters) / 16
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

    #[test]
    fn taking_a_piece_never_lowers_the_dynamic_value() {
        let before: Position = "KGGM/MRRN/NCCP/4/4/kg2/mrnc/pppp r - 0 0".parse().unwrap();
        for square in before.color(Color::Black) {
            let mut setup = anqi_rules::Setup::from(&before);
            setup.board[square.index()] = anqi_rules::Content::Empty;
            let after = setup.position().unwrap();
            let values = [before, after].map(|p| Evaluation::Dynamic.value(&p));
            assert!(values[0] < values[1], "{square}: {values:?}");
        }
    }
}
