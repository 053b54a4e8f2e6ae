//! The messages of the page.
//!
//! Reading is strict: an unknown key is an error, so that a slip in the page
//! shows at once instead of being ignored.

use super::{OutcomeView, RulesName};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// The messages of the page.
///
/// A message may have an `id`, a number that the page chooses; whatever answers it carries the same
/// number as `re`. Each message is answered: by what its comment names, by `ok`, or by `error`.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Deals a game; answered by `created`.
    Create(Create),
    /// Takes the seats of a token, or comes back to them; answered by `state`. A connection is in at
    /// most one game at a time.
    Enter {
        /// The token.
        token: String,
    },
    /// Leaves the game without ending it; answered by `ok`.
    Leave {},
    /// Plays an action for the seat to move; answered by `state`.
    Play {
        /// The action.
        action: String,
        /// Guards against a stale board: the number of plies that the person saw.
        #[cfg_attr(test, ts(optional))]
        ply: Option<usize>,
    },
    /// Takes plies back; the deal stays: a square flipped again shows the same piece.
    ///
    /// Against an engine, or for two people at one screen, at once: back to the last decision of this
    /// browser's seats. Between two browsers it is an offer.
    Undo {},
    /// Asks the analyst for the best action; answered by `hint`.
    ///
    /// Between two browsers it is an offer first: once accepted, or asked for by both, hints are given
    /// for the rest of the game. Watchers get none of a game with a person.
    Hint {},
    /// Gives up; at one screen for the side to move.
    Resign {},
    /// Offers a draw. An engine answers at once, by the value of its last search; two people at one
    /// screen agree by it.
    OfferDraw {},
    /// Accepts or declines the offer that stands. Playing on declines it too.
    Answer {
        /// Whether it is accepted.
        accept: bool,
    },
    /// After the end: the same players again with a new deal, the other seat begins; answered by
    /// `created`. The others in the game receive `rematch`.
    Rematch {},
    /// Stops and goes on with a game between two engines; answered by `state`.
    Pause {
        /// Whether it stops.
        paused: bool,
    },
    /// Switches `thinking` messages for this game on or off; answered by `ok`.
    ShowThinking {
        /// Whether they are sent.
        show: bool,
    },
    /// Recomputes a commitment; answered by `deal_checked`.
    CheckDeal(CheckDeal),
    /// Asks for the board at the end of a line; answered by `view`.
    View {
        /// The line.
        line: Line,
    },
    /// Asks for every position of a line, its start first; answered by `walk`.
    Walk {
        /// The line.
        line: Line,
    },
    /// Asks why an action is not legal at the end of a line; answered by `explained`, or by an error if
    /// it is legal.
    Explain {
        /// The line.
        line: Line,
        /// The action.
        action: String,
    },
    /// Checks a position from the editor; answered by `checked`.
    CheckPosition {
        /// A position string; its hidden pieces may be `*`: every piece that is not on the board, as
        /// far as face-down squares allow.
        position: String,
        /// The rules.
        #[cfg_attr(test, ts(optional))]
        rules: Option<RulesName>,
    },
    /// Reads PGN, a platform record, one of our own records (JSON), or a position string with or
    /// without moves; answered by `imported`.
    Import {
        /// The text.
        text: String,
        /// The rules of records that name none.
        #[cfg_attr(test, ts(optional))]
        rules: Option<RulesName>,
        /// Which game of a text with several, from 1; left out: the first.
        #[cfg_attr(test, ts(optional))]
        game: Option<usize>,
    },
    /// Writes a line, or the game that this connection is in; answered by `exported`.
    Export(Box<Export>),
    /// Analyses the end of a line until it is stopped, done or replaced: a connection has one analysis
    /// at a time. Answered by `analysis` messages as it deepens; the last one has `done: true`.
    Analyse(Analyse),
    /// Stops the analysis; answered by `ok`.
    StopAnalysis {},
    /// Reviews a whole game; answered by `review_progress` as it goes and `review` at its end. One at a
    /// time for a connection.
    Review(Review),
    /// Stops the review; answered by `ok`.
    StopReview {},
    /// Asks for the tables' verdict on a position and each of its actions; answered by `table`.
    Probe {
        /// The position string.
        position: String,
        /// The rules.
        #[cfg_attr(test, ts(optional))]
        rules: Option<RulesName>,
    },
    /// Asks about a set of pieces such as `KPPkr`, played without limit; answered by `material`.
    Material {
        /// The letters of the pieces.
        material: String,
    },
    /// Asks for positions of a set of pieces to practise; answered by `exercises`.
    Practise {
        /// The letters of the pieces.
        material: String,
        /// Chooses the positions: the same number, the same ones. Default 1.
        #[cfg_attr(test, ts(optional))]
        seed: Option<u64>,
    },
    /// Asks what the last action of a line did to an exercise, and for the answer to it; answered by
    /// `defended`.
    Defend {
        /// The line, whose last ply is the learner's.
        line: Line,
    },
    /// Asks for all puzzles; answered by `puzzles`.
    Puzzles {},
    /// Asks which endings have lessons; answered by `lessons`.
    Lessons {},
    /// Answered by `pong`; the server also pings by WebSocket frames every 15 s.
    Ping {},
}

