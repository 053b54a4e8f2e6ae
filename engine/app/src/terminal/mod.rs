//! The game at a terminal: people and players, typed moves, a drawn board.
//!
//! **Invariant:** nothing here touches a real terminal. The [`Host`] reads from
//! any `BufRead` and writes to any `Write`; whether there is colour and an
//! audience is part of its [`Style`]. Looking at the environment is the
//! program's affair.
//!
//! - [`input`] reads a typed line, [`explain`] says why an action is refused,
//!   [`words`] and [`text`] hold the sentences;
//! - [`dealt`] is the game with its [`deal`], [`players`] are those who play it;
//! - [`board`] and [`panel`] draw, [`style`] and [`width`] say how wide and in
//!   which colour;
//! - [`files`] saves and loads, [`thinking`] waits for a player, [`host`] runs
//!   it all and `commands` are what it can be told.

pub mod board;
mod commands;
pub mod deal;
pub mod dealt;
pub mod explain;
pub mod files;
pub mod host;
pub mod input;
pub mod panel;
pub mod players;
pub mod style;
pub mod text;
pub mod thinking;
pub mod width;
pub mod words;

pub use deal::Known;
pub use dealt::Order;
pub use files::Loaded;
pub use host::{Host, HostError, Setting};
pub use players::{Pairing, Participant};
pub use style::{Audience, Paint, Script, Style, Typing};
