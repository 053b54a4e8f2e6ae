//! Placements of a unit's pieces as numbers.
//!
//! Two numberings, for two purposes: the solver's [`Layout`], in which moves are
//! shifts and whole [`Block`]s of positions are worked on at once, and the
//! [`DenseIndex`] of files, without gaps. `locate` maps a position to its unit
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

pub(crate) use board::{
    ADJACENT, ALIGNED, BETWEEN, MIRROR_MASKS, bits_of, mirror, square_of, squares,
};
pub(crate) use combination::{Codes, Orbits, choose, rank, spread, squeeze, unrank};
pub use dense::{DenseIndex, GroupOrder, usual_order};
pub use layout::Groups;
pub(crate) use layout::{BLOCK, OuterCodes, orbit_length, pivot_group, predicted_addresses};
pub(crate) use locate::{Lookup, locate, locate_groups, prepare};
pub use placement::{material_of, position_of};
pub(crate) use row::PieceRow;

unstable!(pub use block::{Block});
unstable!(pub use board::{jumps, number_of, set_of});
unstable!(pub use combination::{compress});
unstable!(pub use count::{Census, census});
unstable!(pub use layout::{Layout});
unstable!(pub use locate::{Placement, UnitPlace});
unstable!(pub use row::{bit});
