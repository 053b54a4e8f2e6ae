//! One search thread: iterations of the tree search.
//!
//! Each iteration looks for the best actions in order, each searched without those
//! before it, with a window around the value of the previous iteration (aspiration).
//!
//! An iteration that the budget cuts short still counts if it found as many best
//! actions as the previous one.

use crate::budget::Budget;
use crate::clock::Delays;
use crate::deepening::{Deepen, Deepest, Iteration, deepen, depths};
use crate::endgames::{RootChoice, root_choice, root_choice_with_face_down};
use crate::evaluation::Evaluation;
use crate::player::{Limits, LineStep, Stop, choosable};
use crate::random::Chance;
use crate::score::{ESTIMATE_BOUND, Score, UNPROVEN_BOUND, WIN};
use crate::transposition::Table;
use crate::tree::{
    Exact, Knowledge, OutcomeValue, Playing, RootResult, Search, Settings, Shared, Strategy,
};
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Game, Position, SquareSet};
use anqi_tablebase::distil::EmbeddedValues;
use anqi_tablebase::{Endgames, Tables, Wdl};
use std::borrow::Cow;

/// The factor by which the half-width of a failed window grows on that side.
const WIDENING: i32 = 4;
/// Beyond this half-width the window opens completely on that side.
const WIDEST_ASPIRATION: i32 = 2_000;

/// A task for one or several threads.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The game; its position is the one to decide in.
    pub game: &'a Game,
    /// The actions to choose among; `None` for all that are legal.
    pub among: Option<&'a [Action]>,
    /// How to search.
    pub settings: Settings,
    /// How long to search.
    pub limits: Limits,
    /// Seeds the order of equal actions.
    pub seed: u64,
    /// Ends the search.
    pub stop: &'a Stop,
    /// The shared transposition table, if one is used.
    pub table: Option<&'a Table>,
    /// Endgame tables in memory that give values in the tree, if there are any.
    pub endgames: Option<&'a Tables>,
    /// Endgame tables that choose at the root, if there are any.
    pub root_endgames: Option<&'a dyn Endgames>,
    /// The values of five pieces that the program carries, for root and tree, if they are used.
    pub carried: Option<EmbeddedValues>,
    /// The static evaluation.
    pub evaluation: &'a Evaluation,
    /// The longest recent scheduling delay, to keep time limits.
    pub delays: Option<&'a Delays>,
    /// The number of threads.
    pub threads: usize,
}

impl<'a> Task<'a> {
    /// Returns the budget of the main thread, under these limits.
    pub(crate) fn budget(&self, limits: &Limits) -> Budget<'a> {
        Budget::in_position(limits, self.game.position(), self.stop).with_delays(self.delays)
    }
}

/// One of the best actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The action and its value.
    pub found: RootResult,
    /// The principal variation, from the action.
    pub line: Vec<LineStep>,
    /// The outcomes of a flip, if they were asked for and are known.
    pub outcomes: Vec<OutcomeValue>,
}

/// The answer of the threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// The best actions in order, at least one.
    pub best: Vec<Best>,
    /// The deepest finished iteration.
    pub depth: u32,
    /// The longest line.
    pub selective_depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Answers from endgame tables.
    pub table_hits: u64,
}

/// A thread's part in a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread<'a> {
    /// 0 decides and reports, the others help.
    pub number: u32,
    /// What the threads share, if there are several.
    pub shared: Option<&'a Shared>,
}

impl Thread<'_> {
    /// The only one.
    pub(crate) const ALONE: Thread<'static> = Thread {
        number: 0,
        shared: None,
    };

    fn is_main(self) -> bool {
        self.number == 0
    }
}

/// Searches on one thread; `finished` is called after every finished iteration.
pub(crate) fn think_alone<'a>(
    task: &Task<'a>,
    budget: Budget<'a>,
    thread: Thread<'a>,
    finished: impl FnMut(&Thought, &Budget<'_>),
) -> Thought {
    if task.settings.is_exact() {
        think_by::<Exact>(task, budget, thread, finished)
    } else {
        think_by::<Playing>(task, budget, thread, finished)
    }
}

