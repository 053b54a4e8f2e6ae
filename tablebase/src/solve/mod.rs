//! Solving a unit: captures first, then one retrograde chain for each side.
//!
//! [`solve`] keeps everything in memory, [`solve_on_disk`] one bitmap; both run
//! the same [`driver`]. The plies to the end of the game take a second pass
//! ([`to_end`]) over a unit in memory. Two slow solvers ([`Oracles`]) share no code
//! with these and check them.

#[cfg(feature = "os")]
mod cache;
mod capture;
mod check;
mod children;
mod compare;
#[cfg(feature = "os")]
mod disk;
mod distance;
mod driver;
mod goal;
mod in_memory;
mod memory;
mod moves;
mod oracle;
mod passes;
mod planes;
mod solved;
mod source;
mod stats;
mod store;
#[cfg(feature = "os")]
mod streamed;
mod to_end;
mod view;
mod wdl;

#[cfg(feature = "os")]
pub use cache::UnitCache;
pub use check::first_fault;
pub use children::Children;
pub use compare::{Difference, compare};
#[cfg(feature = "os")]
pub use disk::DiskError;
pub use distance::{Distance, DistanceOverflow, Distances};
#[cfg(feature = "os")]
pub use goal::DiskGoal;
pub use goal::Goal;
pub use in_memory::solve;
pub use memory::{Need, Scheme, human_bytes, need};
pub use oracle::{Method, Oracle, Oracles};
pub use solved::{NEVER, Solved};
pub use source::{SolvedPlanes, Window};
pub use stats::{SideTotals, Tempo, Totals, farthest, tempo, totals};
pub use store::Store;
#[cfg(feature = "os")]
pub use streamed::{StreamedUnit, solve_on_disk};
#[cfg(test)]
pub(crate) use tests::solve_late;
pub use wdl::Wdl;

#[cfg(test)]
mod tests;
