//! Plain expectimax: moves and flips, averages over all outcomes.
//!
//! The search of ENHANCE, and the oracle for every faster one. Between decision
//! nodes there is alpha-beta; a chance node searches each of its outcomes with
//! the full window and prunes nothing.
//!
//! The paper's refined programs restrict this search: flips only on the first
//! plies of a line ([`Flips::First`], *initial-depth flipping*; below them is the
//! search over moves with its no-move cut), or only some of the kinds of piece
//! that a flip may reveal ([`Kinds::AtMost`], *k-type expansion*), averaged by
//! the weights of the kept kinds.

use crate::budget::Budget;
use crate::evaluation::PlainEvaluation;
use crate::negamax::{Negamax, end_value, order};
use crate::random::Chance;
use crate::score::{Mixture, WIN, lost_in};
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Piece, Position, Square};
use smallvec::SmallVec;

/// Where on a line flips are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flips {
    /// On every ply.
    Everywhere,
    /// On this many plies from the root; below them moves only.
    First(u32),
}

/// Which kinds of piece a flip is expanded into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kinds {
    /// All that may appear.
    All,
    /// At most this many.
    AtMost {
        /// How many.
        kinds: u32,
        /// Which ones.
        order: KindOrder,
    },
}

/// Which kinds are kept when not all are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KindOrder {
    /// The highest ranks, red before black.
    Fixed,
    /// Drawn at each flip, each kind equally likely.
    Random,
}

/// The settings of a search over moves and flips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainSettings {
    /// The values at the leaves.
    pub evaluation: PlainEvaluation,
    /// Where flips are searched.
    pub flips: Flips,
    /// The kinds that flips are expanded into.
    pub kinds: Kinds,
}

/// The kinds that a flip is expanded into, with their weights.
pub type Expansion = SmallVec<[(Piece, u32); 14]>;

/// A search over moves and flips.
#[derive(Debug)]
pub struct Expectimax<'a, 'b> {
    settings: PlainSettings,
    budget: &'a mut Budget<'b>,
    chance: &'a mut Chance,
}

impl<'a, 'b> Expectimax<'a, 'b> {
    /// Returns a search with this budget; `chance` draws kinds if the settings say so.
    pub fn new(
        settings: PlainSettings,
        budget: &'a mut Budget<'b>,
        chance: &'a mut Chance,
    ) -> Expectimax<'a, 'b> {
        Expectimax {
            settings,
            budget,
            chance,
        }
    }

    /// Returns the best of these actions and its value, ties going to the first,
    /// or `None` if there is none or the budget ends on the way.
    pub fn best_action(
        &mut self,
        position: &Position,
        actions: &[Action],
        depth: u32,
    ) -> Option<(Action, i32)> {
        let mut position = *position;
        let mut best = None;
        for &action in actions {
            let alpha = best.map_or(-WIN, |(_, value)| value);
            let value = self.action_value(&mut position, action, depth, 0, alpha, WIN);
            if self.budget.is_spent() {
                return None;
            }
            if best.is_none() || value > alpha {
                best = Some((action, value));
            }
        }
        best
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
        if self.settings.flips == Flips::First(ply) {
            let mut moves = Negamax::new(self.settings.evaluation, self.budget);
            return moves.value(position, depth, ply, alpha, beta);
        }
        if position.decided().is_some() {
            return end_value(position, ply);
        }
        if !position.has_action() {
            return lost_in(ply);
        }
        if depth == 0 {
            return self.settings.evaluation.value(position);
        }
        let mut actions = position.actions();
        order(position, &mut actions);
        let mut best = -WIN;
        for action in actions {
            let value = self.action_value(position, action, depth, ply, alpha, beta);
            if self.budget.is_spent() {
                return best;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Returns the value of an action for the side that plays it.
    fn action_value(
        &mut self,
        position: &mut Position,
        action: Action,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if action.is_flip() {
            return self.flip_value(position, action.from(), depth, ply);
        }
        self.budget.visit();
        let undo = position.step_unchecked(action);
        let value = -self.value(position, depth.saturating_sub(1), ply + 1, -beta, -alpha);
        position.undo(undo);
        value
    }

    /// Returns the average over the outcomes, each searched with the full window.
    fn flip_value(&mut self, position: &mut Position, square: Square, depth: u32, ply: u32) -> i32 {
        let mut mixture = Mixture::default();
        for (piece, weight) in self.expansion(position) {
            if self.budget.visit() {
                break;
            }
            let undo = position.flip_unchecked(square, piece);
            let value = -self.value(position, depth.saturating_sub(1), ply + 1, -WIN, WIN);
            position.undo(undo);
            mixture.add(value, weight);
        }
        mixture.average()
    }

    /// Returns the kinds to expand a flip into. The average divides by the sum of the kept weights.
    pub fn expansion(&mut self, position: &Position) -> Expansion {
        let mut kinds: Expansion = position.hidden().iter().collect();
        let Kinds::AtMost { kinds: most, order } = self.settings.kinds else {
            return kinds;
        };
        match order {
            KindOrder::Fixed => sort_few_by_key(&mut kinds, |(piece, _)| piece.role()),
            KindOrder::Random => self.chance.shuffle(&mut kinds),
        }
        kinds.truncate(most as usize);
        kinds
    }
}
