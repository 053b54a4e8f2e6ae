//! Chance nodes with windows: Star1 and Star2.
//!
//! The average of a flip is Σ weight × value / Σ weight. Every outcome's value
//! is known to lie between two bounds, at first the ends of the scale, later
//! what a probe of the table or a look at one reply says, at last the value
//! itself. So the average lies between the sums of lower and of upper bounds:
//!
//! - if the sum of lower bounds reaches beta, or that of upper bounds does not
//!   exceed alpha, the node is decided (all comparisons are of exact sums);
//! - an outcome need only be searched within the window in which it can still
//!   decide anything: at its top it lifts the lower sum to beta by itself, at
//!   its bottom it drops the upper sum to alpha.
//!
//! The average is that of [`Mixture`]: beyond ±10,000 only if every outcome is
//! proven. Windows that lie wholly beyond are rare and take a simple way.

use super::{Search, UNTAINTED};
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
}

/// With less depth left after the flip, looking at a reply costs as much as it saves.
const REPLY_DEPTH: i32 = 2;

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
    /// the window exact, else a bound. `depth` is what is left after the flip.
    pub(super) fn flip_value(
        &mut self,
        position: &mut Position,
        square: Square,
        depth: i32,
        ply: u32,
        window: (i32, i32),
        flips: u32,
    ) -> i32 {
        let key = self.node_key(position, flips) ^ chance_word(square);
        let table = self
            .table
            .filter(|_| self.settings.chance_table && depth > 0);
        let known = table.and_then(|table| table.probe(key, ply));
        if let Some(value) = known.and_then(|known| self.cutoff(&known, depth, window)) {
            return value;
        }
        let outer_taint = std::mem::replace(&mut self.taint, UNTAINTED);
        let value = self.average(position, square, depth, ply, window, flips);
        if self.taint >= ply && table.is_some() {
            self.enter(key, ply, depth, window, None, value);
        }
        // A flip ends all repetition below; what is left of taint is the caller's.
        self.taint = self.taint.min(outer_taint);
        self.check_against_full_window(position, square, depth, ply, window, flips, value);
        value
    }

    fn average(
        &mut self,
        position: &mut Position,
        square: Square,
        depth: i32,
        ply: u32,
        window: (i32, i32),
        flips: u32,
    ) -> i32 {
        let mut branches = branches(position);
        let narrow = self.settings.star1 && window.0 < SURE && window.1 > -SURE;
        if !narrow {
            return self.plain_average(position, square, &branches, depth, ply, flips);
        }
        let mut sums = Sums::new(&branches, window);
        if self.settings.star2 && depth >= 1 && branches.len() > 1 {
            if let Some(bound) = self.probe_branches(
                position,
                square,
                &mut branches,
                &mut sums,
                depth,
                ply,
                flips,
            ) {
                return bound;
            }
        }
        let mut mixture = Mixture::default();
        for index in 0..branches.len() {
            let mut branch = branches[index];
            let (alpha, beta) = sums.window(&branch);
            let value = self.outcome_value(
                position,
                square,
                branch.piece,
                depth,
                ply,
                (alpha, beta),
                flips,
            );
            if self.budget.is_spent() {
                return 0;
            }
            let capped = i64::from(value.clamp(-SURE, SURE));
            // A value at or beyond its window is a bound; the other side stays as it was known.
            let lower = if value > alpha { capped } else { branch.lower };
            let upper = if value < beta { capped } else { branch.upper };
            sums.narrow(&mut branch, lower, upper);
            branches[index] = branch;
            mixture.add(value, branch.weight as u32);
            if value <= alpha || value >= beta {
                if let Some(bound) = sums.decided() {
                    return bound;
                }
            }
        }
        mixture.average()
    }

    /// Every outcome with the full window.
    fn plain_average(
        &mut self,
        position: &mut Position,
        square: Square,
        branches: &[Branch],
        depth: i32,
        ply: u32,
        flips: u32,
    ) -> i32 {
        let mut mixture = Mixture::default();
        for branch in branches {
            let value = self.outcome_value(
                position,
                square,
                branch.piece,
                depth,
                ply,
                (-WIN, WIN),
                flips,
            );
            mixture.add(value, branch.weight as u32);
            if self.budget.is_spent() {
                return 0;
            }
        }
        mixture.average()
    }

    /// Narrows the branches' bounds by what the table knows, then by looking at
    /// one reply to each; returns the bound that decides the node if that is enough.
    #[allow(clippy::too_many_arguments)] // the state of one step down the tree
    fn probe_branches(
        &mut self,
        position: &mut Position,
        square: Square,
        branches: &mut Branches,
        sums: &mut Sums,
        depth: i32,
        ply: u32,
        flips: u32,
    ) -> Option<i32> {
        let sure = |value: i32| i64::from(value.clamp(-SURE, SURE));
        for branch in branches.iter_mut() {
            let undo = position.flip_unchecked(square, branch.piece);
            let known = self.known(position, depth, ply + 1, flips);
            position.undo(undo);
            if let Some(known) = known {
                let lower = sure(-known.upper).max(branch.lower);
                let upper = sure(-known.lower).min(branch.upper);
                sums.narrow(branch, lower, upper.max(lower));
            }
        }
        for branch in branches.iter_mut() {
            if let Some(bound) = sums.decided() {
                return Some(bound);
            }
            if branch.upper < i64::from(SURE) || depth < REPLY_DEPTH {
                continue;
            }
            let (alpha, _) = sums.window(branch);
            if let Some(value) =
                self.reply_bound(position, square, branch.piece, depth, ply, alpha, flips)
            {
                let upper = sure(value).clamp(branch.lower, branch.upper);
                sums.narrow(branch, branch.lower, upper);
            }
        }
        sums.decided()
    }

    /// What the table knows of a position at this depth.
    fn known(&self, position: &Position, depth: i32, ply: u32, flips: u32) -> Option<Known> {
        let known = self.table?.probe(self.node_key(position, flips), ply)?;
        let enough = known.depth == depth || (known.depth > depth && !self.is_exact());
        enough.then_some(known)
    }

    /// Returns an upper bound on an outcome: what is left after one good reply to it.
    #[allow(clippy::too_many_arguments)] // the state of one step down the tree
    fn reply_bound(
        &mut self,
        position: &mut Position,
        square: Square,
        piece: Piece,
        depth: i32,
        ply: u32,
        alpha: i32,
        flips: u32,
    ) -> Option<i32> {
        self.budget.visit();
        let undo = position.flip_unchecked(square, piece);
        self.keys.push(position.key());
        let reply = self.likely_reply(position);
        let value = reply.map(|action| {
            // The replying side wants to push the outcome to alpha or below.
            let window = (-alpha - 1, -alpha);
            -self.step_value(position, action, depth - 1, ply + 1, window, flips)
        });
        self.keys.pop();
        position.undo(undo);
        // A reply that falls short of the window says nothing: another may do better.
        value.filter(|value| *value <= alpha && !self.budget.is_spent())
    }

    /// Reveals a piece, values what follows for the side that flipped, and hides it again.
    #[allow(clippy::too_many_arguments)] // the state of one step down the tree
    fn outcome_value(
        &mut self,
        position: &mut Position,
        square: Square,
        piece: Piece,
        depth: i32,
        ply: u32,
        (alpha, beta): (i32, i32),
        flips: u32,
    ) -> i32 {
        self.budget.visit();
        let undo = position.flip_unchecked(square, piece);
        self.keys.push(position.key());
        let value = -self.value(position, depth, ply + 1, (-beta, -alpha), flips);
        self.keys.pop();
        position.undo(undo);
        value
    }

    /// In debug builds, asserts on a sample of chance nodes that a pruned value
    /// keeps its promise to the full-window one. The second search spends no budget of its own.
    #[allow(clippy::too_many_arguments)] // the state of one step down the tree
    fn check_against_full_window(
        &mut self,
        position: &mut Position,
        square: Square,
        depth: i32,
        ply: u32,
        (alpha, beta): (i32, i32),
        flips: u32,
        value: i32,
    ) {
        let sampled = cfg!(debug_assertions) && self.is_exact() && position.key() % 64 == 0;
        if !sampled || depth > 1 || self.budget.is_spent() {
            return;
        }
        let branches = branches(position);
        let full = self.plain_average(position, square, &branches, depth, ply, flips);
        if self.budget.is_spent() {
            return;
        }
        if value <= alpha {
            assert!(full <= value, "{position} {square}: {full} > {value}");
        } else if value >= beta {
            assert!(full >= value, "{position} {square}: {full} < {value}");
        } else {
            assert_eq!(full, value, "{position} {square}");
        }
    }
}

/// Distinguishes the flips of one position in the table.
fn chance_word(square: Square) -> u64 {
    (square.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The outcomes of a flip, the most likely first.
fn branches(position: &Position) -> Branches {
    let sure = i64::from(SURE);
    let mut branches: Branches = position
        .hidden()
        .iter()
        .map(|(piece, count)| Branch {
            piece,
            weight: i64::from(count),
            lower: -sure,
            upper: sure,
        })
        .collect();
    branches.sort_by_key(|branch| -branch.weight);
    branches
}
