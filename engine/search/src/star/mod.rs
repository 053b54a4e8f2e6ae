//! The champion's search: decisions and chance, pruned.
//!
//! Decision nodes are negamax with principal variation search: the first action
//! gets the whole window, the others must first show with a null window that
//! they are better. Chance nodes ([`chance`]) get windows too: since values are
//! bounded, the outcomes still unknown can only move the average so far, and an
//! outcome's own window follows from that (Star1); looking first at one good
//! reply to each outcome (Star2), or at what the table knows of it, narrows it
//! further. With everything optional switched off the value is that of plain
//! [`crate::expectimax`] at the same depth, to the last unit.
//!
//! Optional, each a setting with its worth measured: quiescence over captures
//! at the leaves, reductions for late quiet moves, outcomes taken to lie near the
//! estimate before their flip, and three answers to the
//! cost of flips below the root, where most of them differ in nothing: only a
//! few squares on each node ([`Settings::flip_squares`]), only so many flips on
//! a line, and a *pass* that stands for all flips left out: while something is
//! face down, a side that likes the position as it is can flip in a far corner
//! instead of moving.
//!
//! Repetition and the quiet counter end lines as draws. A value that rests on a
//! repetition of a position on the line above holds on that line only, so it
//! does not enter the table (*taint*: the highest ply that it rests on).

mod chance;
mod ordering;
mod quiescence;
mod root;

use crate::clock::Budget;
use crate::endgames;
use crate::judge::{Flips, Judge, Weights};
use crate::negamax::end_value;
use crate::player::LineStep;
use crate::score::{SURE, WIN, lost_in};
use crate::transposition::{Known, Table};
use anqi_rules::{Action, Color, Game, Position, Repetition, Rules};
use anqi_tablebase::Tables;
use ordering::Memory;
use std::sync::Arc;

/// No line is longer.
pub const MOST_PLY: u32 = 120;
/// No repetition above.
const UNTAINTED: u32 = u32::MAX;
/// With fewer quiet plies left than this, estimates shrink towards a draw and
/// positions with different counters are different to the table.
const QUIET_HORIZON: u32 = 40;

/// Which techniques the search uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Narrow the windows of chance nodes.
    pub star1: bool,
    /// Look at one reply to each outcome first.
    pub star2: bool,
    /// How far an outcome's value is taken to lie from the estimate before the flip, 0 for anywhere.
    pub swing: u32,
    /// Enter chance nodes into the table.
    pub chance_table: bool,
    /// Value flips on the last ply by the evaluation of all outcomes at once, without playing them.
    pub leaf_flips: bool,
    /// Try killers and moves with a good history early.
    pub killers: bool,
    /// Search late quiet moves less deeply.
    pub reductions: bool,
    /// Follow captures beyond the last ply.
    pub quiescence: bool,
    /// Face-down squares tried on each node below the root, 0 for all.
    pub flip_squares: u32,
    /// Flips on one line, 0 for any number.
    pub flip_limit: u32,
    /// Extra plies that a flip costs below the root.
    pub flip_cost: u32,
    /// Passing stands for the flips left out.
    pub pass: bool,
    /// Centre the window on the last value.
    pub aspiration: bool,
    /// What a draw is worth less than nothing to the side at the root, in ten-thousandths.
    pub contempt: i32,
}

impl Settings {
    /// All techniques.
    pub const FULL: Settings = Settings {
        star1: true,
        star2: true,
        swing: 2_500,
        chance_table: true,
        leaf_flips: true,
        killers: true,
        reductions: true,
        quiescence: true,
        flip_squares: 3,
        flip_limit: 2,
        flip_cost: 1,
        pass: true,
        aspiration: true,
        contempt: 0,
    };

    /// Only what cannot change a value: equal to plain expectimax.
    pub const EXACT: Settings = Settings {
        swing: 0,
        reductions: false,
        quiescence: false,
        flip_squares: 0,
        flip_limit: 0,
        flip_cost: 0,
        pass: false,
        ..Settings::FULL
    };
}

/// Where in the tree a value is asked for, and how well it must be known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Plies still to look ahead.
    pub depth: i32,
    /// Plies below the root.
    pub ply: u32,
    /// Flips on the line to here.
    pub flips: u32,
    /// Values up to this may be given as upper bounds.
    pub alpha: i32,
    /// Values from this up may be given as lower bounds.
    pub beta: i32,
}

impl Node {
    /// The same place with another window.
    pub fn within(self, alpha: i32, beta: i32) -> Node {
        Node {
            alpha,
            beta,
            ..self
        }
    }

    /// The same place with so much less depth.
    pub fn shallower(self, plies: i32) -> Node {
        Node {
            depth: self.depth - plies,
            ..self
        }
    }

