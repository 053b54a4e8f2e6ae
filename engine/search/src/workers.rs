//! Thinking: iterative deepening by one or several threads.
//!
//! All threads search the same position and share nothing but the table (*lazy
//! SMP*): what one finds makes the others faster. The first thread decides and
//! reports; the others vary the order of actions and the depths they begin
//! with, and stop when the first does. One thread alone is deterministic.
//!
//! An iteration that the budget cuts short still counts if it valued the best
//! action of the one before and found a better one.

use crate::clock::{Budget, NodePool};
use crate::endgames::{RootChoice, root_choice};
use crate::judge::Weights;
use crate::negamax::MOST_DEPTH;
use crate::player::{Limits, LineStep, Stop};
use crate::random::Chance;
use crate::score::{ESTIMATE_BOUND, SURE, WIN};
use crate::star::{Found, Search, Settings};
use crate::transposition::Table;
use anqi_rules::{Action, Game};
use anqi_tablebase::{Endgames, Tables, Wdl};
use std::borrow::Cow;
use std::sync::Arc;

/// Half the width of the first window around the value of the iteration before.
const WINDOW: i32 = 600;

/// A task for the threads.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The game; its position is the one to decide in.
    pub game: &'a Game,
    /// How to search.
    pub settings: Settings,
    /// How long.
    pub limits: Limits,
    /// Seeds the order of equal actions.
    pub seed: u64,
    /// Ends the thinking.
    pub stop: &'a Stop,
    /// The shared table, if one is used.
    pub table: Option<&'a Table>,
    /// Endgame tables in memory that give values in the tree, if there are any.
    pub endgames: Option<&'a Tables>,
    /// Endgame tables that choose at the root, if there are any.
    pub root_endgames: Option<&'a dyn Endgames>,
    /// The weights of the evaluation.
    pub weights: &'a Arc<Weights>,
    /// How many threads.
    pub threads: usize,
}

/// One of the best actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The action and its value.
    pub found: Found,
    /// What both sides would play, the action first.
    pub line: Vec<LineStep>,
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

/// Thinks and returns the answer; `finished` hears of every finished iteration.
///
/// # Panics
///
/// Panics if the game has no legal action.
pub fn think(task: &Task<'_>, finished: impl FnMut(&Thought, &Budget<'_>)) -> Thought {
    if task.threads <= 1 {
        return deepen(task, Budget::new(&task.limits, task.stop), 0, finished);
    }
    with_helpers(task, finished)
}

#[cfg(not(feature = "os"))]
fn with_helpers(task: &Task<'_>, finished: impl FnMut(&Thought, &Budget<'_>)) -> Thought {
    deepen(task, Budget::new(&task.limits, task.stop), 0, finished)
}

#[cfg(feature = "os")]
fn with_helpers(task: &Task<'_>, finished: impl FnMut(&Thought, &Budget<'_>)) -> Thought {
    let done = Stop::new();
    let helpers = task.threads - 1;
    let (own, pool) = divided(task.limits, task.threads);
    let none = Limits {
        nodes: pool.as_ref().map(|_| 0),
        ..Limits::NONE
    };
    std::thread::scope(|scope| {
        let (done, pool) = (&done, pool.as_ref());
        let help = move |index| {
            let budget = Budget::new(&none, done).with_pool(pool);
            deepen(task, budget, index, |_, _| {})
        };
        let helpers: Vec<_> = (1..=helpers)
            .map_while(|index| {
                // A machine that gives no more threads gets on with those it gave.
                let thread = std::thread::Builder::new();
                thread.spawn_scoped(scope, move || help(index)).ok()
            })
            .collect();
        let budget = Budget::new(&own, task.stop).with_pool(pool);
        let mut thought = deepen(task, budget, 0, finished);
        done.request();
        for helper in helpers {
            // A helper that panicked has found nothing; the answer stands without it.
            thought.nodes += helper.join().map_or(0, |help| help.nodes);
        }
        thought
    })
}

/// The limits of the thread that decides, and the nodes that all threads draw from.
///
/// It has a share of its own, so that it has an answer even if the others are quicker.
#[cfg(feature = "os")]
fn divided(limits: Limits, threads: usize) -> (Limits, Option<NodePool>) {
    let Some(nodes) = limits.nodes else {
        return (limits, None);
    };
    let share = (nodes / threads as u64).max(1);
    let own = Limits {
        nodes: Some(share),
        ..limits
    };
    (
        own,
        Some(NodePool::new(nodes.saturating_sub(share), threads)),
    )
}

