//! The parts of the measuring programs.
//!
//! Three programs use this crate: `endings` plays won endings out against perfect defence, `savings` counts the
//! champion's nodes against those of plain expectimax, and `replay` replays a platform's game records with both rule
//! books. The tests of the workspace use the same parts with smaller numbers, so that documents and tests measure the
//! same thing. The crate may see every library crate; only tests see it.

pub mod archive;
pub mod command;
pub mod dialogue;
pub mod endings;
pub mod replay;
pub mod savings;
