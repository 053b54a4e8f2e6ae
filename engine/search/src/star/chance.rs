//! Chance nodes with windows: Star1 and Star2.
//!
//! The average of a flip is Σ weight × value / Σ weight. Every outcome's value
//! is known to lie between two bounds, at first the ends of the scale, later
//! what a probe of the table or a look at one reply says, at last the value
//! itself. (Only an exact search begins with the ends of the scale: else an
//! outcome is taken to lie within [`Settings::swing`] of the estimate before the
//! flip, which most do; the few that do not count with their real value as soon
//! as they are looked at.) So the average lies between the sums of lower and of
//! upper bounds:
//!
//! [`Settings::swing`]: super::Settings::swing
//!
//! - if the sum of lower bounds reaches beta, or that of upper bounds does not
//!   exceed alpha, the node is decided (all comparisons are of exact sums);
//! - an outcome need only be searched within the window in which it can still
//!   decide anything: at its top it lifts the lower sum to beta by itself, at
//!   its bottom it drops the upper sum to alpha.
//!
//! The average is that of [`Mixture`]: beyond ±10,000 only if every outcome is
//! proven. Windows that lie wholly beyond are rare and take a simple way.

mod looks;

use super::{Node, Search, UNTAINTED};
use crate::score::{Mixture, SURE, WIN};
use crate::transposition::Known;
use anqi_rules::{Piece, Position, Square};
use smallvec::SmallVec;

/// A piece that may appear, and what is known about its value.
#[derive(Clone, Copy, Debug)]
struct Branch {
    piece: Piece,
    weight: i64,
    lower: i64,
    upper: i64,
    /// What it is worth by the evaluation, as far as that is known.
    guess: i64,
}

/// With less depth left after the flip, looking at a reply costs as much as it saves.
const REPLY_DEPTH: i32 = 4;

/// The ends of the scale: where a value lies that nothing is known of.
const ANYWHERE: (i64, i64) = (-(SURE as i64), SURE as i64);

type Branches = SmallVec<[Branch; 14]>;

/// The sums of a chance node.
#[derive(Clone, Copy, Debug)]
struct Sums {
    lower: i64,
    upper: i64,
    /// The least sum whose average reaches beta.
    high: i64,
    /// The greatest sum whose average does not exceed alpha.
    low: i64,
    weight: i64,
}

impl Sums {
    fn new(branches: &[Branch], (alpha, beta): (i32, i32)) -> Sums {
        let weight: i64 = branches.iter().map(|b| b.weight).sum();
        let (alpha, beta) = (i64::from(alpha), i64::from(beta));
        // The average is rounded toward zero.
        let high = if beta > 0 {
            beta * weight
        } else {
            (beta - 1) * weight + 1
        };
        let low = if alpha < 0 {
            alpha * weight
        } else {
            (alpha + 1) * weight - 1
        };
        Sums {
            lower: branches.iter().map(|b| b.weight * b.lower).sum(),
            upper: branches.iter().map(|b| b.weight * b.upper).sum(),
            high,
            low,
            weight,
        }
    }

    /// Replaces a branch's bounds by narrower ones.
    fn narrow(&mut self, branch: &mut Branch, lower: i64, upper: i64) {
        self.lower += branch.weight * (lower - branch.lower);
        self.upper += branch.weight * (upper - branch.upper);
        (branch.lower, branch.upper) = (lower, upper);
    }

    /// The bound that decides the node, if one does.
    fn decided(&self) -> Option<i32> {
        if self.lower >= self.high {
            return Some((self.lower / self.weight) as i32);
        }
        (self.upper <= self.low).then(|| (self.upper / self.weight) as i32)
    }

    /// The window in which a branch's value can still decide anything.
    fn window(&self, branch: &Branch) -> (i32, i32) {
        let others_lower = self.lower - branch.weight * branch.lower;
        let others_upper = self.upper - branch.weight * branch.upper;
        let top = ceil_div(self.high - others_lower, branch.weight);
        let bottom = floor_div(self.low - others_upper, branch.weight);
        let sure = i64::from(SURE);
        // Beyond the sure values only exact proofs are of use.
        let beta = if top > sure {
            WIN
        } else {
            top.max(-sure) as i32
        };
        let alpha = if bottom < -sure {
            -WIN
        } else {
            bottom.min(sure) as i32
        };
        (alpha, beta.max(alpha + 1))
    }
}

