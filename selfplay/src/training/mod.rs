//! Fitting the weights of an evaluation to games.
//!
//! [`generate`] lets a player play itself with some random actions and notes
//! each position that it has valued as an [`example`]; [`mod@file`] keeps examples,
//! the same bytes for the same recipe, by a [`writer`]; [`census`] says what such
//! a file holds.
//!
//! [`mod@split`] turns examples into [`features`] of features with targets and holds
//! some games out; [`sampling`] may draw a share of the others, by [`subset`]; [`fitting`] asks [`regression`] for the weights that lose least on the
//! [`curve`] of the evaluation; [`cholesky`] solves its equations.

pub mod census;
pub mod cholesky;
pub mod curve;
pub mod example;
pub mod features;
pub mod file;
pub mod fitting;
pub mod generate;
pub mod network;
pub mod regression;
pub mod sampling;
pub mod split;
pub mod subset;
pub mod writer;
