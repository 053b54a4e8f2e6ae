//! Selective search: cutoffs, pruned moves and reductions of what seldom matters.
//!
//! Each technique is a setting. All but the null move depend on the window or on move
//! ordering, so the slow twin has no value to compare with.

use super::Search;
use super::node::Node;
use super::strategy::Strategy;
use crate::score::UNPROVEN_BOUND;
use anqi_rules::{Action, Position};

/// With more depth left, no node is cut off by its static evaluation.
const MOST_FUTILE_DEPTH: i32 = 4;
/// With more depth left, no late move is pruned.
const MOST_LATE_DEPTH: i32 = 3;

/// The fractions of a logarithm: sixteenths.
const LOG_UNIT: u32 = 16;

/// Returns the logarithm of a positive number to base 2 in sixteenths, interpolated linearly
/// between powers of two: the same on every machine.
fn log2(number: u32) -> u32 {
    let whole = number.max(1).ilog2();
    let fraction = ((number.max(1) - (1 << whole)) * LOG_UNIT) >> whole;
    whole * LOG_UNIT + fraction
}

impl<S: Strategy> Search<'_, S> {
    /// Reverse futility pruning: returns a lower bound if the static evaluation far exceeds beta.
    pub(super) fn futility_value(&mut self, position: &Position, node: Node) -> Option<i32> {
        let margin = self.settings.futility?.get() as i32 * node.depth;
        if node.is_open() || node.depth > MOST_FUTILE_DEPTH || node.beta < -UNPROVEN_BOUND {
            return None;
        }
        let surely = self.estimate(position) - margin;
        (surely >= node.beta).then_some(surely)
    }

    /// Internal iterative reduction: searches a node without a hash move a ply less deeply.
    pub(super) fn guessed(&self, node: Node, hash_move: Option<Action>) -> Node {
        let least = self.settings.guess_depth.map(|depth| depth.get() as i32);
        if least.is_some_and(|least| node.depth >= least && hash_move.is_none()) {
            node.shallower(1)
        } else {
            node
        }
    }

    /// Returns the value of the null move, searched less deeply.
    pub(super) fn null_move(&mut self, position: &Position, node: Node) -> i32 {
        let plies = self.settings.null_move_plies as i32;
        let after = node.shallower(plies).other_side();
        let value = self.after_pass(position, |search, passed| -search.value(passed, after));
        // Passing is not a legal action, so it proves nothing.
        value.clamp(-UNPROVEN_BOUND, UNPROVEN_BOUND)
    }

    /// Late move pruning: whether a quiet move is left out because so many came before it.
    pub(super) fn is_too_late(&self, node: Node, quiet_moves: u32, best: i32) -> bool {
        let most = self
            .settings
            .late_moves
            .map(|most| most.get() * node.depth as u32);
        most.is_some_and(|most| quiet_moves >= most)
            && node.depth <= MOST_LATE_DEPTH
            && !node.is_open()
            && best > -UNPROVEN_BOUND
    }

    /// Late move reduction: the plies by which a quiet move is reduced.
    pub(super) fn reduction(&self, node: Node, tried: u32) -> i32 {
        let settings = &self.settings;
        let is_late =
            tried >= settings.reduction_from && node.depth >= settings.reduction_depth as i32;
        if !settings.reductions || !is_late {
            return 0;
        }
        let plies = by_formula(node.depth as u32, tried, settings.reduction_divisor);
        plies.clamp(0, node.depth - 1)
    }
}

/// The product of the logarithms of depth and number, divided by this many hundredths.
fn by_formula(depth: u32, tried: u32, divisor: u32) -> i32 {
    let product = log2(depth) * log2(tried + 1) * 100;
    (product / (LOG_UNIT * LOG_UNIT * divisor)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_for_powers_of_two_and_grow() {
        assert_eq!([1, 2, 4, 64].map(log2), [0, 16, 32, 96]);
        assert!((1..200).all(|number| log2(number) <= log2(number + 1)));
        assert_eq!(log2(3), 24);
    }

    #[test]
    fn reductions_are_products_of_logarithms() {
        // log2 4 * log2 8, divided by 1, 2 and 4.
        assert_eq!(
            [100, 200, 400].map(|divisor| by_formula(4, 7, divisor)),
            [6, 3, 1]
        );
        assert_eq!((by_formula(1, 60, 100), by_formula(60, 0, 100)), (0, 0));
        let grown = |depth, tried| by_formula(depth, tried, 150);
        assert!((1..60).all(|n| grown(n, 9) <= grown(n + 1, 9) && grown(9, n) <= grown(9, n + 1)));
    }
}
