//! Matches between players of Chinese dark chess.
//!
//! Name two players, plan a match between them, [`play`] it, and compute a [`Summary`] of its records:
//!
//! ```
//! use anqi_match::{BySide, Interrupt, MatchPlan, MatchSetup, Participant, Side, Summary, play};
//!
//! let interrupt = Interrupt::new();
//! let players = BySide {
//!     a: Participant::new("greedy", &interrupt)?,
//!     b: Participant::new("random", &interrupt)?,
//! };
//! let plan = MatchPlan::new(MatchSetup::new(players), 5);
//! let played = play(&plan, Vec::new(), None, &interrupt)?;
//! let summary = Summary::new(&played.records, &plan.analysis);
//! let ratio = summary.table.advantage_ratio(Side::A);
//! assert!(ratio > Some(2.0), "greedy wins");
//!
//! let game = &played.records[0].games[0];
//! println!("{} begins: {} ({})", game.starter, game.plies, game.verdict.reason.words());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How the parts fit: a [`MatchSetup`] names the players and the rules; the
//! [`runner`] plays it pair by pair, a pair being one [`deal`] played twice with the sides
//! swapped; each finished pair becomes a [`record::PairRecord`], which the [`store`] saves;
//! [`summary`] and [`statistics`] compute figures from the records, and [`report`] presents
//! them to people, programs and browsers; `export` (a feature, on by default) writes them as tables for
//! other programs.
//!
//! **Owns** deals, pairing, the referee, records, statistics, files of finished
//! games and reports about them. **Must not know** how a player thinks: built-in players
//! come through [`anqi_search::Player`], outside programs through the protocol, and both
//! look the same to the [`referee`]. Nor does it know training, tuning, or a command line.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod adjudication;
pub mod check;
pub mod clock;
pub mod deal;
pub mod engine;
pub mod engines;
#[cfg(feature = "export")]
pub mod export;
pub mod interrupt;
pub mod journal;
pub mod limits;
pub mod live;
pub mod luck;
pub mod match_play;
pub mod openings;
pub mod pairing;
pub mod progress;
pub mod record;
pub mod referee;
pub mod replay;
pub mod report;
pub mod runner;
pub mod seed;
pub mod sequential;
pub mod side;
pub(crate) mod stall;
pub mod statistics;
pub mod store;
pub mod summary;
pub mod table_adjudicator;

pub use engines::participant::Participant;
pub use interrupt::Interrupt;
pub use match_play::{MatchPlan, play};
pub use runner::MatchSetup;
pub use side::{BySide, Side};
pub use summary::Summary;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadMe;
