//! `selfplay first-flip`: what the first flip is worth, by square and by piece.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anqi_lab::first_flip::games::{self, FirstFlipRecipe, PlayedGame};
use anqi_lab::first_flip::journal;
use anqi_lab::first_flip::plan::ROUND;
use anqi_lab::first_flip::values::Values;
use anqi_lab::first_flip::{pictures, report};
use anqi_match::adjudication::{Adjudication, DrawRule, ResignRule};
use anqi_match::engines::participant::Participant;
use anqi_match::interrupt::Interrupt;
use anqi_match::journal::JournalError;
use anqi_match::limits::Limits;
use anqi_match::live::{LiveLine, Status, clock_face, time_left};
use anqi_match::luck::AppraiserSpec;
use anyhow::Context;
use clap::Args;

use super::arguments::{CommonLimits, NamedRules, jobs_or_cores, parse_jobs, parse_rules};
use super::output::{JsonOutput, OpenFile, both};
use super::signals;

/// The limits where none are given: few nodes, for many games.
const DEFAULT: Limits = Limits {
    nodes: Some(1_000),
    depth: None,
    time: None,
};

/// Games from every first flip.
#[derive(Args, Debug)]
pub struct FirstFlipArguments {
    /// The player of both sides.
    #[arg(long, value_name = "PLAYER", default_value = "champion:hash=2")]
    player: String,
    /// Number of games; 128 have every square and every piece.
    #[arg(long, default_value_t = 10 * ROUND, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// The limits of a move; 1,000 nodes if none are given.
    #[command(flatten)]
    limits: CommonLimits,
    /// olympiad, platform, paper, openspiel, mistboard or course.
    #[arg(long, default_value = "olympiad", value_parser = parse_rules)]
    rules: NamedRules,
    /// The seed of all deals and of all random choices of the player.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of games played at the same time [default: one per core].
    #[arg(long, value_parser = parse_jobs)]
    jobs: Option<usize>,
    /// Ends a game when both sides report the same winner with at least this value in this many consecutive
    /// moves.
    #[arg(long, value_name = "VALUE:MOVES")]
    resign: Option<ResignRule>,
    /// Ends a game as a draw when both sides report values this close to zero in this many consecutive moves, after this many
    /// plies.
    #[arg(long, value_name = "VALUE:MOVES:PLIES")]
    draw: Option<DrawRule>,
    /// Measures the luck of later flips by the champion's evaluation, or by its search of this many nodes or plies.
    #[arg(
        long,
        value_name = "evaluation|NODES|depth=N|moves=N",
        default_value = "moves=1"
    )]
    appraiser: AppraiserSpec,
    /// Saves finished games in a folder, and plays only the games that are missing there.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Writes the values as JSON; without a file, to standard output instead of the table.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Writes a picture of the board with the value of each square.
    #[arg(long, value_name = "FILE")]
    squares_svg: Option<PathBuf>,
    /// Writes a picture of the pieces with the value of each.
    #[arg(long, value_name = "FILE")]
    pieces_svg: Option<PathBuf>,
}

impl FirstFlipArguments {
    fn recipe(&self, interrupt: &Interrupt) -> anyhow::Result<FirstFlipRecipe> {
        let player = Participant::new(&self.player, interrupt);
        Ok(FirstFlipRecipe {
            player: player.context("--player")?,
            limits: self.limits.or(DEFAULT),
            rules: self.rules.rules,
            rules_name: self.rules.name.clone(),
            seed: self.seed,
            adjudication: Adjudication {
                resign: self.resign,
                draw: self.draw,
                tables: None,
            },
            appraiser: self.appraiser,
        })
    }
}

/// Plays the missing games and prints the values.
pub fn run(arguments: &FirstFlipArguments) -> anyhow::Result<ExitCode> {
    let json = JsonOutput::open(arguments.json.as_deref())?;
    let open = |option: &str, path: &Option<PathBuf>| {
        let path = path.as_deref();
        path.map(|path| OpenFile::create(option, path)).transpose()
    };
    let squares = open("--squares-svg", &arguments.squares_svg)?;
    let pieces = open("--pieces-svg", &arguments.pieces_svg)?;
    let interrupt = Interrupt::new();
    let recipe = arguments.recipe(&interrupt)?;
    signals::install(&interrupt)?;
    let games = play(arguments, &recipe, &interrupt)?;
    let values = Values::new(&games);
    let text = report::text(&recipe, &values);
    let mut result = json.publish(&text, || report::json(&recipe, &values));
    if let Some(file) = squares {
        result = both(result, file.publish(&pictures::squares(&values)));
    }
    if let Some(file) = pieces {
        result = both(result, file.publish(&pictures::pieces(&values)));
    }
    result?;
    if games.len() as u64 == arguments.games {
        return Ok(ExitCode::SUCCESS);
    }
    match arguments.out {
        Some(_) => eprintln!("interrupted; to resume:\n  {}", signals::command_line()),
        None => eprintln!("interrupted; with --out DIR the games can be resumed"),
    }
    Ok(ExitCode::from(signals::INTERRUPTED))
}

/// Plays the missing games and returns all finished ones, sorted by number.
fn play(
    arguments: &FirstFlipArguments,
    recipe: &FirstFlipRecipe,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<PlayedGame>> {
    let (mut journal, mut all) = match &arguments.out {
        Some(folder) => {
            let (journal, finished) = journal::open(folder, recipe)?;
            (Some(journal), finished)
        }
        None => (None, Vec::new()),
    };
    all.retain(|game| game.game < arguments.games);
    let finished: std::collections::BTreeSet<u64> = all.iter().map(|game| game.game).collect();
    let missing = (0..arguments.games).filter(|game| !finished.contains(game));
    let line = LiveLine::start(GamesStatus {
        finished: finished.len() as u64,
        played: 0,
        wanted: arguments.games,
    });
    let jobs = jobs_or_cores(arguments.jobs);
    games::run(recipe, missing, jobs, interrupt, |game| {
        if let Some(journal) = &mut journal {
            journal.append(&game)?;
        }
        all.push(game);
        line.update(|status| status.played += 1);
        Ok::<(), JournalError>(())
    })?;
    drop(line);
    all.sort_by_key(|game| game.game);
    Ok(all)
}

/// The progress of the games.
struct GamesStatus {
    /// Games of earlier runs.
    finished: u64,
    /// Games of this run.
    played: u64,
    wanted: u64,
}

impl Status for GamesStatus {
    fn parts(&self, elapsed: Duration) -> Vec<String> {
        let done = self.finished + self.played;
        let left = time_left(elapsed, self.played, self.wanted.saturating_sub(done));
        vec![
            format!("{done}/{} games", self.wanted),
            match left {
                Some(left) => format!("left {}", clock_face(left)),
                None => format!("{} so far", clock_face(elapsed)),
            },
        ]
    }
}