    /// The place after the side to move has acted, as the other side sees it.
    pub fn other_side(self) -> Node {
        Node {
            ply: self.ply + 1,
            alpha: -self.beta,
            beta: -self.alpha,
            ..self
        }
    }

    /// Whether a value decides nothing more within the window.
    pub fn is_outside(self, value: i32) -> bool {
        value <= self.alpha || value >= self.beta
    }
}

/// One searcher, for one decision.
pub struct Search<'a> {
    settings: Settings,
    rules: Rules,
    table: Option<&'a Table>,
    endgames: Option<&'a Tables>,
    table_hits: u64,
    judge: Judge,
    memory: Memory,
    /// The flips of the position whose last ply was looked at last.
    flips: Option<Flips>,
    /// The budget that ends the search.
    pub budget: Budget<'a>,
    /// Keys of the positions since the last capture or flip of the game, then those of the line.
    keys: Vec<u64>,
    /// Distinguishes values in the table that rest on what a draw is worth.
    draw_word: u64,
    /// Where in `keys` the root stands.
    root: usize,
    root_color: Option<Color>,
    taint: u32,
    selective_depth: u32,
}

/// Returns zero where draws are worth nothing, else a word that depends on what they are worth to whom.
fn draw_word(contempt: i32, root_color: Option<Color>) -> u64 {
    let side = root_color.map_or(0, |color| 1 + color.index() as u64);
    match contempt {
        0 => 0,
        _ => (u64::from(contempt as u32) << 2 | side).wrapping_mul(0xd6e8_feb8_6659_fd93),
    }
}

/// What the search found at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The best action.
    pub action: Action,
    /// Its value for the side to move.
    pub value: i32,
}

