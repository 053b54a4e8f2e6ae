//! The engines of a match: each plays one side of a game.
//!
//! Built-in players and outside programs look the same from here. The referee
//! tells an engine that a game begins, asks it for an action, and tells it every
//! ply that was played, its own included; an engine never sees the hidden deal.

use std::time::Duration;

use anqi_rules::{Action, Color, Game, Ply, Position, Rules};

use crate::clock::TimeLeft;
use crate::limits::Limits;
use crate::record::Reason;

/// The information that an engine receives when a game begins.
#[derive(Clone, Copy, Debug)]
pub struct NewGame {
    /// The position it begins at.
    pub start: Position,
    /// The rules of the game.
    pub rules: Rules,
    /// The limits of this engine.
    pub limits: Limits,
}

/// A request to an engine.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The game so far; the engine is to move.
    pub game: &'a Game,
    /// The limits of this move.
    pub limits: Limits,
    /// The time this engine has.
    pub time: TimeLeft,
    /// The seed of this choice, for players in this process; the deal can be computed from it.
    pub seed: u64,
    /// How long the referee waits for the answer.
    pub deadline: Duration,
}

/// An engine's answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveReply {
    /// Its choice; the referee checks it.
    pub action: Action,
    /// How many nodes it reports.
    pub nodes: u64,
    /// Its value of the position, in ten-thousandths of a win, if reported.
    pub value: Option<i32>,
}

/// A played ply and its side.
#[derive(Clone, Copy, Debug)]
pub struct PlyNotice<'a> {
    /// The game after the ply.
    pub game: &'a Game,
    /// The ply.
    pub ply: Ply,
    /// The colour of the side that played it.
    pub color: Color,
    /// The time that side has left now.
    pub time: TimeLeft,
}

/// Why an engine failed to answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineFault {
    /// It answered something that is no action.
    #[error("{0}")]
    BadAnswer(String),
    /// Its program ended or it panicked.
    #[error("{0}")]
    Crash(String),
    /// It wrote without end.
    #[error("{0}")]
    Flood(String),
    /// It did not answer in time and was stopped.
    #[error("{0}")]
    Stall(String),
    /// The match is being interrupted; neither side is at fault.
    #[error("interrupted")]
    Interrupted,
}

impl EngineFault {
    /// Returns the reason by which this fault ends a game; `None` if it is no side's fault.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            EngineFault::BadAnswer(_) => Some(Reason::BadAnswer),
            EngineFault::Crash(_) => Some(Reason::Crash),
            EngineFault::Flood(_) => Some(Reason::Flood),
            EngineFault::Stall(_) => Some(Reason::Stall),
            EngineFault::Interrupted => None,
        }
    }
}

/// An engine that plays one side of a game.
///
/// After a fault an engine is discarded and replaced.
pub trait Engine: Send {
    /// Gets ready for a new game and forgets the last one.
    ///
    /// # Errors
    ///
    /// Any [`EngineFault`] ends the game.
    fn new_game(&mut self, game: &NewGame) -> Result<(), EngineFault>;

    /// Chooses an action.
    ///
    /// # Errors
    ///
    /// Any [`EngineFault`] ends the game.
    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, EngineFault>;

    /// Learns of a ply that was played.
    ///
    /// # Errors
    ///
    /// Any [`EngineFault`] ends the game.
    fn notify(&mut self, played: &PlyNotice<'_>) -> Result<(), EngineFault>;
}
