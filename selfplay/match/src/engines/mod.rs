//! The kinds of engines, and the participants that start them.

pub mod banqi_fen;
pub mod banqi_lines;
pub mod builtin;
pub mod line;
pub mod participant;
pub mod protocol;
mod talk;
pub mod uci;
