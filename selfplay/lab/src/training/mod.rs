//! Fitting the weights of an evaluation to games.
//!
//! [`generate`] lets a player play itself with some random actions and records each
//! position that it has valued as an [`example`]; a [`writer`] writes them to a
//! [`mod@file`], the same bytes for the same recipe; [`census`] summarises it, and
//! [`export`] writes it as a table for other programs.
//!
//! [`mod@split`] holds some games out; [`sides`] turns the examples of a [`stream`] into
//! [`rows`] of [`features`] with targets, anew each time they are needed, so that a fit takes
//! no more memory for more games; [`sampling`] may draw a share of them, by [`subset`];
//! [`fitting`] finds the weights of least loss on the [`curve`] of the evaluation, by
//! [`regression`] and [`cholesky`]. [`network`] trains the network instead, and may
//! correct search values by [`hindsight`].

pub mod census;
pub mod cholesky;
pub mod curve;
pub mod example;
pub mod export;
pub mod features;
pub mod file;
pub mod fitting;
pub mod generate;
pub mod hindsight;
pub mod network;
pub mod regression;
pub mod rows;
pub mod sampling;
pub mod settings;
pub mod sides;
pub mod sources;
pub mod split;
pub mod stream;
pub mod subset;
pub mod writer;
