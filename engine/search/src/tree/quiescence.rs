//! Quiescence search: captures only, below the last ply.
//!
//! The side to move may capture or stand pat, that is, take the static evaluation: most
//! positions offer a flip or a quiet move.

use super::exchange;
use super::ordering::{capture_gain, captures};
use super::strategy::Strategy;
use super::{MOST_PLY, Search};
use crate::score::lost_in;
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, ActionList, Position};

impl<S: Strategy> Search<'_, S> {
    /// Returns the value of a position, searching captures only.
    pub(super) fn quiescence(
        &mut self,
        position: &mut Position,
        ply: u32,
        (mut alpha, beta): (i32, i32),
    ) -> i32 {
        // Stand pat.
        let mut best = self.estimate(position);
        alpha = alpha.max(best);
        if alpha >= beta || ply >= MOST_PLY {
            return best;
        }
        for action in self.ordered_captures(position) {
            if self.budget.visit() {
                return best;
            }
            let undo = position.step_unchecked(action);
            self.evaluator.played(position);
            self.selective_depth = self.selective_depth.max(ply + 1);
            // No position after a capture can be a repetition, so only the board can end the game.
            let known = match position.loser() {
                Some((loser, _)) if Some(loser) == position.turn() => Some(lost_in(ply + 1)),
                // The capture took the last action from the side that captured.
                Some(_) => Some(-lost_in(ply + 1)),
                None => self.tabled(position, ply + 1, 0),
            };
            let value = match known {
                Some(value) => -value,
                None => -self.quiescence(position, ply + 1, (-beta, -alpha)),
            };
            self.evaluator.taken_back();
            position.undo(undo);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The captures of the side to move, by victim and attacker.
    fn ordered_captures(&mut self, position: &Position) -> ActionList {
        let mut list = ActionList::new();
        if position.turn().is_none() {
            return list;
        }
        let values = self.evaluator.piece_values(position);
        let is_tried = |action: &Action| {
            !self.settings.exchange || !exchange::loses(position, &values, *action)
        };
        captures(position)
            .filter(is_tried)
            .for_each(|action| list.push(action));
        sort_few_by_key(&mut list, |&action| {
            -capture_gain(position, &values, action)
        });
        list
    }
}
