//! The parts of the measuring programs.
//!
//! Four programs use this crate: `endings` plays out won endings against perfect defence, `savings` compares the
//! champion's nodes with those of plain expectimax, `regret` measures how much value choices give away, and `replay`
//! replays a platform's game records with both rule books. The tests of the workspace use the same parts with smaller
//! numbers, so that documents and tests measure the same thing. The crate may depend on every library crate; only
//! tests depend on it.

pub mod archive;
pub mod command;
pub mod dialogue;
pub mod endings;
pub mod regret;
pub mod replay;
pub mod savings;
