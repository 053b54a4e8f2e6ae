//! Two rule books behind one door, random games for both, and the games of a third.
//!
//! The tests of this crate hold the rules of the engine against the slow rule book (`anqi-naive`), against games that
//! OpenSpiel has played, and against themselves: what is printed can be read, what is impossible is refused. The crate
//! sees the rules and the slow rule book and nothing else, so that a fault planted in the rules is looked for in seconds.

pub mod book;
pub mod playthrough;
pub mod wander;
