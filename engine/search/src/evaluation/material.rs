//! Terms of material: the living pieces and those of them that lie face down.
//!
//! Besides the dynamic values there are terms linear in the numbers of pieces
//! and terms in products of them: *five pawns against a king* is more than five
//! pawns plus a king. Each is a difference of the two sides, so equal armies
//! give zero.

use super::facts::Facts;
use super::piece_values::{dynamic_values, living};
use super::terms::{self, Tally};
use super::weights::Weights;
use anqi_rules::{Color, HiddenBag, PIECES, Piece, Position, ROLES, Role};

/// Two sets of four-bit counts by kind: living pieces, and face-down pieces.
#[inline]
pub(super) fn signature(position: &Position) -> (u64, u64) {
    let face_up = Piece::all().fold(0, |bits, piece| {
        bits | (position.pieces(piece).len() as u64) << (4 * piece.index())
    });
    let hidden = position.hidden().bits();
    (face_up + hidden, hidden)
}

impl Facts {
    /// Computes the facts about a position's material.
    pub(super) fn of(position: &Position, weights: &Weights) -> Facts {
        let (living, hidden) = signature(position);
        let mut facts = Facts {
            living,
            hidden,
            values: values(position),
            ..Facts::NONE
        };
        let mut sum = Balance {
            weights,
            hidden: position.face_down().len() as i32,
            sum: 0,
        };
        compare(position, &facts.values, &mut sum);
        facts.balance = sum.sum;
        facts.add_beside_face_down(position.hidden());
        facts
    }

    /// Adds the expected loss and gain of each piece beside one face-down piece, over the bag.
    fn add_beside_face_down(&mut self, hidden: HiddenBag) {
        let (mut attackers, mut victims) = ([0; PIECES], [0; PIECES]);
        for (enemy, count) in hidden {
            for role in Role::ALL {
                let piece = Piece::new(!enemy.color(), role).index();
                if enemy.role().captures(role) {
                    attackers[piece] += count as i32;
                }
                if role.captures(enemy.role()) {
                    victims[piece] += count as i32 * self.values[enemy.index()];
                }
            }
        }
        let total = (hidden.total() as i32).max(1);
        for piece in 0..PIECES {
            let threatened = attackers[piece] * self.values[piece] / total;
            self.threatened[piece] = threatened as i16;
            self.offered[piece] = (victims[piece] / total) as i16;
        }
    }
}

/// The weighted sum of terms of material.
struct Balance<'a> {
    weights: &'a Weights,
    hidden: i32,
    sum: i64,
}

impl Tally for Balance<'_> {
    fn add(&mut self, term: usize, amount: i32) {
        let weight = self.weights.mixed(term, self.hidden);
        self.sum += i64::from(weight) * i64::from(amount);
    }
}

fn values(position: &Position) -> [i32; PIECES] {
    let mut values = [0; PIECES];
    for color in Color::ALL {
        let of_role = dynamic_values(&living(position, !color));
        for role in Role::ALL {
            values[Piece::new(color, role).index()] = of_role[role.index()];
        }
    }
    values
}

/// Tallies the terms of material, red's less black's.
pub(super) fn compare(position: &Position, values: &[i32; PIECES], tally: &mut impl Tally) {
    let (red, black) = (living(position, Color::Red), living(position, Color::Black));
    let face_down = |color, role| position.hidden().count(Piece::new(color, role)) as i32;
    let mut dynamic = 0;
    for role in Role::ALL {
        let i = role.index();
        dynamic += red[i] * values[i] - black[i] * values[ROLES + i];
        tally.add(terms::COUNT + i, terms::PIECE * (red[i] - black[i]));
        let hidden = face_down(Color::Red, role) - face_down(Color::Black, role);
        tally.add(terms::HIDDEN + i, terms::PIECE * hidden);
        let squares = red[i] * red[i] - black[i] * black[i];
        tally.add(terms::SQUARED + i, terms::PIECE * squares);
    }
    tally.add(terms::DYNAMIC, dynamic);
    let mut term = terms::PAIRED;
    for i in 0..ROLES {
        for j in i + 1..ROLES {
            tally.add(term, terms::PIECE * (red[i] * black[j] - black[i] * red[j]));
            term += 1;
        }
    }
}
