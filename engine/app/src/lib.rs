//! The anqi program: everything between the user or server and the rules and players.
//!
//! **Owns** the terminal game, the page's server, the bench and the protocol session: reading
//! input, asking players, showing answers. **Must not know** how a player finds its action or how a
//! rule is checked: players are reached through the
//! `Player` trait alone, rules through `anqi-rules`.
//!
//! The binary `anqi` adds the command line on top; this library is what its
//! commands call, so that tests can call it too.

pub mod bench;
pub mod level;
pub mod review;
pub mod serve;
pub mod session;
mod tables;
pub mod terminal;

use anqi_search::Player;

/// Tells the user on standard error what went wrong beside a player's choice, such as a damaged
/// table file; a player says each thing once.
pub fn print_warning(player: &mut dyn Player) {
    if let Some(warning) = player.take_warning() {
        eprintln!("anqi: {warning}");
    }
}
