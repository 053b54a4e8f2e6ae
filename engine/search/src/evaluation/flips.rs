//! The mean static evaluation over a flip's outcomes, without playing them.
//!
//! Where a search ends with a flip, its value is the mean of the static values of all
//! outcomes. The outcomes are nearly the same position: the same living pieces with the
//! same values, the same face-up pieces, the same empty squares. They differ in one
//! piece on one square, a bag without it, and weights for one face-down piece less. So
//! the terms among the face-up pieces are summed once per position ([`Flips`]), the
//! terms of the square once per square ([`Place`]), and an outcome costs only what its
//! piece adds:
//!
//! - it attacks and is attacked, and may be the first of its side that can capture some role;
//! - it jumps, and is jumped at;
//! - it has empty squares beside it, or is stuck, or even doomed, or dooms others;
//! - it stands beside other face-down pieces, and the risk and hope of its face-up
//!   neighbours while it was face down are gone.
//!
//! All sums are of integers, so a mean equals that of the separately evaluated outcomes
//! exactly, as the test at the end checks.

use super::curve::half_sum;
use super::facts::Facts;
use super::material;
use super::network::LearnedFlips;
use super::terms::{
    self, CORNER, CORNERS, DISTANCES, DOOMED, EDGE, EDGES, HIDDEN_ATTACKERS, HIDDEN_VICTIMS,
};
use super::terms::{HUNT, JUMP, SQUARE_TERMS, STEP, STUCK};
use super::weights::Scope;
use super::{Curve, Evaluator, SquareWeights, WeightedSum, scaled};
use crate::score::Mixture;
use anqi_rules::moves::jump_targets;
use anqi_rules::{Color, PIECES, Piece, Position, ROLES, Role, Square, SquareSet};
use smallvec::SmallVec;

/// What all flips of one position share, from the view of the side that moves after them.
#[derive(Clone, Debug)]
pub struct Flips {
    position: Position,
    /// The side to move after the flip.
    mover: Color,
    scope: Scope,
    weights: [i32; SQUARE_TERMS],
    half: i32,
    curve: Curve,
    /// The terms that the face-up pieces have among themselves.
    shared: i64,
    values: [i32; PIECES],
    kinds: SmallVec<[Kind; PIECES]>,
    /// By colour: the squares of its pieces that capture each role of the other colour.
    attackers: [[SquareSet; ROLES]; 2],
    /// By colour: the enemies that it attacks by a step.
    attacked: [SquareSet; 2],
    /// By colour: squares beside own pieces.
    beside: [SquareSet; 2],
    /// The cannons, each with its jump targets.
    jumps: SmallVec<[(Color, SquareSet); 4]>,
    /// Squares beside an empty one.
    free: SquareSet,
    /// The network's sums before the flip, if there is a network.
    learned: Option<LearnedFlips>,
}

/// What a revealed kind contributes on any square.
#[derive(Clone, Debug)]
struct Kind {
    piece: Piece,
    count: u32,
    /// Material, and the risk and hope of face-up pieces beside face-down ones.
    sum: i64,
    /// By piece: the amount for one face-down piece beside it.
    beside_hidden: [i64; PIECES],
}

/// What all outcomes on one square share.
struct Place {
    square: Square,
    /// By piece: the summed weights of hunting the face-up ones from here.
    victims: [i32; PIECES],
    /// By piece: the summed weights of being hunted here by the face-up ones.
    attackers: [i32; PIECES],
    /// The face-up pieces beside.
    near: SmallVec<[Piece; 4]>,
    /// The number of face-down pieces beside.
    hidden: i64,
    stuck: bool,
}

/// How exact the values of outcomes must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// As if each outcome were played and evaluated.
    Full,
    /// With the network's value before the flip for all outcomes: for estimates
    /// that only guide a search. Hand-made terms on squares must tell outcomes apart: a
    /// network without them is computed in full.
    Rough,
}

