//! The answers of the desk, and what it tells unasked.

use super::{ColorName, DealView, Format, Line, Notes, OutcomeView, RulesName};
use crate::board::{Board, PlyView};
use crate::tables::{TableAction, TableVerdict, WdlName};
use anqi_analysis::puzzle::Puzzle;
use anqi_analysis::{Candidate, Flip, Report, Step, Value};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// The messages of the desk; one that answers a message carries its number as `re`.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// A game was dealt. A `state` follows at once.
    Created(Created),
    /// Sent to all in the game whenever something changes.
    State(Box<State>),
    /// The best action.
    Hint(HintView),
    /// The others in the game play again: the token of one's seat in the new game.
    Rematch {
        /// The new game.
        game: String,
        /// The token.
        token: String,
    },
    /// An engine thinks; only sent if asked for.
    Thinking(Thinking),
    /// A commitment was checked.
    DealChecked {
        /// Whether the hash is that of nonce and layout, and every ply agrees with it.
        matches: bool,
        /// What does not match, in words.
        reason: Option<String>,
    },
    /// The board at the end of a line.
    View {
        /// The board.
        board: Box<Board>,
    },
    /// The boards of a line.
    Walk {
        /// One more than there are plies.
        boards: Vec<Board>,
        /// Who moved what; seat 0 made the first ply.
        plies: Vec<PlyView>,
    },
    /// A position was checked.
    Checked(Checked),
    /// A record was read.
    Imported(Box<Imported>),
    /// Why an action is not legal.
    Explained(Explained),
    /// A record was written.
    Exported(Exported),
    /// What an analysis knows so far.
    Analysis(Analysis),
    /// How far a review is.
    ReviewProgress {
        /// Plies reviewed.
        done: usize,
        /// All plies.
        total: usize,
    },
    /// A game was reviewed.
    Review {
        /// The report.
        report: Box<Report>,
    },
    /// What the tables know of a position.
    Table(TableView),
    /// What the tables know of a set of pieces.
    Material(MaterialView),
    /// Positions to practise.
    Exercises {
        /// The letters of the pieces.
        material: String,
        /// The positions, the easiest first; none if nobody has anything to find there.
        exercises: Vec<Exercise>,
    },
    /// What an action did to an exercise, and the answer to it.
    Defended(Defended),
    /// All puzzles, the easiest first.
    Puzzles {
        /// The puzzles.
        puzzles: Vec<Puzzle>,
        /// Lessons of endings as puzzles, if there are any, the easiest first.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[cfg_attr(test, ts(as = "Option<Vec<LessonPuzzle>>", optional))]
        lessons: Vec<LessonPuzzle>,
    },
    /// Which endings have lessons.
    Lessons {
        /// The letters of their pieces.
        sets: Vec<String>,
    },
    /// The answer to `ping`.
    Pong,
    /// It is done.
    Ok,
    /// It is refused; nothing has changed.
    Error {
        /// Why.
        code: Code,
        /// One sentence in English that says what was expected.
        message: String,
    },
}

/// A game was made.
#[derive(Serialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
pub struct Created {
    /// Its name.
    pub game: String,
    /// The token of the creator's seats (or to watch, if no seat is `me`): keep it to come back after a
    /// reload.
    pub token: String,
    /// The tokens of the seats that wait for somebody with a link.
    pub links: Vec<Link>,
    /// The token for watching.
    pub watch: String,
}

/// The token of a seat.
#[derive(Serialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
pub struct Link {
    /// The seat.
    #[cfg_attr(test, ts(type = "Seat"))]
    pub seat: usize,
    /// Its token.
    pub token: String,
}

/// A game as one connection sees it. Complete: nothing needs to be remembered.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct State {
    /// The name of the game.
    pub game: String,
    /// Counts up with every change of the game; ignore a state with a smaller number than the last.
    pub version: u64,
    /// The seats that this connection plays; empty for a watcher.
    #[cfg_attr(test, ts(type = "Seat[]"))]
    pub you: Vec<usize>,
    /// Both seats.
    pub seats: [SeatView; 2],
    /// The rules.
    pub rules: RulesName,
    /// The position the game began with, as a position string.
    pub start: String,
    /// The plies.
    pub plies: Vec<PlyView>,
    /// The board.
    pub board: Board,
    /// Seat to move; null when the game is over.
    #[cfg_attr(test, ts(type = "Seat | null"))]
    pub to_move: Option<usize>,
    /// The clocks, null without.
    pub clocks: Option<Clocks>,
    /// Whether an engine is thinking about its move.
    pub thinking: bool,
    /// Whether a game between engines stands still.
    pub paused: bool,
    /// The offer that waits for an answer.
    pub offer: Option<OfferView>,
    /// The last offer that was declined, and by which seat; cleared by the next ply.
    pub declined: Option<OfferView>,
    /// Whether this connection gets hints without asking: not against another person, unless both have
    /// agreed.
    pub hints: bool,
    /// How the game ended.
    pub outcome: Option<OutcomeView>,
    /// The commitment to the deal.
    pub deal: DealView,
    /// Whether there are plies to take back.
    pub can_undo: bool,
}

