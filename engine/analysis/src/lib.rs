//! What a game of Chinese dark chess is worth at every ply: the analyst, the report, hints, puzzles.
//!
//! **Owns** the values of actions and flips, the review of a game with its luck, error rates and
//! levels, hints and puzzles. **Must not know** files, threads or the time: a search is a slice of
//! work with limits and a flag that stops it, and the caller decides what runs when. It writes
//! nothing; a player's warnings are taken by [`Analyst::take_warning`].
//!
//! A [`Report`] splits a game into decisions and luck. The loss of a decision is the value of the
//! best action less the value of the action played; the luck of a flip is the value after it less
//! the average over its reveals. Together they account for the course of the game, as in backgammon.
//!
//! Review a record:
//!
//! ```
//! use anqi_analysis::{Analyst, Review};
//! use anqi_rules::{Game, Rules};
//! use anqi_search::Stop;
//!
//! let record = "3P/4/4/4/4/4/4/Gg2 r - 0 0 moves d8-d7 b1-a1";
//! let game = Game::from_text(record, Rules::OLYMPIAD)?;
//! let mut analyst = Analyst::new(None, game.rules())?;
//! let mut review = Review::new(game, 5_000);
//! review.run(&mut analyst, &Stop::new());
//! let report = review.report(None);
//! assert_eq!(report.sides[0].blunders, 1);
//! println!("{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Analyst`] values actions, by endgame tables where possible; [`Rounds`] deepens the analysis of
//!   one position, [`hint()`] is its quick answer; [`ranking`] ranks its actions by any player;
//! - [`Review`] values every ply of a game, [`Report`] sums it up, [`Rating`] turns an error rate into
//!   a level;
//! - [`puzzle`] is a puzzle, [`attempt`] somebody solving it; [`puzzles`] finds positions with one clearly
//!   best action, [`selection`] chooses among them; [`calibration`] measures the error rates of the levels, from [`games`].

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod analyst;
pub mod attempt;
pub mod calibration;
mod decision;
pub mod games;
mod hint;
pub mod puzzle;
pub mod puzzles;
pub mod ranking;
mod rating;
mod report;
mod review;
mod rounds;
pub mod selection;
mod tables;
mod text;
mod valuation;
mod value;

pub use analyst::{Analyst, Appearance, Candidate, Effort, Flip, analyst_spec, over};
pub use decision::{Grade, Luck, ReviewedPly, review_ply};
pub use hint::hint;
pub use rating::Rating;
pub use report::{Cause, Report, SideReport, TurningPoint};
pub use review::{Review, default_nodes};
pub use rounds::{Round, Rounds};
pub use tables::shared_tables;
pub use valuation::{Distance, Valuation};
pub use value::{Certainty, Step, Value, ValueSource, steps};

/// The example of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