impl Evaluator {
    /// Returns what all flips of a position share; `None` where an outcome is not a
    /// plain estimate: before the first flip of a game and at its last.
    pub fn flips(&mut self, position: &Position, precision: Precision) -> Option<Flips> {
        let mover = !position.turn()?;
        let face_down = position.face_down().len();
        if face_down < 2 {
            return None;
        }
        let slot = self.look_up(position);
        let (facts, weights) = (&self.cache[slot], &self.mixed[face_down - 1]);
        let shared = among_face_up(position, facts, weights, self.scope);
        let (mut shared, values) = (shared, facts.values);
        let mut learned = None;
        if let Some(sums) = self.accumulators.as_mut() {
            // Without terms on squares, rough values would be the same for all squares.
            let precision = match self.scope {
                Scope::Everything | Scope::Beside => precision,
                Scope::Material => Precision::Full,
            };
            match precision {
                Precision::Full => learned = Some(sums.flips(position, mover)),
                Precision::Rough => {
                    shared += scaled(sums.result_for(position, mover), self.weights.half);
                }
            }
        }
        let attackers = Color::ALL.map(|color| terms::attackers(position, color));
        let mut flips = Flips {
            position: *position,
            mover,
            scope: self.scope,
            weights: weights.terms,
            half: self.weights.half,
            curve: self.weights.curve,
            shared,
            values,
            kinds: SmallVec::new(),
            attacked: Color::ALL.map(|color| attacked(position, color, &attackers[color.index()])),
            beside: Color::ALL.map(|color| position.color(color).neighbours()),
            attackers,
            jumps: jumps(position),
            free: position.empty().neighbours(),
            learned,
        };
        let square = position.face_down().first()?;
        let touching: SmallVec<[i64; PIECES]> = Piece::all()
            .map(|piece| touching(position.pieces(piece), position.face_down()))
            .collect();
        let (living, hidden) = material::signature(position);
        for (piece, count) in position.hidden() {
            let revealed = || {
                let mut revealed = *position;
                let _ = revealed.flip_unchecked(square, piece);
                revealed
            };
            let one = 1 << (4 * piece.index());
            let slot = self.slot_of((living, hidden - one), revealed);
            let kind = flips.kind(piece, count, &self.cache[slot], &touching);
            flips.kinds.push(kind);
        }
        Some(flips)
    }
}

/// The enemies that a side attacks by a step.
fn attacked(position: &Position, color: Color, attackers: &[SquareSet; ROLES]) -> SquareSet {
    let of_role = |role: Role| {
        let victims = position.pieces(Piece::new(!color, role));
        victims & attackers[role.index()].neighbours()
    };
    let sets = Role::ALL.into_iter().map(of_role);
    sets.fold(SquareSet::EMPTY, |all, some| all | some)
}

/// The cannons of both sides, each with its jump targets.
fn jumps(position: &Position) -> SmallVec<[(Color, SquareSet); 4]> {
    let mut jumps = SmallVec::new();
    for color in Color::ALL {
        for from in position.pieces(Piece::new(color, Role::Cannon)) {
            jumps.push((color, jump_targets(from, position.occupied())));
        }
    }
    jumps
}

/// Counts the pairs of a face-up piece and a face-down one beside it.
fn touching(pieces: SquareSet, face_down: SquareSet) -> i64 {
    let shifted = [pieces.up(), pieces.down(), pieces.left(), pieces.right()];
    let counts = shifted.map(|squares| (squares & face_down).len() as i64);
    counts.iter().sum()
}

/// The terms that a flip leaves unchanged, except for their weights.
fn among_face_up(position: &Position, facts: &Facts, weights: &SquareWeights, scope: Scope) -> i64 {
    let mut weights = weights.clone();
    // Risk and hope beside face-down pieces change with the bag.
    weights.terms[HIDDEN_ATTACKERS..HIDDEN_ATTACKERS + 2].fill(0);
    weights.terms[HIDDEN_VICTIMS..HIDDEN_VICTIMS + 2].fill(0);
    let mut sum = WeightedSum {
        weights: &weights,
        sum: 0,
    };
    scope.on_squares(&position.passed(), facts, &mut sum);
    sum.sum
}

impl Flips {
    /// Returns whether these are the flips of this position.
    pub(crate) fn are_of(&self, position: &Position) -> bool {
        self.position.key() == position.key()
    }

    /// Returns the mean value of the outcomes of a flip, for the side that flips.
    pub fn average(&self, square: Square) -> i32 {
        let mut mixture = Mixture::default();
        self.for_each_value(square, |_, count, value| mixture.add(value, count));
        mixture.average()
    }

    /// Visits each reveal of a square with its weight and the value of the
    /// outcome for the side that flips.
    pub(crate) fn for_each_value(&self, square: Square, mut visit: impl FnMut(Piece, u32, i32)) {
        let place = match self.scope {
            Scope::Everything | Scope::Beside => Some(self.place(square)),
            Scope::Material => None,
        };
        for kind in &self.kinds {
            let learned = self.learned.as_ref();
            let learned = learned.map_or(0, |flips| {
                scaled(flips.result(square, kind.piece), self.half)
            });
            let added = place.as_ref().map_or(0, |place| self.added(kind, place));
            let sum = self.shared + kind.sum + added + learned;
            visit(
                kind.piece,
                kind.count,
                -self.curve.estimate(sum, half_sum(self.half)),
            );
        }
    }

