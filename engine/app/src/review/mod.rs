//! The value of a game at every ply: the analyst, the report, puzzles.
//!
//! A [`Report`] splits a game into decisions and luck. A decision costs what the
//! best action was worth more than the one played; the luck of a flip is what
//! the game was worth after it less the average over what might have appeared.
//! The two add up to how the game went, as in backgammon.
//!
//! - [`analyst`] values actions, with tables where they reach;
//! - [`decision`] reviews one ply, [`report`] sums a game up, [`rating`] turns an
//!   error rate into a level, [`text`] prints it;
//! - [`puzzles`] makes puzzles of positions in which one action is clearly best.

pub mod analyst;
pub mod calibrate;
pub mod decision;
pub mod puzzles;
pub mod rating;
pub mod report;
pub mod run;
pub mod selfplay;
pub mod text;
pub mod value;

pub use analyst::{Analyst, Appearance, Candidate, Effort, Flip};
pub use decision::{Grade, ReviewedPly};
pub use report::{Report, SideReport};
pub use run::review;
pub use value::{Step, Value};
