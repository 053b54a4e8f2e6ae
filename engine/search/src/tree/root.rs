//! The root: every action in turn, the best so far first.
//!
//! An exact search two plies deep first finds an upper bound for each action, by
//! one probe of each position that can follow, answered by the free flips and
//! the best capture. Most actions are then known to be worse than the best and
//! need no search. Moves are probed and searched before flips: they cost a tenth
//! and raise the value that a flip must beat. Deeper iterations keep that order.
//!
//! A flip must be better than a move by a margin ([`Settings::flip_margin`]): actions are
//! compared by their *merit*, the value less the margin for flips, and windows at the root are
//! of merits. The value of the best action is its own.
//!
//! [`Settings::flip_margin`]: super::Settings::flip_margin

use super::Search;
use super::bounds::{ActionBounds, bound_of};
use super::decision::Turn;
use super::node::Node;
use super::strategy::Strategy;
use crate::score::UNPROVEN_BOUND;
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
    /// Returns the best of these actions within a window of merits, ties going to the
    /// first, or `None` if the budget ends before the first is valued. If it ends while an action is
    /// searched that a test found to be better than the best, that action is the answer, with a lower bound as value.
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
        let mut best: Option<RootResult> = None;
        let mut bounds = ActionBounds::new();
        let flips = S::bounds_root_actions(self, depth).then(|| moves_first(actions));
        if let Some(flips) = flips {
            let moves = &mut actions[..flips];
            S::bound_root_actions(self, &mut position, moves, node, &mut bounds);
        }
        // The last actions are those that were put off.
        let (mut index, mut put_off) = (0, 0);
        while index < actions.len() {
            if index > 0 {
                self.adopt(self.found_by_any(depth), actions, (&mut node, &mut best));
            }
            if node.alpha >= node.beta {
                break;
            }
            if let Some(flips) = flips.filter(|flips| *flips == index) {
                let rest = &mut actions[flips..];
                S::bound_root_actions(self, &mut position, rest, node, &mut bounds);
            }
            let action = actions[index];
            let work = self.work(&position, node, (action, None));
            let may_wait = index > 0 && index + put_off < actions.len() && flips.is_none();
            if may_wait && self.is_under_way(work) {
                actions[index..].rotate_left(1);
                put_off += 1;
                continue;
            }
            let turn = Turn::of(index as u32);
            let within = self.window_of(action, node);
            let value = match bound_of(&bounds, action) {
                Some(upper) if upper <= within.alpha && best.is_some() => upper,
                _ => self.doing(work, |search| {
                    search.action_value(&mut position, action, within, turn)
                }),
            };
            if self.budget.is_spent() {
                return self.best_so_far(actions, node, best);
            }
            self.fulfil(action);
            let found = RootResult { action, value };
            let merit = self.merit(found);
            if best.is_none_or(|best| merit > self.merit(best)) {
                best = Some(found);
                if merit > node.alpha || index == 0 {
                    actions[..=index].rotate_right(1);
                }
            }
            if merit > node.alpha && merit < node.beta {
                self.offer(depth, found);
            }
            node.alpha = node.alpha.max(merit);
            index += 1;
        }
        best
    }

    /// Returns the best that is known when the budget ends: what another thread found, or what tests promise.
    fn best_so_far(
        &self,
        actions: &[Action],
        mut node: Node,
        mut best: Option<RootResult>,
    ) -> Option<RootResult> {
        self.adopt(
            self.found_by_any(node.depth),
            actions,
            (&mut node, &mut best),
        );
        // What is better than the first is not known before the first is.
        if best.is_some() {
            for promised in self.promised(node.depth) {
                self.adopt(Some(promised), actions, (&mut node, &mut best));
            }
        }
        best
    }

    /// Takes an action that was found elsewhere for the best, if it is better than alpha.
    fn adopt(
        &self,
        found: Option<RootResult>,
        actions: &[Action],
        (node, best): (&mut Node, &mut Option<RootResult>),
    ) {
        let better = found
            .filter(|found| self.merit(*found) > node.alpha && actions.contains(&found.action));
        if let Some(found) = better {
            node.alpha = self.merit(found);
            *best = Some(found);
        }
    }

    /// Returns what actions are compared by: the value, less the margin for a flip that is not proven.
    pub fn merit(&self, found: RootResult) -> i32 {
        let is_lowered = found.action.is_flip() && found.value.abs() <= UNPROVEN_BOUND;
        let margin = if is_lowered {
            self.settings.flip_margin as i32
        } else {
            0
        };
        (found.value - margin).max(found.value.min(-UNPROVEN_BOUND))
    }

    /// Returns the root with the window for an action's value that a window of merits leaves.
    fn window_of(&self, action: Action, node: Node) -> Node {
        if !action.is_flip() {
            return node;
        }
        let from_merit = |merit: i32| least_value(merit, self.settings.flip_margin as i32);
        node.within(from_merit(node.alpha + 1) - 1, from_merit(node.beta))
    }
}

