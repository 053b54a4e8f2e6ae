//! The terms of the evaluation: what they are called and how much of each a
//! position has.
//!
//! Terms on squares come first. Most come twice, *moving* for the side whose
//! turn it is and *waiting* for the other, because a threat that can be carried
//! out now is another thing than one that can be parried; a waiting side's
//! amount is negative. Amounts are in units of a piece's worth (a king about
//! 600) where a worth is at stake, else as said.

use super::material::Facts;
use anqi_rules::moves::jump_targets;
use anqi_rules::{Color, Piece, Position, ROLES, Role, SQUARES, Square, SquareSet};

/// Distances from 1 to 10, between two squares.
pub(super) const DISTANCES: usize = 10;

/// For each enemy that a face-up piece could capture: the prey's worth, by distance.
pub(super) const HUNT: usize = 0;
/// For each enemy that a cannon could jump at now: the prey's worth.
pub(super) const JUMP: usize = HUNT + 2 * DISTANCES;
/// Empty squares beside own pieces.
pub(super) const STEP: usize = JUMP + 2;
/// The worth of own pieces with no empty square beside them.
pub(super) const STUCK: usize = STEP + 2;
/// For each face-down stone beside an own piece: what it stands to lose,
pub(super) const RISK: usize = STUCK + 2;
/// and what it stands to win.
pub(super) const HOPE: usize = RISK + 2;
/// The worth of own pieces beside an enemy that could capture them and beside no empty square.
pub(super) const DOOMED: usize = HOPE + 2;
/// The worth of enemies that an own piece could capture and that stand on an edge,
pub(super) const EDGE: usize = DOOMED + 2;
/// and of those that stand in a corner.
pub(super) const CORNER: usize = EDGE + 2;
/// The turn itself.
const TURN: usize = CORNER + 2;
/// How many terms look at squares.
pub(super) const SQUARE_TERMS: usize = TURN + 1;
/// The sum of dynamic values.
pub(super) const DYNAMIC: usize = SQUARE_TERMS;
/// Pieces of each role, [`PIECE`] for one.
pub(super) const COUNT: usize = DYNAMIC + 1;
/// Pieces of each role face down.
pub(super) const HIDDEN: usize = COUNT + ROLES;
/// The square of the number of pieces of each role.
pub(super) const SQUARED: usize = HIDDEN + ROLES;
/// Own pieces of one role times enemy pieces of another, for each pair of roles.
pub(super) const PAIRED: usize = SQUARED + ROLES;
/// How many terms there are.
pub(super) const TERMS: usize = PAIRED + ROLES * (ROLES - 1) / 2;

/// What one counted piece adds to a term, so that weights of counts and weights
/// of worths are of one size.
pub(super) const PIECE: i32 = 64;

/// Squares with fewer than four neighbours.
pub(super) const EDGES: SquareSet = squares_with(3);
/// Squares with two neighbours.
pub(super) const CORNERS: SquareSet = squares_with(2);

/// Returns the squares with at most so many neighbours.
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

/// Whoever wants to know how much of each term there is.
pub(super) trait Tally {
    /// Takes note of so much more of a term.
    fn add(&mut self, term: usize, amount: i32);

    /// Takes note of so much for each of these squares: of the term `first` for
    /// those in the first ring, of the next one for those in the second.
    #[inline]
    fn add_by_distance(&mut self, first: usize, rings: &Rings, squares: SquareSet, amount: i32) {
        for (place, ring) in rings.iter().enumerate() {
            self.add(first + place, amount * (squares & *ring).len() as i32);
        }
    }
}

/// Returns the name of a feature, as in the file of weights.
pub fn name(feature: usize) -> String {
    let board = if feature < TERMS { "full" } else { "open" };
    format!("{}.{board}", term_name(feature % TERMS))
}

fn term_name(term: usize) -> String {
    let role = |index: usize| Piece::new(Color::Red, Role::ALL[index]).to_string();
    let side = |offset: usize| ["moving", "waiting"][offset];
    match term {
        DYNAMIC => "dynamic".to_string(),
        TURN => "turn".to_string(),
        _ if term >= PAIRED => {
            let pairs = (0..ROLES).flat_map(|i| (i + 1..ROLES).map(move |j| (i, j)));
            let named = pairs.map(|(i, j)| format!("paired-{}{}", role(i), role(j)));
            named.skip(term - PAIRED).take(1).collect()
        }
        _ if term >= SQUARED => format!("squared-{}", role(term - SQUARED)),
        _ if term >= HIDDEN => format!("hidden-{}", role(term - HIDDEN)),
        _ if term >= COUNT => format!("count-{}", role(term - COUNT)),
        _ if term >= CORNER => format!("corner-{}", side(term - CORNER)),
        _ if term >= EDGE => format!("edge-{}", side(term - EDGE)),
        _ if term >= DOOMED => format!("doomed-{}", side(term - DOOMED)),
        _ if term >= HOPE => format!("hope-{}", side(term - HOPE)),
        _ if term >= RISK => format!("risk-{}", side(term - RISK)),
        _ if term >= STUCK => format!("stuck-{}", side(term - STUCK)),
        _ if term >= STEP => format!("step-{}", side(term - STEP)),
        _ if term >= JUMP => format!("jump-{}", side(term - JUMP)),
        _ => format!("hunt-{}-{}", side(term / DISTANCES), term % DISTANCES + 1),
    }
}

