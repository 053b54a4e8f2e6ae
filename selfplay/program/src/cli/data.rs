//! `selfplay data` and `data-info`: makes and summarises files of positions.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;
use std::time::Duration;

use anqi_lab::training::census::{BARS, Census};
use anqi_lab::training::example::Example;
use anqi_lab::training::file::DataFile;
use anqi_lab::training::generate::{self, Recipe};
use anqi_lab::training::writer::NewDataFile;
use anqi_match::interrupt::Interrupt;
use anqi_match::live::{LiveLine, Status, clock_face, time_left};
use anqi_match::report::text::count;
use anyhow::{Context, bail};

use super::output::JsonOutput;
use super::training_arguments::{DataArguments, DataInfoArguments};
use super::{arguments, signals};

/// Plays the games and writes the file.
pub fn run(arguments: &DataArguments) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new();
    signals::install(&interrupt)?;
    let recipe = arguments.recipe.recipe();
    let json = JsonOutput::open(arguments.json.as_deref())?;
    let mut file = NewDataFile::create(&arguments.out, recipe.to_string(), recipe.seed)?;
    let jobs = arguments::jobs_or_cores(arguments.jobs);
    let games = arguments.games;
    let played = play(&recipe, games, jobs, &interrupt, |examples| {
        Ok(file.game(examples)?)
    })?;
    if played.games == 0 {
        bail!("interrupted before the first game ended; nothing is written");
    }
    played.require_positions(&recipe)?;
    file.finish()?;
    if played.games < games {
        eprintln!(
            "interrupted; {} holds the first {} games, as --games {} would",
            arguments.out.display(),
            played.games,
            played.games
        );
    }
    describe(slice::from_ref(&arguments.out), json)?;
    Ok(if played.games < games {
        ExitCode::from(signals::INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    })
}

/// What was generated.
#[derive(Clone, Copy)]
pub struct GameCount {
    /// Games; after an interrupt, the first ones.
    pub games: u32,
    positions: usize,
}

impl GameCount {
    /// Fails if the player reported no values.
    pub fn require_positions(&self, recipe: &Recipe) -> anyhow::Result<()> {
        if self.positions == 0 {
            let player = &recipe.player;
            bail!("{player} gave no value for any position (it must be a player that searches)");
        }
        Ok(())
    }
}

/// Plays games with a live line, and passes the examples of each to `finished`.
pub fn play(
    recipe: &Recipe,
    games: u32,
    jobs: usize,
    interrupt: &Interrupt,
    mut finished: impl FnMut(&[Example]) -> anyhow::Result<()>,
) -> anyhow::Result<GameCount> {
    let mut played = GameCount {
        games: 0,
        positions: 0,
    };
    let line = LiveLine::start(GenerationStatus {
        wanted: games,
        played,
    });
    let result = generate::run(recipe, games, jobs, interrupt, |examples| {
        finished(examples)?;
        played.games += 1;
        played.positions += examples.len();
        line.update(|status| status.played = played);
        Ok::<(), anyhow::Error>(())
    });
    drop(line);
    result?;
    Ok(played)
}

/// The progress of the games.
struct GenerationStatus {
    wanted: u32,
    played: GameCount,
}

impl Status for GenerationStatus {
    fn parts(&self, elapsed: Duration) -> Vec<String> {
        let GameCount { games, positions } = self.played;
        let left = time_left(elapsed, games.into(), (self.wanted - games).into());
        vec![
            format!("{games}/{} games", self.wanted),
            format!("{} positions", count(positions as u64)),
            match left {
                Some(left) => format!("left {}", clock_face(left)),
                None => format!("{} so far", clock_face(elapsed)),
            },
        ]
    }
}

/// Summarises files of positions.
pub fn info(arguments: &DataInfoArguments) -> anyhow::Result<ExitCode> {
    let json = JsonOutput::open(arguments.json.as_deref())?;
    describe(&arguments.files, json)?;
    Ok(ExitCode::SUCCESS)
}

fn describe(files: &[PathBuf], json: JsonOutput) -> anyhow::Result<()> {
    let mut all = Vec::new();
    let mut text = String::new();
    for path in files {
        let data = DataFile::read(path)?;
        let census = Census::new(&data).with_context(|| path.display().to_string())?;
        if !text.is_empty() {
            text.push('\n');
        }
        text += &table(path, &census);
        all.push(census);
    }
    json.publish(&text, || {
        let document = serde_json::to_string_pretty(&all);
        document.expect("counts hold nothing that JSON cannot say") + "\n"
    })
}

/// Writes the counts of a file as text.
fn table(path: &Path, census: &Census) -> String {
    let percent = |part: u64| 100.0 * part as f64 / census.positions.max(1) as f64;
    let [loss, draw, win] = census.results.map(percent);
    let [step, capture, flip] = census.best.map(percent);
    let mut text = format!(
        "{}\n  made by      {}, seed {}\n  games        {}\n  positions    {} ({:.1} a game)\n",
        path.display(),
        census.recipe,
        census.seed,
        count(census.games),
        count(census.positions),
        census.positions as f64 / census.games.max(1) as f64,
    );
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "  results      {win:.1} % won, {draw:.1} % drawn, {loss:.1} % lost by the side to move\n  \
           best action  {step:.1} % steps, {capture:.1} % captures, {flip:.1} % flips\n  \
           face down    something in {:.1} % of the positions\n  \
           means        ply {:.1}, searched {:.1} plies deep\n  \
           values       positions, their mean value, the mean result of their games",
        percent(census.with_face_down),
        census.mean_ply,
        census.mean_depth,
    );
    let largest = census.values.iter().chain(&census.proven).max().copied();
    let mut bar = |label: &str, value: u64, means: &str| {
        let width = 40 * value / largest.unwrap_or(0).max(1);
        let bar = "█".repeat(width as usize);
        let _ = writeln!(
            text,
            "    {label:>12}  {:>9}  {means:15}  {bar}",
            count(value)
        );
    };
    bar("proven lost", census.proven[0], "");
    for (index, &value) in census.values.iter().enumerate() {
        let from = 2.0 * index as f64 / BARS as f64 - 1.0;
        let label = format!("{from:+.1} … {:+.1}", from + 2.0 / BARS as f64);
        let (mean, result) = (census.mean_values[index], census.mean_results[index]);
        bar(&label, value, &format!("{mean:+.3}  {result:+.3}"));
    }
    bar("proven won", census.proven[1], "");
    text
}
