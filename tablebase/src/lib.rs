//! Endgame tables of Chinese dark chess.
//!
//! **Owns** material classes, the numbering of placements, retrograde
//! analysis, table files, their verification, and probing. **Must not know**
//! search or the text protocol.
#![forbid(unsafe_code)]

pub mod combination;
pub mod graph;
pub mod material;
pub mod unit;
