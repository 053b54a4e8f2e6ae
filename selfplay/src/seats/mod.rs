//! The kinds of seats there are, and who sits on them.

pub mod builtin;
pub mod contestant;
pub mod program;
