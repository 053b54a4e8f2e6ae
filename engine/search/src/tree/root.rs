//! The root: every action in turn, the best so far first.
//!
//! An exact search two plies deep first asks what each action is worth at most:
//! one probe of each position that can follow, in which the replies that cost
//! nothing, and the best capture, answer. Most actions are then known to be
//! worse than the best and are searched no more. Moves are done before flips,
//! since they cost a tenth and raise what a flip has to beat. Deeper, the order
//! that they gave stays.

use super::Search;
use super::bounds::{ActionBounds, bound_of};
use super::decision::Turn;
use super::node::Node;
use super::strategy::Strategy;
use anqi_rules::{Action, Position};

/// What the search found at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best action.
    pub action: Action,
    /// Its value for the side to move.
    pub value: i32,
}

impl<S: Strategy> Search<'_, S> {
    /// Returns the best of these actions within a window, ties going to the
    /// first, or `None` if the budget ends before the first is valued.
    ///
    /// The best action so far is brought to the front of the list; an exact
    /// search may order the others anew.
    pub fn root(
        &mut self,
        position: &Position,
        actions: &mut [Action],
        depth: i32,
        window: (i32, i32),
    ) -> Option<Found> {
        let mut position = *position;
        let mut node = Node::root(depth, window);
        let mut best: Option<Found> = None;
        let mut bounds = ActionBounds::new();
        let flips = S::bounds_root_actions(self, depth).then(|| moves_first(actions));
        if let Some(flips) = flips {
            S::bound_root_actions(
                self,
                &mut position,
                &mut actions[..flips],
                node,
                &mut bounds,
            );
        }
        for index in 0..actions.len() {
            if let Some(flips) = flips.filter(|flips| *flips == index) {
                let rest = &mut actions[flips..];
                S::bound_root_actions(self, &mut position, rest, node, &mut bounds);
            }
            let action = actions[index];
            let turn = match best {
                None => Turn::First,
                Some(_) => Turn::Later,
            };
            let value = match bound_of(&bounds, action) {
                Some(upper) if upper <= node.alpha && best.is_some() => upper,
                _ => self.action_value(&mut position, action, node, turn),
            };
            if self.budget.is_spent() {
                break;
            }
            if best.is_none_or(|best| value > best.value) {
                best = Some(Found { action, value });
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
    actions.sort_by_key(|action| action.is_flip());
    actions.partition_point(|action| !action.is_flip())
}
