//! Why a text is not a file of records, and what a format cannot hold.

use crate::wire::Refusal;
use anqi_protocol::record::pgn::PgnError;
use anqi_protocol::record::{RecordError, ReplayError};
use std::collections::BTreeMap;

/// What was lost, and in how many games.
pub type Lost = BTreeMap<String, usize>;

/// Why a text is not a file of records.
#[derive(Debug, thiserror::Error)]
pub enum RecordsError {
    /// Wrong PGN.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// A wrong record of the platform.
    #[error(transparent)]
    Platform(#[from] RecordError),
    /// A record of the platform that cannot be played.
    #[error("game {number}: {error}")]
    Replay {
        /// The number of the game, from 1.
        number: usize,
        /// Why.
        error: ReplayError,
    },
    /// A wrong record in JSON, or a wrong position string.
    #[error("{0}")]
    Other(String),
}

impl From<Refusal> for RecordsError {
    fn from(refusal: Refusal) -> RecordsError {
        RecordsError::Other(refusal.message)
    }
}

/// Notes that something of a game was lost.
pub(super) fn add(lost: &mut Lost, what: &str) {
    *lost.entry(what.to_owned()).or_default() += 1;
}
