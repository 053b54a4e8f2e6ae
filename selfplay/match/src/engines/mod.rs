//! The kinds of engines, and the participants that start them.

pub(crate) mod banqi_fen;
pub(crate) mod banqi_lines;
pub mod builtin;
pub(crate) mod line;
pub mod participant;
pub(crate) mod protocol;
mod talk;
pub(crate) mod uci;
