//! Depth-limited negamax over moves only: the search of BASIC.
//!
//! Flips are not searched; the policy decides at the root whether to flip. If a
//! side has face-down pieces to flip but no legal move, the *no-move cut*
//! returns the evaluation, as the results of flips are unknown. A player with
//! no legal action loses.
//!
//! Alpha-beta is fail-soft: a value at or below alpha is an upper bound, one at
//! or above beta a lower bound, one between is exact.

use crate::budget::Budget;
use crate::evaluation::PlainEvaluation;
use crate::score::{WIN, lost_in};
use anqi_rules::{Action, ActionList, Piece, Position, Square};

/// The greatest depth that may be requested.
pub const MOST_DEPTH: u32 = 64;

/// A search over moves.
#[derive(Debug)]
pub struct Negamax<'a, 'b> {
    evaluation: PlainEvaluation,
    budget: &'a mut Budget<'b>,
}

impl<'a, 'b> Negamax<'a, 'b> {
    /// Returns a search with this evaluation and budget.
    pub fn new(evaluation: PlainEvaluation, budget: &'a mut Budget<'b>) -> Negamax<'a, 'b> {
        Negamax { evaluation, budget }
    }

    /// Returns the best of these moves and its value, ties going to the first,
    /// or `None` if there is no move or the budget ends on the way.
    pub(crate) fn best_move(
        &mut self,
        position: &Position,
        moves: &[Action],
        depth: u32,
    ) -> Option<(Action, i32)> {
        let mut position = *position;
        let mut best = None;
        for &action in moves {
            let alpha = best.map_or(-WIN, |(_, value)| value);
            let undo = position.step_unchecked(action);
            let value = -self.value(&mut position, depth.saturating_sub(1), 1, -WIN, -alpha);
            position.undo(undo);
            if self.budget.visit() {
                return None;
            }
            if best.is_none() || value > alpha {
                best = Some((action, value));
            }
        }
        best
    }

    /// Returns the value of the *null move*, that is, of passing the turn. `None` if the
    /// budget ends on the way.
    pub(crate) fn null_move(&mut self, position: &Position, depth: u32) -> Option<i32> {
        let mut passed = position.passed();
        let value = -self.value(&mut passed, depth.saturating_sub(1), 1, -WIN, WIN);
        (!self.budget.is_spent()).then_some(value)
    }

    /// Returns the value of revealing this piece for the side to move. `None` if the budget
    /// ends on the way.
    pub fn flip(
        &mut self,
        position: &Position,
        square: Square,
        piece: Piece,
        depth: u32,
    ) -> Option<i32> {
        let mut flipped = *position;
        let _ = flipped.flip_unchecked(square, piece);
        let value = -self.value(&mut flipped, depth.saturating_sub(1), 1, -WIN, WIN);
        (!self.budget.visit()).then_some(value)
    }

    /// Returns the value for the side to move, `ply` plies below the root.
    ///
    /// Meaningless once the budget is spent.
    pub fn value(
        &mut self,
        position: &mut Position,
        depth: u32,
        ply: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if position.decided().is_some() {
            return end_value(position, ply);
        }
        if depth == 0 {
            return self.leaf(position, ply);
        }
        let moves = ordered_moves(position);
        if moves.is_empty() {
            return self.leaf(position, ply);
        }
        let mut best = -WIN;
        for action in moves {
            if self.budget.visit() {
                return best;
            }
            let undo = position.step_unchecked(action);
            let value = -self.value(position, depth - 1, ply + 1, -beta, -alpha);
            position.undo(undo);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    fn leaf(&self, position: &Position, ply: u32) -> i32 {
        if position.has_action() {
            self.evaluation.value(position)
        } else {
            lost_in(ply)
        }
    }
}

/// Returns the value, for the side to move, of a position in which a side has lost whoever is to
/// move.
pub(crate) fn end_value(position: &Position, ply: u32) -> i32 {
    if position.decided() == position.turn() {
        lost_in(ply)
    } else {
        -lost_in(ply)
    }
}

/// Returns the moves of the side to move, captures of the highest roles first.
pub(crate) fn ordered_moves(position: &Position) -> ActionList {
    let mut moves = ActionList::new();
    position.for_each_action(|action| {
        if !action.is_flip() {
            moves.push(action);
        }
    });
    order(position, &mut moves);
    moves
}

/// Sorts captures to the front, the highest roles first, and keeps the order of the rest.
pub(crate) fn order(position: &Position, actions: &mut [Action]) {
    let rank = |action: &Action| match position.piece_at(action.to()) {
        Some(prey) if !action.is_flip() => prey.role().index(),
        _ => usize::MAX,
    };
    // Insertion sort is stable and needs no memory: there are few captures.
    for index in 1..actions.len() {
        let key = rank(&actions[index]);
        let mut place = index;
        while place > 0 && key < rank(&actions[place - 1]) {
            actions.swap(place, place - 1);
            place -= 1;
        }
    }
}