fn think_by<'a, S: Strategy>(
    task: &Task<'a>,
    budget: Budget<'a>,
    thread: Thread<'a>,
    mut finished: impl FnMut(&Thought, &Budget<'_>),
) -> Thought {
    let position = task.game.position();
    let choosable = choosable(task.game, task.among);
    let (mut actions, tabled) = match known_choice(task, &choosable, &budget) {
        None => (choosable.to_vec(), Tabled::default()),
        Some(RootChoice::Keep {
            wdl,
            actions,
            others,
        }) => {
            let known = Some(wdl);
            (actions, Tabled { known, others })
        }
        Some(RootChoice::Decided(ranked)) => {
            let thought = decided(&ranked, task.limits.multipv);
            if thread.is_main() && tells_end(&thought) {
                finished(&thought, &budget);
            }
            return thought;
        }
    };
    let settings = settings_for(task, tabled.known);
    let seed = task.seed.wrapping_add(thread.number.into());
    let mut chance = Chance::new(seed, position);
    chance.shuffle(&mut actions);
    if let Some(sight) = settings.sight {
        let glance = u32::from(chance.below(100) < settings.glance as usize);
        let oversight = settings.oversight as usize;
        let overlooks = oversight > 0 && chance.below(100) < oversight;
        restrict_sight(&mut actions, position, sight.get() + glance, overlooks);
    }
    let wanted = if thread.is_main() {
        task.limits.multipv.clamp(1, actions.len())
    } else {
        1
    };
    let first = untried(actions[0]);
    let mut thinking = Thinking {
        search: searcher::<S>(task, settings, budget, thread),
        position,
        settings,
        actions,
        wanted,
        tabled,
        lines: task.limits.multipv,
        finished,
        selective_depth: 0,
    };
    let deepest = deepen(&mut thinking, depths(task.limits.depth));
    let deepest = deepest.unwrap_or(Deepest {
        answer: vec![first],
        depth: 0,
    });
    let thought = thinking.thought(&deepest);
    shown(&thought, &thinking.tabled, thinking.lines).into_owned()
}

/// The search of a thread; only the main one has its outcomes shown.
fn searcher<'a, S: Strategy>(
    task: &Task<'a>,
    settings: Settings,
    budget: Budget<'a>,
    thread: Thread<'a>,
) -> Search<'a, S> {
    let knowledge = Knowledge {
        table: task.table,
        endgames: task.endgames,
        carried: task.carried,
        evaluation: task.evaluation,
    };
    let mut search = Search::new(settings, task.game, knowledge, budget);
    if task.limits.outcomes && thread.is_main() {
        search.keep_outcomes();
    }
    if let Some(shared) = thread.shared {
        search.share(shared);
    }
    search
}

/// What tables know of a position where they leave a choice.
#[derive(Debug, Default)]
struct Tabled {
    /// The value of the position.
    known: Option<Wdl>,
    /// The actions that lose value and need no search.
    others: Vec<(Action, i32)>,
}

/// The choice that endgame tables leave, `None` if they do not know the position.
fn known_choice(task: &Task<'_>, among: &[Action], budget: &Budget<'_>) -> Option<RootChoice> {
    if task.game.position().face_down().is_empty() {
        let known = task.root_endgames;
        let known = known.and_then(|tables| root_choice(tables, task.game, among));
        let carried = task.carried.filter(|_| task.settings.probe_depth.is_some());
        let may_decode = || budget.allows_work();
        return known.or_else(|| root_choice(&carried?.timed(&may_decode), task.game, among));
    }
    let tables = task.endgames.filter(|_| task.settings.face_down)?;
    root_choice_with_face_down(tables, task.game, among)
}

/// Drops actions after the first few, but never captures nor moves of attacked pieces; if the side
/// to move overlooks more, captures by cannons and such moves count as other actions.
fn restrict_sight(actions: &mut Vec<Action>, position: &Position, sight: u32, overlooks: bool) {
    let mut left = sight;
    let turn = position.turn().filter(|_| !overlooks);
    let enemies = turn.map(|turn| position.color(!turn));
    let attackers = enemies.into_iter().flatten();
    let attacked = attackers.fold(SquareSet::EMPTY, |all, from| all | position.targets(from));
    actions.retain(|action| {
        let is_jump = !action.from().neighbours().contains(action.to());
        let is_capture = !action.is_flip()
            && position.piece_at(action.to()).is_some()
            && !(overlooks && is_jump);
        let is_escape = !action.is_flip() && attacked.contains(action.from());
        let is_in_sight = left > 0;
        if !is_capture && !is_escape {
            left = left.saturating_sub(1);
        }
        is_capture || is_escape || is_in_sight
    });
}

