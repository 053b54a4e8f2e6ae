//! A dealt game of Chinese dark chess, from the deal to the verdict.
//!
//! **Owns** the deal and its commitment, seats and turns, clocks, offers, undo, verdicts, and the
//! explanations of illegal actions. **Must not know** how a player thinks, what a screen shows, or
//! what time it is: the caller passes moments and random bytes in. It reads and writes nothing.
//!
//! Deal the pieces, then ask the players in turn; [`play_out`] does that to the end:
//!
//! ```
//! use anqi_play::{Deal, DealtGame, KnownDeal, play_out};
//! use anqi_rules::{Game, Position, Rules};
//! use anqi_search::{Limits, players};
//!
//! let start = Position::start();
//! let deal = Deal::new(&start, &KnownDeal::default(), 42)?;
//! let mut game = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
//! let mut both = [players::by_spec("greedy")?, players::by_spec("random")?];
//! let verdict = play_out(&mut game, &mut both, Limits::NONE, 42)?;
//! println!("{} plies, {verdict:?}", game.game().plies().len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Deal`] says what each flip reveals, [`Commitment`] proves that it was fixed beforehand;
//! - [`DealtGame`] plays actions, takes them back and ends by a [`Verdict`];
//! - [`Clock`] keeps the time of both [`Seat`]s, [`Offers`] what they have to agree on;
//! - [`explain()`] says why an action is not legal, [`Level`] how strong the champion plays.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod clock;
mod commitment;
mod deal;
mod explain;
mod game;
mod level;
mod offer;
mod play_out;
mod seat;
mod verdict;

pub use clock::{Clock, TimeControl};
pub use commitment::{Commitment, NONCE_BYTES, hexadecimal, mismatch};
pub use deal::{Deal, DealError, KnownDeal, reading_order};
pub use explain::explain;
pub use game::{DealtGame, Event};
pub use level::{Level, LevelError};
pub use offer::{Offer, OfferKind, OfferPending, Offers};
pub use play_out::{IllegalChoice, play_out};
pub use seat::{Seat, first_color};
pub use verdict::{EndReason, Verdict};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