/// The price of a message, for rate limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// It costs next to nothing.
    Nothing,
    /// A search for a hint.
    Hint,
    /// Work of a millisecond or more.
    Work,
    /// A new game.
    Game,
    /// Another game of the same people.
    Rematch,
}

impl ClientMessage {
    /// Returns the price.
    pub fn cost(&self) -> Cost {
        use ClientMessage as M;
        match self {
            M::Enter { .. }
            | M::Leave {}
            | M::Play { .. }
            | M::Undo {}
            | M::Resign {}
            | M::OfferDraw {}
            | M::Answer { .. }
            | M::Pause { .. }
            | M::ShowThinking { .. }
            | M::Ping {} => Cost::Nothing,
            M::Hint {} => Cost::Hint,
            M::Create(_) => Cost::Game,
            M::Rematch {} => Cost::Rematch,
            M::CheckDeal(_)
            | M::View { .. }
            | M::Walk { .. }
            | M::Explain { .. }
            | M::CheckPosition { .. }
            | M::Import { .. }
            | M::Export(_)
            | M::Analyse(_)
            | M::StopAnalysis {}
            | M::Review(_)
            | M::StopReview {}
            | M::Probe { .. }
            | M::Material { .. }
            | M::Practise { .. }
            | M::Defend { .. }
            | M::Puzzles {}
            | M::Lessons {} => Cost::Work,
        }
    }
}

/// A new game.
#[derive(Serialize, Deserialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields))]
pub struct Create {
    /// Who begins, and who answers.
    pub seats: [Sitter; 2],
    /// Whether lots are drawn for the first move; as given if left out.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<SeatOrder>", optional))]
    pub order: SeatOrder,
    /// The rules.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<RulesName>", optional))]
    pub rules: RulesName,
    /// Time for the whole game; no clocks if left out or null.
    #[cfg_attr(test, ts(optional = nullable))]
    pub clock: Option<ClockSetting>,
    /// A position string, optionally with ` moves …`; the start if left out. Face-down pieces are dealt.
    pub start: Option<String>,
    /// Thinking time of engines a move without clocks; default 1000, at most `About.limits.engine_ms`.
    pub engine_ms: Option<u64>,
    /// Whether `thinking` messages about engines' moves are sent.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub show_thinking: bool,
}

/// Who takes a seat.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Sitter {
    /// A person at this browser. Both seats may be `me`: two people at one screen.
    Me {
        /// Its display name.
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// A person who joins by a link.
    Link {
        /// Its display name.
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// The built-in player at a level.
    Level {
        /// 1 to 10.
        level: u32,
    },
    /// A built-in player.
    Player {
        /// Its spec in `About.players`; settings are not taken.
        spec: String,
    },
}

/// The order of the seats.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum SeatOrder {
    /// As given.
    #[default]
    Given,
    /// Drawn by lot.
    Random,
}

/// Time for a game.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// At the start.
    pub base_ms: u64,
    /// For each ply.
    pub increment_ms: u64,
}

