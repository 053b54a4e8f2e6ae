//! The value of a game at every ply: the analyst, the report, puzzles.
//!
//! A [`Report`] splits a game into decisions and luck. The loss of a decision is the
//! value of the best action less the value of the action played; the luck of a flip
//! is the value after it less the average over its reveals. Together they account
//! for the course of the game, as in backgammon.
//!
//! - [`analyst`] values actions, by endgame tables where possible;
//! - [`decision`] reviews one ply, [`report`] a game; [`rating`] turns an error rate
//!   into a level, [`text`] prints a report;
//! - [`puzzle`] is a puzzle; [`puzzles`] finds positions with one clearly best action, [`selection`]
//!   chooses among them.

pub mod analyst;
pub mod calibrate;
pub mod decision;
pub mod puzzle;
pub mod puzzles;
pub mod rating;
pub mod report;
pub mod run;
pub mod selection;
pub mod selfplay;
pub mod text;
pub mod value;

pub use analyst::{Analyst, Appearance, Candidate, Effort, Flip};
pub use decision::{Grade, ReviewedPly};
pub use report::{Report, SideReport};
pub use run::review;
pub use value::{Step, Value};
