//! The terms of the evaluation: their names, and the amount of each in a position.
//!
//! Terms on squares come first. Most come twice, *moving* for the side to move
//! and *waiting* for the other, because a threat that can be carried out now
//! differs from one that can be parried; a waiting side's amount is negative.
//! Amounts are in units of a piece's value (a king about 600) where a value is
//! at stake, else as said.

use super::facts::Facts;
use anqi_rules::moves::jump_targets;
use anqi_rules::{Color, PIECES, Piece, Position, ROLES, Role, SQUARES, Square, SquareSet};

/// Distances from 1 to 10, between two squares.
pub(super) const DISTANCES: usize = 10;

/// The number of terms under one name, and how they are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Width {
    /// One term.
    One,
    /// One for the side to move, one for the other.
    Sides,
    /// Ten for each side, by distance.
    SidesAndDistances,
    /// One for each role.
    Roles,
    /// One for each pair of different roles.
    RolePairs,
}

impl Width {
    const fn terms(self) -> usize {
        match self {
            Width::One => 1,
            Width::Sides => 2,
            Width::SidesAndDistances => 2 * DISTANCES,
            Width::Roles => ROLES,
            Width::RolePairs => ROLES * (ROLES - 1) / 2,
        }
    }
}

/// All terms in order: those on squares first, those of material after the turn.
const TABLE: [(&str, Width); 15] = [
    ("hunt", Width::SidesAndDistances),
    ("jump", Width::Sides),
    ("step", Width::Sides),
    ("stuck", Width::Sides),
    ("risk", Width::Sides),
    ("hope", Width::Sides),
    ("doomed", Width::Sides),
    ("edge", Width::Sides),
    ("corner", Width::Sides),
    ("turn", Width::One),
    ("dynamic", Width::One),
    ("count", Width::Roles),
    ("hidden", Width::Roles),
    ("squared", Width::Roles),
    ("paired", Width::RolePairs),
];

