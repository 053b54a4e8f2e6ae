//! The conversation of `anqi protocol` with its default player, for tests that need a process.
//!
//! It solves no tables and takes little memory, so that it starts at once.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

use anqi_app::session::{ChosenRules, Parts, Session, builtin_player, builtin_tables, serve};

fn main() -> std::io::Result<()> {
    let parts = Parts {
        make_player: Box::new(builtin_player),
        open_tables: Some(Box::new(builtin_tables)),
        player: "champion:hash=1,tables=0".to_owned(),
        tables: None,
        rules: ChosenRules::default(),
    };
    let mut session = Session::new(parts).map_err(std::io::Error::other)?;
    serve(&mut session, std::io::stdin(), std::io::stdout())
}
