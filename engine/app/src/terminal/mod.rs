//! The game at a terminal: people and players, typed moves, a drawn board.
//!
//! **Invariant:** only [`screen`] and `tty` touch a real terminal. The [`Host`]
//! reads from a [`Console`] and writes to any `Write`, so that whole games run
//! in tests. The program inspects the environment.
//!
//! - [`input`] reads a typed line, [`completion`] finishes one, [`words`] and [`text`] make
//!   the sentences, [`language`] has them in every language; [`players`] are the two sides;
//! - [`board`] and [`panel`] draw, [`style`] and [`width`] say how wide and in
//!   which colour;
//! - [`files`] saves and loads, [`resume`] chooses the players of a loaded game, `unsaved`
//!   asks before a game is dropped, [`rescue`] saves it when nobody can be asked;
//! - [`thinking`] waits for a player, [`watch`] shows a game of two players,
//!   [`host`] runs it all and `commands` are its commands;
//! - [`console`] is the terminal as the host sees it.

pub mod board;
mod commands;
pub mod completion;
pub mod console;
mod farewell;
pub mod files;
pub mod host;
mod illegal;
pub mod input;
mod kept;
pub mod language;
mod pace;
pub mod panel;
pub mod players;
pub mod qr;
pub mod rescue;
pub mod resume;
pub mod screen;
pub mod style;
pub mod text;
pub mod thinking;
pub mod tty;
mod unsaved;
pub mod watch;
pub mod width;
pub mod words;

pub use console::{Console, Echo, Lines};
pub use farewell::{Farewell, HostError};
pub use files::Loaded;
pub use host::{Host, Named, Setting};
pub use language::Language;
pub use pace::{Pace, Watch};
pub use players::{Pairing, Participant};
pub use rescue::Rescue;
pub use screen::Screen;
pub use style::{Paint, Script, Style};
pub use thinking::Progress;