/// Returns the place of the first term with a name.
const fn first(name: &str) -> usize {
    let (mut row, mut place) = (0, 0);
    while !is_same(TABLE[row].0, name) {
        place += TABLE[row].1.terms();
        row += 1;
    }
    place
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// For each enemy that a face-up piece could capture: the victim's value, by distance.
pub(super) const HUNT: usize = first("hunt");
/// For each enemy that a cannon could jump at now: the victim's value.
pub(super) const JUMP: usize = first("jump");
/// Empty squares beside own pieces.
pub(super) const STEP: usize = first("step");
/// The value of own pieces with no empty square beside them.
pub(super) const STUCK: usize = first("stuck");
/// For each face-down piece beside an own piece: the own value it threatens on average.
pub(super) const HIDDEN_ATTACKERS: usize = first("risk");
/// For each face-down piece beside an own piece: the enemy value it offers on average.
pub(super) const HIDDEN_VICTIMS: usize = first("hope");
/// The value of own pieces that are attacked and beside no empty square.
pub(super) const DOOMED: usize = first("doomed");
/// The value of enemies on an edge that an own piece could capture.
pub(super) const EDGE: usize = first("edge");
/// The value of enemies in a corner that an own piece could capture.
pub(super) const CORNER: usize = first("corner");
/// The turn itself.
pub(super) const TURN: usize = first("turn");
/// The number of terms on squares.
pub(super) const SQUARE_TERMS: usize = TURN + 1;
/// The sum of dynamic values.
pub(super) const DYNAMIC: usize = first("dynamic");
/// Pieces of each role, [`PIECE`] for one.
pub(super) const COUNT: usize = first("count");
/// Pieces of each role face down.
pub(super) const HIDDEN: usize = first("hidden");
/// The square of the number of pieces of each role.
pub(super) const SQUARED: usize = first("squared");
/// Own pieces of one role times enemy pieces of another, for each pair of roles.
pub(super) const PAIRED: usize = first("paired");
/// The number of terms.
pub(super) const TERMS: usize = PAIRED + Width::RolePairs.terms();

/// The number of weights: two for each term.
pub const FEATURES: usize = 2 * TERMS;

/// The unit of weights: 256 is one.
pub(super) const UNIT: i64 = 256;

/// What one counted piece adds to a term: about a pawn's value, so that weights of
/// counts and of values are similar in size.
pub(super) const PIECE: i32 = 64;

/// Squares with at most three neighbours.
pub(super) const EDGES: SquareSet = squares_with(3);
/// Squares with two neighbours.
pub(super) const CORNERS: SquareSet = squares_with(2);

/// Returns the squares with at most this many neighbours.
const fn squares_with(most: usize) -> SquareSet {
    let mut squares = 0;
    let mut index = 0;
    while index < SQUARES {
        if Square::new(index as u8).neighbours().len() <= most {
            squares |= 1 << index;
        }
        index += 1;
    }
    SquareSet(squares)
}

/// Receives the amounts of terms.
pub(super) trait Tally {
    /// Adds to the amount of a term.
    fn add(&mut self, term: usize, amount: i32);

    /// Adds the amount of a piece that the hunters could capture, by their distances and by
    /// its place on the board.
    #[inline]
    fn add_victim(&mut self, side: usize, victim: Square, hunters: SquareSet, amount: i32) {
        for hunter in hunters {
            self.add(hunt(side) + steps_beyond(victim, hunter), amount);
        }
        if EDGES.contains(victim) {
            self.add(EDGE + side, amount);
        }
        if CORNERS.contains(victim) {
            self.add(CORNER + side, amount);
        }
    }
}

/// Returns the first of a side's terms of hunting: for a victim beside the hunter.
#[inline]
pub(super) const fn hunt(side: usize) -> usize {
    HUNT + side * DISTANCES
}

/// Returns the name of a feature, as in the file of weights.
pub fn feature_name(feature: usize) -> String {
    let board = if feature < TERMS { "full" } else { "open" };
    format!("{}.{board}", term_name(feature % TERMS))
}

fn term_name(term: usize) -> String {
    let mut place = term;
    for (name, width) in TABLE {
        if place < width.terms() {
            return name_within(name, width, place);
        }
        place -= width.terms();
    }
    unreachable!("the table has every term")
}

/// The name of one of the terms that share a name.
fn name_within(name: &str, width: Width, place: usize) -> String {
    let role = |index: usize| Piece::new(Color::Red, Role::ALL[index]).to_string();
    let side = |index: usize| ["moving", "waiting"][index];
    match width {
        Width::One => name.to_string(),
        Width::Sides => format!("{name}-{}", side(place)),
        Width::SidesAndDistances => {
            let (side, distance) = (side(place / DISTANCES), place % DISTANCES + 1);
            format!("{name}-{side}-{distance}")
        }
        Width::Roles => format!("{name}-{}", role(place)),
        Width::RolePairs => {
            let mut pairs = (0..ROLES).flat_map(|i| (i + 1..ROLES).map(move |j| (i, j)));
            let (first, second) = pairs.nth(place).unwrap_or_default();
            format!("{name}-{}{}", role(first), role(second))
        }
    }
}

/// The distance of each pair of different squares, less one.
static STEPS_BEYOND: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut centre = 0;
    while centre < SQUARES {
        let mut square = 0;
        while square < SQUARES {
            let steps = Square::new(centre as u8).distance(Square::new(square as u8));
            table[centre][square] = steps.saturating_sub(1) as u8;
            square += 1;
        }
        centre += 1;
    }
    table
};

/// Returns the distance of two different squares, less one.
#[inline]
pub(super) fn steps_beyond(one: Square, other: Square) -> usize {
    // The mask tells the optimiser that no distance needs more than four bits.
    usize::from(STEPS_BEYOND[one.index()][other.index()] & 15)
}

/// Tallies the terms on squares, for the side to move.
#[inline]
pub(super) fn on_squares<const HUNTS: bool>(
    position: &Position,
    facts: &Facts,
    tally: &mut impl Tally,
) {
    let Some(us) = position.turn() else {
        return;
    };
    let board = Board {
        position,
        facts,
        hunters: hunters(position),
    };
    board.one_side::<MOVING, HUNTS>(us, tally);
    board.one_side::<WAITING, HUNTS>(!us, tally);
    turn(position, tally);
}