fn floor_div(a: i64, b: i64) -> i64 {
    a.div_euclid(b)
}

fn ceil_div(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

impl Search<'_> {
    /// Returns the value of flipping a square for the side that flips: within
    /// the window exact, else a bound. The node's depth is what is left after the flip.
    pub(super) fn flip_value(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
    ) -> i32 {
        let key = self.node_key(position, node.flips) ^ chance_word(square);
        let enters = self.settings.chance_table && node.depth > 0;
        let table = self.table.filter(|_| enters);
        let known = table.and_then(|table| table.probe(key, node.ply));
        if let Some(value) = known.and_then(|known| self.cutoff(&known, node)) {
            return value;
        }
        // Nothing below a flip can repeat what stood above it, so there is no taint to look at.
        let outer_taint = std::mem::replace(&mut self.taint, UNTAINTED);
        let value = self.average(position, square, node);
        self.taint = outer_taint;
        if enters {
            self.enter(key, node, None, value);
        }
        self.check_against_full_window(position, square, node, value);
        value
    }

    fn average(&mut self, position: &mut Position, square: Square, node: Node) -> i32 {
        let narrow = self.settings.star1 && node.alpha < SURE && node.beta > -SURE;
        if !narrow {
            return self.plain_average(position, square, node);
        }
        let range = self.likely_range(position);
        let mut branches = branches(position, range);
        let mut sums = Sums::new(&branches, (node.alpha, node.beta));
        if self.settings.star2 && node.depth >= 1 && branches.len() > 1 {
            self.narrow_by_table(position, square, &mut branches, &mut sums, node);
            if self.is_exact() {
                self.guess(position, square, &mut branches);
                self.narrow_by_looks(position, square, &mut branches, &mut sums, node);
            } else {
                self.narrow_by_replies(position, square, &mut branches, &mut sums, node, range);
            }
            if let Some(bound) = sums.decided() {
                return bound;
            }
        }
        let mut mixture = Mixture::default();
        if self.is_exact() {
            // Among equally likely ones, first that from which most is still expected.
            branches.sort_by_key(|b| (-b.weight, b.guess - b.upper));
        }
        for branch in &mut branches {
            let (alpha, beta) = sums.window(branch);
            let within = node.within(alpha, beta);
            let value = self.outcome_value(position, square, branch.piece, within);
            if self.budget.is_spent() {
                return 0;
            }
            // A value at or beyond its window is a bound; the other side stays as it was known.
            let lower = if value > alpha {
                sure(value)
            } else {
                branch.lower
            };
            let upper = if value < beta {
                sure(value)
            } else {
                branch.upper
            };
            sums.narrow(branch, lower, upper);
            mixture.add(value, branch.weight as u32);
            let bound = sums.decided().filter(|_| within.is_outside(value));
            if let Some(bound) = bound {
                return bound;
            }
        }
        mixture.average()
    }

    /// Returns the range in which the outcomes' values are taken to lie before
    /// anything is known of them.
    fn likely_range(&mut self, position: &Position) -> (i64, i64) {
        if self.settings.swing == 0 {
            return ANYWHERE;
        }
        let estimate = i64::from(self.estimate(position));
        let swing = i64::from(self.settings.swing);
        let (least, most) = ANYWHERE;
        ((estimate - swing).max(least), (estimate + swing).min(most))
    }

    /// Every outcome with the full window.
    fn plain_average(&mut self, position: &mut Position, square: Square, node: Node) -> i32 {
        let mut mixture = Mixture::default();
        for branch in branches(position, ANYWHERE) {
            let full = node.within(-WIN, WIN);
            let value = self.outcome_value(position, square, branch.piece, full);
            mixture.add(value, branch.weight as u32);
            if self.budget.is_spent() {
                return 0;
            }
        }
        mixture.average()
    }

    /// Narrows the branches' bounds by what the table knows of the outcomes.
    fn narrow_by_table(
        &self,
        position: &Position,
        square: Square,
        branches: &mut Branches,
        sums: &mut Sums,
        node: Node,
    ) {
        for branch in branches.iter_mut() {
            // No need to reveal the piece: the key says enough.
            let key = self.key_with(position.key_after_flip(square, branch.piece), 0, node.flips);
            if let Some(known) = self.known(key, node.other_side()) {
                let lower = sure(-known.upper).max(branch.lower);
                let upper = sure(-known.lower).min(branch.upper);
                sums.narrow(branch, lower, upper.max(lower));
            }
        }
    }

    /// Narrows the upper bounds of branches that nothing is known of by looking
    /// at one reply to each, until the node is decided.
    fn narrow_by_replies(
        &mut self,
        position: &mut Position,
        square: Square,
        branches: &mut Branches,
        sums: &mut Sums,
        node: Node,
        range: (i64, i64),
    ) {
        if node.depth < REPLY_DEPTH {
            return;
        }
        for branch in branches.iter_mut() {
            if sums.decided().is_some() {
                return;
            }
            if branch.upper < range.1 {
                continue;
            }
            let (alpha, _) = sums.window(branch);
            let within = node.within(alpha, alpha + 1);
            if let Some(value) = self.reply_bound(position, square, branch.piece, within) {
                let upper = sure(value).min(branch.upper).max(branch.lower);
                sums.narrow(branch, branch.lower, upper);
            }
        }
    }

    /// What the table knows under a key at this depth.
    fn known(&self, key: u64, node: Node) -> Option<Known> {
        let known = self.table?.probe(key, node.ply)?;
        let deeper = known.depth > node.depth && !self.is_exact();
        (known.depth == node.depth || deeper).then_some(known)
    }

    /// Returns an upper bound on an outcome: what is left after one good reply to it.
    fn reply_bound(
        &mut self,
        position: &mut Position,
        square: Square,
        piece: Piece,
        node: Node,
    ) -> Option<i32> {
        // The replying side wants to push the outcome to alpha or below.
        let replying = node.other_side().shallower(1);
        let value = self.revealed(position, square, piece, |search, position| {
            let reply = search.likely_reply(position)?;
            Some(-search.step_value(position, reply, replying))
        });
        // A reply that falls short of the window says nothing: another may do better.
        value.filter(|value| *value <= node.alpha && !self.budget.is_spent())
    }

    /// Reveals a piece, values what follows for the side that flipped, and hides it again.
    fn outcome_value(
        &mut self,
        position: &mut Position,
        square: Square,
        piece: Piece,
        node: Node,
    ) -> i32 {
        self.revealed(position, square, piece, |search, position| {
            -search.value(position, node.other_side())
        })
    }

    /// Reveals a piece, looks at what follows, and hides it again.
    fn revealed<T>(
        &mut self,
        position: &mut Position,
        square: Square,
        piece: Piece,
        look: impl FnOnce(&mut Self, &mut Position) -> T,
    ) -> T {
        self.budget.visit();
        let undo = position.flip_unchecked(square, piece);
        self.keys.push(position.key());
        let seen = look(self, position);
        self.keys.pop();
        position.undo(undo);
        seen
    }

    /// In debug builds, asserts on a sample of chance nodes that a pruned value
    /// keeps its promise to the full-window one.
    fn check_against_full_window(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
        value: i32,
    ) {
        let sampled =
            cfg!(debug_assertions) && self.is_exact() && position.key().is_multiple_of(64);
        if !sampled || node.depth > 1 || self.budget.is_spent() {
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

/// A value as an average sees it: proven ones count as sure.
fn sure(value: i32) -> i64 {
    i64::from(value.clamp(-SURE, SURE))
}

/// Distinguishes the flips of one position in the table.
fn chance_word(square: Square) -> u64 {
    (square.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The outcomes of a flip, the most likely first.
fn branches(position: &Position, (lower, upper): (i64, i64)) -> Branches {
    let mut branches: Branches = position
        .hidden()
        .iter()
        .map(|(piece, count)| Branch {
            piece,
            weight: i64::from(count),
            lower,
            upper,
            guess: 0,
        })
        .collect();
    branches.sort_by_key(|branch| -branch.weight);
    branches
}
