//! `anqi protocol`: the conversation with a tournament server.

use super::error::UsageError;
use crate::session::{
    ChosenRules, Log, OptionError, Parts, Session, builtin_player, builtin_tables, serve_logged,
};
use anqi_rules::Rules;
use anqi_search::players;
use clap::Parser;
use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  anqi protocol
  anqi protocol --player greedy
  anqi protocol --rules platform --log game.log
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

    /// When games are drawn, until the server sets other rules [default: course for one line a
    /// position, else olympiad]
    #[arg(long, value_name = "RULES", value_parser = rules)]
    rules: Option<Rules>,

    /// Plies without progress that draw a game, instead of the rules' own number; none or 0 for
    /// no such draw
    #[arg(long, value_name = "PLIES", value_parser = no_progress)]
    no_progress: Option<Limit>,

    /// Append every line read and written to this file, with its time in milliseconds
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// A limit of plies, or none.
#[derive(Clone, Copy, Debug)]
struct Limit(Option<NonZeroU32>);

/// The largest number of plies without progress.
const MOST_PLIES: u32 = 65_535;

fn rules(text: &str) -> Result<Rules, String> {
    Rules::preset(text).ok_or_else(|| {
        let names = Rules::PRESETS.map(|(name, _)| name).join(", ");
        format!("there are: {names}")
    })
}

fn no_progress(text: &str) -> Result<Limit, String> {
    let plies = match text {
        "none" => Some(0),
        _ => text.parse().ok().filter(|plies| *plies <= MOST_PLIES),
    };
    let limit = plies.map(|plies| Limit(NonZeroU32::new(plies)));
    limit.ok_or_else(|| format!("expected none, or 0 to {MOST_PLIES} plies"))
}

impl Args {
    /// Returns the arguments of a command line without any.
    pub fn default_player() -> Args {
        Args {
            player: players::DEFAULT.to_owned(),
            rules: None,
            no_progress: None,
            log: None,
        }
    }

    /// Answers requests until `quit` or the end of the input.
    pub fn run(self, tables: Option<PathBuf>) -> anyhow::Result<()> {
        let parts = Parts {
            make_player: Box::new(builtin_player),
            open_tables: Some(Box::new(builtin_tables)),
            player: self.player,
            tables,
            rules: ChosenRules {
                preset: self.rules,
                no_progress: self.no_progress.map(|limit| limit.0),
            },
        };
        let refused = |error: OptionError| match error {
            OptionError::Tables { .. } => UsageError(format!("--tables: {error}")),
            _ => UsageError(format!("--player: {error}")),
        };
        let mut session = Session::new(parts).map_err(refused)?;
        let log = self.log.as_deref().map_or_else(Log::none, Log::append);
        Ok(serve_logged(&mut session, io::stdin(), io::stdout(), log)?)
    }
}