/// A start and what was played from it.
///
/// The page keeps its own tree of variations and sends the path to the node that it shows. "What if it
/// had been X" is the path with the last flip written as `b2(X)`.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// `start`, or a position string.
    pub start: String,
    /// The plies played.
    pub plies: Vec<String>,
    /// The rules.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<RulesName>", optional))]
    pub rules: RulesName,
}

/// A commitment to check.
#[derive(Deserialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields))]
pub struct CheckDeal {
    /// The hash that was shown before the game.
    pub hash: String,
    /// The random number.
    pub nonce: String,
    /// The layout.
    pub layout: String,
    /// The start position, to check that every flip showed what the layout says.
    pub start: Option<String>,
    /// The plies from it.
    pub plies: Option<Vec<String>>,
    /// The rules that they were played by: under others the game may have ended before.
    pub rules: Option<RulesName>,
}

/// A game with comments and variations.
#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Notes {
    /// The comment on the start.
    pub comment: String,
    /// The plies of the main line and of the variations, each after the one that it follows.
    pub plies: Vec<NotedPly>,
}

/// A ply of [`Notes`].
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct NotedPly {
    /// The ply.
    pub ply: String,
    /// The number of the ply that it follows, counted from 1; 0 is the start. The first that
    /// follows continues the line, the others begin variations.
    pub after: usize,
    /// The comment, which may be empty.
    pub comment: String,
}

/// How a game is written; docs/record-format.md describes `pgn`.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(rename = "RecordFormat"))]
pub enum Format {
    /// The platform's record.
    Platform,
    /// Our record, one JSON object.
    Anqi,
    /// A position string with moves.
    Position,
    /// A record in the shape of PGN.
    Pgn,
}

/// A game to write.
#[derive(Deserialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields))]
pub struct Export {
    /// The format.
    pub format: Format,
    /// The line; the game that this connection is in if left out.
    pub line: Option<Line>,
    /// Names for the record, the one who began first.
    pub players: Option<[String; 2]>,
    /// How the line ended, if the board does not show it.
    #[cfg_attr(test, ts(optional = nullable))]
    pub outcome: Option<OutcomeView>,
    /// The commitment to the deal; nonce and layout stand in a `pgn` record only if the game is over.
    #[cfg_attr(test, ts(optional = nullable))]
    pub deal: Option<DealView>,
    /// What the `platform` record was imported from: date, times and comment are kept if the plies are
    /// the same.
    pub original: Option<String>,
    /// Comments and variations for the `anqi` and `pgn` records; their main line is the line.
    pub notes: Option<Notes>,
}

/// The commitment to the deal.
///
/// `hash` is BLAKE3, in lower-case hexadecimal, of the ASCII text `<nonce> <layout>`: 64 hexadecimal
/// digits, a blank, and the layout. The layout has 32 characters in the order of `Board.squares`: the
/// letter of the piece that lay face down at the start of the game, `.` where none did.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct DealView {
    /// The hash.
    pub hash: String,
    /// The random number; null while the game goes on.
    pub nonce: Option<String>,
    /// The layout; null while the game goes on.
    pub layout: Option<String>,
}

/// A position to analyse.
#[derive(Deserialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields))]
pub struct Analyse {
    /// The line that leads to the position.
    pub line: Line,
    /// The number of best actions, default 3.
    pub lines: Option<usize>,
    /// Time limit in milliseconds, default and limit `About.limits.engine_ms`.
    pub ms: Option<u64>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// The squares of flips whose distributions are shown even if they are not among the best lines.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub distributions: Vec<String>,
}

/// A game to review.
#[derive(Deserialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, ts(optional_fields))]
pub struct Review {
    /// The game.
    pub line: Line,
    /// The players, in order of play.
    pub players: Option<[String; 2]>,
    /// How it ended, if the board does not show it; the report judges the plies alone.
    #[cfg_attr(test, ts(optional = nullable))]
    pub outcome: Option<OutcomeView>,
    /// Nodes for each decision; left out: so that the whole takes about 20 seconds.
    pub nodes: Option<u64>,
}
