//! `anqi probe`: what the endgame tables say about a position.

use super::UsageError;
use anqi_app::session::builtin_tables;
use anqi_rules::{Game, Rules};
use clap::Parser;
use std::io::{self, Write};
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  anqi probe 'K3/4/4/4/4/4/4/3g r - 0 0'
  anqi probe --rules platform '3k/4/4/4/4/4/G3/C1c1 b - 0 0'
  anqi --tables DIR probe '4/4/m3/K1g1/4/1M2/4/3p b - 0 0'
";

/// Say who wins an endgame, and in how many plies to the next capture or the end.
///
/// The answer is for the side to move under the rules, the quiet counter of the
/// position included: `win 5`, `loss 4` or `draw`. No piece may be face down.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A position string, optionally followed by `moves` and plies
    #[arg(num_args = 1.., required = true, value_name = "POSITION")]
    position: Vec<String>,

    /// When a game is drawn: olympiad, platform, paper or openspiel
    #[arg(long, value_name = "PRESET", default_value = "olympiad", value_parser = super::play::rules)]
    rules: Rules,
}

impl Args {
    /// Looks the position up and prints the answer.
    pub fn run(self, tables: Option<&Path>) -> anyhow::Result<()> {
        let text = self.position.join(" ");
        let wrong = |reason: String| UsageError(reason);
        let game = Game::from_text(&text, self.rules).map_err(|e| wrong(e.to_string()))?;
        let tables = builtin_tables(tables, self.rules)
            .map_err(|reason| wrong(format!("--tables: {reason}")))?;
        match tables.probe(game.position()).map_err(anyhow::Error::msg)? {
            Some(answer) => Ok(writeln!(io::stdout(), "{answer}")?),
            None => anyhow::bail!("no table has this position"),
        }
    }
}
