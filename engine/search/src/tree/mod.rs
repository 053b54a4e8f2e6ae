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
mod distribution;
mod exchange;
mod flips;
mod history;
mod line;
mod node;
mod ordering;
mod outcomes;
mod probing;
mod pruning;
mod quiescence;
mod root;
mod settings;
mod sharing;
mod strategy;
mod variation;

pub use distribution::OutcomeValue;
pub use root::RootResult;
pub use settings::Settings;
pub(crate) use sharing::Shared;
pub use strategy::{Exact, Playing, Strategy};

use crate::budget::Budget;
use crate::endgames;
use crate::evaluation::{Evaluation, Evaluator, Flips};
use crate::transposition::Table;
use anqi_rules::{Action, Game, Piece, Position, Square};
use anqi_tablebase::Tables;
use anqi_tablebase::distil::EmbeddedValues;
use distribution::Distributions;
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
    /// The values of five pieces that the program carries, if they are used.
    pub carried: Option<EmbeddedValues>,
    /// The static evaluation.
    pub evaluation: &'a Evaluation,
}

/// The search of one decision.
pub struct Search<'a, S> {
    settings: Settings,
    table: Option<&'a Table>,
    endgames: Option<&'a Tables>,
    carried: Option<EmbeddedValues>,
    table_hits: u64,
    evaluator: Evaluator,
    history: History,
    /// The shared sums of the last position whose flips were evaluated.
    flips: Option<Flips>,
    budget: Budget<'a>,
    line: Line,
    selective_depth: u32,
    /// The outcomes of the root's flips, if they are kept.
    distributions: Distributions,
    /// An action of the root that a test found to be better than the best, while its value is searched.
    promising: Option<RootResult>,
    /// What other threads do, if there are any.
    shared: Option<&'a Shared>,
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
            carried: knowledge.carried,
            table_hits: 0,
            evaluator,
            history: History::default(),
            flips: None,
            budget,
            line: Line::new(game, &settings),
            selective_depth: 0,
            distributions: Distributions::default(),
            promising: None,
            shared: None,
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
    pub(crate) fn is_nearly_spent(&mut self) -> bool {
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
    fn tabled(&mut self, position: &Position, ply: u32, depth: i32) -> Option<i32> {
        let tables = self.endgames?;
        let value = if position.face_down().is_empty() {
            let draw = self.line.draw_value(position);
            let known = endgames::value(tables, position, ply, draw);
            known.or_else(|| self.carried_value(position, ply, depth, draw))?
        } else if self.settings.face_down {
            endgames::expectation(tables, position, ply)?
        } else {
            return None;
        };
        self.table_hits += 1;
        Some(value)
    }

    /// Returns the value that the program carries, just after a capture or flip and with enough depth left:
    /// it costs as much as some thirty nodes, and the first of a region as much as some thousands. Without a clock,
    /// whether a region is decoded does not matter: the same search has the same result in every program.
    #[inline]
    fn carried_value(&self, position: &Position, ply: u32, depth: i32, draw: i32) -> Option<i32> {
        let least = self.settings.probe_depth?.get() as i32;
        if depth < least || position.quiet_counter() > 0 {
            return None;
        }
        let budget = &self.budget;
        let may_decode = || budget.allows_work();
        endgames::carried_value(self.carried?.timed(&may_decode), position, ply, draw)
    }

    fn key(&self, position: &Position, node: Node) -> u64 {
        self.line.key(position, node.flips)
    }
}

#[cfg(test)]
mod tests {
    use super::bounds::{ActionBounds, bound_of};
    use super::*;
    use crate::score::{UNPROVEN_BOUND, WIN};
    use crate::{Limits, Stop};
    use anqi_rules::Rules;
    use std::num::NonZeroU32;

    pub(super) const MIDDLE: &str = "4/1g2/4/2R1/1?n1/4/K2m/4 r P 3 40";
    pub(super) const WIDE: (i32, i32) = (-WIN, WIN);

    pub(super) fn game(text: &str) -> Game {
        Game::from_text(text, Rules::OLYMPIAD).unwrap()
    }

