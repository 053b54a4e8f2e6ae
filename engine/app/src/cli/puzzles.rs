//! `anqi puzzles`: makes the page's puzzles from games of the built-in player.

use super::error::UsageError;
use anqi_analysis::Analyst;
use anqi_analysis::games::between_levels;
use anqi_analysis::puzzle::{Puzzle, Theme};
use anqi_analysis::puzzles::Maker;
use anqi_analysis::selection::choose;
use anqi_files::NewFile;
use anqi_play::Level;
use anqi_rules::Rules;
use anyhow::Context;
use clap::{Parser, ValueEnum};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The largest file of puzzles that is read.
const MOST_BYTES: u64 = 16 << 20;

const EXAMPLES: &str = "\
Examples:
  anqi puzzles --games 50 --out puzzles.json
  anqi puzzles --games 5 --seed 100 --level novice
  anqi puzzles --games 60 --level 3,5,7 --out puzzles.json
  anqi puzzles --with puzzles.json --games 60 --seed 61 --most 200 --out more.json
  anqi puzzles --with puzzles.json --games 0 --most 200 --out puzzles.json
  anqi puzzles --with puzzles.json --games 0 --lengthen --most 200 --out puzzles.json
  anqi puzzles --theme flip --games 100 --out flips.json
";

/// Make puzzles: positions from games of the built-in player with one action that is clearly best.
///
/// A deep search and the endgame tables confirm each of them. The list is JSON, the easiest
/// first.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// How many games to play; 0 only works on the puzzles of --with
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,

    /// The level of the players: weaker ones leave more to find, stronger ones harder positions;
    /// several levels, separated by commas, take turns
    #[arg(long, value_name = "LEVEL", default_value = "4", value_delimiter = ',')]
    level: Vec<Level>,

    /// The seed of the first game
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Keep at most this many
    #[arg(long, value_name = "N", default_value_t = 100)]
    most: usize,

    /// Look for puzzles of this theme alone
    #[arg(long, value_name = "THEME", value_enum)]
    theme: Option<ThemeName>,

    /// A file of puzzles that were made before: they are chosen from too, and their difficulties
    /// are worked out anew
    #[arg(long, value_name = "FILE")]
    with: Option<PathBuf>,

    /// Look for goals and following moves of the puzzles of --with, and keep their difficulties
    #[arg(long, requires = "with")]
    lengthen: bool,

    /// Write to this file, after each game
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The themes as the command line names them.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum ThemeName {
    /// The solution captures.
    Capture,
    /// The solution saves a piece.
    Escape,
    /// The solution flips.
    Flip,
    /// Few pieces, all of them known.
    Endgame,
    /// None of these.
    Quiet,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Theme {
        match name {
            ThemeName::Capture => Theme::Capture,
            ThemeName::Escape => Theme::Escape,
            ThemeName::Flip => Theme::Flip,
            ThemeName::Endgame => Theme::Endgame,
            ThemeName::Quiet => Theme::Quiet,
        }
    }
}

impl Args {
    /// Plays, looks for puzzles and writes them.
    pub fn run(self, tables: Option<&Path>) -> anyhow::Result<()> {
        let analyst = Analyst::new(tables, Rules::OLYMPIAD)?;
        let mut maker = Maker::new(analyst, self.theme.map(Theme::from))?;
        if self.games == 0 && self.with.is_none() {
            return Err(UsageError("--games 0 needs --with FILE".to_owned()).into());
        }
        let mut found = self.made_before(&mut maker)?;
        if self.games == 0 {
            found = choose(found, self.most);
            self.save(&found)?;
        }
        let levels = self.level.iter().cycle();
        for (index, level) in (0..self.games).zip(levels) {
            let seed = self.seed.wrapping_add(index);
            let game = between_levels([*level; 2], Rules::OLYMPIAD, seed)?;
            found.extend(maker.puzzles(&game));
            print_warnings(&mut maker);
            // A progress message that cannot be written is no reason to stop.
            let _ = writeln!(io::stderr(), "game {}: {} puzzles", index + 1, found.len());
            self.save(&choose(found.clone(), self.most))?;
        }
        if self.out.is_none() {
            let text = listed(&choose(found, self.most))?;
            io::stdout().lock().write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

impl Args {
    /// Writes the puzzles to the file, if one was named.
    fn save(&self, puzzles: &[Puzzle]) -> anyhow::Result<()> {
        let Some(path) = &self.out else {
            return Ok(());
        };
        let text = listed(puzzles)?;
        write(path, &text).with_context(|| path.display().to_string())
    }

    fn made_before(&self, maker: &mut Maker) -> anyhow::Result<Vec<Puzzle>> {
        let Some(path) = &self.with else {
            return Ok(Vec::new());
        };
        let name = path.display().to_string();
        let bytes = anqi_files::read_limited(path, MOST_BYTES).with_context(|| name.clone())?;
        let wrong = |error: String| UsageError(format!("{name}: {error}"));
        let puzzles: Result<Vec<Puzzle>, _> = serde_json::from_slice(&bytes);
        let mut puzzles = puzzles.map_err(|error| wrong(error.to_string()))?;
        let total = puzzles.len();
        for (index, puzzle) in puzzles.iter_mut().enumerate() {
            let graded = if self.lengthen {
                maker.lengthen(puzzle)
            } else {
                maker.grade(puzzle)
            };
            print_warnings(maker);
            graded.map_err(|error| wrong(format!("puzzle {}: {error}", puzzle.id)))?;
            // A progress message that cannot be written is no reason to stop.
            let _ = writeln!(io::stderr(), "puzzle {} of {total}", index + 1);
        }
        Ok(puzzles)
    }
}

/// Prints the warnings of the players on standard error.
fn print_warnings(maker: &mut Maker) {
    while let Some(warning) = maker.take_warning() {
        eprintln!("anqi: {warning}");
    }
}

/// Writes puzzles as a JSON list, one per line.
fn listed(puzzles: &[Puzzle]) -> serde_json::Result<String> {
    let lines: serde_json::Result<Vec<String>> =
        puzzles.iter().map(serde_json::to_string).collect();
    Ok(format!("[\n{}\n]\n", lines?.join(",\n")))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.publish()?;
    Ok(())
}
