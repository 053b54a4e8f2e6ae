//! Several threads search one position.
//!
//! They share the transposition table, a limit of nodes, what they are at and the best that they found
//! ([`Shared`]), so that each searches what the others do not. The main thread decides and
//! reports; the others stop when it does. One thread alone is deterministic.

use crate::budget::Budget;
#[cfg(feature = "os")]
use crate::budget::NodePool;
#[cfg(feature = "os")]
use crate::player::{Limits, Stop};
use crate::thinking::{Task, Thought, Thread, think_alone};
#[cfg(feature = "os")]
use crate::tree::Shared;

/// Thinks and returns the answer; `finished` is called after every finished iteration.
///
/// # Panics
///
/// Panics if the game has no legal action.
///
/// # Examples
///
/// ```
/// use anqi_rules::{Game, Position, Rules};
/// use anqi_search::evaluation::Evaluation;
/// use anqi_search::thinking::Task;
/// use anqi_search::threads::think;
/// use anqi_search::tree::Settings;
/// use anqi_search::{Limits, Stop};
///
/// let position: Position = "4/4/4/4/4/4/4/Kg2 r - 0 0".parse()?;
/// let game = Game::new(position, Rules::OLYMPIAD);
/// let stop = Stop::new();
/// let task = Task {
///     game: &game,
///     among: None,
///     settings: Settings::FULL,
///     limits: Limits { depth: Some(3), ..Limits::NONE },
///     seed: 1,
///     stop: &stop,
///     table: None,
///     endgames: None,
///     root_endgames: None,
///     carried: None,
///     evaluation: Evaluation::built_in(),
///     delays: None,
///     threads: 1,
/// };
/// let thought = think(&task, |_, _| {});
/// assert_eq!(thought.best[0].found.action.to_string(), "a1-b1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn think(task: &Task<'_>, finished: impl FnMut(&Thought, &Budget<'_>)) -> Thought {
    match task.threads {
        0 | 1 => think_alone(task, task.budget(&task.limits), Thread::ALONE, finished),
        _ => think_together(task, finished),
    }
}

#[cfg(not(feature = "os"))]
fn think_together(task: &Task<'_>, finished: impl FnMut(&Thought, &Budget<'_>)) -> Thought {
    think_alone(task, task.budget(&task.limits), Thread::ALONE, finished)
}

#[cfg(feature = "os")]
fn think_together(task: &Task<'_>, finished: impl FnMut(&Thought, &Budget<'_>)) -> Thought {
    let (done, shared) = (Stop::new(), Shared::new());
    let helpers = task.threads as u32 - 1;
    let (own, pool) = divided(task.limits, task.threads);
    let none = Limits {
        nodes: pool.as_ref().map(|_| 0),
        ..Limits::NONE
    };
    std::thread::scope(|scope| {
        let (done, pool) = (&done, pool.as_ref());
        let thread = |number| Thread {
            number,
            shared: Some(&shared),
        };
        let help = move |number| {
            let budget = Budget::new(&none, done).with_pool(pool);
            think_alone(task, budget, thread(number), |_, _| {})
        };
        let helpers: Vec<_> = (1..=helpers)
            .map_while(|number| {
                // If no more threads can be started, those running suffice.
                let thread = std::thread::Builder::new();
                thread.spawn_scoped(scope, move || help(number)).ok()
            })
            .collect();
        let budget = task.budget(&own).with_pool(pool);
        let mut thought = think_alone(task, budget, thread(0), finished);
        done.request();
        for helper in helpers {
            // A helper that panicked adds no nodes; the answer stands without it.
            thought.nodes += helper.join().map_or(0, |help| help.nodes);
        }
        thought
    })
}

/// The limits of the main thread, and the nodes that all threads draw from.
///
/// The main thread has a share of its own, so that it has an answer even if the others are faster.
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

#[cfg(all(test, feature = "os"))]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::transposition::Table;
    use crate::tree::Settings;
    use anqi_rules::{Game, Position, Rules};

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
                among: None,
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
                carried: None,
                evaluation: Evaluation::built_in(),
                delays: None,
                threads,
            };
            let visited = think(&task, |_, _| {}).nodes;
            // A thread may count the node at which it finds the pool empty, and a helper may be stopped
            // before it has visited the last lot that it drew.
            let threads = threads as u64;
            let unvisited = (threads - 1) * (nodes / (8 * threads)).max(1);
            let range = nodes.saturating_sub(unvisited)..=nodes + threads;
            assert!(range.contains(&visited), "{visited} with {threads}");
        }
    }
}
