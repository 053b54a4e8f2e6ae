//! Fitting the weights of an evaluation to games.
//!
//! [`generate`] lets a player play itself with some random actions and records each
//! position that it has valued as an [`example`]; a [`writer`] writes them to a
//! [`mod@file`], the same bytes for the same recipe; [`census`] summarises it.
//!
//! [`mod@split`] turns examples into rows of [`features`] with targets and holds some
//! games out; [`sampling`] may draw a share of the others, by [`subset`]; [`fitting`]
//! finds the weights of least loss on the [`curve`] of the evaluation, by
//! [`regression`] and [`cholesky`]. [`network`] trains the network instead, and may
//! correct search values by [`hindsight`].

pub mod census;
pub mod cholesky;
pub mod curve;
pub mod example;
pub mod features;
pub mod file;
pub mod fitting;
pub mod generate;
pub mod hindsight;
pub mod network;
pub mod regression;
pub mod sampling;
pub mod split;
pub mod subset;
pub mod writer;
