//! Endgame tables of Chinese dark chess.
//!
//! **Owns** material classes, the numbering of placements, retrograde
//! analysis, table files, their verification, and probing. **Must not know**
//! search or the text protocol.
#![forbid(unsafe_code)]

pub mod block;
#[cfg(feature = "os")]
pub mod build;
#[cfg(feature = "os")]
pub mod cellar;
pub mod combination;
pub mod extract;
#[cfg(feature = "os")]
pub mod file;
pub mod graph;
mod hot;
pub mod index;
pub mod layout;
#[cfg(feature = "os")]
pub mod library;
pub mod line_of_sight;
mod locate;
pub mod material;
pub mod memory;
pub mod oracle;
pub mod parallel;
pub mod placement;
pub mod probe;
pub mod solve;
pub mod solved;
pub mod source;
pub mod stats;
pub mod store;
#[cfg(feature = "os")]
pub mod streaming;
pub mod unit;
#[cfg(feature = "os")]
pub mod verify;

pub use probe::{Endgames, Known, NoEndgames, Rated, Tables, rated_actions};
pub use solved::Wdl;
