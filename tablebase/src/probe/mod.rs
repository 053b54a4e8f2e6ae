//! What tables say of a position.
//!
//! [`Endgames`] is the door: small enough that tables over positions with
//! face-down pieces can come through it later. [`Tables`] is what stands
//! behind it today: units solved in memory, and files for larger ones.

mod endgames;
mod in_memory;
#[cfg(feature = "os")]
mod library;
mod rated;
mod tables;
#[cfg(feature = "os")]
mod verify;

pub use crate::numbering::material_of;
pub use endgames::{Endgames, NoEndgames, TableValue};
#[cfg(feature = "os")]
pub use library::Library;
pub use rated::{Rated, rated_actions};
pub use tables::{BUILT_IN_PIECES, Tables};
#[cfg(feature = "os")]
pub use verify::{Verified, library, units_in, verify_unit};
