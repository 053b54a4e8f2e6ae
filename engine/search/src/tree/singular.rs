//! Singular extension: the hash move is searched a ply deeper if every other action is worse.
//!
//! A node whose table entry promises a value is searched less deeply without the hash move, in a null
//! window a margin below that value. If nothing reaches it, the hash move is the only good one,
//! and what it leads to deserves a closer look. If something else reaches it and that is enough
//! for a cutoff, the node has two good actions and is cut off at once (multi-cut).

use super::Search;
use super::node::Node;
use super::strategy::Strategy;
use crate::score::UNPROVEN_BOUND;
use crate::transposition::StoredBounds;
use anqi_rules::{Action, Position};

/// A table entry counts if it was searched at most so much less deeply.
const MOST_PLIES_LESS: i32 = 3;
/// The others are searched to the node's depth divided by this.
const DEPTH_DIVISOR: i32 = 2;

/// What is done with a node's hash move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HashMove {
    /// It is tried first, if there is one.
    First(Option<Action>),
    /// It is tried first, a ply deeper.
    Extended(Action),
    /// It is not tried.
    Excluded(Action),
}

impl HashMove {
    /// The action to try first.
    pub fn to_try(self) -> Option<Action> {
        match self {
            HashMove::First(action) => action,
            HashMove::Extended(action) => Some(action),
            HashMove::Excluded(_) => None,
        }
    }

    pub fn is_excluded(self) -> bool {
        matches!(self, HashMove::Excluded(_))
    }
}

/// Whether the hash move is the only good one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singular {
    /// Not, or it was not asked.
    No,
    /// It is.
    Yes(Action),
    /// Another action is good enough to cut the node off: a lower bound.
    Cutoff(i32),
}

impl<S: Strategy> Search<'_, S> {
    /// Searches a node without its hash move, if its table entry promises enough.
    pub(super) fn singular(
        &mut self,
        position: &mut Position,
        node: Node,
        known: Option<&StoredBounds>,
    ) -> Singular {
        let least = self.settings.singular_depth.map(|depth| depth.get() as i32);
        let Some(known) = known.filter(|known| {
            least.is_some_and(|least| node.depth >= least)
                && known.depth >= node.depth - MOST_PLIES_LESS
                && known.lower.abs() < UNPROVEN_BOUND
        }) else {
            return Singular::No;
        };
        let Some(action) = known.best.filter(|best| !best.is_flip() && S::trusts(best)) else {
            return Singular::No;
        };
        let bound = known.lower - self.settings.singular_margin as i32;
        let others = Node {
            depth: node.depth / DEPTH_DIVISOR,
            ..node.null_window(bound - 1)
        };
        let (_, value) = self.best_of(position, others, HashMove::Excluded(action));
        if value < bound {
            Singular::Yes(action)
        } else if bound >= node.beta {
            Singular::Cutoff(bound)
        } else {
            Singular::No
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{game, knowledge, search};
    use super::super::{Knowledge, Playing, Settings};
    use super::*;
    use crate::Stop;
    use crate::score::WIN;
    use crate::transposition::Table;
    use std::num::NonZeroU32;

    /// Red's king takes a guard, or else red is behind.
    const ONE_CAPTURE: &str = "Kg2/4/2R1/4/3m/4/1n2/p2k r - 0 9";
    const CAPTURE: &str = "a8-b8";

    fn settings() -> Settings {
        Settings {
            singular_depth: NonZeroU32::new(6),
            ..Settings::FULL
        }
    }

    fn promising(best: &str, lower: i32, depth: i32) -> StoredBounds {
        StoredBounds {
            lower,
            upper: WIN,
            depth,
            best: best.parse().ok(),
        }
    }

    #[test]
    fn a_move_much_better_than_all_others_is_singular_and_others_are_not() {
        let (game, stop) = (game(ONE_CAPTURE), Stop::new());
        let mut search: Search<'_, Playing> = search(settings(), &game, knowledge(None), &stop);
        let mut position = *game.position();
        let value = search.value(&mut position, Node::root(4, (-WIN, WIN)));
        let wide = Node::root(6, (value - 1, value));
        let mut ask = |node, known| search.singular(&mut position, node, Some(&known));
        let capture: Action = CAPTURE.parse().unwrap();
        let known = promising(CAPTURE, value, 5);
        assert_eq!(ask(wide, known), Singular::Yes(capture));
        // Too shallow a node or entry is not asked.
        assert_eq!(ask(Node { depth: 5, ..wide }, known), Singular::No);
        assert_eq!(ask(wide, promising(CAPTURE, value, 2)), Singular::No);
        // The capture is as good as another move's promise: it cuts off where that is enough.
        let other = promising("c6-c5", value, 5);
        assert_eq!(ask(wide, other), Singular::No);
        let bound = value - Settings::FULL.singular_margin as i32;
        let low = wide.null_window(bound - 1);
        assert_eq!(ask(low, other), Singular::Cutoff(bound));
        assert_eq!(position, *game.position());
    }

    #[test]
    fn a_singular_move_is_searched_a_ply_deeper() {
        let (game, stop) = (game(ONE_CAPTURE), Stop::new());
        let depth_after_capture = |settings| {
            let table = Table::new(NonZeroU32::MIN).unwrap();
            let knowledge = Knowledge {
                table: Some(&table),
                ..knowledge(None)
            };
            let mut search: Search<'_, Playing> = search(settings, &game, knowledge, &stop);
            let mut position = *game.position();
            for depth in [5, 6] {
                let node = Node::root(depth, (-WIN, WIN));
                search.value(&mut position, Node { ply: 2, ..node });
            }
            let mut after = position;
            let _undo = after.step_unchecked(CAPTURE.parse().unwrap());
            let key = search.key(&after, Node::root(5, (-WIN, WIN)));
            table.probe(key, 3).unwrap().depth
        };
        assert_eq!(depth_after_capture(Settings::FULL), 5);
        assert_eq!(depth_after_capture(settings()), 6);
    }
}
