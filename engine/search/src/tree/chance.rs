//! Chance nodes with windows: Star1 and Star2.
//!
//! [`bounds`](super::bounds) has the arithmetic. Windows wholly beyond the scale are rare and get no pruning.

use super::bounds::{OutcomeBounds, Outcomes, Sums, capped, outcomes};
use super::decision::cutoff;
use super::node::Node;
use super::ordering;
use super::strategy::Strategy;
use super::{Search, line};
use crate::score::{Mixture, UNPROVEN_BOUND, WIN};
use crate::transposition::{StoredBounds, Table};
use anqi_rules::{Action, Piece, Position, Square};

/// With this much depth left after a flip, estimates of its outcomes follow captures.
const QUIET_DEPTH: i32 = 2;
/// Tests for each outcome on average, before outcomes are searched with open windows.
const TESTS: usize = 4;

impl<S: Strategy> Search<'_, S> {
    /// Returns the value of flipping a square for the side that flips: exact within
    /// the window, else a bound. The node's depth is what is left after the flip.
    pub(super) fn flip_value(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
    ) -> i32 {
        let key = self.key(position, node) ^ chance_word(square);
        let is_entered = self.settings.chance_table && node.depth > 0;
        let is_known = is_entered && !self.keeps_outcomes(node);
        let table = self.table.filter(|_| is_known);
        let known = table.and_then(|table| table.probe(key, node.ply));
        if let Some(value) = known.and_then(|known| cutoff::<S>(&known, node)) {
            return value;
        }
        let outer: line::Taint = self.line.begin();
        let value = self.average(position, square, node);
        self.line.finish_flip(outer);
        if is_entered {
            self.enter(key, node, None, value);
        }
        S::check(self, position, square, node, value);
        value
    }

    fn average(&mut self, position: &mut Position, square: Square, node: Node) -> i32 {
        let is_on_scale = node.alpha < UNPROVEN_BOUND && node.beta > -UNPROVEN_BOUND;
        if !self.settings.star1 || !is_on_scale {
            return self.plain_average(position, square, node);
        }
        let mut outcomes = outcomes(position);
        let mut sums = Sums::new(&outcomes, (node.alpha, node.beta));
        if self.settings.star2 && node.depth >= 1 && outcomes.len() > 1 {
            self.narrow_by_table(position, square, &mut outcomes, &mut sums, node);
            let bounded = (&mut outcomes, &mut sums);
            S::narrow_outcomes(self, position, square, node, bounded);
            if let Some(bound) = sums.decided() {
                return bound;
            }
        }
        S::order_outcomes(&mut outcomes);
        self.search_outcomes(position, square, node, (outcomes, sums))
    }

    /// Searches each outcome in the window in which it can still decide the node (Star1).
    fn search_outcomes(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
        (mut outcomes, mut sums): (Outcomes, Sums),
    ) -> i32 {
        let mut mixture = Mixture::default();
        self.begin_outcomes(square, node);
        for index in 0..outcomes.len() {
            let rest = &mut outcomes[index..];
            let waits = |outcome: &OutcomeBounds| self.waits(position, square, outcome, node);
            if let Some(place) = rest.iter().position(|outcome| !waits(outcome)) {
                rest[..=place].rotate_right(1);
            }
            let outcome = &mut rest[0];
            let (alpha, beta) = sums.window(outcome);
            let within = node.within(alpha, beta);
            let value = self.shared_outcome_value(position, (square, outcome.piece), within);
            if self.budget.is_spent() {
                return 0;
            }
            // A value outside its window is a bound; the other bound stays.
            let lower = if value > alpha {
                capped(value)
            } else {
                outcome.lower
            };
            let upper = if value < beta {
                capped(value)
            } else {
                outcome.upper
            };
            sums.narrow(outcome, lower, upper);
            let bound = sums.decided().filter(|_| within.is_outside(value));
            if let Some(bound) = bound {
                return bound;
            }
            debug_assert!(!within.is_outside(value), "it would have decided the node");
            self.keep_outcome(position, (square, outcome.piece), node, value);
            mixture.add(value, outcome.weight as u32);
        }
        mixture.average()
    }

    /// Searches every outcome with the full window.
    pub(super) fn plain_average(
        &mut self,
        position: &mut Position,
        square: Square,
        node: Node,
    ) -> i32 {
        let mut mixture = Mixture::default();
        self.begin_outcomes(square, node);
        for outcome in outcomes(position) {
            let full = node.within(-WIN, WIN);
            let reveal = (square, outcome.piece);
            let value = self.outcome_value(position, reveal, full);
            self.keep_outcome(position, reveal, node, value);
            mixture.add(value, outcome.weight as u32);
            if self.budget.is_spent() {
                return 0;
            }
        }
        mixture.average()
    }

    /// Returns the table entry of an outcome, by its key alone: no piece is revealed.
    #[inline]
    fn known_outcome(
        &self,
        table: &Table,
        position: &Position,
        (square, piece): (Square, Piece),
        node: Node,
    ) -> Option<StoredBounds> {
        let key = position.key_after_flip(square, piece);
        let quiet = self.line.quiet_after_flip(position);
        let key = self.line.key_with(key, quiet, node.flips);
        table.probe(key, node.other_side().ply)
    }

    /// Narrows the outcomes' bounds by their table entries.
    pub(super) fn narrow_by_table(
        &self,
        position: &Position,
        square: Square,
        outcomes: &mut Outcomes,
        sums: &mut Sums,
        node: Node,
    ) {
        let Some(table) = self.table else {
            return;
        };
        let below = node.other_side();
        for outcome in outcomes.iter_mut() {
            let known = self.known_outcome(table, position, (square, outcome.piece), node);
            if let Some(known) = known.filter(|known| S::serves(known.depth, below.depth, 0)) {
                let lower = capped(-known.upper).max(outcome.lower);
                let upper = capped(-known.lower).min(outcome.upper);
                sums.narrow(outcome, lower, upper.max(lower));
            }
        }
    }

    /// Narrows the upper bounds of unknown outcomes by searching one reply to
    /// each, until the node is decided (Star2).
    pub(super) fn narrow_by_replies(
        &mut self,
        position: &mut Position,
        square: Square,
        outcomes: &mut Outcomes,
        sums: &mut Sums,
        node: Node,
    ) {
        if node.depth < self.settings.reply_depth as i32 {
            return;
        }
        for outcome in outcomes.iter_mut() {
            if sums.decided().is_some() {
                return;
            }
            if !outcome.is_unlimited() {
                continue;
            }
            let (alpha, _) = sums.window(outcome);
            let within = node.null_window(alpha);
            if let Some(value) = self.reply_bound(position, square, outcome, within) {
                let upper = capped(value).min(outcome.upper).max(outcome.lower);
                sums.narrow(outcome, outcome.lower, upper);
            }
        }
    }

    /// Estimates the outcomes of a flip, each within its bounds: statically where little depth is
    /// left, else with captures followed, and by table entries of any depth.
    fn estimate_well(
        &mut self,
        position: &mut Position,
        square: Square,
        outcomes: &mut Outcomes,
        node: Node,
    ) {
        if node.depth < QUIET_DEPTH {
            self.estimate_outcomes(position, square, outcomes);
        }
        let leaf = node.within(-WIN, WIN).shallower(node.depth);
        for outcome in outcomes.iter_mut() {
            let reveal = (square, outcome.piece);
            if node.depth >= QUIET_DEPTH {
                outcome.estimate = capped(self.outcome_value(position, reveal, leaf));
            }
            let table = self.table;
            let known = table.and_then(|table| self.known_outcome(table, position, reveal, node));
            if let Some(known) = known {
                let (lower, upper) = (capped(-known.upper), capped(-known.lower));
                outcome.estimate = outcome.estimate.max(lower).min(upper);
            }
            outcome.estimate = outcome.estimate.max(outcome.lower).min(outcome.upper);
        }
    }

    /// Narrows the bounds of outcomes by null-window tests, each against its share of what still
    /// decides the node ([`Sums::next_test`]), until it is decided or too many were needed.
    /// Estimates decide what is tested, and tests correct them (*outcome shares*).
    pub(super) fn narrow_by_shares(
        &mut self,
        position: &mut Position,
        square: Square,
        outcomes: &mut Outcomes,
        sums: &mut Sums,
        node: Node,
    ) {
        self.estimate_well(position, square, outcomes, node);
        for _ in 0..TESTS * outcomes.len() {
            if sums.decided().is_some() || self.budget.is_spent() {
                return;
            }
            let waits = |outcome: &OutcomeBounds| self.waits(position, square, outcome, node);
            let Some((index, bound)) = sums.next_test(outcomes, waits) else {
                return;
            };
            let outcome = &mut outcomes[index];
            let within = node.null_window(bound);
            let value = self.shared_outcome_value(position, (square, outcome.piece), within);
            if self.budget.is_spent() {
                return;
            }
            // Of two that contradict each other the later one counts.
            let known = capped(value);
            let (lower, upper) = if value <= bound {
                (outcome.lower.min(known), known)
            } else {
                (known, outcome.upper.max(known))
            };
            sums.narrow(outcome, lower, upper);
            outcome.estimate = outcome.estimate.max(lower).min(upper);
        }
    }

    /// Returns an upper bound on an outcome: its value after one good reply.
    fn reply_bound(
        &mut self,
        position: &mut Position,
        square: Square,
        outcome: &OutcomeBounds,
        node: Node,
    ) -> Option<i32> {
        // The replying side tries to push the outcome to alpha or below.
        let replying = node.other_side().shallower(1);
        let flip = (square, outcome.piece);
        let value = self.after_flip(position, flip, |search, position| {
            let reply = search.likely_reply(position)?;
            Some(-search.step_value(position, reply, replying))
        });
        // A reply that leaves more than alpha is inconclusive: another may do better.
        value.filter(|value| *value <= node.alpha && !self.budget.is_spent())
    }

    /// Reveals a piece and returns the outcome's value for the side that flipped.
    #[inline]
    pub(super) fn outcome_value(
        &mut self,
        position: &mut Position,
        flip: (Square, Piece),
        node: Node,
    ) -> i32 {
        self.after_flip(position, flip, |search, position| {
            -search.value(position, node.other_side())
        })
    }

    /// The same, while other threads put it off.
    #[inline]
    fn shared_outcome_value(
        &mut self,
        position: &mut Position,
        flip: (Square, Piece),
        node: Node,
    ) -> i32 {
        let work = self.outcome_work(position, flip, node);
        self.doing(work, |search| search.outcome_value(position, flip, node))
    }

    /// Whether another thread is at an outcome.
    #[inline]
    fn waits(
        &self,
        position: &Position,
        square: Square,
        outcome: &OutcomeBounds,
        node: Node,
    ) -> bool {
        self.is_under_way(self.outcome_work(position, (square, outcome.piece), node))
    }

    /// The key of an outcome as a piece of work.
    #[inline]
    fn outcome_work(
        &self,
        position: &Position,
        (square, piece): (Square, Piece),
        node: Node,
    ) -> Option<u64> {
        self.work(position, node, (Action::flip(square), Some(piece)))
    }

    /// Returns the best capture by victim and attacker: the reply to try first after a flip.
    pub(super) fn likely_reply(&mut self, position: &Position) -> Option<Action> {
        position.turn()?;
        let values = self.evaluator.piece_values(position);
        let gain = |action: &Action| ordering::capture_gain(position, &values, *action);
        ordering::captures(position).max_by_key(gain)
    }
}

