//! Matches between players of Chinese dark chess.
//!
//! **Owns** deals, pairing, the referee, records, statistics, files of finished
//! games and reports about them. **Must not know** how a player thinks: built-in
//! players come through [`anqi_search::Player`], outside programs through the
//! protocol, and both look the same to the [`referee`].
//!
//! How the parts fit: a [`runner::Match`] says who plays and by what rules; the
//! [`runner`] plays it pair by pair, a pair being one [`deal`] played twice with
//! seats swapped; each finished pair becomes a [`record::PairRecord`], which the
//! [`store`] keeps; [`summary`] and [`statistics`] say what the records mean, and
//! [`report`] says it to people, programs and browsers. Apart from matches,
//! [`training`] fits the weights of an evaluation to games of a player with itself.

pub mod clock;
pub mod deal;
pub mod interrupt;
pub mod limits;
pub mod live;
pub mod pairing;
pub mod progress;
pub mod record;
pub mod referee;
pub mod replay;
pub mod report;
pub mod runner;
pub mod seat;
pub mod seats;
pub mod seed;
pub mod sequential;
pub mod session;
pub mod side;
pub mod statistics;
pub mod store;
pub mod summary;
pub mod training;
