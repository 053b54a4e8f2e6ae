//! Two rule books behind one interface, random games for both, and the games of a third.
//!
//! The tests of this crate compare the rules of the engine with the slow rule book (`anqi-naive`) and with games of
//! OpenSpiel, and check them for consistency: what is printed can be read, what is impossible is refused. The crate sees
//! the rules and the slow rule book and nothing else, so that testing a fault planted in the rules takes seconds.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod book;
pub mod playthrough;
pub mod wander;
