//! `tablebase distil`, and `verify` and `probe` with `--distilled`: all values in one small file.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anqi_rules::Position;
use anqi_tablebase::classes::Units;
use anqi_tablebase::distil::{
    Checked, Distilled, Pocket, UnitReport, check_unit, describe, distil,
};
use anqi_tablebase::numbering::{DenseIndex, Placement, UnitPlace, usual_order};
use anqi_tablebase::probe::{Endgames, rated_actions};
use anqi_tablebase::solve::{Goal, Store, solve};
use anyhow::{Context, anyhow, bail};
use serde_json::json;

use crate::words::word;

/// Nobody's distilled file is longer; larger ones are refused unread.
const MOST_BYTES: u64 = 64 << 20;

/// Options of `tablebase distil`.
#[derive(clap::Args)]
pub struct Args {
    /// Units of up to this many pieces: 3, 4 or 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=5))]
    pieces: u8,
    /// The file to write; it is replaced only when the new one is complete
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print the figures of each unit too
    #[arg(long)]
    units: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Shows how far a command is, if anybody is looking.
fn show(step: &str, done: usize, all: usize) {
    if std::io::stderr().is_terminal() {
        eprint!("\r{step} {done}/{all}      ");
    }
}

fn shown() {
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
}

/// Makes a file.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let start = Instant::now();
    let distilled = distil(args.pieces.into(), &show)?;
    shown();
    let pocket = Pocket::new(distilled.bytes.clone()).context("the new file cannot be read")?;
    let nodes = sample(&pocket, args.pieces.into())?;
    anqi_files::replace(&args.out, &distilled.bytes)
        .with_context(|| format!("{} cannot be written", args.out.display()))?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", summary(&distilled, &nodes, args.units))?;
        return Ok(());
    }
    if args.units {
        for unit in &distilled.units {
            writeln!(out, "{}", line(unit))?;
        }
    }
    print(&distilled, &nodes, &mut out)?;
    writeln!(out, "{:.1} s", start.elapsed().as_secs_f64())?;
    Ok(())
}

/// One unit of the list of units.
fn line(unit: &UnitReport) -> String {
    format!(
        "{:8} {:8} bytes, {:7} values said, {} of {} regions empty; stored: {}",
        unit.unit.to_string(),
        unit.bytes,
        unit.surprises,
        unit.regions[1],
        unit.regions[0],
        describe(&unit.scheme)
    )
}

/// Positions of each unit that are probed to count nodes.
const SAMPLES: u64 = 400;

/// Probes random positions, the units weighted by their positions.
fn sample(pocket: &Pocket, pieces: usize) -> anyhow::Result<Checked> {
    let mut checked = Checked::default();
    for unit in Units::of(pieces).list() {
        let index = DenseIndex::new(unit, usual_order(unit));
        let samples = (index.len() * SAMPLES / 3_020_640).max(2);
        let mut state = unit.number as u64 + 1;
        for _ in 0..samples {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let groups = index.groups((state >> 20) % index.len());
            for turn in anqi_rules::Color::ALL {
                let place = Placement {
                    unit: UnitPlace::of(unit, turn),
                    groups,
                };
                checked.count(&pocket.answer_placement(&place));
            }
        }
    }
    Ok(checked)
}

/// Positions of all units by the rule that explains them.
struct Shares {
    positions: u64,
    captures: u64,
    play: u64,
    expected: u64,
    said: u64,
}

impl Shares {
    fn of(distilled: &Distilled) -> Shares {
        let sum = |of: fn(&UnitReport) -> u64| distilled.units.iter().map(of).sum::<u64>();
        let positions = sum(|unit| unit.positions);
        let captures = sum(|unit| unit.captures);
        let stored = sum(|unit| unit.stored - unit.any);
        let said = sum(|unit| unit.surprises);
        Shares {
            positions,
            captures,
            play: positions - captures - stored,
            expected: stored - said,
            said,
        }
    }

    fn percent(&self, part: u64) -> f64 {
        100.0 * part as f64 / self.positions as f64
    }
}

fn print(distilled: &Distilled, nodes: &Checked, out: &mut impl Write) -> anyhow::Result<()> {
    let shares = Shares::of(distilled);
    writeln!(
        out,
        "{} bytes ({} of them the prior, {} the directory) for {} positions",
        distilled.bytes.len(),
        distilled.prior,
        distilled.directory,
        shares.positions
    )?;
    for (part, rule) in [
        (shares.captures, "a capture wins"),
        (
            shares.play,
            "follow by one to three plies of play from stored ones",
        ),
        (shares.expected, "are stored, and what the model expects"),
        (shares.said, "are stored, and something else"),
    ] {
        writeln!(out, "{:8.4} % {rule} ({part})", shares.percent(part))?;
    }
    writeln!(
        out,
        "{:.1} nodes a probe on average over {} random positions, {} at most",
        nodes.nodes as f64 / nodes.probed.max(1) as f64,
        nodes.probed,
        nodes.most
    )?;
    writeln!(out, "BLAKE3 {}", blake3::hash(&distilled.bytes))?;
    Ok(())
}

