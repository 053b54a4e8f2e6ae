//! `anqi review`: the value of a game at every ply.

use super::error::UsageError;
use super::input;
use crate::reviewing::{report, review};
use anqi_analysis::calibration::{Calibration, Losses};
use anqi_analysis::default_nodes;
use anqi_analysis::games::between_levels;
use anqi_desk::line::{Imported, import_game};
use anqi_desk::wire::RulesName;
use anqi_play::Level;
use anqi_rules::Rules;
use clap::Parser;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Size limit of a record in bytes; a long game takes some ten thousand.
const MOST_BYTES: u64 = 4 << 20;
/// Nodes per decision while calibrating: the default for a game of usual length.
const CALIBRATION_NODES: u64 = 130_000;

const EXAMPLES: &str = "\
Examples:
  anqi review game.txt
  anqi review --game 3 games.pgn
  anqi review --json --nodes 200000 game.txt > report.json
  anqi review --rules platform - < record
";

/// Review a game: errors, luck, mistakes with the better action, turning points.
///
/// Reads PGN, a record of the platform, one of our own, or a position string with
/// moves. An error is the value of the best action less that of the action played, in
/// points (a win is +1, a loss -1). The luck of a flip is the value of the game after it
/// less the average over all pieces that might have appeared.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The record, `-` for standard input
    #[arg(value_name = "RECORD", required_unless_present = "calibrate")]
    record: Option<PathBuf>,

    /// Which game of a file with several
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        conflicts_with = "calibrate"
    )]
    game: usize,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    /// Search this many positions for each decision [default: about 20 seconds a game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Threads that think [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// The rules of the game: olympiad, platform, paper, openspiel, mistboard or course
    #[arg(long, value_name = "PRESET", default_value = "platform", value_parser = rules)]
    rules: RulesName,

    /// Review this many games of each level against itself, and print the table of error rates
    #[arg(long, value_name = "GAMES", conflicts_with_all = ["record", "json"], value_parser = clap::value_parser!(u64).range(1..))]
    calibrate: Option<u64>,

    /// The seed of the first game of a calibration
    #[arg(long, value_name = "N", default_value_t = 1, requires = "calibrate")]
    seed: u64,
}

fn rules(text: &str) -> Result<RulesName, String> {
    RulesName::named(text).ok_or_else(|| {
        "expected olympiad, platform, paper, openspiel, mistboard or course".to_owned()
    })
}

impl Args {
    /// Reviews and prints.
    pub fn run(self, tables: Option<&Path>) -> anyhow::Result<()> {
        if let Some(games) = self.calibrate {
            return self.calibrate(games, tables);
        }
        let imported = self.read()?;
        let game = &imported.game;
        if game.plies().is_empty() {
            return Err(UsageError("the game has no plies".to_owned()).into());
        }
        let nodes = self.nodes.unwrap_or_else(|| default_nodes(game));
        let total = game.plies().len();
        let shown = io::stderr().is_terminal();
        let progress = |done: usize| {
            if shown {
                // A progress message that cannot be written is no reason to stop.
                let _ = write!(io::stderr(), "\r{done} of {total} plies\x1b[K");
            }
        };
        let players = imported.players.clone();
        let report = report(game, players, nodes, self.threads(), tables, &progress)
            .map_err(|error| UsageError(format!("--tables: {error}")))?;
        if shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
        let mut output = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut output, &report)?;
            writeln!(output)?;
        } else {
            write!(output, "{report}")?;
        }
        Ok(output.flush()?)
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or_else(cores, usize::from)
    }

    fn read(&self) -> anyhow::Result<Imported> {
        let Some(path) = &self.record else {
            return Err(UsageError("no record is named".to_owned()).into());
        };
        let (name, bytes) = input::read(path, MOST_BYTES)?;
        let text = String::from_utf8_lossy(&bytes);
        let imported = import_game(&text, self.rules, self.game)
            .map_err(|error| UsageError(format!("{name}: {error}")))?;
        let games = imported.games.len();
        if games > 1 {
            eprintln!(
                "anqi: {name} has {games} games; this is number {}",
                self.game
            );
        }
        Ok(imported)
    }

    fn calibrate(&self, games: u64, tables: Option<&Path>) -> anyhow::Result<()> {
        let calibration = Calibration {
            games,
            nodes: self.nodes.unwrap_or(CALIBRATION_NODES),
            seed: self.seed,
        };
        let mut levels: Vec<(Level, Losses)> = Level::all()
            .map(|level| (level, Losses::default()))
            .collect();
        for game in 0..games {
            for (level, losses) in &mut levels {
                let seed = calibration.seed_of(game);
                let game = between_levels([*level; 2], Rules::OLYMPIAD, seed)?;
                let nodes = calibration.nodes;
                let reviewed = review(&game, nodes, self.threads(), tables, &|_| {})?;
                losses.add_game(&reviewed.plies());
            }
            // An hour is long: a run that is ended early leaves the table of its last round.
            let mut shown = io::stderr().lock();
            writeln!(shown, "# after {} of {games} games of each level", game + 1)?;
            print_rates(&mut shown, &levels)?;
        }
        let mut output = io::stdout().lock();
        writeln!(output, "{}", calibration.head())?;
        print_rates(&mut output, &levels)?;
        Ok(output.flush()?)
    }
}

fn print_rates(output: &mut impl Write, levels: &[(Level, Losses)]) -> io::Result<()> {
    for (level, losses) in levels {
        writeln!(output, "{}", losses.rate(*level))?;
    }
    Ok(())
}
