//! What the measuring programs measure with.
//!
//! Three programs stand on this crate: `endings` plays won endings out against perfect defence, `savings` counts the
//! champion's nodes against those of plain expectimax, and `replay` replays the games that a platform has kept with both
//! rule books. The tests of the workspace use the same parts with smaller numbers, so that a figure in the documents and
//! a test mean the same thing. The crate may see every library crate; only tests see it.

pub mod archive;
pub mod command;
pub mod dialogue;
pub mod endings;
pub mod replay;
pub mod savings;
