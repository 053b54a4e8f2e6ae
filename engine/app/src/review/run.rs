//! Reviews a whole game on several threads.

use super::analyst::{Analyst, Effort};
use super::decision::{ReviewedPly, review_ply};
use super::report::Report;
use anqi_rules::Game;
use anqi_search::Stop;
use anqi_search::spec::SpecError;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Default nodes for a game: 20 seconds on two cores at a million nodes a second each.
const GAME_NODES: u64 = 40_000_000;
/// Searches per ply, in units of its budget: one for the best action, one for its value, and one
/// for the action played unless it is the same.
const NODES_PER_PLY: f64 = 2.2;
/// Bounds of the default nodes for each decision.
const LEAST_NODES: u64 = 5_000;
const MOST_NODES: u64 = 400_000;

/// Returns the nodes for each decision that review a game in about 20 seconds.
pub fn default_nodes(game: &Game) -> u64 {
    let plies = game.plies().len().max(1) as f64;
    let nodes = GAME_NODES as f64 / (plies * NODES_PER_PLY);
    (nodes as u64).clamp(LEAST_NODES, MOST_NODES)
}

/// Reviews a game; `progress` gets the number of plies done.
///
/// # Errors
///
/// Returns an error if the folder of tables cannot be used.
pub fn review(
    game: &Game,
    nodes: u64,
    threads: usize,
    tables: Option<&Path>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<ReviewedPly>, SpecError> {
    let total = game.plies().len();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(Vec::with_capacity(total));
    let stop = Stop::new();
    let mut analysts = Vec::new();
    for _ in 0..threads.clamp(1, total.max(1)) {
        analysts.push(Analyst::new(tables, game.rules())?);
    }
    std::thread::scope(|scope| {
        for mut analyst in analysts {
            let (next, done, found, stop) = (&next, &done, &found, &stop);
            scope.spawn(move || {
                let effort = Effort {
                    nodes,
                    time: None,
                    stop,
                };
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= total {
                        break;
                    }
                    let ply = review_ply(&mut analyst, game, index, effort);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    found.push((index, ply));
                    progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, ply)| ply).collect())
}

/// Reviews a game and sums it up.
///
/// # Errors
///
/// Returns an error if the folder of tables cannot be used.
pub fn report(
    game: &Game,
    players: Option<[String; 2]>,
    nodes: u64,
    threads: usize,
    tables: Option<&Path>,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Report, SpecError> {
    let plies = review(game, nodes, threads, tables, progress)?;
    Ok(Report::of(game, players, plies, nodes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    #[test]
    fn one_thread_and_two_say_the_same() {
        let text = "start moves b2(G) b3(k) c7(p) b3-b2 c6(P)";
        let game = Game::from_text(text, Rules::OLYMPIAD);
        let Ok(game) = game else {
            panic!("{game:?}");
        };
        let one = report(&game, None, 300, 1, None, &|_| {}).unwrap();
        let two = report(&game, None, 300, 2, None, &|_| {}).unwrap();
        assert_eq!(one, two);
        assert_eq!(one.plies.len(), 5);
    }

    #[test]
    fn long_games_get_less_for_each_ply() {
        let game = Game::from_text("start", Rules::OLYMPIAD).unwrap();
        assert_eq!(default_nodes(&game), MOST_NODES);
    }
}
