//! What the tables and games say about whole materials.
//!
//! [`sums`] adds up all sets of a number of pieces, and [`chart`] draws how far their wins are from
//! the next capture. [`exact`] says what a material is worth by its exact values, and [`estimates`]
//! what larger ones are worth by games or by the evaluation; [`lattice`] joins materials that differ
//! in one piece and finds scores that contradict one another, and [`resolve`] makes them consistent.
//! [`mod@conflicts`] does that with the materials of games, [`verification`] compares them with verified scores, [`prediction`] with the results of games.

pub mod chart;
pub mod conflicts;
pub mod estimates;
pub mod exact;
pub mod lattice;
pub mod prediction;
pub mod resolve;
pub mod sums;
pub mod verification;