/// Tallies the turn.
#[inline]
pub(super) fn turn(position: &Position, tally: &mut impl Tally) {
    if position.turn().is_some() {
        tally.add(TURN, PIECE);
    }
}

/// The side to move, as an index.
const MOVING: usize = 0;
/// The other side, as an index.
const WAITING: usize = 1;

/// Returns, for each piece, the squares of the enemies that capture it by a step.
#[inline]
fn hunters(position: &Position) -> [SquareSet; PIECES] {
    let [red, black] = Color::ALL.map(|color| attackers(position, color));
    std::array::from_fn(|piece| match piece {
        0..ROLES => black[piece],
        _ => red[piece - ROLES],
    })
}

/// What the terms of both sides are counted from.
struct Board<'a> {
    position: &'a Position,
    facts: &'a Facts,
    hunters: [SquareSet; PIECES],
}

impl Board<'_> {
    /// Tallies one side's terms.
    #[inline]
    fn one_side<const SIDE: usize, const HUNTS: bool>(&self, color: Color, tally: &mut impl Tally) {
        let sign = if SIDE == MOVING { 1 } else { -1 };
        let (position, facts) = (self.position, self.facts);
        let (own, enemies) = (position.color(color), position.color(!color));
        let (empty, face_down) = (position.empty(), position.face_down());
        let prey = if HUNTS { enemies } else { SquareSet::EMPTY };
        for (victim, piece) in self.pieces(prey) {
            let hunters = self.hunters[piece.index()];
            if !hunters.is_empty() {
                tally.add_victim(SIDE, victim, hunters, sign * facts.values[piece.index()]);
            }
        }
        let (mut threatened, mut offered) = (0, 0);
        for (square, piece) in self.pieces(own & face_down.neighbours()) {
            let hidden = (square.neighbours() & face_down).len() as i32;
            threatened += hidden * i32::from(facts.threatened[piece.index()]);
            offered += hidden * i32::from(facts.offered[piece.index()]);
        }
        for from in position.pieces(Piece::new(color, Role::Cannon)) {
            for (_, piece) in self.pieces(jump_targets(from, !empty) & enemies) {
                tally.add(JUMP + SIDE, sign * facts.values[piece.index()]);
            }
        }
        let (mut stuck, mut doomed) = (0, 0);
        for (square, piece) in self.pieces(own & !empty.neighbours()) {
            let value = facts.values[piece.index()];
            stuck += value;
            if !(square.neighbours() & self.hunters[piece.index()]).is_empty() {
                doomed += value;
            }
        }
        let steps = (own.neighbours() & empty).len() as i32;
        tally.add(STEP + SIDE, sign * steps);
        tally.add(STUCK + SIDE, sign * stuck);
        tally.add(DOOMED + SIDE, sign * doomed);
        tally.add(HIDDEN_ATTACKERS + SIDE, sign * threatened);
        tally.add(HIDDEN_VICTIMS + SIDE, sign * offered);
    }

    /// The face-up pieces on these squares.
    #[inline]
    fn pieces(&self, squares: SquareSet) -> impl Iterator<Item = (Square, Piece)> {
        let piece = |square| Some((square, self.position.piece_at(square)?));
        squares.into_iter().filter_map(piece)
    }
}

/// Returns, for each enemy role in the order `KGMRNCP`, the squares of a side's
/// pieces that capture it by a step.
#[inline]
pub(super) fn attackers(position: &Position, color: Color) -> [SquareSet; ROLES] {
    let of = |role| position.pieces(Piece::new(color, role));
    let (king, pawn) = (of(Role::King), of(Role::Pawn));
    let guards = king | of(Role::Guard);
    let ministers = guards | of(Role::Minister);
    let rooks = ministers | of(Role::Rook);
    let knights = rooks | of(Role::Knight);
    [
        king | pawn,
        guards,
        ministers,
        rooks,
        knights,
        knights,
        (knights & !king) | pawn,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_feature_has_its_own_name() {
        let names: BTreeSet<String> = (0..2 * TERMS).map(feature_name).collect();
        assert_eq!(names.len(), 2 * TERMS);
        assert!(names.contains("hunt-waiting-10.open") && names.contains("paired-CP.full"));
    }
}
