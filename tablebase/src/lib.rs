//! Endgame tables of Chinese dark chess.
//!
//! **Owns** material classes, the numbering of placements, retrograde
//! analysis, table files, their verification, and probing. **Must not know**
//! search or the text protocol.
//!
//! Five rooms, each of which knows only those before it:
//!
//! - [`classes`]: material sets, their capture graphs, and the units that share a table;
//! - [`numbering`]: placements on the board as numbers, in the solver's order and in a file's;
//! - [`solve`]: retrograde analysis in memory or on disk, and two slow solvers to compare with;
//! - [`file`]: the bytes of tables, writing, reading, building;
//! - [`probe`]: what a table says of a position, and the verification of whole folders.
//!
//! Other crates come through the door: the names re-exported here. The rooms
//! are open for the program `tablebase` and for experiments.
#![forbid(unsafe_code)]

pub mod classes;
#[cfg(feature = "os")]
pub mod file;
pub mod numbering;
mod parallel;
pub mod probe;
pub mod solve;

#[cfg(feature = "os")]
pub use file::TableError;
pub use probe::{Endgames, Known, NoEndgames, Rated, Tables, material_of, rated_actions};
pub use solve::{DistanceOverflow, Wdl};
