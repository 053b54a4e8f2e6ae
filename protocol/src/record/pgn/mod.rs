//! Games in the shape of PGN, the record format that other programs can read.
//!
//! `docs/record-format.md` is the specification. A record has tags, then moves with comments,
//! evaluations, clocks and variations, then the result; a file has any number of records.
//!
//! ```text
//! [First "chan"]
//! [Second "ai"]
//! [Result "1-0"]
//! …
//!
//! 1. b3=K {[%clk 0:14:58] a good start} c6=g $2 (1... c6=p 2. b3-b4) 2. b3xb4 1-0
//! ```
//!
//! Writing is strict: one order of tags, one spelling, lines of at most 79 characters, the same
//! bytes for the same game. Reading is tolerant of layout, but every move must be legal, and an
//! error names line and column.

mod annotation;
mod deal;
mod ending;
mod error;
mod header;
mod movetext;
mod platform;
mod read;
mod scan;
mod tags;
#[cfg(test)]
mod tests;
mod tree;
mod write;

pub use annotation::{Annotation, Eval, Expectation};
pub use deal::{DealFault, DealProof, hash_of_deal, layout_fault};
pub use ending::{GameResult, Termination};
pub use error::{PgnError, PgnFault};
pub use movetext::MOST_PGN_PLIES;
pub use platform::Lost;
pub use read::read;
pub use tags::Tags;
pub use write::write;

use anqi_rules::{Color, DrawReason, Game, Outcome, Piece, PlayError, Ply, Position};
use anqi_rules::{Rules, WinReason};

/// One game with everything that a record in the shape of PGN holds.
///
/// ```
/// use anqi_protocol::record::pgn::{self, PgnGame};
/// use anqi_rules::{Game, Rules};
///
/// let game = Game::from_text("start moves b2(G) b3(k)", Rules::OLYMPIAD)?;
/// let text = pgn::write(&[PgnGame::of_game(&game, ["chan", "ai"])]);
/// assert!(text.contains("[Red \"First\"]\n"), "{text}");
/// assert!(text.ends_with("\n1. b2=G b3=k *\n"), "{text}");
///
/// let games = pgn::read(text.as_bytes(), Rules::OLYMPIAD)?;
/// assert_eq!(games[0].game(Rules::OLYMPIAD)?.plies(), game.plies());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags that have no field of their own: players, event, date and so on.
    pub tags: Tags,
    /// The rules, if the record names them.
    pub rules: Option<Rules>,
    /// Where the game begins.
    pub start: Position,
    /// The result.
    pub result: GameResult,
    /// Why the game ended, if that is known.
    pub termination: Option<Termination>,
    /// The commitment to the deal, and its proof once the game is over.
    pub deal: Option<DealProof>,
    /// What is said before the first ply.
    pub annotation: Annotation,
    /// The plies of the main line and of the variations, each after the one that it follows.
    pub plies: Vec<PgnPly>,
}

/// A ply of a [`PgnGame`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnPly {
    /// The ply.
    pub ply: Ply,
    /// The number of the ply that it follows, counted from 1; 0 is the start. The first that
    /// follows continues the line, the others begin variations.
    pub after: usize,
    /// Numeric annotation glyphs, such as 1 for a good move.
    pub glyphs: Vec<u8>,
    /// What is said about it.
    pub annotation: Annotation,
}

impl PgnPly {
    /// Returns a ply about which nothing is said.
    pub fn new(ply: Ply, after: usize) -> PgnPly {
        PgnPly {
            ply,
            after,
            glyphs: Vec::new(),
            annotation: Annotation::default(),
        }
    }
}

impl PgnGame {
    /// Returns the record of a game, with its result if the board shows one; players in the order
    /// of their first turns.
    pub fn of_game(game: &Game, players: [&str; 2]) -> PgnGame {
        let plies = game.plies().iter().enumerate();
        let mut record = PgnGame {
            tags: Tags::default(),
            rules: Some(game.rules()).filter(|rules| rules.name().is_some()),
            start: *game.start(),
            result: GameResult::Unfinished,
            termination: None,
            deal: None,
            annotation: Annotation::default(),
            plies: plies.map(|(index, &ply)| PgnPly::new(ply, index)).collect(),
        };
        record.tags.set("First", players[0]);
        record.tags.set("Second", players[1]);
        if let Some((result, termination)) = record.shown(game) {
            record.result = result;
            record.termination = Some(termination);
        }
        record
    }

    /// Returns the players in the order of their first turns; `?` where the record names none.
    pub fn players(&self) -> [&str; 2] {
        ["First", "Second"].map(|seat| self.tags.get(seat).unwrap_or("?"))
    }

    /// Returns the colour of the first player, `None` before the first flip.
    pub fn first_color(&self) -> Option<Color> {
        let flip = || self.plies.first()?.ply.reveal.map(Piece::color);
        self.start.turn().or_else(flip)
    }

    /// Plays the main line; `rules` are those of a record that names none.
    ///
    /// # Errors
    ///
    /// Returns an error if a ply is not legal.
    pub fn game(&self, rules: Rules) -> Result<Game, PlayError> {
        let mut game = Game::new(self.start, self.rules.unwrap_or(rules));
        for ply in self.main_line() {
            game.play(ply.ply)?;
        }
        Ok(game)
    }

    /// Returns the result that a board shows, `None` if it shows none.
    fn shown(&self, game: &Game) -> Option<(GameResult, Termination)> {
        Some(match game.outcome()? {
            Outcome::Win { winner, reason } => {
                let result = if self.first_color() == Some(winner) {
                    GameResult::FirstWins
                } else {
                    GameResult::SecondWins
                };
                let termination = match reason {
                    WinReason::NoLegalAction => Termination::NoLegalAction,
                    WinReason::Annihilation => Termination::Annihilation,
                };
                (result, termination)
            }
            Outcome::Draw(DrawReason::QuietLimit) => (GameResult::Draw, Termination::QuietLimit),
            Outcome::Draw(DrawReason::Repetition { .. }) => {
                (GameResult::Draw, Termination::Repetition)
            }
        })
    }
}
