//! Beyond the last ply: captures until it is quiet.
//!
//! The side to move may stand still and take the evaluation, or capture. In a
//! game where most positions offer a flip or a quiet move, standing still is
//! nearly always possible.

use super::ordering::capture_gain;
use super::{MOST_PLY, Search};
use crate::score::lost_in;
use anqi_rules::{Action, ActionList, Position};

impl Search<'_> {
    /// Returns the value of a position with only captures looked at.
    pub(super) fn quiet_value(
        &mut self,
        position: &mut Position,
        ply: u32,
        (mut alpha, beta): (i32, i32),
    ) -> i32 {
        let mut best = self.estimate(position);
        alpha = alpha.max(best);
        if alpha >= beta || ply >= MOST_PLY {
            return best;
        }
        for action in self.captures(position) {
            if self.budget.visit() {
                return best;
            }
            let undo = position.step_unchecked(action);
            self.selective_depth = self.selective_depth.max(ply + 1);
            // A capture ends all repetition, so only the board can end the game here.
            let known = match position.loser() {
                Some(_) => Some(lost_in(ply + 1)),
                None => self.tabled(position, ply + 1),
            };
            let value = match known {
                Some(value) => -value,
                None => -self.quiet_value(position, ply + 1, (-beta, -alpha)),
            };
            position.undo(undo);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The captures of the side to move, the most promising first.
    fn captures(&mut self, position: &Position) -> ActionList {
        let Some(turn) = position.turn() else {
            return ActionList::new();
        };
        let values = self.judge.values(position);
        let enemy = position.color(!turn);
        let mut captures = ActionList::new();
        for from in position.color(turn) {
            for to in position.targets(from) & enemy {
                captures.push(Action::step(from, to));
            }
        }
        captures.sort_by_key(|&action| -capture_gain(position, &values, action));
        captures
    }
}
