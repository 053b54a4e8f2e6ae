//! Which tables exist: material sets, capture graphs, and units of sets that play alike.
//!
//! Nothing here knows about squares.

mod graph;
mod material;
mod unit;

pub use graph::{Graph, GraphCode, Node, Twins};
pub use material::{MAX_PIECES, Material, ParseMaterialError};
pub use unit::{Fit, MAX_GROUPS, SubFit, Unit, Units, members};