impl<'a> Search<'a> {
    /// Returns a searcher for the game's position.
    pub fn new(
        settings: Settings,
        game: &Game,
        table: Option<&'a Table>,
        endgames: Option<&'a Tables>,
        weights: &Arc<Weights>,
        budget: Budget<'a>,
    ) -> Search<'a> {
        let keys = game.quiet_keys().to_vec();
        let root_color = game.position().turn();
        Search {
            settings,
            rules: game.rules(),
            table,
            endgames,
            table_hits: 0,
            judge: Judge::new(weights.clone()),
            memory: Memory::default(),
            flips: None,
            budget,
            root: keys.len() - 1,
            keys,
            draw_word: draw_word(settings.contempt, root_color),
            root_color,
            taint: UNTAINTED,
            selective_depth: 0,
        }
    }

    /// Returns the deepest ply seen.
    pub fn selective_depth(&self) -> u32 {
        self.selective_depth
    }

    /// Returns how many answers came from endgame tables.
    pub fn table_hits(&self) -> u64 {
        self.table_hits
    }

    /// Returns the value of an action: within the window exact, else a bound.
    /// `scout` first asks with a null window whether it is better than alpha at all.
    fn action_value(
        &mut self,
        position: &mut Position,
        action: Action,
        node: Node,
        scout: bool,
    ) -> i32 {
        let after = self.after(action, node);
        if action.is_flip()
            && self.flips_are_static(node)
            && let Some(value) = self.static_flip_value(position, action.from(), after)
        {
            return value;
        }
        let is_static = after.depth <= 0 && !self.settings.quiescence;
        if scout && !is_static && node.beta > node.alpha + 1 {
            let null = node.within(node.alpha, node.alpha + 1);
            let first = self.action_value(position, action, null, false);
            if node.is_outside(first) {
                return first;
            }
        }
        if !action.is_flip() {
            return self.step_value(position, action, after);
        }
        self.flip_value(position, action.from(), after)
    }

    /// The same place with the depth that an action leaves.
    fn after(&self, action: Action, node: Node) -> Node {
        match action.is_flip() {
            true => self.after_flip(node),
            false => node.shallower(1),
        }
    }

    fn after_flip(&self, node: Node) -> Node {
        let cost = match node.ply {
            0 => 0,
            _ => self.settings.flip_cost as i32,
        };
        Node {
            flips: node.flips + 1,
            ..node.shallower(1 + cost)
        }
    }

    /// Plays a move, values what follows and takes it back. The node's depth is what is left after it.
    fn step_value(&mut self, position: &mut Position, action: Action, node: Node) -> i32 {
        self.budget.visit();
        let undo = position.step_unchecked(action);
        if let Some(table) = self.table.filter(|_| node.depth > 0) {
            table.prefetch(self.node_key(position, node.flips));
        }
        self.keys.push(position.key());
        let value = -self.value(position, node.other_side());
        self.keys.pop();
        position.undo(undo);
        value
    }

    /// Returns the value of a position for the side to move: within the window
    /// exact, below it an upper bound, above it a lower bound. Worthless once
    /// the budget is spent.
    pub(crate) fn value(&mut self, position: &mut Position, node: Node) -> i32 {
        let Node { depth, ply, .. } = node;
        self.selective_depth = self.selective_depth.max(ply);
        if let Some(value) = self.ended(position, ply) {
            return value;
        }
        if let Some(value) = self.tabled(position, ply) {
            return value;
        }
        if depth <= 0 || ply >= MOST_PLY {
            return match self.settings.quiescence {
                true => self.quiet_value(position, ply, (node.alpha, node.beta)),
                false => self.estimate(position),
            };
        }
        let key = self.node_key(position, node.flips);
        let known = self.table.and_then(|table| table.probe(key, ply));
        // Just below the root an old value might hide that the game has been here before.
        let usable = known.filter(|_| ply > 1 || self.root < 2);
        if let Some(value) = usable.and_then(|known| self.cutoff(&known, node)) {
            return value;
        }
        let outer_taint = std::mem::replace(&mut self.taint, UNTAINTED);
        let hint = known.and_then(|known| known.best);
        // A flip that was free on the last ply says little, and costs much before it.
        let hint = hint.filter(|hint| !(hint.is_flip() && self.is_exact()));
        let (best, value) = self.best_of(position, node, hint);
        if self.taint >= ply {
            self.taint = UNTAINTED;
            let alpha = match self.is_last_ply(position, node) {
                true => -WIN,
                false => node.alpha,
            };
            self.enter(key, node.within(alpha, node.beta), best, value);
        }
        self.taint = self.taint.min(outer_taint);
        value
    }

    /// Whether nothing below a node is ever a bound, so that its value is exact unless cut short.
    fn is_last_ply(&self, position: &Position, node: Node) -> bool {
        let stones = position.face_down().len();
        let flips_are_exact = stones > 1
            && position.turn().is_some()
            && self.flips_are_static(node)
            && !self.shrinks_fresh_estimates();
        node.depth == 1 && self.is_exact() && (stones == 0 || flips_are_exact)
    }

    /// Whether estimates shrink even right after a flip, which sets the quiet counter back.
    fn shrinks_fresh_estimates(&self) -> bool {
        let limit = self.rules.quiet_limit.unwrap_or(0);
        limit > 0 && limit < QUIET_HORIZON
    }

    /// Looks at the actions of a node, best first.
    fn best_of(
        &mut self,
        position: &mut Position,
        mut node: Node,
        hint: Option<Action>,
    ) -> (Option<Action>, i32) {
        let mut best = (None, -WIN);
        let ranked = self.ranked_actions(position, node, hint);
        if ranked.left_out_flips && self.settings.pass {
            best.1 = self.pass_value(position, node);
            node.alpha = node.alpha.max(best.1);
            if node.alpha >= node.beta || self.budget.is_spent() {
                return best;
            }
        }
        let mut tried = 0;
        for action in ranked {
            let quiet = !action.is_flip() && position.piece_at(action.to()).is_none();
            let value = match self.reduction(quiet, node.depth, tried) {
                0 => self.action_value(position, action, node, tried > 0),
                less => self.reduced_value(position, action, node, less),
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
                if quiet {
                    self.memory.reward(position, action, node.ply, node.depth);
                }
                break;
            }
        }
        if tried == 0 && best.1 == -WIN {
            // Every flip was left out and nothing stands for them.
            best.1 = self.estimate(position);
        }
        best
    }

    /// How many plies less a late quiet move is searched.
    fn reduction(&self, quiet: bool, depth: i32, tried: u32) -> i32 {
        if !self.settings.reductions || !quiet || depth < 3 || tried < 3 {
            return 0;
        }
        1 + i32::from(tried >= 8 && depth >= 5)
    }

    /// Asks with less depth and a null window first; only a move that seems better gets the rest.
    fn reduced_value(
        &mut self,
        position: &mut Position,
        action: Action,
        node: Node,
        less: i32,
    ) -> i32 {
        let scout = node.shallower(less).within(node.alpha, node.alpha + 1);
        let value = self.action_value(position, action, scout, false);
        if value <= node.alpha || self.budget.is_spent() {
            return value;
        }
        self.action_value(position, action, node, true)
    }

    /// Returns what passing the turn is worth, searched two plies less deeply.
    fn pass_value(&mut self, position: &Position, node: Node) -> i32 {
        self.budget.visit();
        let mut passed = position.passed();
        self.keys.push(passed.key());
        let value = -self.value(&mut passed, node.shallower(3).other_side());
        self.keys.pop();
        // Passing is no proof of anything.
        value.clamp(-SURE, SURE)
    }

    /// Returns the value of a position in which the game has ended, or may be called drawn.
    fn ended(&mut self, position: &Position, ply: u32) -> Option<i32> {
        if position.annihilated().is_some() {
            return Some(end_value(position, ply));
        }
        if !position.has_action() {
            return Some(lost_in(ply));
        }
        if self.rules.quiet_draw(position.quiet()).is_some() {
            return Some(self.draw_value(position));
        }
        let taint = self.repeated(position)?;
        self.taint = self.taint.min(taint);
        Some(self.draw_value(position))
    }

    /// Returns what the endgame tables say.
    fn tabled(&mut self, position: &Position, ply: u32) -> Option<i32> {
        let value = endgames::value(self.endgames?, position, ply, self.draw_value(position))?;
        self.table_hits += 1;
        Some(value)
    }

    /// Returns the ply of the repeated position if this one counts as drawn by
    /// repetition: it stood on this line or in the game before.
    ///
    /// One earlier time is enough, although rules ask for two: a side that has
    /// something to win should make progress and not come back, and a side that
    /// can come back once can do so again.
    fn repeated(&self, position: &Position) -> Option<u32> {
        if self.rules.repetition == Repetition::Never || position.quiet() < 4 {
            return None;
        }
        let here = self.keys.len() - 1;
        let quiet = here.min(position.quiet() as usize);
        let mut back = (4..=quiet).step_by(2).map(|plies| here - plies);
        let place = back.find(|&place| self.keys[place] == position.key())?;
        Some(place.saturating_sub(self.root) as u32)
    }

    /// Returns what a draw is worth to the side to move.
    fn draw_value(&self, position: &Position) -> i32 {
        match position.turn() == self.root_color {
            true => -self.settings.contempt,
            false => self.settings.contempt,
        }
    }

    /// Returns the evaluation, shrunk when the quiet counter nears its limit.
    fn estimate(&mut self, position: &Position) -> i32 {
        let value = self.judge.value(position);
        match self.quiet_left(position.quiet()) {
            left if left < QUIET_HORIZON => value * left as i32 / QUIET_HORIZON as i32,
            _ => value,
        }
    }

    /// Returns how many quiet plies are left after so many.
    fn quiet_left(&self, quiet: u32) -> u32 {
        match self.rules.quiet_limit {
            Some(limit) if limit > 0 => limit.saturating_sub(quiet),
            _ => u32::MAX,
        }
    }

    /// The key of a node: its position, and what else its value rests on.
    fn node_key(&self, position: &Position, flips: u32) -> u64 {
        self.key_with(position.key(), position.quiet(), flips)
    }

    /// The key of a node with this position's key, so many quiet plies and so many flips above.
    fn key_with(&self, key: u64, quiet: u32, flips: u32) -> u64 {
        let left = self.quiet_left(quiet);
        let near = if left < QUIET_HORIZON { left + 1 } else { 0 };
        let flips = if self.settings.flip_limit > 0 {
            flips
        } else {
            0
        };
        let extra = u64::from(near) << 8 | u64::from(flips);
        key ^ self.draw_word ^ extra.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns the value that follows from what is known, if it decides the window.
    ///
    /// A value of a deeper search, or a proof found by one, is as good as the one asked
    /// for or better; but it is not the same, so an exact search does without.
    fn cutoff(&self, known: &Known, node: Node) -> Option<i32> {
        let exact = self.is_exact();
        let holds = |bound: i32| {
            known.depth == node.depth
                || (!exact && (known.depth > node.depth || bound.abs() > SURE))
        };
        let (lower, upper) = (known.lower, known.upper);
        if (lower >= node.beta || lower == upper) && holds(lower) {
            return Some(lower);
        }
        (upper <= node.alpha && holds(upper)).then_some(upper)
    }

    fn enter(&self, key: u64, node: Node, best: Option<Action>, value: i32) {
        let Some(table) = self.table.filter(|_| !self.budget.is_spent()) else {
            return;
        };
        let known = Known {
            lower: if value > node.alpha { value } else { -WIN },
            upper: if value < node.beta { value } else { WIN },
            depth: node.depth,
            best,
        };
        table.store(key, node.ply, known);
    }

    /// Returns what both sides would play from here as far as the table knows, the given action first.
    pub fn line(&self, position: &Position, first: Found) -> Vec<LineStep> {
        let mut position = *position;
        let mut line = vec![LineStep {
            action: first.action,
            expectation: first.action.is_flip().then_some(first.value),
        }];
        while let Some(last) = line.last().filter(|step| !step.action.is_flip()) {
            let _ = position.step_unchecked(last.action);
            let key = self.node_key(&position, 0);
            let known = self.table.and_then(|table| table.probe(key, 0));
            let Some((known, best)) = known.and_then(|k| Some((k, k.best?))) else {
                break;
            };
            if !position.is_legal(best) || line.len() >= 24 {
                break;
            }
            // Values in the table are for the side to move there; a line's are for the side that flips.
            let expectation = best
                .is_flip()
                .then_some(known.lower.max(-SURE).min(known.upper));
            line.push(LineStep {
                action: best,
                expectation,
            });
        }
        line
    }
}
