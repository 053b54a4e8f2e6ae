#![doc = include_str!("../README.md")]
//!
//! # How the parts fit
//!
//! Start with [`Game`]: a position with its history and a set of [`Rules`].
//!
//! - [`Setup`] can describe any position, [`Position`] only a possible one; the
//!   conversion reports every fault at once.
//! - Chance is a value. A flip is an [`Action`]; what it reveals is a
//!   [`Reveal`] with its exact weight; both together are a [`Ply`], and playing
//!   a ply is deterministic. [`Game::play_drawn`] draws a reveal by the words of the caller's generator.
//! - A [`Position`] knows the [`Convention`] by which flips count and the board ends the game, and no
//!   other rule. It has no history. Draws by repetition and the ban on perpetual chasing
//!   ([`chase`]) need one: a [`Game`] decides which actions are legal.
//!
//! **Owns** squares, pieces, positions, legal actions, chance, results and
//! draws, notation, hashing and symmetry: everything about the game itself, independent of the
//! players. **Must not know** evaluation, files, threads, clocks or output.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod chase;
mod ending;
mod excerpt;
mod game;
mod hidden;
mod legality;
pub mod moves;
pub mod notation;
pub mod order;
mod over;
mod perft;
mod piece;
mod position;
pub mod random;
mod reveal;
mod rules_text;
mod setup;
mod square;
mod symmetry;
#[cfg(feature = "serde")]
mod text_serde;
mod zobrist;

pub use ending::{Convention, DrawReason, Outcome, Precedence, Repetition, Rules, WinReason};
pub use game::{Game, GameTextError};
pub use hidden::{HiddenBag, Kinds};
pub use legality::PlayError;
pub use moves::{Action, ActionList, Ply};
pub use perft::{perft, perft_divide, perft_played};
pub use piece::{ByColor, Color, PIECES, Piece, ROLES, Role};
pub use position::{Content, Position, Undo};
pub use reveal::{Reveal, Reveals};
pub use rules_text::ParseRulesError;
pub use setup::{Fault, MOST_PLIES, Setup, SetupError};
pub use square::{COLUMNS, ParseSquareError, ROWS, SQUARES, Square, SquareSet, Squares};
pub use symmetry::Symmetry;
