//! The commands of `lab`.

pub mod ablation;
pub mod budget;
pub mod chart;
pub mod counting;
pub mod duel;
pub mod endings;
pub mod findings;
pub mod lattice;
pub mod regret;
pub mod replay;
pub mod savings;
pub mod sums;
pub mod ways;
