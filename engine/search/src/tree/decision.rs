//! Decision nodes: principal variation search.

use super::line::Holds;
use super::node::Node;
use super::ordering::{self, Coverage, Ordered};
use super::singular::{HashMove, Singular};
use super::strategy::Strategy;
use super::{MOST_PLY, Search};
use crate::negamax::end_value;
use crate::score::{WIN, lost_in};
use crate::transposition::StoredBounds;
use anqi_rules::{Action, Position};
use smallvec::SmallVec;

/// Which of a node's actions is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// The first, with the whole window.
    First,
    /// A later one, with a null window first.
    Later,
}

impl Turn {
    pub(super) fn of(tried: u32) -> Turn {
        if tried == 0 { Turn::First } else { Turn::Later }
    }
}

/// The actions of a node that were tried without a cutoff.
#[derive(Default)]
struct InVain {
    quiet: SmallVec<[Action; 32]>,
    captures: SmallVec<[Action; 8]>,
}

impl InVain {
    fn push(&mut self, action: Action, is_quiet: bool) {
        if is_quiet {
            self.quiet.push(action);
        } else if !action.is_flip() {
            self.captures.push(action);
        }
    }
}

impl<S: Strategy> Search<'_, S> {
    /// Returns the value of a position for the side to move: exact within the window,
    /// an upper bound below it, a lower bound above it. Meaningless once the budget
    /// is spent.
    pub(super) fn value(&mut self, position: &mut Position, node: Node) -> i32 {
        let Node { depth, ply, .. } = node;
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(value) = self.ended(position, ply) {
            return value;
        }
        if let Some(value) = self.tabled(position, ply) {
            return value;
        }
        let is_leaf = depth <= 0 || ply >= MOST_PLY;
        if is_leaf && !(self.settings.leaf_table && self.settings.quiescence) {
            return self.leaf_value(position, node);
        }
        let key = self.key(position, node);
        let known = self.table.and_then(|table| table.probe(key, ply));
        // Just below the root a stored value might hide a repetition of the game's past.
        let usable = known
            .filter(|_| ply > 1 || !self.line.has_past())
            .filter(|_| !self.line.is_repeated_under_ban(position));
        if let Some(value) = usable.and_then(|known| cutoff::<S>(&known, node)) {
            return value;
        }
        if is_leaf {
            let value = self.leaf_value(position, node);
            if known.is_none() {
                self.enter(key, Node { depth: 0, ..node }, None, value);
            }
            return value;
        }
        self.estimates[ply as usize] = None;
        if let Some(value) = self.futility_value(position, node) {
            return value;
        }
        if let Some(value) = self.razored_value(position, node) {
            return value;
        }
        let outer = self.line.begin();
        let hash_move = known.and_then(|known| known.best).filter(S::trusts);
        let node = self.forced(position, self.guessed(node, hash_move));
        let (best, value) = match self.singular(position, node, usable.as_ref()) {
            Singular::Cutoff(bound) => {
                // Found at half the depth: not for the table.
                self.line.finish(outer, ply);
                return bound;
            }
            Singular::No => self.best_of(position, node, HashMove::First(hash_move)),
            Singular::Yes(action) => self.best_of(position, node, HashMove::Extended(action)),
        };
        if self.line.finish(outer, ply) == Holds::Everywhere {
            let entered = S::entered_window(self, position, node);
            self.enter(key, entered, best, value);
        }
        value
    }

    /// Returns the value of a position beyond the last ply.
    fn leaf_value(&mut self, position: &mut Position, node: Node) -> i32 {
        match self.settings.quiescence {
            true => self.quiescence(position, node.ply, (node.alpha, node.beta)),
            false => self.estimate(position),
        }
    }

    /// Returns the value of a position in which the game has ended or counts as drawn.
    fn ended(&mut self, position: &Position, ply: u32) -> Option<i32> {
        if position.decided().is_some() {
            let drawn = self.line.draw_before_loss(position);
            return drawn.or(Some(end_value(position, ply)));
        }
        if !position.has_action() {
            let drawn = self.line.draw_before_loss(position);
            return drawn.or(Some(lost_in(ply)));
        }
        self.line.draw(position)
    }

    /// Tries the actions of a node, best first.
    pub(super) fn best_of(
        &mut self,
        position: &mut Position,
        mut node: Node,
        hash_move: HashMove,
    ) -> (Option<Action>, i32) {
        let mut best = (None, -WIN);
        let mut ordered = self.ordered(position, node, hash_move.to_try());
        if !hash_move.is_excluded()
            && ordered.flips == Coverage::Some
            && self.may_pass(position, node)
        {
            // Null move.
            best.1 = self.null_move(position, node);
            node.alpha = node.alpha.max(best.1);
            if node.alpha >= node.beta || self.budget.is_spent() {
                return best;
            }
        }
        let mut tried = 0;
        let mut in_vain = InVain::default();
        for action in ordered.by_ref() {
            if hash_move == HashMove::Excluded(action) || self.line.is_barred(position, action) {
                continue;
            }
            let is_quiet = !action.is_flip() && position.piece_at(action.to()).is_none();
            let earlier = (in_vain.quiet.len(), tried);
            if is_quiet && self.is_left_out(position, node, earlier, &mut best.1) {
                continue;
            }
            let value = match hash_move {
                HashMove::Extended(extended) if extended == action => {
                    self.action_value(position, action, node.shallower(-1), Turn::of(tried))
                }
                _ => self.tried_value(position, action, node, (is_quiet, tried)),
            };
            if self.budget.is_spent() {
                return best;
            }
            tried += 1;
            if value > best.1 {
                best = (Some(action), value);
            }
            node.alpha = node.alpha.max(value);
            if node.alpha >= node.beta {
                self.remember(position, action, &in_vain, node);
                break;
            }
            in_vain.push(action, is_quiet);
        }
        if tried == 0 && best.1 == -WIN && !hash_move.is_excluded() {
            // Every flip was left out, and no null move stands for them.
            best.1 = self.estimate(position);
        }
        best
    }

    /// Whether a quiet move is left out; raises the node's value to what it might have reached.
    fn is_left_out(
        &mut self,
        position: &Position,
        node: Node,
        (quiet_moves, tried): (usize, u32),
        best: &mut i32,
    ) -> bool {
        if self.is_too_late(node, quiet_moves as u32, *best) {
            return true;
        }
        let hope = match tried {
            0 => None,
            _ => self.futile_hope(position, node, *best),
        };
        *best = hope.map_or(*best, |hope| hope.max(*best));
        hope.is_some()
    }

    /// Returns the value of an action, late quiet moves searched less deeply.
    pub(super) fn tried_value(
        &mut self,
        position: &mut Position,
        action: Action,
        node: Node,
        (is_quiet, tried): (bool, u32),
    ) -> i32 {
        let reduction = match (is_quiet, action.is_flip() && tried > 0) {
            (true, _) => self.reduction(position, action, node, tried),
            (false, true) => self.settings.flip_reduction as i32,
            (false, false) => 0,
        };
        match reduction {
            0 => self.action_value(position, action, node, Turn::of(tried)),
            plies => self.reduced_value(position, action, node, plies),
        }
    }

    /// Rewards the action that caused a cutoff, and punishes those tried before it.
    fn remember(&mut self, position: &Position, best: Action, in_vain: &InVain, node: Node) {
        if !best.is_flip() && position.piece_at(best.to()).is_none() {
            self.remember_quiet(position, best, &in_vain.quiet, node);
        }
        if self.settings.capture_history {
            self.remember_captures(position, best, &in_vain.captures, node.depth);
        }
    }

    fn remember_quiet(
        &mut self,
        position: &Position,
        best: Action,
        in_vain: &[Action],
        node: Node,
    ) {
        let last = self.last_move(node.ply);
        self.history.reward(position, best, node.ply, node.depth);
        self.history.follow(position, best, last, (node.depth, 1));
        if self.settings.malus {
            for &action in in_vain {
                self.history.punish(position, action, node.depth);
                self.history
                    .follow(position, action, last, (node.depth, -1));
            }
        }
    }

    /// A quiet move or a flip that caused the cutoff speaks against the captures before it
    /// too.
    pub(super) fn remember_captures(
        &mut self,
        position: &Position,
        best: Action,
        in_vain: &[Action],
        depth: i32,
    ) {
        if !best.is_flip() {
            self.history.judge_capture(position, best, (depth, 1));
        }
        for &action in in_vain {
            self.history.judge_capture(position, action, (depth, -1));
        }
    }

    pub(super) fn ordered(
        &mut self,
        position: &Position,
        node: Node,
        hash_move: Option<Action>,
    ) -> Ordered {
        let flip_rank = match self.flips_are_leaves(node) {
            true => ordering::Knowledge::FREE,
            false => S::FLIP_RANK,
        };
        let values = self.evaluator.piece_values(position);
        let knowledge = ordering::Knowledge {
            settings: &self.settings,
            iteration: self.iteration,
            history: &self.history,
            values: &values,
            hash_move,
            flip_rank,
            last: self.last_move(node.ply),
        };
        knowledge.order(position, node)
    }

    /// Returns the value of an action: exact within the window, else a bound.
    pub(super) fn action_value(
        &mut self,
        position: &mut Position,
        action: Action,
        node: Node,
        turn: Turn,
    ) -> i32 {
        let after = self.after(action, node);
        if action.is_flip()
            && self.flips_are_leaves(node)
            && let Some(value) = self.leaf_flip_value(position, action.from(), after)
        {
            return value;
        }
        let is_leaf = after.depth <= 0 && !self.settings.quiescence;
        if turn == Turn::Later && !is_leaf && node.is_open() {
            // Null window.
            let scout = node.null_window(node.alpha);
            let first = self.action_value(position, action, scout, Turn::First);
            if node.is_outside(first) {
                return first;
            }
        }
        match action.is_flip() {
            true => self.flip_value(position, action.from(), after),
            false => self.step_value(position, action, after),
        }
    }

    /// The node with the depth that an action leaves.
    pub(super) fn after(&self, action: Action, node: Node) -> Node {
        match action.is_flip() {
            true => self.below_flip(node),
            false => node.shallower(1),
        }
    }

    /// The node with the depth that a flip leaves, and the flip counted.
    pub(super) fn below_flip(&self, node: Node) -> Node {
        let cost = match node.ply {
            0 => 0,
            _ => self.settings.flip_cost as i32,
        };
        Node {
            flips: node.flips + 1,
            ..node.shallower(1 + cost)
        }
    }

    /// Plays a move and searches the position after it. The node's depth is what is left then.
    pub(super) fn step_value(
        &mut self,
        position: &mut Position,
        action: Action,
        node: Node,
    ) -> i32 {
        self.trace(position, action, node.ply);
        self.after_step(position, action, |search, position| {
            if let Some(table) = search.table.filter(|_| node.depth > 0) {
                table.prefetch(search.key(position, node));
            }
            -search.value(position, node.other_side())
        })
    }

    /// Searches with less depth and a null window first, and at full depth only if that fails high.
    pub(super) fn reduced_value(
        &mut self,
        position: &mut Position,
        action: Action,
        node: Node,
        plies: i32,
    ) -> i32 {
        let scout = node.shallower(plies).null_window(node.alpha);
        let value = self.action_value(position, action, scout, Turn::First);
        if value <= node.alpha || self.budget.is_spent() {
            return value;
        }
        self.action_value(position, action, node, Turn::Later)
    }

    /// Stores a value that was found within a node's window.
    pub(super) fn enter(&self, key: u64, node: Node, best: Option<Action>, value: i32) {
        let Some(table) = self.table.filter(|_| !self.budget.is_spent()) else {
            return;
        };
        let known = StoredBounds {
            lower: if value > node.alpha { value } else { -WIN },
            upper: if value < node.beta { value } else { WIN },
            depth: node.depth,
            best,
        };
        table.store(key, node.ply, known);
    }
}

/// Returns the value that follows from a table entry, if it decides the window.
pub(super) fn cutoff<S: Strategy>(known: &StoredBounds, node: Node) -> Option<i32> {
    let serves = |bound| S::serves(known.depth, node.depth, bound);
    let (lower, upper) = (known.lower, known.upper);
    if (lower >= node.beta || lower == upper) && serves(lower) {
        return Some(lower);
    }
    (upper <= node.alpha && serves(upper)).then_some(upper)
}
