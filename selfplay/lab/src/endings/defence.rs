//! The defence of a lost ending by the tables.
//!
//! It takes a win or a draw if there is one, a draw by repetition too. If every action loses, it delays the next
//! capture longest, and among equals repeats the position seen most often: a careless attacker may allow a draw.

use std::cmp::Reverse;

use anqi_rules::{Action, Game, Outcome, Ply};
use anqi_tablebase::{Rated, Tables, Wdl, rated_actions};

/// Returns the best defence, `None` if a table is missing.
///
/// # Panics
///
/// Panics if the game is over.
pub fn best_defence(tables: &Tables, game: &Game) -> Option<Action> {
    let rated = rated_actions(tables, game.position())?;
    let best = rated
        .first()
        .expect("a game that goes on has a legal action");
    if best.wdl == Wdl::Loss {
        let drawing = rated.iter().find(|rated| draws(game, rated.action));
        if let Some(rated) = drawing {
            return Some(rated.action);
        }
    }
    let equals = rated
        .iter()
        .take_while(|other| (other.wdl, other.dtc) == (best.wdl, best.dtc));
    // Among equals the first in text order: `min_by_key` keeps the first minimum.
    let repeated = equals.min_by_key(|rated| Reverse(times_seen(game, rated.action)));
    repeated.map(|rated| rated.action)
}

/// Returns the defence that loses latest by plies to the end; it takes a draw if there is one. `None` if
/// these plies are not known, or the position is not lost.
pub fn longest_defence(tables: &Tables, game: &Game) -> Option<Action> {
    let rated = rated_actions(tables, game.position())?;
    if let Some(rated) = rated.iter().find(|rated| draws(game, rated.action)) {
        return Some(rated.action);
    }
    let known: Option<Vec<(u16, &Rated)>> = rated
        .iter()
        .map(|rated| Some((rated.to_end?.plies, rated)))
        .collect();
    // Among equals the first in text order: `min_by_key` keeps the first minimum.
    let latest = known?
        .into_iter()
        .min_by_key(|(plies, rated)| (Reverse(*plies), Reverse(times_seen(game, rated.action))));
    latest.map(|(_, rated)| rated.action)
}

fn draws(game: &Game, action: Action) -> bool {
    matches!(after(game, action).outcome(), Some(Outcome::Draw(_)))
}

/// Counts the occurrences of the position after an action since the last capture, this one included.
fn times_seen(game: &Game, action: Action) -> usize {
    let next = after(game, action);
    let key = next.position().key();
    next.quiet_keys()
        .iter()
        .filter(|&&seen| seen == key)
        .count()
}

fn after(game: &Game, action: Action) -> Game {
    let mut next = game.clone();
    next.play(Ply::from(action))
        .expect("the tables rate legal actions");
    next
}
