//! What an exact search learns of flips at little cost.
//!
//! It reaches few plies, and there most is decided by looks: every outcome is
//! visited once with a window as high as the average may still be, its value by
//! the evaluation telling how the outcomes share that. On the last ply the other
//! side's flips answer at no cost ([`crate::judge::Flips`]), then its best
//! capture if that is not enough. Only a node that this leaves open pays for all
//! replies to its outcomes.

use super::super::{Node, Search};
use super::{ANYWHERE, Branch, Branches, Sums, branches, ceil_div, floor_div, sure};
use crate::judge::Flips;
use crate::score::{SURE, WIN};
use anqi_rules::{Piece, Position, Square};

impl Search<'_> {
    /// Whether the outcomes of a node's flips are only evaluated, as far as depth and settings tell.
    pub(in crate::star) fn flips_are_static(&self, node: Node) -> bool {
        self.settings.leaf_flips && !self.settings.quiescence && self.after_flip(node).depth <= 0
    }

    /// Returns the value of a flip all of whose outcomes are only evaluated, `None` if one is not.
    pub(in crate::star) fn static_flip_value(
        &mut self,
        position: &Position,
        square: Square,
        node: Node,
    ) -> Option<i32> {
        if self.shrinks_fresh_estimates() {
            return None;
        }
        self.selective_depth = self.selective_depth.max(node.ply + 1);
        Some(self.flips_of(position)?.average(square))
    }

    /// Returns what the flips of a position share, worked out anew only for another position.
    fn flips_of(&mut self, position: &Position) -> Option<&Flips> {
        let known = self.flips.as_ref();
        if !known.is_some_and(|flips| flips.are_of(position)) {
            self.flips = self.judge.flips(position);
        }
        self.flips.as_ref()
    }

    /// Takes the values of the outcomes by the evaluation as guesses.
    pub(super) fn guess(&mut self, position: &Position, square: Square, branches: &mut Branches) {
        let Some(flips) = self.flips_of(position) else {
            return;
        };
        flips.for_each_value(square, |piece, _, value| {
            for branch in branches.iter_mut().filter(|b| b.piece == piece) {
                branch.guess = i64::from(value);
            }
        });
    }

    /// Narrows the bounds of branches that nothing is known of by a look at each,
    /// which asks whether it is worth little enough for the node to fail low.
    pub(super) fn narrow_by_looks(
        &mut self,
        position: &mut Position,
        square: Square,
        branches: &mut Branches,
        sums: &mut Sums,
        node: Node,
    ) {
        if node.depth > 1 && node.beta > node.alpha + 1 {
            // Inside a wide window the average itself is asked for, and looks are lost.
            return;
        }
        for index in 0..branches.len() {
            if sums.decided().is_some() || self.budget.is_spent() {
                return;
            }
            if branches[index].upper < i64::from(SURE) {
                continue;
            }
            let enough = target(&branches[index..], sums);
            let branch = &mut branches[index];
            let within = node.within(enough, enough + 1);
            let value = match node.depth {
                1 => self.look(position, square, branch.piece, within),
                _ => self.outcome_value(position, square, branch.piece, within),
            };
            if self.budget.is_spent() {
                return;
            }
            if value <= enough || node.depth == 1 && value < SURE {
                let upper = sure(value).max(branch.lower);
                sums.narrow(branch, branch.lower, upper);
            } else if node.depth > 1 {
                let lower = sure(value).clamp(branch.lower, branch.upper);
                sums.narrow(branch, lower, branch.upper);
            }
        }
    }

    /// Returns an upper bound on an outcome with one ply left after it: what is
    /// left after the free flips, and after the best capture if more than alpha is.
    fn look(&mut self, position: &mut Position, square: Square, piece: Piece, node: Node) -> i32 {
        let any = node.within(SURE - 1, SURE).other_side();
        self.revealed(position, square, piece, |search, position| {
            let value = -search.value(position, any);
            if value <= node.alpha || value >= SURE {
                return value;
            }
            let Some(reply) = search.likely_reply(position) else {
                return value;
            };
            let replied = -search.step_value(position, reply, any.shallower(1));
            if replied >= value {
                return value;
            }
            let key = search.node_key(position, node.flips);
            search.enter(key, any, Some(reply), -replied);
            replied
        })
    }

    /// Looks at every outcome of a flip with the least of all windows, and
    /// returns the upper bound that follows for the flip.
    pub(in crate::star) fn flip_bound(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
    ) -> i32 {
        let mut branches = branches(position, ANYWHERE);
        self.guess(position, square, &mut branches);
        let mut sums = Sums::new(&branches, (node.alpha, WIN));
        self.narrow_by_table(position, square, &mut branches, &mut sums, node);
        self.narrow_by_looks(position, square, &mut branches, &mut sums, node);
        match ceil_div(sums.upper, sums.weight) as i32 {
            // Nothing is known: all outcomes may be proven wins.
            upper if upper >= SURE => WIN,
            upper => upper,
        }
    }
}

/// What the first of these branches may be worth at most, so that the node fails
/// low if those that nothing is known of all lie as far from their guesses.
fn target(branches: &[Branch], sums: &Sums) -> i32 {
    let sure = i64::from(SURE);
    let (mut weight, mut known) = (0, sums.upper);
    for branch in branches.iter().filter(|branch| branch.upper >= sure) {
        weight += branch.weight;
        known -= branch.weight * (sure - branch.guess);
    }
    let beyond = floor_div(sums.low - known, weight.max(1));
    (branches[0].guess + beyond).clamp(-sure, sure - 1) as i32
}
