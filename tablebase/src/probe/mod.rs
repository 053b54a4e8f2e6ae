//! Probing: the value of a position in the tables.
//!
//! [`Endgames`] is the interface. [`Tables`] implements it: units solved in memory, files
//! for larger ones, and positions with face-down pieces, from files or solved at
//! the first probe.

mod endgames;
mod ending;
#[cfg(feature = "os")]
mod frames;
#[cfg(feature = "os")]
mod hidden;
mod in_memory;
#[cfg(feature = "os")]
mod library;
mod limited;
#[cfg(feature = "os")]
mod play;
mod rated;
#[cfg(test)]
pub(crate) mod samples;
mod standing;
mod tables;
mod to_end;
#[cfg(feature = "os")]
mod verify;
#[cfg(feature = "os")]
mod verify_hidden;

pub use crate::numbering::material_of;
pub use endgames::{Endgames, NoEndgames, TableValue};
#[cfg(feature = "os")]
pub use hidden::HiddenLibrary;
pub use rated::{Rated, rated_actions};
pub(crate) use standing::Standing;
pub use tables::{BUILT_IN_PIECES, Tables};
pub use to_end::ToEnd;

#[cfg(feature = "os")]
pub(crate) use rated::after;
#[cfg(feature = "os")]
unstable!(pub use play::{best_to_end});
#[cfg(feature = "os")]
unstable!(pub use verify::{SAMPLES, Verified, library, units_in, verify_unit});
#[cfg(feature = "os")]
unstable!(pub use verify_hidden::{FaceUpUnits, HiddenVerified, hidden_tables_in, verify_hidden});
