#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Start with [`Client`] to drive an engine, with [`command::parse`] and [`Reply`] to be one.
//!
//! - [`command`]: requests, one line each, `<number> <name> <argument>…`;
//! - [`reply`]: answers, which start with `=<number>` or `?<number>` and end with one newline;
//! - [`client`]: the driver of an engine in a child process;
//! - [`board`]: the board as text; [`dialect`]: UCI and the one-line protocol of a course;
//! - [`record`]: game records of the tournament platform and PGN.
//!
//! **Owns** the protocols and records as values. **Must not know** how a reply is computed: no
//! search, no evaluation, no tables.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod board;
pub mod client;
pub mod command;
pub mod dialect;
pub mod record;
pub mod reply;
mod time;

pub use board::BoardText;
pub use client::{ChildProcess, Client, ClientError, Generated, Launch, NoLine, Patience};
pub use command::{Command, CommandError, CommandName, Refusal, Request};
pub use record::{Record, RecordError};
pub use reply::{Answer, BestMove, Info, RankedAction, Reply};
