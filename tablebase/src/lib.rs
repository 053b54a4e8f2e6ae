#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Start with [`Tables`]; every source of values is an [`Endgames`]. Each module uses only those before it:
//!
//! - [`classes`]: material sets, their capture graphs, and the units that share a table;
//! - [`numbering`]: placements on the board as numbers, in the solver's order and in a file's;
//! - [`solve`]: retrograde analysis in memory or on disk, and two slow solvers to compare with;
//! - `counts` (feature `unstable`): counts of whole units, kept in a file;
//! - [`facedown`]: endings with face-down pieces, as exact expectations;
//! - `file` (feature `os`): the bytes of tables, writing, reading, building;
//! - [`probe`]: values of positions from tables;
//! - [`mod@distil`]: all values up to five pieces in one small file, probed by a small search;
//! - `induction` (feature `unstable`): the positions of an ending that a search must be told, and their lessons.
//!
//! # Features
//!
//! - `os` (default): files and threads. Without it the crate builds for `wasm32-unknown-unknown`.
//! - `pocket`: the values of all endings of up to five pieces inside the program, 3.3 MB.
//! - `unstable`: what the programs and experiments of this workspace use beyond that. It may change with
//!   any release.
//!
//! **Owns** material classes, the numbering of placements, retrograde analysis, table files, their
//! verification, and probing. **Must not know** search or the text protocol.
#![forbid(unsafe_code)]
// What only the laboratory uses is unused without the laboratory.
#![cfg_attr(not(feature = "unstable"), allow(dead_code, unused_imports))]
#![cfg_attr(feature = "unstable", warn(unreachable_pub))]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]

/// Passes names on to the laboratory under the feature `unstable`, otherwise only within the crate.
macro_rules! unstable {
    (pub use $($names:tt)+) => {
        #[cfg(feature = "unstable")]
        pub use $($names)+;
        #[cfg(not(feature = "unstable"))]
        pub(crate) use $($names)+;
    };
}

pub mod classes;
#[cfg(all(feature = "os", feature = "unstable"))]
pub mod counts;
pub mod distil;
pub mod facedown;
#[cfg(all(feature = "os", feature = "unstable"))]
pub mod facedown_file;
#[cfg(all(feature = "os", not(feature = "unstable")))]
mod facedown_file;
#[cfg(feature = "os")]
pub mod file;
mod fraction;
#[cfg(all(feature = "os", feature = "unstable"))]
pub mod induction;
pub mod numbering;
mod parallel;
pub mod probe;
#[cfg(any(test, feature = "unstable"))]
pub mod slow;
pub mod solve;

#[cfg(feature = "os")]
pub use file::TableError;
pub use fraction::Fraction;
pub use probe::{
    Endgames, NoEndgames, Rated, TableValue, Tables, ToEnd, material_of, rated_actions,
};
pub use solve::{DistanceOverflow, Wdl};
