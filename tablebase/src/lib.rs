//! Endgame tables of Chinese dark chess.
//!
//! **Owns** material classes, the numbering of placements, retrograde
//! analysis, table files, their verification, and probing. **Must not know** search or the
//! text protocol.
//!
//! Nine modules, each of which uses only those before it:
//!
//! - [`slow`]: a slow solver of any small game of chance, to compare with;
//! - [`classes`]: material sets, their capture graphs, and the units that share a table;
//! - [`numbering`]: placements on the board as numbers, in the solver's order and in a file's;
//! - [`solve`]: retrograde analysis in memory or on disk, and two slow solvers to compare with;
//! - `counts`: counts of whole units, kept in a file;
//! - [`facedown`]: endings with face-down pieces, as exact expectations;
//! - [`mod@file`]: the bytes of tables, writing, reading, building;
//! - [`probe`]: values of positions from tables, and the verification of whole folders;
//! - [`mod@distil`]: all values up to five pieces in one small file, probed by a small search.
//!
//! ```
//! use anqi_rules::{Position, Rules};
//! use anqi_tablebase::{Endgames, Tables, Wdl, rated_actions};
//!
//! let tables = Tables::built_in(Rules::OLYMPIAD);
//! let position: Position = "4/4/4/4/4/4/1k2/K1g1 r - 0 0".parse()?;
//! let value = tables.known(&position).expect("three pieces are built in");
//! assert_eq!((value.wdl, value.dtc), (Wdl::Loss, Some(2)));
//!
//! // The best action first; none here saves the king.
//! let rated = rated_actions(&tables, &position).expect("what follows is known too");
//! assert!(rated.iter().all(|action| action.wdl == Wdl::Loss));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Other crates use the names re-exported here. The modules are public for the program
//! `tablebase` and for experiments.
#![forbid(unsafe_code)]

pub mod classes;
#[cfg(feature = "os")]
pub mod counts;
pub mod distil;
pub mod facedown;
#[cfg(feature = "os")]
pub mod facedown_file;
#[cfg(feature = "os")]
pub mod file;
mod fraction;
pub mod numbering;
mod parallel;
pub mod probe;
pub mod slow;
pub mod solve;

#[cfg(feature = "os")]
pub use file::TableError;
pub use fraction::Fraction;
pub use probe::{Endgames, NoEndgames, Rated, TableValue, Tables, material_of, rated_actions};
pub use solve::{DistanceOverflow, Wdl};
