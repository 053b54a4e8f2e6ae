//! The desk: the page's messages and their answers, without a socket.
//!
//! **Owns** the games between browsers and players with their seats, offers and clocks, the answers
//! about positions, records and tables, and the messages themselves ([`wire`]). **Must not know** how a
//! message arrives, what runs a search, or what time it is: a [`Host`] gives it time, random numbers,
//! alarms and thinkers. A server and a worker in a browser are two hosts of the same desk.
//!
//! A [`Connection`] reads a text, answers it or lets a [`room::Room`] or a task answer; games are found
//! in the [`Hub`]. What takes longer than a millisecond is a [`Job`], which the host runs with a
//! [`Thinker`] when its turn comes, on a thread or in pieces.
//!
//! **Invariant:** a face-down piece is known to the deal of its room and to nothing else: not to
//! players, not to connections, not to logs.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod answers;
pub mod board;
mod connection;
mod crossing;
mod deal;
mod editor;
pub mod export;
mod host;
mod hub;
mod illegal;
pub mod lessons;
pub mod line;
pub mod material;
mod notes;
mod outbox;
mod pgn;
mod players;
pub mod practice;
pub mod puzzles;
pub mod records;
pub mod room;
mod services;
mod spot;
pub mod tables;
mod tasks;
#[cfg(test)]
mod testing;
pub mod wire;
mod work;

pub use connection::{Anyone, Caller, Connection};
pub use host::{Alarm, Host};
pub use hub::Hub;
pub use outbox::{Outbox, Sink};
pub use players::IdlePlayers;
pub use services::{Config, Services};
pub use tables::TableSet;
pub use work::{Found, Job, Kind, Owner, Thinker, Work};
