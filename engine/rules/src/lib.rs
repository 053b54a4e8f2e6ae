//! The rules of Chinese dark chess (banqi).
//!
//! **Owns** squares, pieces, positions, legal actions, chance, results and
//! draws, notation, hashing and symmetry: everything about the game itself, independent of the
//! players. **Must not know** evaluation, files, threads, clocks or output.
//!
//! How the parts fit:
//!
//! - [`Setup`] can describe any position, [`Position`] only a possible one; the
//!   conversion reports every fault at once.
//! - Chance is a value. A flip is an [`Action`]; what it reveals is a
//!   [`Reveal`] with its exact weight; both together are a [`Ply`], and playing
//!   a ply is deterministic. This crate owns no random number generator:
//!   [`Game::play_drawn`] draws a reveal by the words of the caller's.
//! - A [`Position`] knows the [`Convention`] by which flips count and the board ends the game, and no
//!   other rule. It has no history. Draws by repetition and the ban on perpetual chasing
//!   ([`chase`]) need one: a [`Game`] is a position with its history and a set of
//!   [`Rules`], and decides which actions are legal.
//!
//! ```
//! use anqi_rules::{Game, Position, Rules};
//!
//! let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
//! assert_eq!(game.position().actions().len(), 32);
//! game.play("b2(G)".parse()?)?;
//! game.play("b3(k)".parse()?)?;
//! game.play("b2-b3".parse()?).expect_err("a guard cannot take a king");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The caller's generator draws what flips reveal. A game of random actions to its end:
//!
//! ```
//! use anqi_rules::random::{below, split_mix};
//! use anqi_rules::{Game, Position, Rules};
//!
//! let (mut game, mut state) = (Game::new(Position::start(), Rules::OLYMPIAD), 42);
//! while game.outcome().is_none() {
//!     let actions = game.actions();
//!     let index = below(actions.len() as u64, || split_mix(&mut state));
//!     game.play_drawn(actions[index as usize], || split_mix(&mut state))?;
//! }
//! println!("{} plies: {:?}", game.plies().len(), game.outcome());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod chase;
pub mod ending;
mod excerpt;
pub mod game;
pub mod hidden;
pub mod legality;
pub mod moves;
pub mod notation;
mod over;
pub mod perft;
pub mod piece;
pub mod position;
pub mod random;
pub mod reveal;
pub mod setup;
pub mod square;
pub mod symmetry;
pub mod zobrist;

pub use ending::{Convention, DrawReason, Outcome, Precedence, Repetition, Rules, WinReason};
pub use game::Game;
pub use hidden::HiddenBag;
pub use legality::PlayError;
pub use moves::{Action, ActionList, Ply};
pub use perft::{perft, perft_played};
pub use piece::{ByColor, Color, PIECES, Piece, ROLES, Role};
pub use position::{Content, Position, Undo};
pub use reveal::Reveal;
pub use setup::{Fault, Setup, SetupError};
pub use square::{COLUMNS, ROWS, SQUARES, Square, SquareSet};
pub use symmetry::Symmetry;
