//! The values inside a phase, level by level.
//!
//! A phase is a graph of quiet moves with exits of known worth, in which endless
//! play is worth 0. For v > 0 the side to move is worth at least v if and only if
//! it can force an exit worth at least v: a reachability game, since a player that never
//! exits gets 0. For v < 0 the same holds for the other side. So the levels |v|
//! are processed from the top: at each, one retrograde pass finds the positions
//! worth v or -v to the side to move from those decided before; the rest is
//! worth 0. Every value is that of an exit, or 0.
//!
//! A position is worth v if an exit is, or if a quiet move leads to a position
//! worth -v to the other side. It is worth -v if no exit is worth more and every
//! quiet move leads to a position worth v or more to the other side.

use anqi_rules::{Color, Piece, Square, SquareSet};

use super::exits::Exits;
use super::key::PhaseKey;
use super::phase::{Phase, Units, place, whole};
use super::placement::{Placement, pieces_of};

/// Not decided yet.
const OPEN: Units = Units::MIN;

/// Solves a phase whose exits are known.
pub(super) fn solve(key: PhaseKey, exits: &Exits) -> Phase {
    let best = |placement: &Placement, turn| exits.best(placement, turn);
    solve_from(key, best, exits.longest())
}

/// Solves a phase from the best exit of each placement and the longest wait after the exits.
pub(super) fn solve_from(
    key: PhaseKey,
    best: impl Fn(&Placement, Color) -> Units,
    later: u32,
) -> Phase {
    let mut levels = Levels::new(&key, best);
    for level in (1..=whole(key.face_down.len())).rev() {
        levels.decide(level);
    }
    for value in &mut levels.values {
        *value = if *value == OPEN { 0 } else { *value };
    }
    Phase::new(key, levels.values, levels.plies, later)
}

/// A phase being solved; every list is indexed by [`place`].
struct Levels {
    pieces: Vec<Piece>,
    face_down: SquareSet,
    /// The best exit.
    exits: Vec<Units>,
    /// Number of quiet moves not yet known to lead to a gain of the other side.
    moves: Vec<u8>,
    values: Vec<Units>,
    plies: Vec<u16>,
    /// Places by the absolute value of their best exit.
    by_exit: Vec<Vec<u32>>,
}

impl Levels {
    fn new(key: &PhaseKey, best: impl Fn(&Placement, Color) -> Units) -> Levels {
        let pieces = pieces_of(&key.face_up);
        let places = 2usize << (5 * pieces.len());
        let mut levels = Levels {
            pieces,
            face_down: key.face_down,
            exits: vec![0; places],
            moves: vec![0; places],
            // Impossible placements are never reached; their entries do not matter.
            values: vec![0; places],
            plies: vec![0; places],
            by_exit: vec![Vec::new(); usize::from(whole(key.face_down.len()).unsigned_abs()) + 1],
        };
        for code in 0..places / 2 {
            let placement = Placement::with_code(&levels.pieces, code);
            let Some(squares) = placement.squares() else {
                continue;
            };
            if (squares & key.face_down).is_empty() {
                for turn in Color::ALL {
                    levels.open(place(code, turn), turn, best(&placement, turn));
                }
            }
        }
        levels
    }

    fn open(&mut self, at: usize, turn: Color, exit: Units) {
        self.exits[at] = exit;
        self.values[at] = OPEN;
        self.by_exit[usize::from(exit.unsigned_abs())].push(at as u32);
        let code = at >> 1;
        let mut moves = 0;
        self.for_each_move(code, turn, |_| moves += 1);
        self.moves[at] = moves;
    }

    /// Calls `visit` with the number of every placement that a quiet move of one side leads to.
    /// Quiet moves are reversible, so these are also its predecessors.
    fn for_each_move(&self, code: usize, turn: Color, mut visit: impl FnMut(usize)) {
        let square = |index: usize| Square::from_low_bits((code >> (5 * index)) as u16);
        let standing: SquareSet = (0..self.pieces.len()).map(square).collect();
        let empty = !(standing | self.face_down);
        for (index, piece) in self.pieces.iter().enumerate() {
            if piece.color() != turn {
                continue;
            }
            let without = code & !(31 << (5 * index));
            for to in square(index).neighbours() & empty {
                visit(without | to.index() << (5 * index));
            }
        }
    }

    /// Decides what is worth `level` or `-level` to the side to move.
    fn decide(&mut self, level: Units) {
        let candidates = std::mem::take(&mut self.by_exit[usize::from(level.unsigned_abs())]);
        let mut found: Vec<(usize, Units)> = Vec::new();
        for at in candidates.into_iter().map(|at| at as usize) {
            if self.values[at] == OPEN && (self.exits[at] > 0 || self.moves[at] == 0) {
                found.push((at, self.exits[at]));
            }
        }
        let mut plies = 1;
        while !found.is_empty() {
            for &(at, value) in &found {
                self.values[at] = value;
                self.plies[at] = plies;
            }
            found = self.before(&found, level);
            plies += 1;
        }
    }

    /// Returns the predecessors that the latest decisions decide.
    fn before(&mut self, decided: &[(usize, Units)], level: Units) -> Vec<(usize, Units)> {
        let mut found = Vec::new();
        let mut codes = Vec::new();
        for &(at, value) in decided {
            let turn = Color::ALL[at & 1];
            codes.clear();
            self.for_each_move(at >> 1, !turn, |code| codes.push(code));
            for before in codes.iter().map(|&code| place(code, !turn)) {
                if value > 0 {
                    self.moves[before] -= 1;
                }
                if self.values[before] != OPEN {
                    continue;
                }
                if value < 0 {
                    // Set now, so that it is not found twice.
                    self.values[before] = level;
                    found.push((before, level));
                } else if self.moves[before] == 0 && self.exits[before] <= -level {
                    self.values[before] = -level;
                    found.push((before, -level));
                }
            }
        }
        found
    }
}
