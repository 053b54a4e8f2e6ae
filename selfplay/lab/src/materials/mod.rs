//! What the tables say about whole materials.
//!
//! [`sums`] adds up all sets of a number of pieces, [`chart`] draws how far their wins are from the
//! next capture, and [`lattice`] ranks materials so that an extra piece never hurts.

pub mod chart;
pub mod lattice;
pub mod sums;
