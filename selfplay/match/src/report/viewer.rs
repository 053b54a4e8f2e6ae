//! The game viewer of a page.
//!
//! The page holds the plies as JSON and a short script that replays them; it
//! loads nothing. A page of thousands of games would be too large to open, so
//! it has only the first ones.

use serde::Serialize;

use super::plot::escape;
use crate::openings::Opening;
use crate::record::{GameRecord, PairRecord};
use crate::side::BySide;

/// Most games of a page; at some two kilobytes each they take a megabyte.
pub(super) const MOST_GAMES: usize = 500;

const SCRIPT: &str = include_str!("viewer.js");

#[derive(Serialize)]
struct Game<'a> {
    title: String,
    /// Where it begins, if not at the usual start.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Opening>,
    plies: &'a str,
}

/// The games of one match.
#[derive(Clone, Copy, Debug)]
pub struct MatchGames<'a> {
    /// The players.
    pub players: &'a BySide<String>,
    /// How many pairs are finished.
    pub pairs: usize,
    /// The first of them, enough for a page.
    pub first: &'a [PairRecord],
}

/// Writes the board, its buttons and the games of these matches.
pub fn write(matches: &[MatchGames<'_>]) -> String {
    let all: usize = matches.iter().map(|games| 2 * games.pairs).sum();
    if all == 0 {
        return "<p>No game is finished.</p>\n".to_owned();
    }
    let share = MOST_GAMES / matches.len().max(1);
    let games: Vec<Game<'_>> = matches
        .iter()
        .flat_map(|games| games.listed().take(share.max(2)))
        .collect();
    let note = if games.len() < all {
        format!(
            "<p class=\"note\">The first {} of {all} games.</p>\n",
            games.len()
        )
    } else {
        String::new()
    };
    let data = serde_json::to_string(&games).expect("games hold nothing that JSON cannot say");
    // Nothing in the data may end the script element.
    let data = data.replace('<', "\\u003c");
    format!(
        "{note}<div id=\"viewer\" tabindex=\"0\">\n<select size=\"12\" aria-label=\"games\"></select>\n\
         <div><table></table>\n<p>{BUTTONS}</p>\n\
         <input type=\"range\" min=\"0\" value=\"0\" aria-label=\"ply\">\n<output></output></div>\n</div>\n\
         <script type=\"application/json\" id=\"games-data\">{data}</script>\n\
         <script>\n{SCRIPT}</script>\n"
    )
}

const BUTTONS: &str = "<button data-step=\"-1000000\">|◀</button>\
<button data-step=\"-1\">◀</button><button data-step=\"1\">▶</button>\
<button data-step=\"1000000\">▶|</button>";

impl<'a> MatchGames<'a> {
    fn listed(self) -> impl Iterator<Item = Game<'a>> {
        self.first.iter().flat_map(move |record| {
            let games = record.games.iter().enumerate();
            games.map(move |(index, game)| Game {
                title: self.title(record.pair, index, game),
                opening: game.opening,
                plies: &game.plies,
            })
        })
    }

    fn title(self, pair: u64, index: usize, game: &GameRecord) -> String {
        let [first, second] =
            [game.starter, !game.starter].map(|side| format!("{side} {}", self.players[side]));
        let end = match game.verdict.winner {
            Some(winner) => format!("{winner} wins"),
            None => "draw".to_owned(),
        };
        let (reason, plies) = (game.verdict.reason.words(), game.length());
        format!(
            "{}-{}: {first} – {second}: {end}, {reason}, {plies} plies",
            pair + 1,
            index + 1
        )
    }
}

/// Writes when and how a page was made.
pub fn origin(run: Option<&super::run::Run>) -> String {
    run.map_or_else(String::new, |run| {
        format!(
            "<p class=\"note\">{}, {}: <code>{}</code></p>\n",
            escape(&run.program),
            escape(&run.date),
            escape(&run.command)
        )
    })
}
