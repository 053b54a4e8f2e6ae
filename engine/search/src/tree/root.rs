//! The root: every action in turn, the best so far first.
//!
//! An exact search two plies deep first finds an upper bound for each action, by
//! one probe of each position that can follow, answered by the free flips and
//! the best capture. Most actions are then known to be worse than the best and
//! need no search. Moves are probed and searched before flips: they cost a tenth
//! and raise the value that a flip must beat. Deeper iterations keep that order.

use super::Search;
use super::bounds::{ActionBounds, bound_of};
use super::decision::Turn;
use super::node::Node;
use super::strategy::Strategy;
use anqi_rules::{Action, Position};
use std::num::NonZeroU32;

/// What the search found at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootResult {
    /// The best action.
    pub action: Action,
    /// Its value for the side to move.
    pub value: i32,
}

impl<S: Strategy> Search<'_, S> {
    /// Returns the best of these actions within a window, ties going to the
    /// first, or `None` if the budget ends before the first is valued.
    ///
    /// Moves the best action so far to the front of the list; the others may be reordered.
    pub fn root(
        &mut self,
        position: &Position,
        actions: &mut [Action],
        depth: i32,
        window: (i32, i32),
    ) -> Option<RootResult> {
        let mut position = *position;
        let mut node = Node::root(depth, window);
        self.iteration = depth;
        let mut best: Option<RootResult> = None;
        let mut bounds = ActionBounds::new();
        let flips = S::bounds_root_actions(self, depth).then(|| moves_first(actions));
        if let Some(flips) = flips {
            let moves = &mut actions[..flips];
            S::bound_root_actions(self, &mut position, moves, node, &mut bounds);
        }
        // The first iteration values every action, so that they can be sorted.
        let is_ranking = self.settings.root_order && depth == 1;
        let mut values = ActionBounds::new();
        for index in 0..actions.len() {
            if let Some(flips) = flips.filter(|flips| *flips == index) {
                let rest = &mut actions[flips..];
                S::bound_root_actions(self, &mut position, rest, node, &mut bounds);
            }
            let action = actions[index];
            let turn = Turn::of(index as u32);
            let value = match (bound_of(&bounds, action), self.root_reduction(depth, index)) {
                (Some(upper), _) if upper <= node.alpha && best.is_some() => upper,
                (_, 0) => self.action_value(&mut position, action, node, turn),
                (_, plies) => self.reduced_value(&mut position, action, node, plies),
            };
            if self.budget.is_spent() {
                return best;
            }
            values.push((action, value));
            if best.is_none_or(|best| value > best.value) {
                best = Some(RootResult { action, value });
                if value > node.alpha || index == 0 {
                    actions[..=index].rotate_right(1);
                }
            }
            if !is_ranking {
                node.alpha = node.alpha.max(value);
            }
            if node.alpha >= node.beta {
                break;
            }
        }
        if is_ranking {
            actions.sort_by_key(|action| bound_of(&values, *action).map(|value| -value));
        }
        best
    }

    /// Late move reduction at the root: the plies by which an action is reduced.
    fn root_reduction(&self, depth: i32, index: usize) -> i32 {
        let is_behind = |most: Option<NonZeroU32>, least_depth| {
            depth >= least_depth && most.is_some_and(|most| index >= most.get() as usize)
        };
        let is_late = is_behind(self.settings.root_from, 2);
        let is_far_behind = is_late && is_behind(self.settings.root_far_from, 4);
        i32::from(is_late) + i32::from(is_far_behind)
    }
}

/// Puts moves before flips, and returns where the flips begin.
fn moves_first(actions: &mut [Action]) -> usize {
    actions.sort_by_key(|action| action.is_flip());
    actions.partition_point(|action| !action.is_flip())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MIDDLE, game, knowledge, search};
    use super::super::{Playing, Settings};
    use super::*;
    use crate::Stop;

    #[test]
    fn flips_begin_where_moves_end() {
        let mut actions = game(MIDDLE).actions().to_vec();
        actions.reverse();
        let flips = moves_first(&mut actions);
        assert!(flips > 0 && flips < actions.len());
        assert!(actions[..flips].iter().all(|action| !action.is_flip()));
        assert!(actions[flips..].iter().all(|action| action.is_flip()));
    }

    #[test]
    fn late_actions_are_searched_less_deeply_at_the_root_and_the_last_even_less() {
        let (game, stop) = (game(MIDDLE), Stop::new());
        let reductions = |settings, depth| {
            let search: Search<'_, Playing> = search(settings, &game, knowledge(None), &stop);
            [0, 3, 4, 9, 10, 50].map(|index| search.root_reduction(depth, index))
        };
        let settings = Settings {
            root_from: NonZeroU32::new(4),
            root_far_from: NonZeroU32::new(10),
            ..Settings::FULL
        };
        assert_eq!(reductions(settings, 1), [0; 6]);
        assert_eq!(reductions(settings, 3), [0, 0, 1, 1, 1, 1]);
        assert_eq!(reductions(settings, 4), [0, 0, 1, 1, 2, 2]);
        let without = Settings {
            root_from: None,
            ..settings
        };
        assert_eq!(reductions(without, 9), [0; 6]);
    }
}
