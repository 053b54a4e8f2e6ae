//! The champion's search: negamax over decisions, averages over chance, pruned.
//!
//! Decision nodes (`decision`) are negamax with principal variation search: the
//! first action gets the whole window, the others a null window first. Chance nodes
//! (`chance`) get windows too (Star1), narrowed by the transposition table and by
//! probing outcomes (Star2). `quiescence` searches the leaves; the `root` tries all
//! actions.
//!
//! Imports go one way: [`Settings`], then `node` (ply and window), `line` (history and draws),
//! `bounds` (the arithmetic of chance nodes), `flips` (which flips are tried), `exchange`,
//! `history` and `ordering`; the kinds of node above them call each other recursively.
//!
//! There are two strategies ([`Strategy`]). [`Playing`] prunes lines that seldom matter. [`Exact`]
//! gives exactly the value of plain [`expectimax`](crate::expectimax) at the same depth.

mod bounds;
mod chance;
mod decision;
mod exchange;
mod flips;
mod history;
mod line;
mod node;
mod ordering;
mod probing;
mod pruning;
mod quiescence;
mod root;
mod settings;
mod strategy;
mod variation;

pub use root::RootResult;
pub use settings::Settings;
pub use strategy::{Exact, Playing, Strategy};

use crate::clock::Budget;
use crate::endgames;
use crate::evaluation::{Evaluation, Evaluator, Flips};
use crate::transposition::Table;
use anqi_rules::{Action, Game, Piece, Position, Square};
use anqi_tablebase::Tables;
use history::History;
use line::{Line, Past};
use node::Node;
use std::marker::PhantomData;

/// The longest line.
const MOST_PLY: u32 = 120;

/// What a search may consult besides the position.
#[derive(Clone, Copy)]
pub struct Knowledge<'a> {
    /// The transposition table, if one is used.
    pub table: Option<&'a Table>,
    /// Endgame tables in memory, if there are any.
    pub endgames: Option<&'a Tables>,
    /// The static evaluation.
    pub evaluation: &'a Evaluation,
}

/// The search of one decision.
pub struct Search<'a, S> {
    settings: Settings,
    table: Option<&'a Table>,
    endgames: Option<&'a Tables>,
    table_hits: u64,
    evaluator: Evaluator,
    history: History,
    /// The shared sums of the last position whose flips were evaluated.
    flips: Option<Flips>,
    budget: Budget<'a>,
    line: Line,
    selective_depth: u32,
    strategy: PhantomData<S>,
}

impl<'a, S: Strategy> Search<'a, S> {
    /// Returns a searcher for the game's position.
    pub fn new(
        settings: Settings,
        game: &Game,
        knowledge: Knowledge<'a>,
        budget: Budget<'a>,
    ) -> Search<'a, S> {
        let mut evaluator = Evaluator::new(knowledge.evaluation.clone());
        evaluator.begin_at(game.position());
        Search {
            settings,
            table: knowledge.table,
            endgames: knowledge.endgames,
            table_hits: 0,
            evaluator,
            history: History::default(),
            flips: None,
            budget,
            line: Line::new(game, &settings),
            selective_depth: 0,
            strategy: PhantomData,
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

    /// Returns the search's budget.
    pub fn budget(&self) -> &Budget<'a> {
        &self.budget
    }

    /// Returns whether another, deeper iteration would hardly finish in time.
    pub fn is_nearly_spent(&mut self) -> bool {
        self.budget.is_nearly_spent()
    }

    /// Plays a move, continues, and takes it back.
    #[inline]
    fn after_step<T>(
        &mut self,
        position: &mut Position,
        action: Action,
        then: impl FnOnce(&mut Self, &mut Position) -> T,
    ) -> T {
        self.budget.visit();
        let past = self.line.past_after(position, action);
        let undo = position.step_unchecked(action);
        let result = self.at(position, past, then);
        position.undo(undo);
        result
    }

    /// Flips a square and reveals a piece there, continues, and takes it back.
    #[inline]
    fn after_flip<T>(
        &mut self,
        position: &mut Position,
        (square, piece): (Square, Piece),
        then: impl FnOnce(&mut Self, &mut Position) -> T,
    ) -> T {
        self.budget.visit();
        let undo = position.flip_unchecked(square, piece);
        let result = self.at(position, Past::NONE, then);
        position.undo(undo);
        result
    }

    /// Passes the turn and continues.
    fn after_pass<T>(
        &mut self,
        position: &Position,
        then: impl FnOnce(&mut Self, &mut Position) -> T,
    ) -> T {
        self.budget.visit();
        self.at(&mut position.passed(), Past::NONE, then)
    }

    /// Keeps the line and the accumulators in step with the position, down and up.
    #[inline]
    fn at<T>(
        &mut self,
        position: &mut Position,
        past: Past,
        then: impl FnOnce(&mut Self, &mut Position) -> T,
    ) -> T {
        self.line.push(position, past);
        self.evaluator.played(position);
        let result = then(self, position);
        self.evaluator.taken_back();
        self.line.pop();
        result
    }

    /// Returns the static evaluation, shrunk when the quiet counter nears its limit.
    #[inline]
    fn estimate(&mut self, position: &Position) -> i32 {
        self.line.shrunk(self.evaluator.value(position), position)
    }

    /// Returns the value from endgame tables.
    #[inline]
    fn tabled(&mut self, position: &Position, ply: u32) -> Option<i32> {
        let tables = self.endgames?;
        let value = if position.face_down().is_empty() {
            let draw = self.line.draw_value(position);
            endgames::value(tables, position, ply, draw)?
        } else if self.settings.face_down {
            endgames::expectation(tables, position, ply)?
        } else {
            return None;
        };
        self.table_hits += 1;
        Some(value)
    }

    fn key(&self, position: &Position, node: Node) -> u64 {
        self.line.key(position, node.flips)
    }
}
