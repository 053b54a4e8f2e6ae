//! Solving a unit: captures first, then one retrograde chain for each side.
//!
//! [`solve`] keeps everything in memory, [`solve_on_disk`] one bitmap; both run
//! the same [`driver`], and the same second pass for the plies to the end of the
//! game ([`to_end`]). Two slow solvers ([`Oracles`]) share no code
//! with these and check them.

#[cfg(feature = "os")]
mod cache;
mod capture;
mod check;
mod check_to_end;
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
mod unit;
mod view;
mod wdl;

#[cfg(feature = "os")]
pub use cache::UnitCache;
pub(crate) use children::Children;
#[cfg(feature = "os")]
pub(crate) use disk::DiskError;
pub use distance::{Distance, DistanceOverflow};
pub use goal::Goal;
pub use memory::Scheme;
pub use solved::Solved;
pub(crate) use source::Window;
pub use stats::{SideTotals, Totals, farthest, totals};
pub use store::Store;
#[cfg(test)]
pub(crate) use tests::solve_late;
pub use wdl::Wdl;

unstable!(pub use check::{first_fault});
unstable!(pub use check_to_end::{first_fault_to_end});
unstable!(pub use compare::{Difference, compare});
unstable!(pub use in_memory::{solve});
unstable!(pub use memory::{human_bytes, need, parse_bytes});
unstable!(pub use oracle::{Method, Oracle, Oracles});
unstable!(pub use source::{SolvedPlanes});
unstable!(pub use stats::{Tempo, slowest, tempo});
#[cfg(feature = "os")]
unstable!(pub use streamed::{solve_on_disk});

#[cfg(test)]
mod tests;
