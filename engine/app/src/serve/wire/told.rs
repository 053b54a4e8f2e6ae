//! The messages of the server.

use super::asked::{DealView, Format, Line, Notes, RulesName};
use crate::serve::board::{Board, Outcome, PlyView, TableAction, TableVerdict};
use anqi_analysis::{Candidate, Flip, Report, Step, Value};
use serde::Serialize;

/// The messages of the server.
#[derive(Serialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "wire.ts describes every message")]
pub enum ServerMessage {
    Created(Created),
    State(Box<State>),
    Hint {
        game: String,
        ply: usize,
        #[serde(flatten)]
        best: Candidate,
    },
    Rematch {
        game: String,
        token: String,
    },
    Thinking {
        game: String,
        ply: usize,
        depth: u32,
        nodes: u64,
        ms: u64,
        value: Value,
        line: Vec<Step>,
    },
    DealChecked {
        matches: bool,
        reason: Option<String>,
    },
    View {
        board: Box<Board>,
    },
    Walk {
        boards: Vec<Board>,
        plies: Vec<PlyView>,
    },
    Checked {
        board: Option<Box<Board>>,
        faults: Vec<FaultView>,
    },
    Imported {
        format: Format,
        line: Line,
        players: Option<[String; 2]>,
        date: Option<String>,
        outcome: Option<Outcome>,
        notes: Option<Notes>,
        games: Vec<String>,
    },
    Explained {
        code: &'static str,
        message: String,
        between: Option<usize>,
    },
    Exported {
        text: String,
        name: String,
    },
    Analysis(Analysis),
    ReviewProgress {
        done: usize,
        total: usize,
    },
    Review {
        report: Box<Report>,
    },
    Table {
        board: Box<Board>,
        verdict: Option<TableVerdict>,
        expected: Option<f64>,
        actions: Vec<TableAction>,
    },
    Material(MaterialView),
    Pong,
    Ok,
    Error {
        code: Code,
        message: String,
    },
}

/// A game was made.
#[derive(Serialize, Debug, Clone)]
pub struct Created {
    /// Its name.
    pub game: String,
    /// The token of its creator.
    pub token: String,
    /// The tokens of the free seats.
    pub links: Vec<Link>,
    /// The token for watching.
    pub watch: String,
}

/// The token of a seat.
#[derive(Serialize, Debug, Clone)]
pub struct Link {
    /// The seat.
    pub seat: usize,
    /// Its token.
    pub token: String,
}

/// A game as one connection sees it.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct State {
    pub game: String,
    pub version: u64,
    pub you: Vec<usize>,
    pub seats: [SeatView; 2],
    pub rules: RulesName,
    pub start: String,
    pub plies: Vec<PlyView>,
    pub board: Board,
    pub to_move: Option<usize>,
    pub clocks: Option<Clocks>,
    pub thinking: bool,
    pub paused: bool,
    pub offer: Option<Offer>,
    pub declined: Option<Offer>,
    pub hints: bool,
    pub outcome: Option<Outcome>,
    pub deal: DealView,
    pub can_undo: bool,
}

/// A seat and its player.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct SeatView {
    pub kind: &'static str,
    pub name: String,
    pub level: Option<u32>,
    pub color: Option<&'static str>,
    pub present: bool,
    pub waiting: bool,
}

/// The clocks at this moment.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Clocks {
    pub left_ms: [u64; 2],
    pub increment_ms: u64,
    pub running: Option<usize>,
}

/// An offer to the other seat.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The offer.
    pub kind: OfferKind,
    /// By which seat.
    pub by: usize,
}

/// What can be offered.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// To call the game a draw.
    Draw,
    /// To take plies back.
    Undo,
    /// To allow hints.
    Hint,
}

/// A fault of a position.
#[derive(Serialize, Debug)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct FaultView {
    pub code: &'static str,
    pub message: String,
    pub subject: Option<String>,
}

/// What is known of a position so far.
#[derive(Serialize, Debug, Clone)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Analysis {
    pub depth: u32,
    pub nodes: u64,
    pub ms: u64,
    pub value: Value,
    pub lines: Vec<Candidate>,
    pub flips: Vec<Flip>,
    pub table: Option<Vec<TableAction>>,
    pub done: bool,
}

/// What tables know of a material.
#[derive(Serialize, Debug, Clone, Default)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct MaterialView {
    pub material: String,
    pub known: bool,
    pub red_to_move: Option<Totals>,
    pub black_to_move: Option<Totals>,
    pub longest: Option<Longest>,
}

/// How many placements are won, drawn and lost.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Totals {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// The longest win of a material.
#[derive(Serialize, Debug, Clone)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Longest {
    pub position: String,
    pub plies: u32,
    pub to: &'static str,
    pub line: Vec<String>,
}

/// Why a message was refused.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "wire.ts describes every code")]
pub enum Code {
    Malformed,
    TooLarge,
    TooFast,
    Busy,
    UnknownToken,
    NoSeat,
    NotYourTurn,
    Illegal,
    WrongPhase,
    Unreadable,
    NothingToDo,
    Forbidden,
    Internal,
}

/// A refusal: nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind.
    pub code: Code,
    /// In words.
    pub message: String,
}

/// Shorthand for a refusal.
pub fn refuse<T>(code: Code, message: impl Into<String>) -> Result<T, Refusal> {
    let message = message.into();
    Err(Refusal { code, message })
}

impl From<Refusal> for ServerMessage {
    fn from(refusal: Refusal) -> ServerMessage {
        ServerMessage::Error {
            code: refusal.code,
            message: refusal.message,
        }
    }
}
