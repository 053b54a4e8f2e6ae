//! Lines that a server might send, and what is expected of an engine.

use anqi_naive::Naive;

/// A line that a server might send, with the expected result.
#[derive(Clone, Debug)]
pub struct Sensible {
    /// The line.
    pub text: String,
    /// The expected result.
    pub expected: Expected,
}

/// The expected result of a sensible line.
#[derive(Clone, Debug)]
pub enum Expected {
    /// This answer, the position stays.
    Answer(String),
    /// Accepted, the position stays; the answer is the engine's own.
    Accepted,
    /// Refused, the position stays.
    Refused,
    /// Accepted or refused, the position stays.
    Anything,
    /// The ply is played.
    Played(String),
    /// The last ply is taken back, if there is one.
    TakenBack,
    /// The position is now this game's.
    Now(Box<Naive>),
    /// The position has this board and bag; who is to move is the engine's choice.
    Board(Box<Naive>),
    /// If accepted, the board set up by `init_board` now has a side to move.
    Turned,
    /// The result is asked; the rules may be unknown.
    Result,
    /// The rules are now the preset of that name.
    Rules(&'static str),
    /// The rules are now something else.
    OtherRules,
}
