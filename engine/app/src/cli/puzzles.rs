//! `anqi puzzles`: makes the page's puzzles from games of the built-in player.

use anqi_app::level::Level;
use anqi_app::review::analyst::Analyst;
use anqi_app::review::puzzles::{Maker, choose};
use anqi_app::review::selfplay::play;
use anqi_files::NewFile;
use anqi_rules::Rules;
use anyhow::Context;
use clap::Parser;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  anqi puzzles --games 50 --out puzzles.json
  anqi puzzles --games 5 --seed 100 --level novice
";

/// Make puzzles: positions from games of the built-in player with one action that is clearly best.
///
/// A deep search and the endgame tables confirm each of them. The list is JSON,
/// the easy ones first.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// How strong the players are: weak ones leave more to find
    #[arg(long, value_name = "LEVEL", default_value = "4")]
    level: Level,

    /// The seed of the first game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Keep at most this many
    #[arg(long, value_name = "N", default_value_t = 100)]
    most: usize,

    /// Write to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Args {
    /// Plays, looks for puzzles and writes them.
    pub fn run(self, tables: Option<&Path>) -> anyhow::Result<()> {
        let analyst = Analyst::new(tables, Rules::OLYMPIAD)?;
        let mut maker = Maker::new(analyst)?;
        let mut found = Vec::new();
        for index in 0..self.games {
            let seed = self.seed.wrapping_add(index);
            let game = play([self.level.number(); 2], Rules::OLYMPIAD, seed)?;
            found.extend(maker.puzzles(&game));
            // Progress that cannot be shown is no reason to stop.
            let _ = writeln!(io::stderr(), "game {}: {} puzzles", index + 1, found.len());
        }
        let lines: Result<Vec<String>, _> = choose(found, self.most)
            .iter()
            .map(serde_json::to_string)
            .collect();
        let text = format!("[\n{}\n]\n", lines?.join(",\n"));
        match &self.out {
            None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
            Some(path) => write(path, &text).with_context(|| path.display().to_string()),
        }
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.publish()?;
    Ok(())
}
