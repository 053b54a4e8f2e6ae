//! The anqi program: everything between the user or server and the rules and players.
//!
//! **Owns** the command line, the terminal game, the bench and the protocol session: reading
//! input, asking players, showing answers. **Must not know** how a player finds its action or how a
//! rule is checked: it reaches players only through the `Player` trait and rules through
//! `anqi-rules`.
//!
//! The program `anqi` runs [`cli::main`], and the Python package runs it too.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod bench;
pub mod cli;
pub mod reviewing;
pub mod session;
pub mod terminal;

use anqi_search::Player;

/// Prints the player's pending warning, such as a damaged table file, on standard error. A player
/// reports each problem once.
pub fn print_warning(player: &mut dyn Player) {
    if let Some(warning) = player.take_warning() {
        eprintln!("anqi: {warning}");
    }
}
