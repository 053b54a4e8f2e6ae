//! `selfplay check`: does an engine keep to its protocol?
//!
//! Each check plays the other side of a conversation with a fresh process and reports
//! whether the engine did what a clause of the specification (docs/protocol.md) demands.
//! The engine is anybody's: nothing it does can hold up a check, and a hung one is killed.
//!
//! [`list`] has the checks, [`exam`] what they have in common, `checks` each of them;
//! [`voice`] is what every dialect can say, spoken by `tournament`, `uci` and `line`.

mod checks;
pub mod dialect;
pub mod exam;
pub mod finding;
pub mod games;
mod line;
pub mod list;
mod memory;
pub mod report;
mod tournament;
mod uci;
pub mod voice;
mod wire;
