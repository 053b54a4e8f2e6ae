//! Keeping the outcomes of the root's flips while they are searched.
//!
//! A flip's value is the average of its outcomes. To show both as one, they are kept from the
//! same search: the last one of the flip in an open window, which is the one that valued it. Then
//! no entry of the transposition table stands for the outcomes. An outcome outside its Star1 window,
//! which gives only a bound, decides the node, so that what is kept are values.

use super::Search;
use super::distribution::OutcomeValue;
use super::node::Node;
use super::strategy::Strategy;
use crate::score::Mixture;
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Piece, Position, Square};

impl<S: Strategy> Search<'_, S> {
    /// Keeps the outcomes of flips at the root from now on.
    pub fn keep_outcomes(&mut self) {
        self.distributions.is_on = true;
    }

    /// Returns the outcomes of a flip at the root, the most valuable first; none unless they
    /// were kept and their average is the flip's value.
    pub fn outcomes(&self, action: Action, value: i32) -> Vec<OutcomeValue> {
        let kept = self.distributions.of(action.from());
        let kept = kept.filter(|_| action.is_flip()).unwrap_or_default();
        let mut mixture = Mixture::default();
        for outcome in kept {
            mixture.add(outcome.value, outcome.weight);
        }
        if mixture.average() != value {
            return Vec::new();
        }
        let mut outcomes = kept.to_vec();
        sort_few_by_key(&mut outcomes, |outcome| -outcome.value);
        outcomes
    }

    /// Whether the outcomes of this chance node are kept.
    pub(super) fn keeps_outcomes(&self, node: Node) -> bool {
        self.distributions.is_on && node.ply == 0 && node.is_open()
    }

    /// Forgets what an earlier search of the same flip found, if outcomes are kept.
    pub(super) fn begin_outcomes(&mut self, square: Square, node: Node) {
        if self.keeps_outcomes(node) {
            self.distributions.begin(square);
        }
    }

    /// Keeps the value of an outcome, if outcomes are kept.
    pub(super) fn keep_outcome(
        &mut self,
        position: &Position,
        (square, piece): (Square, Piece),
        node: Node,
        value: i32,
    ) {
        if self.keeps_outcomes(node) {
            let weight = position.hidden().count(piece);
            let outcome = OutcomeValue {
                piece,
                weight,
                value,
            };
            self.distributions.add(square, outcome);
        }
    }
}
