//! A hint: the analyst's best action for the side to move.

use crate::{Analyst, Candidate, Effort};
use anqi_rules::Game;
use anqi_search::Stop;
use std::time::Duration;

/// Limits of the search for a hint.
const NODES: u64 = 300_000;
const TIME: Duration = Duration::from_millis(1_500);

/// Returns the best action in a game that is not over, after a second or two of search.
pub fn hint(analyst: &mut Analyst, game: &Game, stop: &Stop) -> Candidate {
    let effort = Effort {
        nodes: NODES,
        time: Some(TIME),
        stop,
    };
    analyst.best(game, effort)
}
