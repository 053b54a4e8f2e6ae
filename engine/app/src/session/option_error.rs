//! The names of the options, and why one cannot be set.

use anqi_search::players;

/// The names of the options.
pub(super) const NAMES: [&str; 11] = [
    "player",
    "level",
    "contempt",
    "threads",
    "hash",
    "tables",
    "seed",
    "rules",
    "no_progress",
    "repetition",
    "info",
];

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option is called '{name}' (there are: {})", NAMES.join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// The value is of the wrong kind.
    #[error("'{value}' is not a value for {name} (expected {expected})")]
    Value {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// The player cannot be made.
    #[error("{0}")]
    Player(String),
    /// The player plays at one strength only.
    #[error(
        "player '{player}' has no levels (the player that has: {})",
        players::DEFAULT
    )]
    NoLevels {
        /// The player.
        player: String,
    },
    /// The tables cannot be opened.
    #[error("no tables from '{folder}': {reason}")]
    Tables {
        /// The folder.
        folder: String,
        /// Why.
        reason: String,
    },
}
