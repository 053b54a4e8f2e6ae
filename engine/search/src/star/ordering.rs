//! Which action to try first.
//!
//! The table's action, then captures by what they gain, killers (quiet moves
//! that refuted a sibling), the flips that are worth a look, and quiet moves by
//! their history. Ordering never loses nor doubles an action; which flips are
//! left out below the root is decided here too, and said. Flips on the last ply
//! come first where they cost nothing; before it an exact search tries them last.

use super::{Node, Search};
use anqi_rules::{Action, PIECES, Piece, Position, SQUARES, Square, SquareSet};
use smallvec::SmallVec;

/// What costs no node comes first.
const FREE: i32 = 2_000_000;
const HINT: i32 = 1_000_000;
const CAPTURE: i32 = 100_000;
const KILLER: i32 = 90_000;
const FLIP: i32 = 50_000;
/// A flip with all its outcomes, of which an exact search leaves none out, costs most.
const DEAR: i32 = -1;
const PLIES: usize = 128;

/// The actions of a node with their ranks.
#[derive(Debug)]
pub(super) struct Ranked {
    actions: SmallVec<[(i32, Action); 64]>,
    /// Whether some legal flips are not among the actions.
    pub left_out_flips: bool,
}

impl Iterator for Ranked {
    type Item = Action;

    /// Returns the highest-ranked action left, the first in text order among equals.
    fn next(&mut self) -> Option<Action> {
        let best = (0..self.actions.len()).reduce(|best, index| {
            let (a, b) = (self.actions[index], self.actions[best]);
            if (a.0, b.1) > (b.0, a.1) { index } else { best }
        })?;
        Some(self.actions.swap_remove(best).1)
    }
}

/// What the search remembers about quiet moves.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    killers: [[Option<Action>; 2]; PLIES],
    history: [[i32; SQUARES]; PIECES],
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            killers: [[None; 2]; PLIES],
            history: [[0; SQUARES]; PIECES],
        }
    }
}

impl Memory {
    /// Remembers a quiet move that refuted the side's other ideas.
    pub fn reward(&mut self, position: &Position, action: Action, ply: u32, depth: i32) {
        let killers = &mut self.killers[ply as usize % PLIES];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        if let Some(piece) = position.piece_at(action.from()) {
            let entry = &mut self.history[piece.index()][action.to().index()];
            // Growth slows down near the top, so that old merits fade.
            *entry += depth * depth * 16 - *entry * depth * depth / 1_024;
        }
    }

    fn rank(&self, position: &Position, action: Action, ply: u32) -> i32 {
        let killers = &self.killers[ply as usize % PLIES];
        match killers.iter().position(|killer| *killer == Some(action)) {
            Some(place) => KILLER - place as i32,
            None => position.piece_at(action.from()).map_or(0, |piece| {
                self.history[piece.index()][action.to().index()].min(FLIP - 1)
            }),
        }
    }
}

/// What a capture gains: the prey's worth, less a little of the capturer's.
pub(super) fn capture_gain(position: &Position, values: &[i32; PIECES], action: Action) -> i32 {
    let worth = |square| {
        position
            .piece_at(square)
            .map_or(0, |p: Piece| values[p.index()])
    };
    worth(action.to()) * 16 - worth(action.from())
}

impl Search<'_> {
    /// Returns whether no setting is on that may change a value.
    pub(super) fn is_exact(&self) -> bool {
        let s = &self.settings;
        !(s.reductions || s.quiescence || s.pass)
            && s.swing == 0
            && s.flip_squares == 0
            && s.flip_limit == 0
            && s.flip_cost == 0
    }

    /// Returns the capture that gains most, the reply to look at first after a flip.
    pub(super) fn likely_reply(&mut self, position: &Position) -> Option<Action> {
        let turn = position.turn()?;
        let values = self.judge.values(position);
        let enemy = position.color(!turn);
        let from_targets = |from: Square| {
            let targets = position.targets(from) & enemy;
            targets.into_iter().map(move |to| Action::step(from, to))
        };
        let captures = position.color(turn).into_iter().flat_map(from_targets);
        captures.max_by_key(|&action| capture_gain(position, &values, action))
    }

    /// Returns the actions to look at, ranked.
    pub(super) fn ranked_actions(
        &mut self,
        position: &Position,
        node: Node,
        hint: Option<Action>,
    ) -> Ranked {
        let values = self.judge.values(position);
        let candidates = self.flip_candidates(position, node, &values);
        let free_flips = self.flips_are_static(node);
        let flip = if self.is_exact() { DEAR } else { FLIP };
        let mut actions = SmallVec::new();
        position.for_each_action(|action| {
            if action.is_flip() && !candidates.contains(action.from()) {
                return;
            }
            let rank = if action.is_flip() && free_flips {
                FREE
            } else if Some(action) == hint {
                HINT
            } else if action.is_flip() {
                flip
            } else if position.piece_at(action.to()).is_some() {
                CAPTURE + capture_gain(position, &values, action)
            } else if self.settings.killers {
                self.memory.rank(position, action, node.ply)
            } else {
                0
            };
            actions.push((rank, action));
        });
        Ranked {
            actions,
            left_out_flips: candidates != position.face_down(),
        }
    }

    /// Returns the face-down squares to look at on a node below the root.
    fn flip_candidates(
        &self,
        position: &Position,
        node: Node,
        values: &[i32; PIECES],
    ) -> SquareSet {
        let all = position.face_down();
        let most = self.settings.flip_squares as usize;
        let limit = self.settings.flip_limit;
        if limit > 0 && node.flips >= limit {
            return SquareSet::EMPTY;
        }
        if most == 0 || all.is_empty() {
            return all;
        }
        if node.depth < 2 + self.settings.flip_cost as i32 {
            return SquareSet::EMPTY;
        }
        let touched = all & (position.occupied() & !all).neighbours();
        let mut ranked: SmallVec<[(i32, Square); SQUARES]> = touched
            .into_iter()
            .map(|square| (-promise(position, square, values), square))
            .collect();
        // Squares that nothing touches are alike: one stands for all.
        ranked.extend((all & !touched).first().map(|square| (0, square)));
        ranked.sort_unstable();
        ranked
            .iter()
            .take(most)
            .map(|(_, square)| *square)
            .collect()
    }
}

/// What a flip promises by itself: for each piece that may appear, the enemies
/// beside it that it could capture, less what could capture it at once, weighted
/// by its chance. In worth times the size of the bag.
fn promise(position: &Position, square: Square, values: &[i32; PIECES]) -> i32 {
    let Some(us) = position.turn() else {
        return 0;
    };
    let beside = square.neighbours();
    let mut sum = 0;
    for (piece, count) in position.hidden() {
        let mut gain = 0;
        for neighbour in beside & (position.color(us) | position.color(!us)) {
            let Some(other) = position
                .piece_at(neighbour)
                .filter(|o| o.color() != piece.color())
            else {
                continue;
            };
            let (mine, theirs) = if piece.color() == us {
                (piece, other)
            } else {
                (other, piece)
            };
            // The other side moves next: its captures are certain, ours are only threats.
            if theirs.role().captures(mine.role()) {
                gain -= values[mine.index()];
            } else if mine.role().captures(theirs.role()) {
                gain += values[theirs.index()] / 3;
            }
        }
        sum += gain * count as i32;
    }
    sum
}