    pub(super) fn knowledge(endgames: Option<&Tables>) -> Knowledge<'_> {
        Knowledge {
            table: None,
            endgames,
            carried: None,
            evaluation: Evaluation::built_in(),
        }
    }

    pub(super) fn search<'a, S: Strategy>(
        settings: Settings,
        game: &Game,
        knowledge: Knowledge<'a>,
        stop: &'a Stop,
    ) -> Search<'a, S> {
        let budget = Budget::new(&Limits::NONE, stop);
        Search::new(settings, game, knowledge, budget)
    }

    #[test]
    fn actions_of_the_greatest_bound_come_first() {
        let (game, stop) = (game(MIDDLE), Stop::new());
        let mut all = game.actions().to_vec();
        let mut position = *game.position();
        let mut search: Search<'_, Exact> = search(Settings::EXACT, &game, knowledge(None), &stop);
        let mut bounds = ActionBounds::new();
        let node = Node::root(2, WIDE);
        search.order_by_bounds(&mut position, &mut all, node, &mut bounds);
        let values: Vec<i32> = all.iter().map(|a| bound_of(&bounds, *a).unwrap()).collect();
        assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
        assert!(values[0] > values[all.len() - 1], "{values:?}");
    }

    #[test]
    fn a_search_that_is_told_to_stop_begins_no_iteration() {
        let (game, stop) = (game(MIDDLE), Stop::new());
        let mut search: Search<'_, Playing> = search(Settings::FULL, &game, knowledge(None), &stop);
        assert!(!search.is_nearly_spent());
        stop.request();
        assert!(search.is_nearly_spent());
    }

    #[test]
    fn answers_of_tables_are_counted() {
        let (game, stop) = (game("K3/4/4/4/4/4/4/2gp r - 0 0"), Stop::new());
        let tables = Tables::solved(3, Rules::OLYMPIAD).unwrap();
        for endgames in [None, Some(&tables)] {
            let mut search: Search<'_, Playing> =
                search(Settings::FULL, &game, knowledge(endgames), &stop);
            let mut all = game.actions().to_vec();
            search.root(game.position(), &mut all, 1, WIDE).unwrap();
            // One answer for what follows each action.
            let expected = endgames.map_or(0, |_| all.len() as u64);
            assert_eq!(search.table_hits(), expected);
        }
    }

    #[test]
    fn late_moves_are_twice_as_many_at_twice_the_depth() {
        let (game, stop) = (game(MIDDLE), Stop::new());
        let settings = Settings {
            late_moves: NonZeroU32::new(5),
            ..Settings::FULL
        };
        let search: Search<'_, Playing> = search(settings, &game, knowledge(None), &stop);
        for depth in 1..=2 {
            let node = Node::root(depth, (0, 1));
            let first = (0..100).find(|tried| search.is_too_late(node, *tried, 0));
            assert_eq!(first, Some(5 * depth as u32));
        }
    }

    /// A face-down piece on the first square, a rook on the second, two pieces that stay.
    fn around(face_down: usize, rook: usize) -> String {
        let mut squares = [['1'; 4]; 8];
        (squares[2][1], squares[5][2]) = ('n', 'K');
        (
            squares[face_down / 4][face_down % 4],
            squares[rook / 4][rook % 4],
        ) = ('?', 'R');
        let rows = squares.map(|row| row.iter().collect::<String>());
        let board = rows.join("/").replace("1111", "4").replace("111", "3");
        board.replace("11", "2") + " r P 0 40"
    }

    #[test]
    fn a_value_that_breaks_its_promise_is_noticed() {
        let stop = Stop::new();
        let (mut checked, mut noticed) = (0, 0);
        for text in (0..32).flat_map(|at| (0..32).map(move |rook| around(at, rook))) {
            let Ok(game) = Game::from_text(&text, Rules::OLYMPIAD) else {
                continue; // The squares were not four.
            };
            let mut search: Search<'_, Exact> =
                search(Settings::EXACT, &game, knowledge(None), &stop);
            let square = game.position().face_down().into_iter().next().unwrap();
            let (node, mut position) = (Node::root(1, WIDE), *game.position());
            let full = search.plain_average(&mut position, square, node);
            let mut is_noticed = |value| {
                let check = || search.check_against_full_window(&mut position, square, node, value);
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).is_err()
            };
            assert!(!is_noticed(full), "{text}");
            noticed += u32::from(is_noticed(full + 1));
            checked += 1;
        }
        // One in 64 is looked at.
        assert!(checked > 600 && noticed > 3, "{noticed} of {checked}");
    }

    #[test]
    fn a_static_evaluation_that_exceeds_beta_by_the_margin_is_enough() {
        let (game, stop) = (game(MIDDLE), Stop::new());
        let settings = Settings {
            futility: NonZeroU32::new(100),
            ..Settings::FULL
        };
        let mut search: Search<'_, Playing> = search(settings, &game, knowledge(None), &stop);
        let estimate = search.estimate(game.position());
        for depth in 1..=2 {
            let surely = estimate - 100 * depth;
            let mut value = |beta| {
                let node = Node::root(depth, (beta - 1, beta));
                search.futility_value(game.position(), node)
            };
            assert_eq!(value(surely), Some(surely));
            assert_eq!(value(surely - 500), Some(surely));
            assert_eq!(value(surely + 1), None);
        }
        // An estimate cannot deny a proven loss.
        let mut within = |beta| {
            let node = Node::root(1, (beta - 1, beta));
            search.futility_value(game.position(), node).is_some()
        };
        assert!(within(-UNPROVEN_BOUND) && !within(-UNPROVEN_BOUND - 1));
        let far = Node::root(60, (-UNPROVEN_BOUND, 1 - UNPROVEN_BOUND));
        assert_eq!(search.futility_value(game.position(), far), None);
        let open = Node::root(1, (estimate - 900, estimate - 700));
        assert_eq!(search.futility_value(game.position(), open), None);
    }
}
