//! The protocols and records of Chinese dark chess programs.
//!
//! **Owns** the tournament protocol as values: requests ([`command`]), replies
//! ([`reply`]), the driver of an engine in a child process ([`client`]), the board as
//! text ([`board`]), other dialects ([`dialect`]), and the game records of the
//! tournament platform ([`record`]). **Must not know** how a reply is computed: no
//! search, no evaluation, no tables.
//!
//! A request is one line, `<number> <name> <argument>…`; the answer starts with
//! `=<number>` or `?<number>` and ends with exactly one newline:
//!
//! ```
//! use anqi_protocol::command::{Command, parse};
//! use anqi_protocol::reply::{Answer, Reply};
//!
//! let request = parse(b"11 flip b8 P")?.expect("not an empty line");
//! assert!(matches!(request.command, Command::Flip(..)));
//! assert_eq!(Reply::done(request.number, Answer::Empty).to_string(), "=11\n");
//!
//! let refusal = parse(b"11 flip b9 P").expect_err("there is no ninth row");
//! assert!(Reply::from(refusal).to_string().starts_with("?11 "));
//! # Ok::<(), anqi_protocol::command::Refusal>(())
//! ```

#![forbid(unsafe_code)]

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
