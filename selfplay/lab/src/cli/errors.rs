//! `lab errors`: where the points of saved games went, by phase and by kind of decision.
//!
//! Exits with 0 if it could judge, 2 if not. A stopped run goes on from its folder.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use anqi_lab::decisions::{
    self, Decision, DecisionsError, Given, Inquiry, Kind, PHASES, given, phase_name, picture,
};
use anqi_lab::regret::{CHAMPION, Mean};
use anqi_match::side::Side;
use anqi_search::players::by_spec;
use anyhow::{Context, ensure};
use clap::Args;
use rayon::prelude::*;

use super::draw;

/// Options of `lab errors`.
#[derive(Args, Debug)]
pub struct Options {
    /// Folders of finished pairs, from `selfplay --out`
    #[arg(required = true, value_name = "DIR")]
    matches: Vec<PathBuf>,

    /// Folder of the judged decisions, from which a stopped run goes on
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Who judges
    #[arg(long, value_name = "PLAYER", default_value = CHAMPION)]
    judge: String,

    /// Nodes of each of the judge's searches; where it prefers another action there are three
    #[arg(long, value_name = "NODES", default_value_t = 1_000_000)]
    judge_nodes: u64,

    /// The chance that a decision is judged
    #[arg(long, value_name = "CHANCE", default_value_t = 0.1)]
    share: f64,

    /// Judge the decisions of one side only
    #[arg(long, value_parser = side, value_name = "a|b")]
    side: Option<Side>,

    /// Decides which are
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Number of games judged at the same time [default: one per core]
    #[arg(short, long)]
    jobs: Option<usize>,

    /// Only print what the judged decisions say
    #[arg(long)]
    report: bool,

    /// Draw the points given away by phase, as SVG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

fn side(name: &str) -> Result<Side, String> {
    let mut sides = Side::ALL.into_iter();
    let found = sides.find(|side| name == side.letter().to_string());
    found.ok_or_else(|| "expected a or b".to_owned())
}

/// Judges what is left, and prints a table for each side.
pub fn run(options: &Options) -> anyhow::Result<()> {
    ensure!(
        options.share > 0.0 && options.share <= 1.0,
        "--share is {} (expected a chance above 0, at most 1)",
        options.share
    );
    let matches = decisions::read(&options.matches)?;
    let inquiry = Inquiry {
        program: concat!("lab ", env!("CARGO_PKG_VERSION")).to_owned(),
        matches: matches.iter().map(decisions::name).collect(),
        judge: by_spec(&options.judge)?.spec(),
        nodes: options.judge_nodes,
        share: options.share,
        seed: options.seed,
    };
    let (journal, mut judged) = decisions::open(&options.out, &inquiry)?;
    if !options.report {
        let tasks = decisions::tasks(&matches, &inquiry, &judged, options.side)?;
        let kept = Mutex::new((journal, &mut judged));
        let keep = |decision: Decision| -> Result<(), DecisionsError> {
            let mut kept = kept.lock().expect("nobody panics with it");
            kept.0.append(&decision)?;
            kept.1.push(decision);
            Ok(())
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0));
        let pool = pool.build().context("--jobs")?;
        pool.install(|| {
            tasks.into_par_iter().try_for_each(|task| {
                let mut judge = by_spec(&options.judge)?;
                task.judge(judge.as_mut(), options.judge_nodes, keep)?;
                anyhow::Ok(())
            })
        })?;
    }
    print(options, &matches, &judged, &inquiry)
}

fn print(
    options: &Options,
    matches: &[decisions::SavedMatch],
    judged: &[Decision],
    inquiry: &Inquiry,
) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let games: usize = matches.iter().map(|one| 2 * one.records.len()).sum();
    for name in &inquiry.matches {
        writeln!(out, "{name}")?;
    }
    writeln!(
        out,
        "{games} games; judge {} with {} nodes; points given away in a hundred games, ± one standard error",
        inquiry.judge, inquiry.nodes
    )?;
    let left = decisions::tasks(matches, inquiry, judged, options.side)?;
    if !left.is_empty() {
        let open: usize = left.iter().map(decisions::Task::decisions).sum();
        writeln!(
            out,
            "{open} decisions of {} games are not judged yet and count as if nothing were given away; without --report the command goes on",
            left.len()
        )?;
    }
    let sides = Side::ALL.into_iter();
    let sides = sides.filter(|side| options.side.is_none_or(|only| only == *side));
    let sides: Vec<(Side, Given)> = sides
        .map(|side| (side, given(matches, judged, inquiry, side)))
        .collect();
    for (side, given) in &sides {
        writeln!(
            out,
            "\n{side}: {} decisions judged, another preferred in {}",
            given.judged, given.mistakes
        )?;
        table(&mut out, given)?;
    }
    draw(options.picture.as_deref(), || picture(&sides))
}

fn table(out: &mut impl Write, given: &Given) -> io::Result<()> {
    write!(out, "{:<29}", "pieces face down")?;
    for phase in 0..PHASES.len() {
        write!(out, " {:>12}", phase_name(phase))?;
    }
    writeln!(out, " {:>12}", "all")?;
    for kind in Kind::ALL {
        let cells = (0..PHASES.len()).map(|phase| given.cells[&(kind, phase)]);
        row(out, kind.words(), cells.chain([given.kinds[&kind]]))?;
    }
    row(out, "all", given.phases.into_iter().chain([given.all]))?;
    let text = |mean: Mean| format!("{:.1} ± {:.1}", mean.mean, mean.error);
    writeln!(out, "of these in positions above +0.8: {}", text(given.won))?;
    writeln!(out, "from +0.3 or more to a draw: {}", text(given.drawn))
}

fn row(out: &mut impl Write, name: &str, cells: impl Iterator<Item = Mean>) -> io::Result<()> {
    write!(out, "{name:<29}")?;
    for Mean { mean, error } in cells {
        write!(out, " {:>12}", format!("{mean:.2} ± {error:.2}"))?;
    }
    writeln!(out)
}
