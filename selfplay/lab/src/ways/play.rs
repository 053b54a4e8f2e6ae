//! One game: a winner with some kind of tables against the longest defence.

use anqi_rules::{Action, Game, Outcome, Ply, Position, Rules};
use anqi_search::{Limits, Player, Request, Stop};
use anqi_tablebase::{Tables, Wdl, rated_actions};
use serde::{Deserialize, Serialize};

use super::WaysError;
use crate::endings::longest_defence;

/// Plies after which a game is broken off.
pub const MOST_PLIES: usize = 1_000;

/// What the winner knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Way {
    /// A player whose files have values alone.
    Values,
    /// A player whose files have plies to the next capture.
    Dtc,
    /// The files' own shortest win by plies to the end, without a search.
    Dtw,
}

impl Way {
    /// All ways, the least knowledge first.
    pub const ALL: [Way; 3] = [Way::Values, Way::Dtc, Way::Dtw];
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The winner won.
    Won,
    /// It played into a position that is not won.
    Slip,
    /// The rules drew a game in which every position was won in unlimited play.
    Drawn,
    /// Broken off after [`MOST_PLIES`], still won.
    Wandered,
}

/// The side that should win.
pub enum Winner<'a> {
    /// A player and what it may spend on a ply.
    Player(&'a mut dyn Player, Limits),
    /// The tables.
    Tables,
}

impl Winner<'_> {
    fn choose(&mut self, game: &Game, tables: &Tables) -> Option<Action> {
        match self {
            Winner::Tables => shortest_win(tables, game.position()),
            Winner::Player(player, limits) => {
                let stop = Stop::new();
                let request = Request {
                    game,
                    among: None,
                    limits: *limits,
                    seed: 1,
                    stop: &stop,
                };
                Some(player.choose(&request, &mut |_| {}).action)
            }
        }
    }
}

/// The action that wins in the fewest plies, among equals the first in text order.
fn shortest_win(tables: &Tables, position: &Position) -> Option<Action> {
    let best = rated_actions(tables, position)?.into_iter().next()?;
    (best.wdl == Wdl::Win && best.to_end.is_some()).then_some(best.action)
}

/// Plays a won position out under these rules; the tables must be for unlimited play. The side to move should
/// win, the other delays the end.
///
/// # Errors
///
/// Fails if a table is missing.
///
/// # Panics
///
/// Panics if the winner's action is not legal.
pub(super) fn play_out(
    start: Position,
    rules: Rules,
    tables: &Tables,
    winner: &mut Winner<'_>,
) -> Result<(End, Game), WaysError> {
    let unknown = |position: &Position| WaysError::Unknown(position.to_string());
    let mut game = Game::new(start, rules);
    loop {
        match game.outcome() {
            Some(outcome @ Outcome::Win { .. }) if outcome.winner() == start.turn() => {
                return Ok((End::Won, game));
            }
            Some(Outcome::Win { .. }) => return Ok((End::Slip, game)),
            Some(Outcome::Draw(_)) => return Ok((End::Drawn, game)),
            None if game.plies().len() >= MOST_PLIES => return Ok((End::Wandered, game)),
            None => {}
        }
        let position = *game.position();
        let attacks = position.turn() == start.turn();
        let action = if attacks {
            winner.choose(&game, tables)
        } else {
            longest_defence(tables, &game)
        };
        let action = action.ok_or_else(|| unknown(&position))?;
        game.play(Ply::from(action))
            .expect("winner and defender play legal actions");
        if attacks && game.outcome().is_none() {
            let value = tables.look_up(game.position()).ok().flatten();
            if value.ok_or_else(|| unknown(game.position()))?.wdl != Wdl::Loss {
                return Ok((End::Slip, game));
            }
        }
    }
}