    /// The index and sign of a side: 0 and 1 for the one that moves after the flip, 1 and −1 for
    /// the other.
    #[inline]
    fn side(&self, color: Color) -> (usize, i64) {
        if color == self.mover { (0, 1) } else { (1, -1) }
    }

    #[inline]
    fn weight(&self, term: usize) -> i64 {
        i64::from(self.weights[term])
    }

    #[inline]
    fn value_at(&self, square: Square) -> i64 {
        let piece = self.position.piece_at(square);
        piece.map_or(0, |piece| i64::from(self.values[piece.index()]))
    }

    fn kind(&self, piece: Piece, count: u32, facts: &Facts, touching: &[i64]) -> Kind {
        let mut beside_hidden = [0; PIECES];
        let mut sum = match self.mover {
            Color::Red => facts.balance,
            Color::Black => -facts.balance,
        };
        for other in Piece::all() {
            let index = other.index();
            let (side, sign) = self.side(other.color());
            beside_hidden[index] = sign
                * (self.weight(HIDDEN_ATTACKERS + side) * i64::from(facts.threatened[index])
                    + self.weight(HIDDEN_VICTIMS + side) * i64::from(facts.offered[index]));
            sum += touching[index] * beside_hidden[index];
        }
        sum += self.first_to_hunt(piece);
        Kind {
            piece,
            count,
            sum,
            beside_hidden,
        }
    }

    /// The edge and corner terms of victims that only this piece could capture.
    fn first_to_hunt(&self, piece: Piece) -> i64 {
        let color = piece.color();
        let (side, sign) = self.side(color);
        let mut sum = 0;
        for role in Role::ALL {
            let known = !self.attackers[color.index()][role.index()].is_empty();
            if known || !piece.role().captures(role) {
                continue;
            }
            let victims = Piece::new(!color, role);
            let squares = self.position.pieces(victims);
            let edges = (squares & EDGES).len() as i64 * self.weight(EDGE + side);
            let corners = (squares & CORNERS).len() as i64 * self.weight(CORNER + side);
            sum += sign * i64::from(self.values[victims.index()]) * (edges + corners);
        }
        sum
    }

    fn place(&self, square: Square) -> Place {
        let position = &self.position;
        let (mut victims, mut attackers) = ([0; PIECES], [0; PIECES]);
        for from in position.occupied() & !position.face_down() {
            let Some(piece) = position.piece_at(from) else {
                continue;
            };
            let distance = square.distance(from);
            let hunted_by =
                |color| self.weights[HUNT + self.side(color).0 * DISTANCES + distance - 1];
            victims[piece.index()] += hunted_by(!piece.color());
            attackers[piece.index()] += hunted_by(piece.color());
        }
        let beside = square.neighbours();
        let near = beside.into_iter().filter_map(|s| position.piece_at(s));
        Place {
            square,
            victims,
            attackers,
            near: near.collect(),
            hidden: (beside & position.face_down()).len() as i64,
            stuck: !self.free.contains(square),
        }
    }

    /// What a piece revealed on a square adds to the terms.
    fn added(&self, kind: &Kind, place: &Place) -> i64 {
        let piece = kind.piece;
        let (side, sign) = self.side(piece.color());
        let value = i64::from(self.values[piece.index()]);
        let mut own = self.hunting(piece, place) + self.room(piece, place);
        if piece.role() == Role::Cannon {
            let targets = jump_targets(place.square, self.position.occupied());
            let victims = targets & self.position.color(!piece.color());
            let sum: i64 = victims.into_iter().map(|to| self.value_at(to)).sum();
            own += sum * self.weight(JUMP + side);
        }
        if place.stuck {
            own += value * self.weight(STUCK + side);
        }
        let while_hidden: i64 = place
            .near
            .iter()
            .map(|p| kind.beside_hidden[p.index()])
            .sum();
        sign * (own - value * self.hunted(piece, place))
            + place.hidden * kind.beside_hidden[piece.index()]
            - while_hidden
            + self.doomed(piece, place)
    }

    /// The values of the pieces it could capture, weighted by distance.
    fn hunting(&self, piece: Piece, place: &Place) -> i64 {
        let victims = Role::ALL
            .into_iter()
            .filter(|role| piece.role().captures(*role));
        let each = victims.map(|role| {
            let index = Piece::new(!piece.color(), role).index();
            i64::from(self.values[index]) * i64::from(place.victims[index])
        });
        each.sum()
    }

