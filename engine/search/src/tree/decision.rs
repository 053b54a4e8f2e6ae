//! Decision nodes: principal variation search.

use super::line::Holds;
use super::node::Node;
use super::ordering::{self, Coverage, Ordered};
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

/// The quiet moves of a node that were tried without a cutoff.
type TriedQuiets = SmallVec<[Action; 32]>;

/// An action of a node, and its place in the order in which they are tried.
#[derive(Clone, Copy)]
struct Placed {
    action: Action,
    is_quiet: bool,
    place: u32,
}

/// The actions of a node that are still to be tried.
struct Untried {
    ordered: Ordered,
    /// Those that another thread was at, and how many of them were tried since.
    put_off: SmallVec<[Placed; 4]>,
    again: usize,
    /// How many actions, and how many quiet moves, had their turn.
    places: u32,
    quiet_places: u32,
}

impl Untried {
    fn new(ordered: Ordered) -> Untried {
        Untried {
            ordered,
            put_off: SmallVec::new(),
            again: 0,
            places: 0,
            quiet_places: 0,
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
        if let Some(value) = self.tabled(position, ply, depth) {
            return value;
        }
        if depth <= 0 || ply >= MOST_PLY {
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
        if let Some(value) = self.futility_value(position, node) {
            return value;
        }
        let outer = self.line.begin();
        let hash_move = known.and_then(|known| known.best).filter(S::trusts);
        let node = self.guessed(node, hash_move);
        let (best, value) = self.best_of(position, node, hash_move);
        if self.line.finish(outer, ply) == Holds::Everywhere {
            let entered = S::entered_window(self, position, node);
            self.enter(key, entered, best, value);
        }
        value
    }

    /// Returns the value of a position beyond the last ply.
    fn leaf_value(&mut self, position: &mut Position, node: Node) -> i32 {
        if self.settings.quiescence {
            self.quiescence(position, node.ply, (node.alpha, node.beta))
        } else {
            self.estimate(position)
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
        hash_move: Option<Action>,
    ) -> (Option<Action>, i32) {
        let mut best = (None, -WIN);
        let ordered = self.ordered(position, node, hash_move);
        if ordered.flips == Coverage::Some && self.settings.pass {
            // Null move.
            best.1 = self.null_move(position, node);
            node.alpha = node.alpha.max(best.1);
            if node.alpha >= node.beta || self.budget.is_spent() {
                return best;
            }
        }
        let mut quiets = TriedQuiets::new();
        let mut untried = Untried::new(ordered);
        while let Some(placed) = self.next_placed(position, node, best.1, &mut untried) {
            let Placed {
                action, is_quiet, ..
            } = placed;
            let work = self.work(position, node, (action, None));
            let value = self.doing(work, |search| search.tried_value(position, placed, node));
            if self.budget.is_spent() {
                return best;
            }
            if value > best.1 {
                best = (Some(action), value);
            }
            node.alpha = node.alpha.max(value);
            if node.alpha >= node.beta {
                if is_quiet {
                    self.remember(position, action, &quiets, node);
                }
                break;
            }
            if is_quiet {
                quiets.push(action);
            }
        }
        if untried.places == 0 && best.1 == -WIN {
            // Every flip was left out, and no null move stands for them.
            best.1 = self.estimate(position);
        }
        best
    }

    /// Returns the next action to try at a node: those that another thread is at come last, bans and
    /// late moves are left out.
    #[inline]
    fn next_placed(
        &mut self,
        position: &Position,
        node: Node,
        best: i32,
        untried: &mut Untried,
    ) -> Option<Placed> {
        for action in untried.ordered.by_ref() {
            if self.line.is_barred(position, action) {
                continue;
            }
            let is_quiet = !action.is_flip() && position.piece_at(action.to()).is_none();
            if is_quiet && self.is_too_late(node, untried.quiet_places, best) {
                continue;
            }
            let placed = Placed {
                action,
                is_quiet,
                place: untried.places,
            };
            untried.places += 1;
            untried.quiet_places += u32::from(is_quiet);
            if placed.place > 0 && self.is_under_way(self.work(position, node, (action, None))) {
                untried.put_off.push(placed);
                continue;
            }
            return Some(placed);
        }
        untried.again += 1;
        untried.put_off.get(untried.again - 1).copied()
    }

    /// Returns the value of an action, late quiet moves searched less deeply.
    #[inline]
    fn tried_value(&mut self, position: &mut Position, placed: Placed, node: Node) -> i32 {
        let Placed { action, place, .. } = placed;
        let reduction = if placed.is_quiet {
            self.reduction(node, place)
        } else {
            0
        };
        match reduction {
            0 => self.action_value(position, action, node, Turn::of(place)),
            plies => self.reduced_value(position, action, node, plies),
        }
    }

    /// Rewards the quiet move that caused a cutoff, and punishes those tried before it.
    fn remember(&mut self, position: &Position, best: Action, earlier: &[Action], node: Node) {
        self.history.reward(position, best, node.ply, node.depth);
        if self.settings.malus {
            for &action in earlier {
                self.history.punish(position, action, node.depth);
            }
        }
    }

    pub(super) fn ordered(
        &mut self,
        position: &Position,
        node: Node,
        hash_move: Option<Action>,
    ) -> Ordered {
        let flip_rank = if self.flips_are_leaves(node) {
            ordering::Knowledge::FREE
        } else {
            S::FLIP_RANK
        };
        let values = self.evaluator.piece_values(position);
        let knowledge = ordering::Knowledge {
            settings: &self.settings,
            history: &self.history,
            values: &values,
            hash_move,
            flip_rank,
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
            && !self.keeps_outcomes(after)
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
            if node.ply == 0 {
                self.promise(node.depth, (action, first));
            }
        }
        if action.is_flip() {
            self.flip_value(position, action.from(), after)
        } else {
            self.step_value(position, action, after)
        }
    }

    /// The node with the depth that an action leaves.
    pub(super) fn after(&self, action: Action, node: Node) -> Node {
        if action.is_flip() {
            self.below_flip(node)
        } else {
            node.shallower(1)
        }
    }

    /// The node with the depth that a flip leaves, and the flip counted.
    pub(super) fn below_flip(&self, node: Node) -> Node {
        let cost = match node.ply {
            0 => 0,
            _ => self.settings.flip_cost as i32 + self.settings.plies_for_flips(node.flips),
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
