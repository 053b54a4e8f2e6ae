//! Placements of a unit's pieces as numbers.
//!
//! Two numberings, for two purposes: the solver's [`Layout`], in which moves are
//! shifts and whole [`Block`]s of positions are worked on at once, and the
//! [`DenseIndex`] of files, without gaps. [`locate`] maps a position to its unit
//! and placement, [`position_of`] back.

mod block;
mod board;
mod combination;
mod count;
mod dense;
mod layout;
mod locate;
mod placement;
mod row;

pub use block::Block;
pub use board::{
    ADJACENT, ALIGNED, BETWEEN, MIRROR_MASKS, bits_of, jumps, mirror, number_of, set_of, square_of,
    squares,
};
pub use combination::{Codes, Orbits, choose, compress, rank, spread, squeeze, unrank};
pub use count::{Census, census, placements};
pub use dense::{DenseIndex, GroupOrder, usual_order};
pub use layout::{
    BLOCK, Groups, Layout, OuterCodes, Part, orbit_length, pivot_group, predicted_addresses,
};
pub use locate::{Lookup, Placement, UnitPlace, locate, locate_groups, prepare};
pub use placement::{material_of, position_of};
pub use row::{PieceRow, bit};
