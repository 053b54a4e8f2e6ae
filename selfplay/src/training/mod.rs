//! Fitting the weights of an evaluation to games.
//!
//! [`generate`] lets a player play itself with some random actions and notes
//! each position that it has valued as an [`example`]; [`file`] keeps examples,
//! the same bytes for the same recipe; [`census`] says what such a file holds.

pub mod census;
pub mod cholesky;
pub mod curve;
pub mod example;
pub mod file;
pub mod fitting;
pub mod generate;
pub mod regression;
pub mod rows;
