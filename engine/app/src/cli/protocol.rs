//! `anqi protocol`: the conversation with a tournament server.

use super::UsageError;
use anqi_app::session::{OptionError, Parts, Session, builtin_player, builtin_tables, serve};
use anqi_search::players;
use clap::Parser;
use std::io;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  anqi protocol
  anqi protocol --player greedy
  printf '12 genmove unknown\\n' | anqi
";

/// Serve a tournament server or a graphical board over standard input and output.
///
/// The first line decides the language: the tournament protocol, UCI, or one line a
/// position. This is also what anqi does without a command when its input is a pipe.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player that thinks; `anqi players` lists them
    #[arg(long, value_name = "PLAYER", default_value = players::DEFAULT)]
    player: String,
}

impl Args {
    /// Returns the arguments of a command line without any.
    pub fn default_player() -> Args {
        let player = players::DEFAULT.to_owned();
        Args { player }
    }

    /// Answers requests until `quit` or the end of the input.
    pub fn run(self, tables: Option<PathBuf>) -> anyhow::Result<()> {
        let parts = Parts {
            make_player: Box::new(builtin_player),
            open_tables: Some(Box::new(builtin_tables)),
            player: self.player,
            tables,
        };
        let refused = |error: OptionError| match error {
            OptionError::Tables { .. } => UsageError(format!("--tables: {error}")),
            _ => UsageError(format!("--player: {error}")),
        };
        let mut session = Session::new(parts).map_err(refused)?;
        Ok(serve(&mut session, io::stdin(), io::stdout())?)
    }
}
