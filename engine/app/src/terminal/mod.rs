//! The game at a terminal: people and players, typed moves, a drawn board.
//!
//! **Invariant:** nothing here touches a real terminal. The [`Host`] reads from
//! any `BufRead` and writes to any `Write`; whether there is colour and an
//! audience is part of its [`Style`]. Looking at the environment is the
//! program's affair.
//!
//! - [`input`] reads a typed line, [`explain`] says why an action is refused,
//!   [`words`] and [`text`] hold the sentences;
//! - [`table`] is the game with its [`deal`], [`seats`] are those who play it;
//! - [`board`] and [`panel`] draw, [`style`] and [`width`] say how wide and in
//!   which colour;
//! - [`files`] saves and loads, [`thinking`] waits for a player, [`host`] runs
//!   it all and `commands` are what it can be told.

pub mod board;
mod commands;
pub mod deal;
pub mod explain;
pub mod files;
pub mod host;
pub mod input;
pub mod panel;
pub mod seats;
pub mod style;
pub mod table;
pub mod text;
pub mod thinking;
pub mod width;
pub mod words;

pub use deal::Known;
pub use files::Loaded;
pub use host::{Host, HostError, Setting};
pub use seats::{Seating, Sitter};
pub use style::{Audience, Paint, Script, Style, Typing};
pub use table::Order;
