//! What can be wrong with a text, and where.

use anqi_rules::PlayError;
use std::fmt;

/// Why a text is not a record, and the place of the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: PgnFault,
}

/// What is wrong in a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnFault {
    /// A byte is not UTF-8.
    #[error("byte {0:#04x} is not UTF-8 text (expected UTF-8)")]
    NotUtf8(u8),
    /// There is no game.
    #[error("there is no game (expected a tag such as [First \"name\"], or a move such as b3=K)")]
    NoGame,
    /// A tag does not have the form of one.
    #[error("'{0}' is not a tag (expected [Name \"value\"])")]
    Tag(String),
    /// A tag stands twice.
    #[error("the tag {0} stands twice in this game (expected once)")]
    TagTwice(String),
    /// A tag's value cannot be read.
    #[error("'{found}' is not a value of the tag {name} (expected {expected})")]
    TagValue {
        /// The tag.
        name: &'static str,
        /// Its value.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Something is not closed.
    #[error("this {what} is not closed (expected {expected})")]
    NotClosed {
        /// A comment, a variation or a value.
        what: &'static str,
        /// What closes it.
        expected: char,
    },
    /// A sign stands where it has no meaning.
    #[error("'{found}' is out of place (expected {expected})")]
    OutOfPlace {
        /// The sign.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A word is not a move.
    #[error(
        "'{0}' is not a move (expected one such as b3-b4, b3xb4 or, for a flip, b3=K; or a result)"
    )]
    NotAMove(String),
    /// A move cannot be played.
    #[error("'{word}' cannot be played: {error} (expected a legal move)")]
    Illegal {
        /// The move.
        word: String,
        /// Why.
        error: PlayError,
    },
    /// A move that is written as a capture captures nothing.
    #[error("'{word}' captures nothing (expected {expected})")]
    NoCapture {
        /// The move.
        word: String,
        /// Its right spelling.
        expected: String,
    },
    /// A number stands for no annotation.
    #[error("'{0}' is not an annotation glyph (expected $0 to $255)")]
    Glyph(String),
    /// Tag and movetext have two results.
    #[error("'{found}' contradicts the tag Result (expected {expected})")]
    Result {
        /// The result after the moves.
        found: &'static str,
        /// The result in the tag.
        expected: &'static str,
    },
    /// The game is too long.
    #[error("the game has too many plies (expected at most {0}, variations included)")]
    TooLong(usize),
}

impl PgnError {
    /// Returns an error at this byte of a text.
    pub(super) fn at(text: &str, byte: usize, fault: PgnFault) -> PgnError {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        PgnError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            fault,
        }
    }
}

impl fmt::Display for PgnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PgnError {
            line,
            column,
            fault,
        } = self;
        write!(f, "line {line}, column {column}: {fault}")
    }
}

impl std::error::Error for PgnError {}