/// Returns the least value of a flip whose merit is at least this.
fn least_value(merit: i32, margin: i32) -> i32 {
    if merit <= -UNPROVEN_BOUND || merit > UNPROVEN_BOUND {
        merit
    } else {
        (merit + margin).min(UNPROVEN_BOUND + 1)
    }
}

/// Puts moves before flips, and returns where the flips begin.
fn moves_first(actions: &mut [Action]) -> usize {
    sort_few_by_key(actions, |action| action.is_flip());
    actions.partition_point(|action| !action.is_flip())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{MIDDLE, WIDE, game, knowledge, search};
    use super::super::{Exact, Playing, Settings};
    use super::*;
    use crate::Stop;
    use crate::score::WIN;

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
    fn windows_of_merits_are_windows_of_values() {
        let (game, stop) = (game(MIDDLE), Stop::new());
        let flip = *game
            .actions()
            .iter()
            .find(|action| action.is_flip())
            .unwrap();
        let ends = [-WIN, -UNPROVEN_BOUND, 0, UNPROVEN_BOUND, WIN];
        let near: Vec<i32> = ends
            .iter()
            .flat_map(|end| (end - 160..=end + 160).step_by(7))
            .collect();
        for flip_margin in [0, 100, 150] {
            let settings = Settings {
                flip_margin,
                ..Settings::FULL
            };
            let search: Search<'_, Playing> = search(settings, &game, knowledge(None), &stop);
            for &bound in &near {
                let node = search.window_of(flip, Node::root(3, (bound - 1, bound)));
                assert_eq!(node.beta, node.alpha + 1, "{bound}");
                for &value in &near {
                    let merit = search.merit(RootResult {
                        action: flip,
                        value,
                    });
                    assert_eq!(merit >= bound, value >= node.beta, "{value} {bound}");
                }
            }
        }
    }

    #[test]
    fn a_flip_must_be_better_than_the_best_move_by_the_margin() {
        // The pawn's only step loses it to the guard.
        let (game, stop) = (game("4/4/4/4/4/4/?3/P1g1 r K 0 0"), Stop::new());
        let best = |flips: bool, flip_margin: u32| {
            let settings = Settings {
                flip_margin,
                ..Settings::EXACT
            };
            let mut search: Search<'_, Exact> = search(settings, &game, knowledge(None), &stop);
            let mut actions = game.actions().to_vec();
            actions.retain(|action| flips || !action.is_flip());
            search.root(game.position(), &mut actions, 2, WIDE).unwrap()
        };
        let (of_all, of_moves) = (best(true, 0), best(false, 0));
        let lead = of_all.value - of_moves.value;
        assert!(
            of_all.action.is_flip() && lead > 1,
            "{of_all:?} {of_moves:?}"
        );
        assert_eq!(best(true, lead as u32 - 1), of_all);
        assert_eq!(best(true, lead as u32 + 1), of_moves);
    }
}