    /// The summed weights of all pieces that could capture it.
    fn hunted(&self, piece: Piece, place: &Place) -> i64 {
        let enemy = !piece.color();
        let (side, _) = self.side(enemy);
        let mut sum = 0;
        for role in Role::ALL
            .into_iter()
            .filter(|role| role.captures(piece.role()))
        {
            sum += i64::from(place.attackers[Piece::new(enemy, role).index()]);
        }
        if !self.attackers[enemy.index()][piece.role().index()].is_empty() {
            if EDGES.contains(place.square) {
                sum += self.weight(EDGE + side);
            }
            if CORNERS.contains(place.square) {
                sum += self.weight(CORNER + side);
            }
        }
        let jumps = self.jumps.iter();
        let jumped = jumps.filter(|(color, to)| *color == enemy && to.contains(place.square));
        sum + jumped.count() as i64 * self.weight(JUMP + side)
    }

    /// Empty squares beside it that are beside no other piece of its side.
    fn room(&self, piece: Piece, place: &Place) -> i64 {
        let (side, _) = self.side(piece.color());
        let empty = place.square.neighbours() & self.position.empty();
        let new = empty & !self.beside[piece.color().index()];
        new.len() as i64 * self.weight(STEP + side)
    }

    /// Its value if it appears attacked and stuck, less that of stuck enemies it newly attacks.
    fn doomed(&self, piece: Piece, place: &Place) -> i64 {
        let (color, enemy) = (piece.color(), !piece.color());
        let (side, sign) = self.side(color);
        let beside = place.square.neighbours();
        let mut sum = 0;
        let captors = self.attackers[enemy.index()][piece.role().index()];
        if place.stuck && !(captors & beside).is_empty() {
            sum += sign * i64::from(self.values[piece.index()]) * self.weight(DOOMED + side);
        }
        let caught =
            beside & self.position.color(enemy) & !self.free & !self.attacked[color.index()];
        for square in caught {
            let victims = self.position.piece_at(square);
            if victims.is_some_and(|victims| piece.role().captures(victims.role())) {
                sum -= sign * self.value_at(square) * self.weight(DOOMED + 1 - side);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::any_ply::any_ply;
    use crate::evaluation::{Evaluation, Weights};
    use anqi_rules::{Game, Rules};
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use std::sync::Arc;

    /// Evaluates every outcome separately.
    fn slow_average(evaluator: &mut Evaluator, position: &Position, square: Square) -> i32 {
        let mut mixture = Mixture::default();
        for (piece, count) in position.hidden() {
            let mut revealed = *position;
            let _ = revealed.flip_unchecked(square, piece);
            mixture.add(-evaluator.value(&revealed), count);
        }
        mixture.average()
    }

    #[test]
    fn an_average_is_that_of_all_outcomes() {
        let linear = Evaluation::Linear(Weights::built_in().clone());
        let (compared, sparse) = compare_averages(Evaluator::new(linear), 60);
        assert!(compared > 10_000 && sparse > 100, "{compared} {sparse}");
        // In debug builds every value of a network is computed twice.
        let learned = Evaluation::learned();
        for curve in [Curve::Ratio, Curve::Logistic] {
            let (compared, _) = compare_averages(Evaluator::new(learned.with_curve(curve)), 6);
            assert!(compared > 1_000, "{compared}");
        }
        for scope in [Scope::Beside, Scope::Material] {
            let linear = Evaluation::Linear(Arc::new(Weights::within(scope)));
            let (compared, _) = compare_averages(Evaluator::new(linear), 6);
            assert!(compared > 1_000, "{scope:?} {compared}");
        }
    }

    /// Returns how many averages were compared, and how many of them on sparse boards.
    fn compare_averages(mut evaluator: Evaluator, games: u32) -> (u32, usize) {
        let mut source = Pcg64Mcg::seed_from_u64(5);
        let (mut compared, mut sparse) = (0, 0);
        for _ in 0..games {
            let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
            while game.outcome().is_none() {
                let position = *game.position();
                if let Some(flips) = evaluator.flips(&position, Precision::Full) {
                    for square in position.face_down() {
                        let expected = slow_average(&mut evaluator, &position, square);
                        assert_eq!(flips.average(square), expected, "{position} {square}");
                        compared += 1;
                    }
                    sparse += usize::from(position.occupied().len() < 12);
                }
                let ply = any_ply(&position, &mut source, 0.6);
                game.play(ply).expect("a generated action is legal");
            }
        }
        (compared, sparse)
    }

    #[test]
    fn first_and_last_flips_are_no_plain_estimates() {
        let mut evaluator = Evaluator::default();
        assert!(
            evaluator
                .flips(&Position::start(), Precision::Full)
                .is_none()
        );
        let last: Position = "K1p1/1?2/4/4/4/2r1/4/4 r G 0 0"
            .parse()
            .expect("a position");
        assert!(evaluator.flips(&last, Precision::Full).is_none());
    }
}
