//! Which tables exist: material sets, capture graphs, and units of sets that play alike.
//!
//! Nothing here knows about squares.

mod graph;
mod material;
mod unit;

pub use material::{MAX_PIECES, Material, ParseMaterialError};
pub use unit::{Fit, Unit, Units};
pub(crate) use unit::{MAX_GROUPS, SubFit};

unstable!(pub use graph::{Graph, GraphCode, Node, Twins});
unstable!(pub use unit::{members});