/// Distinguishes the table keys of one position's flips.
fn chance_word(square: Square) -> u64 {
    (square.index() as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{WIDE, game, knowledge, search};
    use super::super::{Knowledge, Playing, Settings};
    use super::*;
    use crate::Stop;
    use std::num::NonZeroU32;

    const TWO_HIDDEN: &str = "4/1g2/4/2R1/1?n1/4/K2m/?3 r Pc 3 40";

    fn table() -> Table {
        Table::new(NonZeroU32::MIN).unwrap()
    }

    fn knowing(table: &Table) -> Knowledge<'_> {
        Knowledge {
            table: Some(table),
            ..knowledge(None)
        }
    }

    #[test]
    fn each_flip_has_an_entry_of_its_own() {
        let (game, stop, table) = (game(TWO_HIDDEN), Stop::new(), table());
        let settings = Settings {
            chance_table: true,
            ..Settings::FULL
        };
        let mut search: Search<'_, Playing> = search(settings, &game, knowing(&table), &stop);
        let (mut position, node) = (*game.position(), Node::root(2, WIDE));
        let own = search.key(&position, node);
        let squares: Vec<Square> = position.face_down().into_iter().collect();
        for (index, &square) in squares.iter().enumerate() {
            let value = search.flip_value(&mut position, square, node);
            for (other, &square) in squares.iter().enumerate() {
                let known = table.probe(own ^ chance_word(square), node.ply);
                assert_eq!(known.is_some(), other <= index, "{square}");
            }
            let known = table.probe(own ^ chance_word(square), node.ply).unwrap();
            assert_eq!((known.lower, known.upper), (value, value));
        }
        assert!(squares.len() > 1 && table.probe(own, node.ply).is_none());
    }

    #[test]
    fn what_the_table_knows_of_an_outcome_improves_its_estimate() {
        let (game, stop, table) = (game(TWO_HIDDEN), Stop::new(), table());
        let mut search: Search<'_, Playing> = search(Settings::FULL, &game, knowing(&table), &stop);
        let (mut position, node) = (*game.position(), Node::root(3, WIDE));
        let square = position.face_down().into_iter().next().unwrap();
        let mut estimated = |search: &mut Search<'_, Playing>| {
            let mut outcomes = outcomes(&position);
            search.estimate_well(&mut position, square, &mut outcomes, node);
            outcomes
        };
        let before = estimated(&mut search);
        let known = before[1].piece;
        let key = game.position().key_after_flip(square, known);
        let key = search.line.key_with(key, 0, node.flips);
        search.enter(key, node.other_side(), None, 300);
        let after = estimated(&mut search);
        for (before, after) in before.iter().zip(&after) {
            let expected = if after.piece == known {
                -300
            } else {
                before.estimate
            };
            assert_eq!(after.estimate, expected);
        }
        assert!(before.len() > 1 && before[1].estimate != -300);
    }

    #[test]
    fn shares_decide_a_flip_that_is_far_from_its_window() {
        let (game, stop, table) = (game(TWO_HIDDEN), Stop::new(), table());
        let mut search: Search<'_, Playing> = search(Settings::FULL, &game, knowing(&table), &stop);
        let mut position = *game.position();
        let square = position.face_down().into_iter().next().unwrap();
        for beta in [-9_000, 9_000] {
            let window = (beta - 1, beta);
            let mut outcomes = outcomes(&position);
            let mut sums = Sums::new(&outcomes, window);
            assert_eq!(sums.decided(), None);
            let node = Node::root(2, window);
            search.narrow_by_shares(&mut position, square, &mut outcomes, &mut sums, node);
            let bound = sums.decided().unwrap();
            assert_eq!(bound >= beta, beta < 0, "{bound} {beta}");
        }
    }
}
