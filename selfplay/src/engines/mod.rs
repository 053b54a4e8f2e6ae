//! The kinds of engines, and the participants that start them.

mod banqi_fen;
pub mod builtin;
pub mod participant;
pub mod protocol;
pub mod uci;