/// A seat and its player.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct SeatView {
    /// Who sits there.
    pub kind: SeatKind,
    /// Name as given, empty if none was; for engines the level's name or the spec.
    pub name: String,
    /// The level.
    pub level: Option<u32>,
    /// The colour, null before the first flip.
    pub color: Option<ColorName>,
    /// Whether somebody sits here at the moment; always true for engines.
    pub present: bool,
    /// Whether the seat still waits for somebody with the link.
    pub waiting: bool,
}

/// Who sits in a seat.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A person, also while the seat waits for one.
    Person,
    /// The built-in player at a level.
    Level,
    /// A built-in player.
    Player,
}

/// The clocks at this moment.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Clocks {
    /// The time left to both seats.
    pub left_ms: [u64; 2],
    /// The time added for each ply.
    pub increment_ms: u64,
    /// The seat whose clock runs as of this message.
    #[cfg_attr(test, ts(type = "Seat | null"))]
    pub running: Option<usize>,
}

/// An offer to the other seat.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
pub struct OfferView {
    /// The offer.
    pub kind: OfferKindName,
    /// By which seat.
    #[cfg_attr(test, ts(type = "Seat"))]
    pub by: usize,
}

/// What two people agree on.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(rename = "OfferKind"))]
pub enum OfferKindName {
    /// To call the game a draw.
    Draw,
    /// To take plies back.
    Undo,
    /// To allow hints.
    Hint,
}

/// The best action in a game.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct HintView {
    /// The game.
    pub game: String,
    /// The plies played.
    pub ply: usize,
    /// The action with its value for the side to move.
    #[serde(flatten)]
    pub best: Candidate,
}

/// What an engine thinks of its move. `value` is for the side to move.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Thinking {
    /// The game.
    pub game: String,
    /// The plies played.
    pub ply: usize,
    /// Plies searched.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub ms: u64,
    /// The value.
    pub value: Value,
    /// The principal variation.
    pub line: Vec<Step>,
}

/// A position that was checked.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Checked {
    /// Set if the position is possible.
    pub board: Option<Box<Board>>,
    /// All that is wrong with it.
    pub faults: Vec<FaultView>,
}

/// A fault of a position.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct FaultView {
    /// The kind of fault.
    pub code: FaultCode,
    /// In words.
    pub message: String,
    /// A piece letter or a colour if the fault is about one.
    pub subject: Option<String>,
}

/// What is wrong with a position.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "the faults of anqi-rules by name; text: it cannot be read"
)]
pub enum FaultCode {
    Text,
    TooMany,
    TooManyOfColor,
    HiddenMismatch,
    NoPieces,
    TurnMissing,
    TurnUnknown,
    PliesBeforeFirstFlip,
    QuietBeyondPly,
    TooManyPlies,
}

/// A record that was read.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Imported {
    /// The format of the text.
    pub format: Format,
    /// The game.
    pub line: Line,
    /// Names, the one who began first.
    pub players: Option<[String; 2]>,
    /// The date.
    pub date: Option<String>,
    /// As the record says it, also where the board does not show it (resignation, time).
    pub outcome: Option<OutcomeView>,
    /// Comments and variations, if the record has any.
    pub notes: Option<Notes>,
    /// The titles of all games of the text.
    pub games: Vec<String>,
}

/// Why an action is not legal.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Explained {
    /// The reason.
    pub code: IllegalCode,
    /// The reason as a sentence in English, as the terminal says it.
    pub message: String,
    /// For `cannon_screens`: how many pieces are between.
    pub between: Option<usize>,
}

/// Why an action is not legal.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the errors of anqi-rules by name")]
pub enum IllegalCode {
    Over,
    NotFaceDown,
    Reveal,
    FirstPlyMustFlip,
    NothingThere,
    StillFaceDown,
    NotYours,
    TargetFaceDown,
    TargetOwn,
    TooFar,
    CannotCapture,
    CannonOutOfLine,
    CannonScreens,
    PerpetualChase,
}

/// A record that was written.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Exported {
    /// The text.
    pub text: String,
    /// A file name to offer.
    pub name: String,
}

/// What is known of a position so far.
#[derive(Serialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
pub struct Analysis {
    /// Plies searched.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time spent.
    pub ms: u64,
    /// Value of the position for the side to move.
    pub value: Value,
    /// Best first; values are for the side to move.
    pub lines: Vec<Candidate>,
    /// What each analysed flip may bring; comes after some thinking.
    pub flips: Vec<Flip>,
    /// Every action with its verdict, if tables know the position.
    pub table: Option<Vec<TableAction>>,
    /// Whether it is the last message.
    pub done: bool,
}

/// What tables know of a position.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct TableView {
    /// The board.
    pub board: Box<Board>,
    /// Null if no table has the position.
    pub verdict: Option<TableVerdict>,
    /// The expected result, also with face-down pieces if tables have them.
    pub expected: Option<f64>,
    /// Every action with its verdict.
    pub actions: Vec<TableAction>,
}

