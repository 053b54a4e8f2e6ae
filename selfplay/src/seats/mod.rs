//! The kinds of seats there are, and who sits on them.

mod banqi_fen;
pub mod builtin;
pub mod contestant;
pub mod program;
pub mod uci;
