//! Three ways to win: by values, by plies to the next capture, by plies to the end.
//!
//! After Trice and Dodgen: the winner of the longest win of each unit has one of three kinds of tables, the loser
//! always the third, and delays the end as long as it can. A program with values alone may wander without progress,
//! one with distances to the next capture wins by detours, and only plies to the end win by the shortest way.

mod picture;
mod play;
mod run;

pub use picture::picture;
pub use play::{End, MOST_PLIES, Way, Winner};
pub use run::{Contest, RULE_SETS, WaysMeta, WonGame, link, longest_wins, open, play};

use anqi_match::journal::JournalError;
use anqi_search::PrepareError;
use anqi_search::spec::SpecError;
use anqi_tablebase::file::TableError;

/// Why the contest cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum WaysError {
    /// A table file cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No table has the position.
    #[error(
        "no plies to the end of {0} are known (needed: files of wdl, dtc and dtw of all units)"
    )]
    Unknown(String),
    /// The player's spec is wrong.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The player cannot prepare.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
    /// The folder of finished games does not serve.
    #[error(transparent)]
    Journal(#[from] JournalError),
}