/// The iterative deepening of one thread.
struct Thinking<'a, S, F> {
    search: Search<'a, S>,
    position: &'a Position,
    settings: Settings,
    /// The actions to choose from, the best of the last iteration first.
    actions: Vec<Action>,
    /// The number of best actions to search.
    wanted: usize,
    /// What tables know of the position, if they leave a choice.
    tabled: Tabled,
    /// The number of lines to report, those that need no search included.
    lines: usize,
    finished: F,
    selective_depth: u32,
}

impl<S: Strategy, F: FnMut(&Thought, &Budget<'_>)> Deepen for Thinking<'_, S, F> {
    type Answer = Vec<Best>;

    fn iterate(&mut self, depth: u32, last: Option<&Vec<Best>>) -> Iteration<Vec<Best>> {
        let last = last.map_or(&[][..], Vec::as_slice);
        let best = self.best_few(depth, last);
        if !self.search.budget().is_spent() {
            return Iteration::Finished(best);
        }
        let is_better = !best.is_empty() && best.len() >= last.len();
        Iteration::CutShort(is_better.then_some(best))
    }

    fn finished(&mut self, deepest: &Deepest<Vec<Best>>) {
        self.selective_depth = self.search.selective_depth();
        let thought = self.thought(deepest);
        let shown = shown(&thought, &self.tabled, self.lines);
        (self.finished)(&shown, self.search.budget());
    }

    fn is_decided(&self, best: &Vec<Best>) -> bool {
        let is_decided = self.actions.len() == 1 || best[0].found.value.abs() > UNPROVEN_BOUND;
        is_decided && self.wanted == 1
    }

    fn is_nearly_spent(&mut self) -> bool {
        self.search.is_nearly_spent()
    }
}

impl<S: Strategy, F> Thinking<'_, S, F> {
    fn thought(&self, deepest: &Deepest<Vec<Best>>) -> Thought {
        Thought {
            best: deepest.answer.clone(),
            depth: deepest.depth,
            selective_depth: self.selective_depth,
            nodes: self.search.budget().nodes(),
            table_hits: self.search.table_hits(),
        }
    }

    /// Returns the best actions in order, each searched without those before it.
    fn best_few(&mut self, depth: u32, last: &[Best]) -> Vec<Best> {
        let mut few: Vec<Best> = Vec::new();
        for rank in 0..self.wanted {
            let expected = last.get(rank).map(|best| best.found);
            let rest = &mut self.actions[rank..];
            if let Some(place) = expected.and_then(|e| rest.iter().position(|a| *a == e.action)) {
                rest[..=place].rotate_right(1);
            }
            let centre = expected.filter(|_| self.settings.aspiration);
            let centre = centre.map(|expected| self.search.merit(expected));
            let Some(found) = self.best_around(rank, depth, centre) else {
                break;
            };
            let line = self.search.variation(self.position, found);
            let outcomes = self.search.outcomes(found.action, found.value);
            few.push(Best {
                found,
                line,
                outcomes,
            });
            if self.search.budget().is_spent() {
                break;
            }
        }
        // A later search may value its best action higher than the one before.
        sort_few_by_key(&mut few, |best| -best.found.value);
        few
    }

    /// Searches the actions from a rank on with a window around the expected merit,
    /// widened until the merit is inside.
    ///
    /// If the budget ends first, an action above alpha is an answer; merits at
    /// or below alpha are upper bounds, and the greatest means nothing.
    fn best_around(&mut self, rank: usize, depth: u32, centre: Option<i32>) -> Option<RootResult> {
        let mut half = self.settings.window as i32;
        let mut window = match centre {
            Some(value) if value.abs() < UNPROVEN_BOUND => (value - half, value + half),
            _ => (-WIN, WIN),
        };
        loop {
            let rest = &mut self.actions[rank..];
            let found = self
                .search
                .root(self.position, rest, depth as i32, window)?;
            let (alpha, beta) = window;
            half *= WIDENING;
            let is_wide = half > WIDEST_ASPIRATION;
            let merit = self.search.merit(found);
            if self.search.budget().is_spent() {
                return Some(found).filter(|_| merit > alpha);
            }
            if merit <= alpha && alpha > -WIN {
                window.0 = if is_wide { -WIN } else { merit - half };
            } else if merit >= beta && beta < WIN {
                window.1 = if is_wide { WIN } else { merit + half };
            } else {
                return Some(found);
            }
        }
    }
}

