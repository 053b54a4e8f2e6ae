//! Requests as values.
//!
//! [`parse`] turns one line of bytes into a [`Request`] or a [`Refusal`]; it
//! never panics, whatever the bytes. Everything that can be checked without the
//! state of the game is checked here, so that a [`Command`] holds squares,
//! pieces and numbers within their ranges.

mod error;
mod names;
pub(crate) mod parse;

pub use error::{CommandError, Refusal};
pub use names::CommandName;
pub use parse::{MAX_LINE_BYTES, parse};

use crate::board::BoardText;
use anqi_rules::{Action, ByColor, Color, Piece, Ply, Position, Square};
use std::num::{NonZeroU16, NonZeroU32};
use std::time::Duration;

/// One request: a command, and the number to answer with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number the line began with; `None` if it began with a name.
    pub number: Option<u32>,
    /// The command of a request.
    pub command: Command,
}

/// The command of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `protocol_version`
    ProtocolVersion,
    /// `name`
    Name,
    /// `version`
    Version,
    /// `known_command <name>`
    KnownCommand(String),
    /// `list_commands`
    ListCommands,
    /// `quit`
    Quit,
    /// `boardsize 4 8` or `boardsize 8 4`
    Boardsize,
    /// `reset_board`
    ResetBoard,
    /// `num_repetition <times>`; `None` for 0, no limit.
    NumRepetition(Option<NonZeroU16>),
    /// `num_moves_to_draw <plies>`; `None` for 0, no limit.
    NumMovesToDraw(Option<NonZeroU16>),
    /// `move <from> <to>`, from and to different
    Move(Square, Square),
    /// `flip <square> <piece>`
    Flip(Square, Piece),
    /// `genmove <color>`; `None` for `unknown`.
    Genmove(Option<Color>),
    /// `game_over <text>`
    GameOver(String),
    /// `ready`
    Ready,
    /// `time_settings <ms>`, the total of each side
    TimeSettings(Duration),
    /// `time_left <color> <ms>`
    TimeLeft(Color, Duration),
    /// `showboard`
    Showboard,
    /// `init_board <32 squares> <14 counts>`
    InitBoard(Box<BoardText>),
    /// `position <string> moves <plies>`
    Position(Box<Position>, Vec<Ply>),
    /// `legal_actions`
    LegalActions,
    /// `undo`
    Undo,
    /// `get_position`
    GetPosition,
    /// `go <limits>`
    Go(GoLimits),
    /// `stop`
    Stop,
    /// `set <option> <value>`
    Set(String, String),
    /// `options`
    Options,
    /// `perft <depth>`
    Perft(u32),
    /// `result`
    Result,
    /// `probe`
    Probe,
}

/// The limits of a `go`; with none, the clock decides as for `genmove`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// Time for this action.
    pub movetime: Option<Duration>,
    /// Most positions to visit.
    pub nodes: Option<u64>,
    /// Most plies to search.
    pub depth: Option<u32>,
    /// Think until `stop`.
    pub infinite: bool,
    /// Think on the opponent's time: the other limits count from `ponderhit`.
    pub ponder: bool,
    /// The number of best actions to report.
    pub multipv: Option<u32>,
    /// The clocks, if the request has them.
    pub clock: Option<GoClock>,
    /// The only actions to choose from; empty for all.
    pub actions: Vec<Action>,
}

/// Both clocks as `go` sends them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoClock {
    /// The time left of each side, as far as known.
    pub left: ByColor<Option<Duration>>,
    /// The time each side gains with every move.
    pub increment: ByColor<Duration>,
    /// The moves that the time must last for; `None` for the rest of the game.
    pub moves_to_go: Option<NonZeroU32>,
}
