//! `selfplay fit`: fits the weights of the champion's evaluation.

use std::fmt::Write;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anqi_files::read_text_limited;
use anqi_lab::training::fitting::{self, DataPart, FitError, FitResult, Losses};
use anqi_lab::training::sources::PositionsOf;
use anqi_lab::training::stream::DataStream;
use anqi_lab::training::writer::DataWriter;
use anqi_match::interrupt::Interrupt;
use anqi_match::live::{LiveLine, Status, clock_face};
use anqi_match::report::text::{count, fixed, optional};
use anqi_search::evaluation::{FEATURES, Weights, feature_name};
use anyhow::{Context, bail};
use serde::Serialize;

use super::output::{JsonOutput, OpenFile, both};
use super::training_arguments::FitArguments;
use super::{arguments, data, signals};

/// Games played if neither files nor a number is given.
const DEFAULT_GAMES: u32 = 4_000;
/// Size limit of a weights file in bytes; real ones have some ten thousand.
const WEIGHTS_BYTES: u64 = 1 << 20;
/// How many of the changed weights the table lists.
const LISTED: usize = 12;

/// Fits and writes the weights.
pub fn run(arguments: &FitArguments) -> anyhow::Result<ExitCode> {
    let out = OpenFile::create("--out", &arguments.out)?;
    let json_output = JsonOutput::open(arguments.json.as_deref())?;
    let old = match &arguments.learning.weights {
        None => Weights::default(),
        Some(path) => read_weights(path)?,
    };
    let interrupt = Interrupt::new();
    signals::install(&interrupt)?;
    let jobs = arguments::jobs_or_cores(arguments.jobs);
    let Some(files) = data_files(arguments, jobs, &interrupt)? else {
        return Ok(given_up());
    };
    let sources: Vec<PositionsOf<'_>> = files
        .iter()
        .map(|(name, data)| PositionsOf { name, data })
        .collect();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    let line = LiveLine::start(Steps(None));
    let fitted = threads.install(|| {
        fitting::fit(&sources, &old, &arguments.settings(&old), |step| {
            line.update(|steps| *steps = Steps(Some((step.number, step.loss))));
            if interrupt.finish_pairs() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    });
    drop(line);
    let fitted = match fitted {
        Err(FitError::Interrupted) => return Ok(given_up()),
        other => other?,
    };
    let names: Vec<&str> = sources.iter().map(|source| source.name).collect();
    let text = table(&fitted, &names, &arguments.out);
    let written = out.publish(&fitted.new.to_string());
    both(
        written,
        json_output.publish(&text, || json(&fitted, &names)),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The number of the last step of a fit, and the loss after it.
struct Steps(Option<(u32, f64)>);

impl Status for Steps {
    fn parts(&self, elapsed: Duration) -> Vec<String> {
        let step = self.0.map_or("first step".to_owned(), |(number, loss)| {
            format!("step {number}: {loss:.6}")
        });
        vec![step, format!("{} so far", clock_face(elapsed))]
    }
}

fn given_up() -> ExitCode {
    eprintln!("interrupted; no weights are written");
    ExitCode::from(signals::INTERRUPTED)
}

/// Reads a file of weights.
pub fn read_weights(path: &Path) -> anyhow::Result<Weights> {
    let context = || path.display().to_string();
    let text = read_text_limited(path, WEIGHTS_BYTES).with_context(context)?;
    Weights::parse(&text).with_context(context)
}

/// Reads the files of positions, or plays games; `None` if that was interrupted.
fn data_files(
    arguments: &FitArguments,
    jobs: usize,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Vec<(String, DataStream)>>> {
    let mut files = Vec::new();
    for path in &arguments.data {
        files.push((path.display().to_string(), DataStream::open(path)?));
    }
    if !files.is_empty() {
        return Ok(Some(files));
    }
    let recipe = arguments.recipe.recipe();
    let games = arguments.games.unwrap_or(DEFAULT_GAMES);
    let file = BufWriter::new(tempfile::tempfile().context("temporary file of positions")?);
    let mut writer = DataWriter::new(file, recipe.to_string(), recipe.seed)?;
    let played = data::play(&recipe, games, jobs, interrupt, |examples| {
        Ok(writer.game(examples)?)
    })?;
    if played.games < games {
        return Ok(None);
    }
    played.require_positions(&recipe)?;
    let file = writer.finish()?.into_inner()?;
    let name = format!("{recipe}, seed {}", recipe.seed);
    match DataStream::of(file) {
        Ok(data) => Ok(Some(vec![(name, data)])),
        Err(fault) => bail!("{name}: {fault}"),
    }
}

/// A weight that the fit has changed.
#[derive(Clone, Serialize)]
struct Change {
    name: String,
    old: i32,
    new: i32,
    /// The root mean square of its effect on a sum, relative to half.
    effect: f64,
}

/// Returns the changed weights, largest effect first.
fn changes(fitted: &FitResult) -> Vec<Change> {
    let mut changes: Vec<Change> = (0..FEATURES)
        .map(|index| {
            let [old, new] = [&fitted.old, &fitted.new].map(|w| w.weights[index]);
            Change {
                name: feature_name(index),
                old,
                new,
                effect: f64::from(new - old) * fitted.effects[index],
            }
        })
        .filter(|change| change.old != change.new)
        .collect();
    changes.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
    changes
}

/// Writes the figures as text.
fn table(fitted: &FitResult, names: &[&str], out: &Path) -> String {
    let mut text = String::new();
    for name in names {
        text += &format!("fitted to {name}\n");
    }
    let (training, held_out) = (&fitted.training, &fitted.held_out);
    text += &format!("\n{:24}{:>14}{:>14}\n", "", "training", "held out");
    let mut line = |label: &str, of: [String; 2]| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{label:24}{:>14}{:>14}", of[0], of[1]);
    };
    let both = |of: &dyn Fn(&DataPart) -> String| [of(training), of(held_out)];
    let loss = |of: fn(&Losses) -> f64| both(&|part| optional(part.losses.as_ref().map(of), 5));
    line("games", both(&|part| count(part.games)));
    line("positions", both(&|part| count(part.positions)));
    line("loss of one constant", loss(|losses| losses.constant));
    line("loss of the old weights", loss(|losses| losses.old));
    line("loss of the new weights", loss(|losses| losses.new));
    line("least possible loss", loss(|losses| losses.floor));
    if let Some(all) = fitted.drawn_from {
        let drawn = count(training.positions);
        let _ = writeln!(
            text,
            "{drawn} of {} training positions were drawn",
            count(all)
        );
    }
    if fitted.left_out > 0 {
        let left_out = count(fitted.left_out);
        let _ = writeln!(
            text,
            "{left_out} positions whose best action is a capture were left out"
        );
    }
    let changes = changes(fitted);
    let _ = writeln!(
        text,
        "\n{} of {FEATURES} weights changed in {} steps; effect is the typical change of a sum, relative to half",
        changes.len(),
        fitted.steps
    );
    if !changes.is_empty() {
        let _ = writeln!(
            text,
            "  {:24}{:>9}{:>9}{:>9}",
            "weight", "old", "new", "effect"
        );
    }
    for change in changes.iter().take(LISTED) {
        let Change { name, old, new, .. } = change;
        let effect = fixed(change.effect, 3);
        let _ = writeln!(text, "  {name:24}{old:>9}{new:>9}{effect:>9}");
    }
    text += &format!("\nthe new weights are in {}\n", out.display());
    text
}

#[derive(Serialize)]
struct Document<'a> {
    data: &'a [&'a str],
    steps: u32,
    left_out: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn_from: Option<u64>,
    training: PartRow,
    held_out: PartRow,
    changes: Vec<Change>,
}

#[derive(Serialize)]
struct PartRow {
    games: u64,
    positions: u64,
    loss_constant: Option<f64>,
    loss_old: Option<f64>,
    loss_new: Option<f64>,
    loss_floor: Option<f64>,
}

impl From<&DataPart> for PartRow {
    fn from(part: &DataPart) -> PartRow {
        PartRow {
            games: part.games,
            positions: part.positions,
            loss_constant: part.losses.map(|losses| losses.constant),
            loss_old: part.losses.map(|losses| losses.old),
            loss_new: part.losses.map(|losses| losses.new),
            loss_floor: part.losses.map(|losses| losses.floor),
        }
    }
}

fn json(fitted: &FitResult, names: &[&str]) -> String {
    let document = Document {
        data: names,
        steps: fitted.steps,
        left_out: fitted.left_out,
        drawn_from: fitted.drawn_from,
        training: (&fitted.training).into(),
        held_out: (&fitted.held_out).into(),
        changes: changes(fitted),
    };
    let text = serde_json::to_string_pretty(&document);
    text.expect("losses hold nothing that JSON cannot say") + "\n"
}
