//! The checks, by what they look at.

pub mod answers;
pub mod clocks;
pub mod endings;
pub mod garbage;
pub mod opening;
pub mod searches;
pub mod steadiness;
