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
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Position};

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
        for index in 0..actions.len() {
            if let Some(flips) = flips.filter(|flips| *flips == index) {
                let rest = &mut actions[flips..];
                S::bound_root_actions(self, &mut position, rest, node, &mut bounds);
            }
            let action = actions[index];
            let turn = Turn::of(index as u32);
            let value = match bound_of(&bounds, action) {
                Some(upper) if upper <= node.alpha && best.is_some() => upper,
                _ => self.action_value(&mut position, action, node, turn),
            };
            if self.budget.is_spent() {
                return best;
            }
            if best.is_none_or(|best| value > best.value) {
                best = Some(RootResult { action, value });
                if value > node.alpha || index == 0 {
                    actions[..=index].rotate_right(1);
                }
            }
            node.alpha = node.alpha.max(value);
            if node.alpha >= node.beta {
                break;
            }
        }
        best
    }
}

/// Puts moves before flips, and returns where the flips begin.
fn moves_first(actions: &mut [Action]) -> usize {
    sort_few_by_key(actions, |action| action.is_flip());
    actions.partition_point(|action| !action.is_flip())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MIDDLE, game};
    use super::*;

    #[test]
    fn flips_begin_where_moves_end() {
        let mut actions = game(MIDDLE).actions().to_vec();
        actions.reverse();
        let flips = moves_first(&mut actions);
        assert!(flips > 0 && flips < actions.len());
        assert!(actions[..flips].iter().all(|action| !action.is_flip()));
        assert!(actions[flips..].iter().all(|action| action.is_flip()));
    }
}