/// The squares at each distance from a square, the nearest first.
pub(super) type Rings = [SquareSet; DISTANCES];

static RINGS: [Rings; SQUARES] = {
    let mut table = [[SquareSet::EMPTY; DISTANCES]; SQUARES];
    let mut centre = 0;
    while centre < SQUARES {
        let mut square = 0;
        while square < SQUARES {
            let steps = Square::new(centre as u8).distance(Square::new(square as u8));
            if steps > 0 {
                table[centre][steps - 1].0 |= 1 << square;
            }
            square += 1;
        }
        centre += 1;
    }
    table
};

/// Tallies the terms that look at squares, for the side to move.
#[inline]
pub(super) fn on_squares(position: &Position, facts: &Facts, tally: &mut impl Tally) {
    let Some(us) = position.turn() else {
        return;
    };
    let worth = Worth { position, facts };
    let ours = one_side(&worth, us, 0, 1, tally);
    let theirs = one_side(&worth, !us, 1, -1, tally);
    doomed(&worth, us, theirs, 0, 1, tally);
    doomed(&worth, !us, ours, 1, -1, tally);
    tally.add(TURN, PIECE);
}

/// Tallies one side's terms, and returns the enemy squares that it attacks by a step.
#[inline]
fn one_side(
    worth: &Worth<'_>,
    color: Color,
    side: usize,
    sign: i32,
    tally: &mut impl Tally,
) -> SquareSet {
    let Worth { position, facts } = *worth;
    let (occupied, face_down) = (position.occupied(), position.face_down());
    let attacked = hunt(worth, color, side, sign, tally);
    let (mut risk, mut hope) = (0, 0);
    for square in position.color(color) & face_down.neighbours() {
        let stones = (square.neighbours() & face_down).len() as i32;
        if let Some(piece) = position.piece_at(square) {
            risk += stones * i32::from(facts.risk[piece.index()]);
            hope += stones * i32::from(facts.hope[piece.index()]);
        }
    }
    for from in position.pieces(Piece::new(color, Role::Cannon)) {
        for to in jump_targets(from, occupied) & position.color(!color) {
            tally.add(JUMP + side, sign * worth.of(to));
        }
    }
    let empty = position.empty();
    let own = position.color(color);
    let steps = (own.neighbours() & empty).len() as i32;
    let stuck = worth.of_all(own & !empty.neighbours());
    tally.add(STEP + side, sign * steps);
    tally.add(STUCK + side, sign * stuck);
    tally.add(RISK + side, sign * risk);
    tally.add(HOPE + side, sign * hope);
    attacked
}

/// Tallies the enemies that face-up pieces could capture, and returns those
/// that they could capture now.
///
/// Prey by prey, not hunter by hunter: then a worth is looked up once.
#[inline]
fn hunt(
    worth: &Worth<'_>,
    color: Color,
    side: usize,
    sign: i32,
    tally: &mut impl Tally,
) -> SquareSet {
    let position = worth.position;
    let hunters = hunters(position, color);
    let mut attacked = SquareSet::EMPTY;
    for role in Role::ALL {
        let hunters = hunters[role.index()];
        if hunters.is_empty() {
            continue;
        }
        let piece = Piece::new(!color, role);
        let amount = sign * worth.facts.values[piece.index()];
        let prey = position.pieces(piece);
        attacked |= prey & hunters.neighbours();
        for to in prey {
            let first = HUNT + side * DISTANCES;
            tally.add_by_distance(first, &RINGS[to.index()], hunters, amount);
        }
        tally.add(EDGE + side, amount * (prey & EDGES).len() as i32);
        tally.add(CORNER + side, amount * (prey & CORNERS).len() as i32);
    }
    attacked
}

/// Returns the squares of a side's pieces that capture each enemy role by a
/// step, in the order `KGMRNCP`.
#[inline]
pub(super) fn hunters(position: &Position, color: Color) -> [SquareSet; ROLES] {
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

/// Tallies the pieces that are attacked and cannot step away.
#[inline]
fn doomed(
    worth: &Worth<'_>,
    color: Color,
    attacked: SquareSet,
    side: usize,
    sign: i32,
    tally: &mut impl Tally,
) {
    let own = worth.position.color(color) & attacked;
    let caught = own & !worth.position.empty().neighbours();
    tally.add(DOOMED + side, sign * worth.of_all(caught));
}

/// What the pieces on squares are worth.
#[derive(Clone, Copy)]
struct Worth<'a> {
    position: &'a Position,
    facts: &'a Facts,
}

impl Worth<'_> {
    #[inline]
    fn of(&self, square: Square) -> i32 {
        let piece = self.position.piece_at(square);
        piece.map_or(0, |piece| self.facts.values[piece.index()])
    }

    #[inline]
    fn of_all(&self, squares: SquareSet) -> i32 {
        squares.into_iter().map(|square| self.of(square)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_feature_has_its_own_name() {
        let names: BTreeSet<String> = (0..2 * TERMS).map(name).collect();
        assert_eq!(names.len(), 2 * TERMS);
        assert!(names.contains("hunt-waiting-10.open") && names.contains("paired-CP.full"));
    }
}
