//! Game records of the tournament platform.
//!
//! ```text
//! INITIAL
//! * 0:53pm Jan 13, 2022
//! * chan vs ai
//! * 1 2 2 2 2 2 5 1 2 2 2 2 2 5        living pieces, KGMRNCPkgmrncp
//! * X X X X                            eight rows of squares, row 8 first
//!   …
//! * first 1                            colour of the first player: 0 red, 1 black
//! * time 900                           seconds each
//! * 1. b8(p) d8(P)
//! * 2. d7-d8                           one ply less if the second player never answered
//! * NoMove chan Wins 1.000000,0.000000
//! * Comment 0 0
//! 0. 1642049618121                     when the game and each ply began, in ms
//!   …
//! ```
//!
//! After an empty line the platform appends the engine's output, which is not
//! part of the record and is ignored.

mod date;
pub mod pgn;
mod read;
#[cfg(test)]
mod tests;
mod verdict;
mod write;

pub use date::Date;
pub use read::RecordError;
pub use verdict::{PlatformReason, PlatformVerdict};

use crate::board::BoardText;
use anqi_rules::{Color, Game, Piece, PlayError, Ply, Rules, SetupError};
use std::fmt;

/// The title of a finished game.
const FINISHED: &str = "INITIAL";
/// The title of an unfinished game.
const UNFINISHED: &str = "This is TEMPORARILY file. You can use it for DEBUG.";

/// One game as the platform records it.
///
/// ```
/// use anqi_protocol::Record;
/// use anqi_protocol::record::PlayerName;
/// use anqi_rules::{Game, Rules};
///
/// let game = Game::from_text("start moves b2(G) b3(k)", Rules::PLATFORM)?;
/// let names = ["chan", "ai"].map(PlayerName::new);
/// let text = Record::of_game(&game, names).to_string();
/// assert!(text.contains("* 1. b2(G) b3(k)\n"), "{text}");
///
/// let read = Record::read(text.as_bytes())?;
/// assert_eq!(read.game(Rules::PLATFORM)?.plies(), game.plies());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// When the game was played.
    pub date: Option<Date>,
    /// The players in the order of their first turns.
    pub players: [PlayerName; 2],
    /// The board at the start of the game.
    pub board: BoardText,
    /// The colour of the first player; unknown before the first flip.
    pub first: Option<Color>,
    /// The total time of each side in seconds.
    pub seconds: Option<u64>,
    /// The plies.
    pub plies: Vec<Ply>,
    /// How the game ended, `None` if it did not.
    pub verdict: Option<PlatformVerdict>,
    /// The two numbers of the comment line.
    pub comment: Option<[u32; 2]>,
    /// When the game and each ply began, in ms since 1970; empty if not recorded.
    pub stamps: Vec<u64>,
}

/// A player's name as records hold it: a single word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlayerName(String);

impl PlayerName {
    /// Makes a name from a text: blanks and control characters between words become `_`, an
    /// empty text `?`.
    pub fn new(text: &str) -> PlayerName {
        let blank = |c: char| c.is_whitespace() || c.is_control();
        let words: Vec<&str> = text.split(blank).filter(|w| !w.is_empty()).collect();
        match words.join("_") {
            name if name.is_empty() => PlayerName("?".to_owned()),
            name => PlayerName(name),
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The board is impossible.
    #[error(transparent)]
    Board(#[from] SetupError),
    /// The board is not the first one, and the side to move is unknown.
    #[error("nothing says which colour begins (expected a line: * first 0, or 1 for black)")]
    FirstUnknown,
    /// The first flip shows another colour than the record says.
    #[error("the first player is {said}, but the first flip is {ply}")]
    First {
        /// The colour in the record.
        said: Color,
        /// The first ply.
        ply: Ply,
    },
    /// A ply is not legal.
    #[error("round {round}, {ply}: {error}")]
    Ply {
        /// The round, from 1.
        round: usize,
        /// The ply.
        ply: Ply,
        /// Why it cannot be played.
        error: PlayError,
    },
}

impl Record {
    /// Returns the record of a game, with its result if it has ended.
    pub fn of_game(game: &Game, players: [PlayerName; 2]) -> Record {
        let first_reveal = game.plies().first().and_then(|ply| ply.reveal);
        let first = game.start().turn().or(first_reveal.map(Piece::color));
        let verdict = game
            .outcome()
            .map(|outcome| PlatformVerdict::of(outcome, first, &game.rules(), &players));
        Record {
            date: None,
            players,
            board: BoardText::of(game.start()),
            first,
            seconds: None,
            plies: game.plies().to_vec(),
            verdict,
            comment: None,
            stamps: Vec::new(),
        }
    }

    /// Plays the record's plies under these rules and returns the game.
    ///
    /// The plies must be legal; they may continue after a draw.
    ///
    /// # Errors
    ///
    /// Returns an error if the start is unknown or impossible, the first flip shows another colour
    /// than the record says, or a ply cannot be played.
    pub fn game(&self, rules: Rules) -> Result<Game, ReplayError> {
        let start = match self.first {
            Some(first) => self.board.position(first)?,
            None if self.board.is_start() => self.board.position(Color::Red)?,
            None => return Err(ReplayError::FirstUnknown),
        };
        let mut game = Game::new(start, rules);
        for (index, &ply) in self.plies.iter().enumerate() {
            self.check_first(index, ply)?;
            game.play(ply).map_err(|error| ReplayError::Ply {
                round: index / 2 + 1,
                ply,
                error,
            })?;
        }
        Ok(game)
    }

    /// Checks that the first flip of all shows the colour in the record.
    fn check_first(&self, index: usize, ply: Ply) -> Result<(), ReplayError> {
        match (self.first, ply.reveal) {
            (Some(said), Some(piece))
                if index == 0 && self.board.is_start() && piece.color() != said =>
            {
                Err(ReplayError::First { said, ply })
            }
            _ => Ok(()),
        }
    }
}
