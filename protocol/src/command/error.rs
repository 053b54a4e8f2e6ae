//! Why a request is refused.

use super::names::CommandName;
use anqi_rules::notation::excerpt;

/// A request that could not be understood, with the number to answer with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Refusal {
    /// The number the line began with, if it could be read.
    pub number: Option<u32>,
    /// What is wrong with the line.
    #[source]
    pub error: CommandError,
}

/// What is wrong with a line; every message names the token and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The line is longer than a request may be.
    #[error("line too long (expected at most {limit} bytes)")]
    TooLong {
        /// The most bytes a line may have.
        limit: usize,
    },
    /// The line is not text.
    #[error("byte {at} of the line is not UTF-8 text (expected ASCII letters and digits)")]
    NotText {
        /// The first byte that is not text, counted from 1.
        at: usize,
    },
    /// The line starts with a number that is too large.
    #[error("'{token}' is not a command number (expected 0-18 or 50-60)")]
    HugeNumber {
        /// The token.
        token: String,
    },
    /// The line ends after its number.
    #[error("no command name after number {number} (expected {expected})")]
    NoName {
        /// The number.
        number: u32,
        /// The name that belongs to it, or a hint.
        expected: &'static str,
    },
    /// No command has this name.
    #[error("unknown command '{name}' (list_commands lists all)")]
    UnknownCommand {
        /// The name.
        name: String,
    },
    /// No command has this number.
    #[error("number {number} belongs to no command ({name} is {expected})")]
    UnknownNumber {
        /// The number.
        number: u32,
        /// The name beside it.
        name: CommandName,
        /// The name's number.
        expected: u32,
    },
    /// Number and name belong to different commands.
    #[error("number {number} is {numbered}, not {name} ({name} is {expected})")]
    Disagree {
        /// The number.
        number: u32,
        /// The command with that number.
        numbered: CommandName,
        /// The name.
        name: CommandName,
        /// The name's number.
        expected: u32,
    },
    /// Too few or too many arguments.
    #[error("{name} got {got} argument{} (expected {})", if *.got == 1 { "" } else { "s" }, expected_arguments(*.name))]
    ArgumentCount {
        /// The command.
        name: CommandName,
        /// The number of arguments.
        got: usize,
    },
    /// An argument is invalid.
    #[error("'{token}' is not {expected}")]
    Argument {
        /// The token.
        token: String,
        /// What was expected, with an article.
        expected: &'static str,
    },
    /// Words of the line contradict each other.
    #[error("{0}")]
    Conflict(String),
    /// The board's counts fit neither of the two orders in use.
    #[error("{0}")]
    Board(#[from] crate::board::BoardError),
    /// A position string is wrong.
    #[error("{0}")]
    Position(String),
}

impl CommandError {
    /// Returns the error for a token that is not what was expected.
    pub(crate) fn argument(token: &str, expected: &'static str) -> CommandError {
        CommandError::Argument {
            token: excerpt(token),
            expected,
        }
    }
}

fn expected_arguments(name: CommandName) -> &'static str {
    if name.arguments().is_empty() {
        "none"
    } else {
        name.arguments()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_of_arguments_says_what_the_command_takes() {
        let told = |name, got| CommandError::ArgumentCount { name, got }.to_string();
        assert_eq!(
            told(CommandName::Quit, 1),
            "quit got 1 argument (expected none)"
        );
        assert_eq!(
            told(CommandName::Move, 3),
            "move got 3 arguments (expected <from> <to>)"
        );
    }

    #[test]
    fn tokens_are_quoted_in_part() {
        let error = CommandError::argument(&"x".repeat(1000), "a square (expected a1-d8)");
        let told = error.to_string();
        assert!(
            told.len() < 120 && told.contains("…' is not a square"),
            "{told}"
        );
    }
}
