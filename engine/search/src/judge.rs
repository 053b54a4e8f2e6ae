//! The champion's evaluation.
//!
//! Three things are summed, for the side to move and against the other:
//!
//! - *material*: dynamic values ([`crate::evaluate`]), which depend only on which
//!   pieces live and are therefore looked up in a small cache;
//! - *hunting*: for each face-up piece and each enemy it could capture, a share
//!   of the prey's worth that falls with the distance; for a cannon, the prey it
//!   could jump at now;
//! - *mobility*: the steps to empty squares.
//!
//! The sum is squashed into ±9,000, the range of expected results.

use crate::evaluate::dynamic_values;
use crate::score::ESTIMATE_BOUND;
use anqi_rules::moves::jump_targets;
use anqi_rules::{Color, PIECES, Piece, Position, ROLES, Role, SQUARES, Square, SquareSet};

/// What the parts of the evaluation weigh.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Share of the prey's worth, in 1/256, by distance, for the side to move.
    pub hunt_moving: [i32; DISTANCES],
    /// The same for the side that has just moved.
    pub hunt_waiting: [i32; DISTANCES],
    /// Share of the prey's worth, in 1/256, for a jump that could be made, moving and waiting.
    pub jump: [i32; 2],
    /// Worth of a step to an empty square.
    pub step: i32,
    /// The sum that is half of a sure win.
    pub half: i32,
}

/// Distances from 0 to 10.
const DISTANCES: usize = 11;

impl Default for Weights {
    fn default() -> Weights {
        Weights {
            hunt_moving: [0, 40, 26, 20, 14, 10, 7, 5, 3, 2, 1],
            hunt_waiting: [0, 32, 24, 17, 13, 9, 6, 4, 3, 2, 1],
            jump: [30, 24],
            step: 3,
            half: 1_400,
        }
    }
}

const CACHE_SLOTS: usize = 1 << 10;

/// Piece values for one set of living pieces.
#[derive(Clone, Copy, Debug)]
struct Material {
    signature: u64,
    values: [i32; PIECES],
    /// Red's sum less black's.
    balance: i32,
}

/// The evaluation with its cache.
#[derive(Clone, Debug)]
pub struct Judge {
    weights: Weights,
    cache: Vec<Material>,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge::new(Weights::default())
    }
}

static DISTANCE: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let steps = Square::new(from as u8).distance(Square::new(to as u8));
            table[from][to] = steps as u8;
            to += 1;
        }
        from += 1;
    }
    table
};

impl Judge {
    /// Returns an evaluation with these weights.
    pub fn new(weights: Weights) -> Judge {
        let empty = Material {
            signature: u64::MAX,
            values: [0; PIECES],
            balance: 0,
        };
        Judge {
            weights,
            cache: vec![empty; CACHE_SLOTS],
        }
    }

    /// Returns the expected result for the side to move, within the bound of estimates.
    pub fn value(&mut self, position: &Position) -> i32 {
        let material = *self.material(position);
        self.weights.squashed(self.weights.sum(position, &material))
    }

    /// Returns what the pieces are worth now, in the order `KGMRNCPkgmrncp`.
    pub fn values(&mut self, position: &Position) -> [i32; PIECES] {
        self.material(position).values
    }

    fn material(&mut self, position: &Position) -> &Material {
        let signature = signature(position);
        let slot = (signature.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize;
        let entry = &mut self.cache[slot % CACHE_SLOTS];
        if entry.signature != signature {
            *entry = material_of(position, signature);
        }
        entry
    }
}

impl Weights {
    /// Returns the expected result for the side to move, worked out without a
    /// cache: the slow twin of [`Judge::value`].
    pub fn value(&self, position: &Position) -> i32 {
        self.squashed(self.sum(position, &material_of(position, signature(position))))
    }

    fn squashed(&self, sum: i32) -> i32 {
        sum * ESTIMATE_BOUND / (sum.abs() + self.half)
    }

    /// Returns the unsquashed sum for the side to move.
    fn sum(&self, position: &Position, material: &Material) -> i32 {
        let us = position.turn().unwrap_or(Color::Red);
        let weights = self;
        let balance = match us {
            Color::Red => material.balance,
            Color::Black => -material.balance,
        };
        let hunt = hunting(
            position,
            us,
            &material.values,
            &weights.hunt_moving,
            weights.jump[0],
        ) - hunting(
            position,
            !us,
            &material.values,
            &weights.hunt_waiting,
            weights.jump[1],
        );
        let empty = position.empty();
        let steps = |color| (position.color(color).neighbours() & empty).len() as i32;
        balance + hunt / 256 + weights.step * (steps(us) - steps(!us))
    }
}

/// Four bits for each kind: how many live.
#[inline]
fn signature(position: &Position) -> u64 {
    let face_up = Piece::all().fold(0, |bits, piece| {
        bits | (position.pieces(piece).len() as u64) << (4 * piece.index())
    });
    face_up + position.hidden().bits()
}

fn material_of(position: &Position, signature: u64) -> Material {
    let living = |color| -> [i32; ROLES] {
        Role::ALL.map(|role| position.living_of(Piece::new(color, role)) as i32)
    };
    let mut values = [0; PIECES];
    let mut balance = 0;
    for color in Color::ALL {
        let worth = dynamic_values(&living(!color));
        for (role, count) in Role::ALL.into_iter().zip(living(color)) {
            let piece = Piece::new(color, role);
            values[piece.index()] = worth[role.index()];
            let sum = worth[role.index()] * count;
            balance += if color == Color::Red { sum } else { -sum };
        }
    }
    Material {
        signature,
        values,
        balance,
    }
}

/// What one side's face-up pieces may hope to capture, in 1/256 of piece values.
fn hunting(
    position: &Position,
    color: Color,
    values: &[i32; PIECES],
    shares: &[i32; DISTANCES],
    jump: i32,
) -> i32 {
    let mut sum = 0;
    let worth = |square: Square| position.piece_at(square).map_or(0, |p| values[p.index()]);
    let prey = position.prey(color);
    for role in Role::ALL {
        let prey = prey[role.index()];
        if prey.is_empty() {
            continue;
        }
        for from in position.pieces(Piece::new(color, role)) {
            let distances = &DISTANCE[from.index()];
            for to in prey {
                sum += worth(to) * shares[distances[to.index()] as usize];
            }
        }
    }
    let occupied: SquareSet = position.occupied();
    for from in position.pieces(Piece::new(color, Role::Cannon)) {
        for to in jump_targets(from, occupied) & position.color(!color) {
            sum += worth(to) * jump;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_mirrors_agree() {
        let mut judge = Judge::default();
        assert_eq!(judge.value(&Position::start()), 0);
        let position: Position = "K1p1/1?2/4/c?P1/4/2r1/4/1G2 r Gp 0 0".parse().unwrap();
        let value = judge.value(&position);
        for symmetry in anqi_rules::Symmetry::ALL {
            assert_eq!(judge.value(&symmetry.position(&position)), value);
        }
        assert!(value.abs() <= ESTIMATE_BOUND);
    }

    #[test]
    fn nearer_prey_is_better() {
        let mut judge = Judge::default();
        let near: Position = "4/4/4/4/4/g3/4/K3 r - 0 0".parse().unwrap();
        let far: Position = "g3/4/4/4/4/4/4/K3 r - 0 0".parse().unwrap();
        assert!(judge.value(&near) > judge.value(&far));
    }
}
