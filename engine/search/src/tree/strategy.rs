//! The two search strategies: playing and exact.
//!
//! They differ in their use of table entries, in the rank of flips and in how
//! the outcomes of a flip are bounded before they are searched.

use super::Search;
use super::bounds::{ActionBounds, Outcomes, Sums};
use super::node::Node;
use super::ordering;
use crate::score::{UNPROVEN_BOUND, WIN};
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Position, Square};

/// How a search treats techniques that may change a value.
#[allow(private_interfaces)] // implemented in this module only
pub trait Strategy: Sized + Send + 'static {
    /// The rank of flips whose outcomes are searched.
    const FLIP_RANK: i32;

    /// Whether a bound known at one depth may be used at another.
    fn serves(known: i32, wanted: i32, bound: i32) -> bool;

    /// Whether to try an action from the table first.
    fn trusts(hash_move: &Action) -> bool;

    /// The node with the window within which a value is stored as exact.
    fn entered_window(search: &Search<'_, Self>, position: &Position, node: Node) -> Node;

    /// Narrows the bounds of a flip's outcomes more cheaply than by searching them (Star2).
    fn narrow_outcomes(
        search: &mut Search<'_, Self>,
        position: &mut Position,
        square: Square,
        node: Node,
        bounded: (&mut Outcomes, &mut Sums),
    );

    /// Orders the outcomes to be searched.
    fn order_outcomes(outcomes: &mut Outcomes);

    /// Whether upper bounds on all root actions pay at this depth.
    fn bounds_root_actions(search: &Search<'_, Self>, depth: i32) -> bool;

    /// Orders root actions by upper bounds on their values, and records these.
    fn bound_root_actions(
        _search: &mut Search<'_, Self>,
        _position: &mut Position,
        _actions: &mut [Action],
        _node: Node,
        _bounds: &mut ActionBounds,
    ) {
    }

    /// In debug builds, checks the value of a flip.
    fn check(
        _search: &mut Search<'_, Self>,
        _position: &mut Position,
        _square: Square,
        _node: Node,
        _value: i32,
    ) {
    }
}

/// The playing search: prunes what seldom matters.
#[derive(Clone, Copy, Debug)]
pub enum Playing {}

/// The exact search: changes no value.
#[derive(Clone, Copy, Debug)]
pub enum Exact {}

#[allow(private_interfaces)]
impl Strategy for Playing {
    const FLIP_RANK: i32 = ordering::FLIP;

    /// The value of a deeper search, or a proof, is at least as good.
    fn serves(known: i32, wanted: i32, bound: i32) -> bool {
        known >= wanted || bound.abs() > UNPROVEN_BOUND
    }

    fn trusts(_: &Action) -> bool {
        true
    }

    fn entered_window(_: &Search<'_, Playing>, _: &Position, node: Node) -> Node {
        node
    }

    fn narrow_outcomes(
        search: &mut Search<'_, Playing>,
        position: &mut Position,
        square: Square,
        node: Node,
        (outcomes, sums): (&mut Outcomes, &mut Sums),
    ) {
        let depth = search.settings.share_depth.map(|depth| depth.get() as i32);
        if depth.is_some_and(|depth| node.depth >= depth) && !node.is_open() {
            search.narrow_by_shares(position, square, outcomes, sums, node);
        } else {
            search.narrow_by_replies(position, square, outcomes, sums, node);
        }
    }

    fn order_outcomes(_: &mut Outcomes) {}

    fn bounds_root_actions(_: &Search<'_, Playing>, _: i32) -> bool {
        false
    }
}

#[allow(private_interfaces)]
impl Strategy for Exact {
    /// Flips cost most, as no outcome is left out.
    const FLIP_RANK: i32 = ordering::LAST;

    /// The value of a deeper search is another value.
    fn serves(known: i32, wanted: i32, _: i32) -> bool {
        known == wanted
    }

    /// A flip that was best and free on the last ply costs much before it.
    fn trusts(hash_move: &Action) -> bool {
        !hash_move.is_flip()
    }

    /// On the last ply no value below is a bound, so values are exact unless cut off.
    fn entered_window(search: &Search<'_, Exact>, position: &Position, node: Node) -> Node {
        if search.has_leaves_only(position, node) {
            node.within(-WIN, node.beta)
        } else {
            node
        }
    }

    fn narrow_outcomes(
        search: &mut Search<'_, Exact>,
        position: &mut Position,
        square: Square,
        node: Node,
        (outcomes, sums): (&mut Outcomes, &mut Sums),
    ) {
        search.estimate_outcomes(position, square, outcomes);
        search.narrow_by_probing(position, square, outcomes, sums, node);
    }

    /// The most likely first; among equals, the one whose upper bound exceeds its estimate most.
    fn order_outcomes(outcomes: &mut Outcomes) {
        sort_few_by_key(outcomes, |outcome| {
            (-outcome.weight, outcome.estimate - outcome.upper)
        });
    }

    /// Deeper, such bounds are too loose to pay; without a table their probes would
    /// be searched twice.
    fn bounds_root_actions(search: &Search<'_, Exact>, depth: i32) -> bool {
        depth == 2 && search.settings.star2 && search.table.is_some()
    }

    fn bound_root_actions(
        search: &mut Search<'_, Exact>,
        position: &mut Position,
        actions: &mut [Action],
        node: Node,
        bounds: &mut ActionBounds,
    ) {
        search.order_by_bounds(position, actions, node, bounds);
    }

    fn check(
        search: &mut Search<'_, Exact>,
        position: &mut Position,
        square: Square,
        node: Node,
        value: i32,
    ) {
        if cfg!(debug_assertions) {
            search.check_against_full_window(position, square, node, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::OutcomeBounds;
    use super::*;
    use anqi_rules::Piece;

    #[test]
    fn only_playing_takes_deeper_values_and_proofs() {
        assert!(Playing::serves(5, 4, 0) && Playing::serves(3, 4, WIN - 9));
        assert!(!Playing::serves(3, 4, 9_000));
        assert!(Exact::serves(4, 4, 0));
        assert!(!Exact::serves(5, 4, 0) && !Exact::serves(3, 4, WIN - 9));
    }

    #[test]
    fn likely_outcomes_come_first_and_among_equals_those_of_which_most_is_open() {
        let outcome = |(index, (weight, upper, estimate))| OutcomeBounds {
            piece: Piece::all().nth(index).unwrap(),
            weight,
            lower: -900,
            upper,
            estimate,
        };
        let given = [
            (1, 500, 90),
            (2, 500, 10),
            (2, 500, 60),
            (5, 500, -80),
            (2, 100, 10),
        ];
        let mut outcomes: Outcomes = given.into_iter().enumerate().map(outcome).collect();
        Exact::order_outcomes(&mut outcomes);
        let order: Vec<(i64, i64)> = outcomes
            .iter()
            .map(|o| (o.weight, o.upper - o.estimate))
            .collect();
        assert_eq!(order, [(5, 580), (2, 490), (2, 440), (2, 90), (1, 410)]);
    }
}