/// The settings of a task in a position of known value: the winning side avoids draws, the losing
/// side seeks them. Several best actions are ordered by their values alone.
fn settings_for(task: &Task<'_>, known: Option<Wdl>) -> Settings {
    let settings = task.settings;
    let flip_margin = match task.limits.multipv {
        ..=1 => settings.flip_margin,
        _ => 0,
    };
    Settings {
        contempt: contempt(settings, known),
        flip_margin,
        ..settings
    }
}

fn contempt(settings: Settings, known: Option<Wdl>) -> i32 {
    match known {
        Some(Wdl::Win) => ESTIMATE_BOUND,
        Some(Wdl::Loss) => -ESTIMATE_BOUND,
        Some(Wdl::Draw) | None => settings.contempt,
    }
}

/// The thought with its values clamped to the tables' result, and with lines
/// for the actions that tables rate lower.
fn shown<'a>(thought: &'a Thought, tabled: &Tabled, lines: usize) -> Cow<'a, Thought> {
    let missing = lines.saturating_sub(thought.best.len());
    let range = match tabled.known {
        Some(Wdl::Win) => UNPROVEN_BOUND..=WIN,
        Some(Wdl::Loss) => -WIN..=-UNPROVEN_BOUND,
        Some(Wdl::Draw) if missing > 0 => -WIN..=WIN,
        Some(Wdl::Draw) | None => return Cow::Borrowed(thought),
    };
    let mut thought = thought.clone();
    for best in &mut thought.best {
        best.found.value = best.found.value.clamp(*range.start(), *range.end());
    }
    let others = tabled.others.iter().take(missing);
    thought.best.extend(others.map(from_table));
    Cow::Owned(thought)
}

/// An action with its value from a table.
fn from_table(&(action, value): &(Action, i32)) -> Best {
    let mut best = untried(action);
    best.found.value = value;
    best
}

/// The answer of a table: this many of the best actions.
fn decided(ranked: &[(Action, i32)], wanted: usize) -> Thought {
    Thought {
        best: ranked.iter().take(wanted.max(1)).map(from_table).collect(),
        depth: 0,
        selective_depth: 0,
        nodes: 0,
        table_hits: 1,
    }
}

/// Whether the best action is known to end the game in so many plies, which is worth a report.
fn tells_end(thought: &Thought) -> bool {
    let score = Score::from_value(thought.best[0].found.value);
    score.plies_to_end().is_some()
}

/// The answer before any search.
fn untried(action: Action) -> Best {
    let found = RootResult { action, value: 0 };
    let expectation = None;
    let line = vec![LineStep {
        action,
        expectation,
    }];
    Best {
        found,
        line,
        outcomes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_sight_overlooks_neither_captures_nor_attacked_pieces() {
        // The king takes the guard; the rook stands beside the guard; the pawn is far away.
        let position: Position = "Kg2/1R2/4/4/4/4/4/P2? r n 0 9".parse().unwrap();
        for (sight, overlooks, escapes, others) in [
            (1, false, 3, 2),
            (2, false, 3, 3),
            (100, false, 3, 5),
            (1, true, 0, 2),
            (100, true, 3, 5),
        ] {
            let mut actions = position.actions().to_vec();
            restrict_sight(&mut actions, &position, sight, overlooks);
            let from = |square: &str| {
                let square = square.parse().unwrap();
                actions
                    .iter()
                    .filter(|action| action.from() == square)
                    .count()
            };
            assert!(actions.contains(&"a8-b8".parse().unwrap()), "{sight}");
            assert_eq!(from("b7"), escapes, "{sight}: {actions:?}");
            assert_eq!(from("a8") + from("a1") + from("d1"), others);
        }
    }

    #[test]
    fn a_side_that_overlooks_more_may_miss_what_its_cannon_could_take() {
        let position: Position = "4/4/4/4/4/g3/?3/C2? r nn 0 9".parse().unwrap();
        let jump = "a1-a3".parse().unwrap();
        for (overlooks, others) in [(false, 1), (true, 0)] {
            let mut actions = position.actions().to_vec();
            // The jump comes last.
            actions.sort_by_key(|action| *action == jump);
            restrict_sight(&mut actions, &position, 1, overlooks);
            assert_eq!(actions.contains(&jump), !overlooks);
            assert_eq!(actions.len(), 1 + others);
        }
    }

    #[test]
    fn draws_are_shunned_when_winning_and_welcome_when_losing() {
        let contempt = |known| contempt(Settings::FULL, known);
        assert!(contempt(Some(Wdl::Win)) > 0 && contempt(Some(Wdl::Loss)) < 0);
        assert_eq!(contempt(None), Settings::FULL.contempt);
    }
}
