//! Cheap bounds on flips, for the exact search.
//!
//! It reaches few plies, where probes decide most nodes: every outcome is searched
//! once with a null window at its share of the greatest average that fails low,
//! split by static evaluations. On the last ply the other side's free flips reply
//! ([`Flips`]), then its best capture if that is not enough. Only a node that stays
//! undecided pays for all replies to its outcomes.
//!
//! Where nothing is searched after a flip, its average is computed at once from what
//! all outcomes share.

use super::bounds::{ActionBounds, Outcomes, Sums, bound_of, capped, outcomes};
use super::node::Node;
use super::strategy::Strategy;
use super::{Exact, Search};
use crate::evaluation::{Flips, Precision};
use crate::score::{UNPROVEN_BOUND, WIN};
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Piece, Position, Square};

/// The debug check repeats one chance node in this many.
const CHECKED_SHARE: u64 = 64;

impl<S: Strategy> Search<'_, S> {
    /// Whether depth and settings let the outcomes of a node's flips be evaluated without search.
    pub(super) fn flips_are_leaves(&self, node: Node) -> bool {
        let settings = &self.settings;
        settings.leaf_flips && !settings.quiescence && self.below_flip(node).depth <= 0
    }

    /// Returns the value of a flip whose outcomes are static evaluations, `None` if one is not.
    pub(super) fn leaf_flip_value(
        &mut self,
        position: &Position,
        square: Square,
        node: Node,
    ) -> Option<i32> {
        if self.line.shrinks_after_flips(position) {
            return None;
        }
        self.selective_depth = self.selective_depth.max(node.ply + 1);
        Some(self.flips_of(position)?.average(square))
    }

    /// Returns what the flips of a position share, from the cache if it is the same position.
    fn flips_of(&mut self, position: &Position) -> Option<&Flips> {
        let known = self.flips.as_ref();
        if !known.is_some_and(|flips| flips.are_of(position)) {
            // Unless flips may be leaves, their values are only hints.
            let precision = if self.settings.leaf_flips && !self.settings.quiescence {
                Precision::Full
            } else {
                Precision::Rough
            };
            self.flips = self.evaluator.flips(position, precision);
        }
        self.flips.as_ref()
    }

    /// Sets the static evaluations of the outcomes.
    pub(super) fn estimate_outcomes(
        &mut self,
        position: &Position,
        square: Square,
        outcomes: &mut Outcomes,
    ) {
        let Some(flips) = self.flips_of(position) else {
            return;
        };
        flips.for_each_value(square, |piece, _, value| {
            for outcome in outcomes.iter_mut().filter(|o| o.piece == piece) {
                outcome.estimate = i64::from(value);
            }
        });
    }
}

impl Search<'_, Exact> {
    /// Whether no value below a node is a bound, so that its own is exact unless cut off.
    pub(super) fn has_leaves_only(&self, position: &Position, node: Node) -> bool {
        let face_down = position.face_down().len();
        let flips_are_leaves = face_down > 1
            && position.turn().is_some()
            && self.flips_are_leaves(node)
            && !self.line.shrinks_after_flips(position);
        node.depth == 1 && (face_down == 0 || flips_are_leaves)
    }

    /// Narrows the bounds of each unknown outcome by a probe, which tests whether its
    /// value is low enough for the node to fail low.
    pub(super) fn narrow_by_probing(
        &mut self,
        position: &mut Position,
        square: Square,
        outcomes: &mut Outcomes,
        sums: &mut Sums,
        node: Node,
    ) {
        if node.depth > 1 && node.is_open() {
            // An open window asks for the average itself, so probes are wasted.
            return;
        }
        for index in 0..outcomes.len() {
            if sums.decided().is_some() || self.budget.is_spent() {
                return;
            }
            if !outcomes[index].is_unlimited() {
                continue;
            }
            let enough = sums.target(&outcomes[index..]);
            let outcome = &mut outcomes[index];
            let within = node.null_window(enough);
            let flip = (square, outcome.piece);
            let value = match node.depth {
                1 => self.probe(position, flip, within),
                _ => self.outcome_value(position, flip, within),
            };
            if self.budget.is_spent() {
                return;
            }
            if value <= enough || node.depth == 1 && value < UNPROVEN_BOUND {
                let upper = capped(value).max(outcome.lower);
                sums.narrow(outcome, outcome.lower, upper);
            } else if node.depth > 1 {
                let lower = capped(value).clamp(outcome.lower, outcome.upper);
                sums.narrow(outcome, lower, outcome.upper);
            }
        }
    }

    /// Returns an upper bound on an outcome with one ply left after it: its value
    /// after the free flips, and after the best capture if that exceeds alpha.
    fn probe(&mut self, position: &mut Position, flip: (Square, Piece), node: Node) -> i32 {
        let any = node.null_window(UNPROVEN_BOUND - 1).other_side();
        self.after_flip(position, flip, |search, position| {
            let value = -search.value(position, any);
            if value <= node.alpha || value >= UNPROVEN_BOUND {
                return value;
            }
            let Some(reply) = search.likely_reply(position) else {
                return value;
            };
            let replied = -search.step_value(position, reply, any.shallower(1));
            if replied >= value {
                return value;
            }
            let key = search.key(position, node);
            search.enter(key, any, Some(reply), -replied);
            replied
        })
    }

    /// Probes every outcome of a flip with a null window, and returns the
    /// resulting upper bound on the flip.
    pub(super) fn flip_bound(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
    ) -> i32 {
        let mut outcomes = outcomes(position);
        self.estimate_outcomes(position, square, &mut outcomes);
        let mut sums = Sums::new(&outcomes, (node.alpha, WIN));
        self.narrow_by_table(position, square, &mut outcomes, &mut sums, node);
        self.narrow_by_probing(position, square, &mut outcomes, &mut sums, node);
        sums.upper_bound()
    }

    /// Orders actions by upper bounds on their values, and records these.
    pub(super) fn order_by_bounds(
        &mut self,
        position: &mut Position,
        actions: &mut [Action],
        node: Node,
        bounds: &mut ActionBounds,
    ) {
        for &action in actions.iter() {
            let upper = self.upper_bound(position, action, node);
            if self.budget.is_spent() {
                return;
            }
            bounds.push((action, upper));
        }
        sort_few_by_key(actions, |action| {
            bound_of(bounds, *action).map(|upper| -upper)
        });
    }

    /// Returns an upper bound on an action's value, by probes.
    fn upper_bound(&mut self, position: &mut Position, action: Action, node: Node) -> i32 {
        let after = self.after(action, node);
        if action.is_flip() {
            return self.flip_bound(position, action.from(), after);
        }
        let widest = after.null_window(UNPROVEN_BOUND - 1);
        let value = self.step_value(position, action, widest);
        // A value at the top of the window gives no bound.
        if value < UNPROVEN_BOUND { value } else { WIN }
    }

    /// Asserts on a sample of chance nodes that a pruned value agrees with the full-window one.
    pub(super) fn check_against_full_window(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
        value: i32,
    ) {
        let is_sampled = position.key().is_multiple_of(CHECKED_SHARE);
        if !is_sampled || node.depth > 1 || self.budget.is_spent() {
            return;
        }
        let full = self.plain_average(position, square, node);
        if self.budget.is_spent() {
            return;
        }
        if value <= node.alpha {
            assert!(full <= value, "{position} {square}: {full} > {value}");
        } else if value >= node.beta {
            assert!(full >= value, "{position} {square}: {full} < {value}");
        } else {
            assert_eq!(full, value, "{position} {square}");
        }
    }
}