fn summary(distilled: &Distilled, nodes: &Checked, units: bool) -> serde_json::Value {
    let shares = Shares::of(distilled);
    let unit = |unit: &UnitReport| {
        json!({
            "unit": unit.unit.to_string(),
            "stored_positions": describe(&unit.scheme),
            "positions": unit.positions,
            "stored": unit.stored,
            "said": unit.surprises,
            "bytes": unit.bytes,
        })
    };
    let mut summary = json!({
        "bytes": distilled.bytes.len(),
        "prior_bytes": distilled.prior,
        "directory_bytes": distilled.directory,
        "positions": shares.positions,
        "explained_by": {
            "winning_capture": shares.captures,
            "play": shares.play,
            "model": shares.expected,
            "said": shares.said,
        },
        "percent": {
            "winning_capture": shares.percent(shares.captures),
            "play": shares.percent(shares.play),
            "model": shares.percent(shares.expected),
            "said": shares.percent(shares.said),
        },
        "nodes": {
            "positions": nodes.probed,
            "average": nodes.nodes as f64 / nodes.probed.max(1) as f64,
            "most": nodes.most,
        },
        "blake3": blake3::hash(&distilled.bytes).to_string(),
    });
    if units {
        summary["units"] = distilled.units.iter().map(unit).collect();
    }
    summary
}

/// Opens a file.
fn open(file: &Path) -> anyhow::Result<Pocket> {
    let name = || file.display().to_string();
    let bytes = anqi_files::read_limited(file, MOST_BYTES).with_context(name)?;
    Pocket::new(bytes).with_context(name)
}

/// Prints the value of a position from a file alone.
pub fn probe(file: &Path, position: &Position, as_json: bool) -> anyhow::Result<()> {
    let pocket = open(file)?;
    let answer = pocket.answer(position).ok_or_else(|| {
        anyhow!(
            "{} knows positions of up to {} pieces, none of them face down",
            file.display(),
            pocket.pieces()
        )
    })?;
    let rated =
        rated_actions(&pocket, position).ok_or_else(|| anyhow!("the moves cannot be valued"))?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let actions: Vec<_> = rated
            .iter()
            .map(|rated| json!({"action": rated.action.to_string(), "wdl": word(rated.wdl)}))
            .collect();
        let answer = json!({
            "position": position.to_string(),
            "wdl": word(answer.wdl),
            "nodes": answer.nodes,
            "actions": actions,
        });
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} for the side to move ({} nodes)",
        word(answer.wdl),
        answer.nodes
    )?;
    for rating in &rated {
        writeln!(out, "  {} {}", rating.action, word(rating.wdl))?;
    }
    if rated.is_empty() {
        writeln!(out, "  the game is over")?;
    }
    Ok(())
}

/// Compares a file with units that are solved again.
pub fn verify(file: &Path, every: u64) -> anyhow::Result<()> {
    let start = Instant::now();
    let pocket = open(file)?;
    let most = pocket.pieces() as usize;
    let small = Store::solve(most.min(4), Goal::Values)?;
    let mut all = Checked::default();
    let mut positions = 0;
    for pieces in 2..=most {
        let units = Units::of(pieces).list();
        for (done, unit) in units.iter().enumerate() {
            show("verifying", done, units.len());
            let children = small.children(unit);
            let fresh = match small.get(unit) {
                Some(_) => None,
                None => Some(solve(unit, &children, Goal::Values)?),
            };
            let known = small.get(unit).map(AsRef::as_ref);
            let Some(solved) = fresh.as_ref().or(known) else {
                bail!("{unit} was not solved");
            };
            match check_unit(&pocket, solved, &children, every) {
                Ok(checked) => all.add(&checked),
                Err(reason) => bail!("{}: {reason}", file.display()),
            }
            positions += unit.placements() / 2;
        }
    }
    shown();
    println!(
        "{}: {} stored values are right, and with them all {positions} positions; {} probed, \
         {:.1} nodes each, {} at most ({:.1} s)",
        file.display(),
        all.stored,
        all.probed,
        all.nodes as f64 / all.probed.max(1) as f64,
        all.most,
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
