//! The root: every action in turn, the best so far first.
//!
//! An exact search two plies deep first asks what each action is worth at most:
//! one look at each position that can follow, in which the replies that cost
//! nothing, and the best capture, answer. Most actions are then known to be
//! worse than the best and are looked at no more. Moves are done before flips,
//! since they cost a tenth and raise what a flip has to beat. Deeper, such
//! bounds are too loose to pay; the order that they gave stays.

use super::{Found, Node, Search};
use crate::score::{SURE, WIN};
use anqi_rules::{Action, Position};

/// Actions with the most that each may be worth.
type Bounds = Vec<(Action, i32)>;

impl Search<'_> {
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
        let mut node = Node {
            depth,
            ply: 0,
            flips: 0,
            alpha: window.0,
            beta: window.1,
        };
        let mut best: Option<Found> = None;
        let mut bounds = Bounds::new();
        let flips = self.bounds_pay(depth).then(|| moves_first(actions));
        if let Some(flips) = flips {
            self.order_by_bounds(&mut position, &mut actions[..flips], node, &mut bounds);
        }
        for index in 0..actions.len() {
            if let Some(flips) = flips.filter(|flips| *flips == index) {
                self.order_by_bounds(&mut position, &mut actions[flips..], node, &mut bounds);
            }
            let action = actions[index];
            let value = match bound(&bounds, action) {
                Some(upper) if upper <= node.alpha && best.is_some() => upper,
                _ => self.action_value(&mut position, action, node, best.is_some()),
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

    /// Whether bounds on all actions cost less than they save.
    fn bounds_pay(&self, depth: i32) -> bool {
        // Without a table what the bounds rest on would be looked at twice.
        depth == 2 && self.is_exact() && self.settings.star2 && self.table.is_some()
    }

    /// Orders actions by the most that each may be worth, and notes it.
    fn order_by_bounds(
        &mut self,
        position: &mut Position,
        actions: &mut [Action],
        node: Node,
        bounds: &mut Bounds,
    ) {
        for &action in actions.iter() {
            let upper = self.upper_bound(position, action, node);
            if self.budget.is_spent() {
                return;
            }
            bounds.push((action, upper));
        }
        actions.sort_by_key(|action| bound(bounds, *action).map(|upper| -upper));
    }

    /// Returns the most that an action may be worth, at the price of one look.
    fn upper_bound(&mut self, position: &mut Position, action: Action, node: Node) -> i32 {
        let after = self.after(action, node);
        if action.is_flip() {
            return self.flip_bound(position, action.from(), after);
        }
        let value = self.step_value(position, action, after.within(SURE - 1, SURE));
        // What is not below the window is bounded by nothing.
        if value < SURE { value } else { WIN }
    }
}

/// Puts moves before flips, and returns where the flips begin.
fn moves_first(actions: &mut [Action]) -> usize {
    actions.sort_by_key(|action| action.is_flip());
    actions.partition_point(|action| !action.is_flip())
}

fn bound(bounds: &Bounds, action: Action) -> Option<i32> {
    let known = bounds.iter().find(|(known, _)| *known == action);
    known.map(|(_, upper)| *upper)
}
