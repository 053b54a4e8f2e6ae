//! `tablebase lessons`: the critical positions of a material set as lessons.

use std::path::PathBuf;

use anqi_rules::{Color, Rules};
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::induction::{Critical, Ending, Lesson, Lessons};
use anqi_tablebase::probe::Tables;
use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::words::word;

/// The most pieces of an ending that is searched for lessons.
const MOST_PIECES: usize = 5;

/// Options of `tablebase lessons`.
#[derive(clap::Args)]
pub struct Args {
    /// The material set, such as GCkc; it is solved in memory
    set: Material,
    /// The folder for the file SET.json; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = "lessons")]
    out: PathBuf,
    /// Take plies to the end from the files in this directory instead of solving them
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The depth of the search that finds the critical positions, in plies
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    depth: u8,
    /// Positions to win, at most
    #[arg(long, value_name = "N", default_value_t = 14)]
    wins: usize,
    /// Positions to hold, at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    draws: usize,
}

/// Writes the lessons of a set.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let set = &args.set;
    if set.len() > MOST_PIECES {
        bail!(
            "{set} has {} pieces (expected at most {MOST_PIECES})",
            set.len()
        );
    }
    let tables = match &args.dir {
        None => Tables::of_unit(Fit::of(set).unit, Rules::UNLIMITED, true)?,
        Some(dir) => Tables::open(dir, 2, Rules::UNLIMITED)
            .with_context(|| format!("--dir {}", dir.display()))?,
    };
    let ending = Ending::new(set)?;
    let critical = Critical::of(&ending, args.depth);
    let lessons = Lessons::new(&ending, &tables).of(&critical, args.wins, args.draws);
    if lessons.is_empty() {
        let why = tables
            .damage()
            .unwrap_or("in no critical position can anything go wrong");
        bail!("{set} has no lessons: {why}");
    }
    std::fs::create_dir_all(&args.out).with_context(|| format!("--out {}", args.out.display()))?;
    let file = args.out.join(format!("{set}.json"));
    anqi_files::replace(&file, text(&lessons).as_bytes())
        .with_context(|| format!("{} cannot be written", file.display()))?;
    println!(
        "{}: {} lessons from {} critical positions of {} at depth {}",
        file.display(),
        lessons.len(),
        critical.size(1.0),
        critical.positions,
        args.depth
    );
    Ok(())
}

/// A JSON list, one lesson a line.
fn text(lessons: &[Lesson]) -> String {
    let lines: Vec<String> = lessons
        .iter()
        .map(|each| to_json(each).to_string())
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn to_json(lesson: &Lesson) -> Value {
    let side = match lesson.position.turn() {
        Some(Color::Black) => "black",
        _ => "red",
    };
    let refutations = lesson.refutations.iter().map(|each| {
        json!({
            "action": each.action.to_string(),
            "value": word(each.value),
            "line": texts(&each.line),
        })
    });
    json!({
        "position": lesson.position.to_string(),
        "side": side,
        "goal": word(lesson.goal),
        "line": texts(&lesson.line),
        "refutations": refutations.collect::<Vec<_>>(),
        "idea": lesson.idea,
    })
}

fn texts(line: &[anqi_rules::Action]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}