/// What tables know of a set of pieces.
#[derive(Serialize, Deserialize, Debug, Clone, Default)]
#[cfg_attr(test, derive(TS))]
pub struct MaterialView {
    /// The letters of the pieces.
    pub material: String,
    /// Whether tables know it. The rest is null if not.
    pub known: bool,
    /// Counts of placements with red to move.
    pub red_to_move: Option<Totals>,
    /// Counts of placements with black to move.
    pub black_to_move: Option<Totals>,
    /// The longest win.
    pub longest: Option<Longest>,
}

/// A position to practise: the side to move wins it or holds the draw.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
pub struct Exercise {
    /// The position string, by which it is known.
    pub position: String,
    /// What the side to move can reach.
    pub goal: ExerciseGoal,
    /// Plies to the end of a won one, if both sides do their best.
    pub plies: Option<u32>,
    /// 1 to 10.
    pub difficulty: u32,
    /// Best play from it to the end of a won one.
    pub line: Vec<String>,
    /// What it teaches, if it is that of a lesson.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub lesson: Option<LessonView>,
}

/// What a lesson of an ending tells of its position.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
pub struct LessonView {
    /// What to do and why, in English.
    pub idea: String,
    /// Best play: of a win to the end of the game, of a draw for some plies.
    pub line: Vec<String>,
    /// The actions that fail.
    pub refutations: Vec<Refutation>,
}

/// A lesson of an ending as a puzzle: the actions that keep the value solve it.
#[derive(Serialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
pub struct LessonPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// What it teaches.
    pub lesson: LessonView,
}

/// An action that gives away what a position holds.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
pub struct Refutation {
    /// The action.
    pub action: String,
    /// What is left, for the side that plays it.
    pub value: WdlName,
    /// How the other side answers it: a loss up to the next capture or the end, a draw for some plies.
    pub line: Vec<String>,
}

/// What the side to move of an exercise can reach.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ExerciseGoal {
    Win,
    Draw,
}

impl From<ExerciseGoal> for WdlName {
    fn from(goal: ExerciseGoal) -> WdlName {
        match goal {
            ExerciseGoal::Win => WdlName::Win,
            ExerciseGoal::Draw => WdlName::Draw,
        }
    }
}

/// What an action did to an exercise. Values are the learner's, in unlimited play.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(TS))]
pub struct Defended {
    /// The value before the action.
    pub before: TableVerdict,
    /// The value after it.
    pub after: TableVerdict,
    /// The actions that would have kept the value; of a win, those that hurry.
    pub best: Vec<String>,
    /// The answer; null if the game is over.
    pub reply: Option<String>,
    /// The board after the answer.
    pub board: Box<Board>,
}

/// How many placements are won, drawn and lost.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[expect(missing_docs, reason = "the names say it")]
pub struct Totals {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// The longest win of a set of pieces.
#[derive(Serialize, Deserialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
pub struct Longest {
    /// The position string.
    pub position: String,
    /// Plies to the goal.
    pub plies: u32,
    /// What the plies lead to.
    pub to: WinGoal,
    /// The line that both sides play there by the tables.
    pub line: Vec<String>,
}

/// What the plies of a win lead to.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum WinGoal {
    /// The next capture.
    Capture,
    /// The end of the game.
    End,
}

/// Why a message was refused.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, ts(rename = "ErrorCode"))]
pub enum Code {
    /// No JSON object, unknown type or key, a value of the wrong kind.
    Malformed,
    /// Longer than `About.limits.message_bytes`. The connection stays open up to 1 MiB.
    TooLarge,
    /// Too many messages a second: wait a little.
    TooFast,
    /// The server has as many games, connections or waiting analyses as it takes.
    Busy,
    /// No game has this token.
    UnknownToken,
    /// This connection is in no game, or has no seat in it.
    NoSeat,
    /// Another seat is to move, or `ply` is not the number of plies played.
    NotYourTurn,
    /// The action is not legal.
    Illegal,
    /// The game is over, or is not over yet.
    WrongPhase,
    /// A position, ply, record, spec or set of pieces cannot be read.
    Unreadable,
    /// Nothing to take back, answer or stop.
    NothingToDo,
    /// A guest asked for what only the host may do: a game of its own.
    Forbidden,
    /// A fault of the server.
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
    Err(Refusal::new(code, message))
}

impl Refusal {
    /// Returns a refusal.
    pub fn new(code: Code, message: impl Into<String>) -> Refusal {
        let message = message.into();
        Refusal { code, message }
    }

    /// Returns the refusal of a text that cannot be read.
    pub fn unreadable(error: impl std::fmt::Display) -> Refusal {
        Refusal::new(Code::Unreadable, error.to_string())
    }
}

impl From<Refusal> for ServerMessage {
    fn from(refusal: Refusal) -> ServerMessage {
        ServerMessage::Error {
            code: refusal.code,
            message: refusal.message,
        }
    }
}
