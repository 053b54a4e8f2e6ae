//! The defence of a lost ending by the tables.
//!
//! A draw or a win is taken if there is one, a draw by repetition too. Where everything loses, what puts off the next
//! capture longest is played, and among equals what has been on the board most often: a careless attacker repeats.

use std::cmp::Reverse;

use anqi_rules::{Action, Game, Outcome, Ply};
use anqi_tablebase::{Tables, Wdl, rated_actions};

/// Returns the best defence, none if a table is missing.
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
    // Of equals the first in text order: `min_by_key` keeps the first of the least.
    let repeated = equals.min_by_key(|rated| Reverse(times_seen(game, rated.action)));
    repeated.map(|rated| rated.action)
}

fn draws(game: &Game, action: Action) -> bool {
    matches!(after(game, action).outcome(), Some(Outcome::Draw(_)))
}

/// How often the position after an action has been on the board since the last capture.
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
