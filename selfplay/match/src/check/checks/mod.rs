//! The checks, by what they look at.

pub(crate) mod answers;
pub(crate) mod clocks;
pub(crate) mod endings;
pub(crate) mod garbage;
pub(crate) mod opening;
pub(crate) mod searches;
pub(crate) mod steadiness;