/// One thread's iterations.
fn deepen(
    task: &Task<'_>,
    budget: Budget<'_>,
    thread: usize,
    mut finished: impl FnMut(&Thought, &Budget<'_>),
) -> Thought {
    let position = task.game.position();
    let (mut actions, known) = match task.root_endgames.and_then(|t| root_choice(t, task.game)) {
        None => (position.actions().to_vec(), None),
        Some(RootChoice::Keep(wdl, actions)) => (actions, Some(wdl)),
        Some(RootChoice::Decided(action, value)) => return decided(action, value),
    };
    let mut search = Search::new(
        settings_for(task.settings, known),
        task.game,
        task.table,
        task.endgames,
        task.weights,
        budget,
    );
    Chance::new(task.seed.wrapping_add(thread as u64), position).shuffle(&mut actions);
    let mut thought = Thought {
        best: vec![untried(actions[0])],
        depth: 0,
        selective_depth: 0,
        nodes: 0,
        table_hits: 0,
    };
    let most = task.limits.depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
    for depth in 1..=most {
        let ahead = (thread as u32 + depth) % 2 * u32::from(thread > 0);
        let depth = (depth + ahead).min(most);
        let wanted = match thread {
            0 => task.limits.multipv.clamp(1, actions.len()),
            _ => 1,
        };
        let best = best_few(
            &mut search,
            task,
            &mut actions,
            depth,
            &thought.best,
            wanted,
        );
        let whole = !search.budget.is_spent();
        if whole || !best.is_empty() && best.len() >= thought.best.len() {
            thought.best = best;
        }
        thought.nodes = search.budget.nodes();
        thought.table_hits = search.table_hits();
        if !whole {
            break;
        }
        thought.depth = depth;
        thought.selective_depth = search.selective_depth();
        finished(&certain(&thought, known), &search.budget);
        let decided = actions.len() == 1 || thought.best[0].found.value.abs() > SURE;
        if search.budget.is_nearly_spent() || decided && wanted == 1 {
            break;
        }
    }
    thought.nodes = search.budget.nodes();
    certain(&thought, known).into_owned()
}

/// The settings for a position of known value: whoever has a win shuns draws,
/// and whoever has lost welcomes them.
fn settings_for(settings: Settings, known: Option<Wdl>) -> Settings {
    let contempt = match known {
        Some(Wdl::Win) => ESTIMATE_BOUND,
        Some(Wdl::Loss) => -ESTIMATE_BOUND,
        Some(Wdl::Draw) | None => settings.contempt,
    };
    Settings {
        contempt,
        ..settings
    }
}

/// The thought with values that are at least as certain as what the tables know of the position.
fn certain(thought: &Thought, known: Option<Wdl>) -> Cow<'_, Thought> {
    let range = match known {
        Some(Wdl::Win) => SURE..=WIN,
        Some(Wdl::Loss) => -WIN..=-SURE,
        Some(Wdl::Draw) | None => return Cow::Borrowed(thought),
    };
    let mut thought = thought.clone();
    for best in &mut thought.best {
        best.found.value = best.found.value.clamp(*range.start(), *range.end());
    }
    Cow::Owned(thought)
}

/// The answer of a table.
fn decided(action: Action, value: i32) -> Thought {
    let mut best = untried(action);
    best.found.value = value;
    Thought {
        best: vec![best],
        depth: 0,
        selective_depth: 0,
        nodes: 0,
        table_hits: 1,
    }
}

/// The answer before anything is known.
fn untried(action: Action) -> Best {
    let found = Found { action, value: 0 };
    let expectation = None;
    let line = vec![LineStep {
        action,
        expectation,
    }];
    Best { found, line }
}

/// One iteration: the best actions in order, each searched without those before it.
fn best_few(
    search: &mut Search<'_>,
    task: &Task<'_>,
    actions: &mut [Action],
    depth: u32,
    last: &[Best],
    wanted: usize,
) -> Vec<Best> {
    let position = task.game.position();
    let mut few: Vec<Best> = Vec::new();
    for rank in 0..wanted {
        let expected = last.get(rank).filter(|_| depth > 1).map(|best| best.found);
        let rest = &mut actions[rank..];
        if let Some(place) = expected.and_then(|e| rest.iter().position(|a| *a == e.action)) {
            rest[..=place].rotate_right(1);
        }
        let centre = expected
            .filter(|_| task.settings.aspiration)
            .map(|e| e.value);
        let Some(found) = around(search, position, rest, depth, centre) else {
            break;
        };
        let line = search.line(position, found);
        few.push(Best { found, line });
        if search.budget.is_spent() {
            break;
        }
    }
    few
}

/// Searches with a window around the expected value, widened until the value is inside.
///
/// If the budget ends before, an action that is better than the window's lower end
/// is an answer; below it all values are upper bounds, and the greatest says nothing.
fn around(
    search: &mut Search<'_>,
    position: &anqi_rules::Position,
    actions: &mut [Action],
    depth: u32,
    centre: Option<i32>,
) -> Option<Found> {
    let mut half = WINDOW;
    let mut window = match centre {
        Some(value) if value.abs() < SURE => (value - half, value + half),
        _ => (-WIN, WIN),
    };
    loop {
        let found = search.root(position, actions, depth as i32, window)?;
        let (alpha, beta) = window;
        half *= 4;
        if search.budget.is_spent() {
            return Some(found).filter(|found| found.value > alpha);
        }
        if found.value <= alpha && alpha > -WIN {
            window.0 = if half > 2_000 {
                -WIN
            } else {
                found.value - half
            };
        } else if found.value >= beta && beta < WIN {
            window.1 = if half > 2_000 {
                WIN
            } else {
                found.value + half
            };
        } else {
            return Some(found);
        }
    }
}

#[cfg(all(test, feature = "os"))]
mod tests {
    use super::*;
    use anqi_rules::{Position, Rules};

    #[test]
    fn threads_share_one_limit_of_nodes() {
        let text = "m?pr/1?c1/1g2/1n?g/C?p?/??G?/1p1N/KC?? b GMRPPkmcpp 0 30";
        let position: Position = text.parse().unwrap();
        let game = Game::new(position, Rules::OLYMPIAD);
        let stop = Stop::new();
        let table = Table::new(std::num::NonZeroU32::MIN).unwrap();
        for (nodes, threads) in [(20_000, 1), (20_000, 2), (20_000, 64), (10, 64)] {
            let task = Task {
                game: &game,
                settings: Settings::FULL,
                limits: Limits {
                    nodes: Some(nodes),
                    ..Limits::NONE
                },
                seed: 1,
                stop: &stop,
                table: Some(&table),
                endgames: None,
                root_endgames: None,
                weights: Weights::built_in(),
                threads,
            };
            let visited = think(&task, |_, _| {}).nodes;
            // A thread may count the node at which it learns that nothing is left.
            let range = nodes..=nodes + threads as u64;
            assert!(range.contains(&visited), "{visited} with {threads}");
        }
    }
}
