//! All values of endings in one small file.
//!
//! A search of a few plies with general rules knows most values; what it does not know is stored, and
//! coded by a model that predicts each value from its neighbours. See `docs/formats/distilled.md`.
//!
//! - [`lattice`]: placements as numbers, regions, and which positions are stored;
//! - [`coder`], [`model`], [`prior`], [`region`]: the values of a region as bytes;
//! - [`mod@format`]: the file; [`Pocket`] probes it, [`distil`] makes it.

mod carried;
pub(crate) mod coder;
mod embedded;
#[cfg(feature = "os")]
mod encode;
#[cfg(feature = "unstable")]
pub mod format;
#[cfg(not(feature = "unstable"))]
mod format;
pub(crate) mod lattice;
pub(crate) mod model;
mod pocket;
pub(crate) mod prior;
pub(crate) mod region;
#[cfg(feature = "os")]
mod verify;

pub use carried::{carried, provide, values};
#[cfg(feature = "pocket")]
pub use embedded::embedded;
pub use embedded::{EmbeddedValues, TimedValues};
pub use format::{PocketError, crc};
pub use pocket::{Answer, Pocket};

#[cfg(feature = "os")]
unstable!(pub use encode::{Distilled, UnitReport, describe, distil});
unstable!(pub use lattice::{Scheme});
#[cfg(feature = "os")]
unstable!(pub use verify::{Checked, check_unit});
