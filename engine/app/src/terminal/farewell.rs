//! How a game at the terminal ends, and why one cannot begin.

use anqi_play::DealError;
use anqi_search::spec::SpecError;
use std::io;

/// Why the host had to stop.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// Reading or writing failed.
    #[error("the game cannot continue")]
    Io(#[from] io::Error),
    /// The deal does not fit the position.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// There is no such player.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// How the last game was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Farewell {
    /// Two players have finished their game.
    Over,
    /// The user quit.
    Quit,
    /// The input ended.
    EndOfInput,
    /// The user pressed Ctrl-C.
    Interrupted,
}

/// What to do after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Leave(Farewell),
}
