//! `tablebase build`, `verify` and `classes` of tables with face-down pieces.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anqi_tablebase::classes::{Unit, Units};
use anqi_tablebase::facedown::HiddenIndex;
use anqi_tablebase::facedown_file::{BuildOrder, build, lock, memory_needed, name_of};
use anqi_tablebase::probe::{FaceUpUnits, HiddenVerified, hidden_tables_in, verify_hidden};
use anqi_tablebase::solve::human_bytes;
use anyhow::{Context, bail};

/// A table to build: a unit, and how many of its pieces lie face down.
type Table = (&'static Unit, usize);

/// What to build, and where.
pub struct Plan<'a> {
    /// The units, smaller ones first.
    pub units: Vec<&'static Unit>,
    /// The most pieces face down.
    pub hidden: usize,
    /// The folder.
    pub dir: &'a Path,
    /// Bytes of memory allowed.
    pub memory: u64,
    /// Whether to keep quiet.
    pub quiet: bool,
}

/// Builds tables.
pub fn build_all(plan: &Plan<'_>) -> anyhow::Result<()> {
    let _lock = lock(plan.dir).context("--dir")?;
    let tables: Vec<Table> = tables(&plan.units, plan.hidden);
    let positions = |&(unit, hidden): &Table| HiddenIndex::new(unit, hidden).positions();
    let total: u64 = tables.iter().map(positions).sum();
    let need = tables
        .iter()
        .map(|&(unit, hidden)| memory_needed(unit, hidden));
    if !plan.quiet {
        eprintln!(
            "{} tables, {total} positions; the largest needs {}, {} allowed",
            tables.len(),
            human_bytes(need.max().unwrap_or(0)),
            human_bytes(plan.memory)
        );
    }
    let pieces = plan
        .units
        .iter()
        .map(|unit| unit.pieces())
        .max()
        .unwrap_or(2);
    let order = BuildOrder::new(plan.dir, pieces, plan.memory)?;
    let mut progress = Progress::new(total, plan.quiet);
    for (unit, hidden) in tables {
        let built = build(unit, hidden, &order)?;
        if let Some(damage) = &built.repaired {
            eprintln!("{damage}; written again");
        }
        progress.done(&name_of(unit, hidden), &built);
    }
    progress.finish();
    Ok(())
}

/// The tables of some units, each after those it is made from.
fn tables(units: &[&'static Unit], hidden: usize) -> Vec<Table> {
    let of = |unit: &&'static Unit| {
        let unit = *unit;
        (1..=hidden.min(unit.pieces() - 1)).map(move |count| (unit, count))
    };
    units.iter().flat_map(of).collect()
}

/// Progress, shown on a terminal.
struct Progress {
    total: u64,
    shown: bool,
    quiet: bool,
    start: Instant,
    last: Option<Instant>,
    tables: usize,
    kept: usize,
    positions: u64,
    solved: u64,
    bytes: u64,
}

impl Progress {
    fn new(total: u64, quiet: bool) -> Progress {
        Progress {
            total,
            shown: !quiet && std::io::stderr().is_terminal(),
            quiet,
            start: Instant::now(),
            last: None,
            tables: 0,
            kept: 0,
            positions: 0,
            solved: 0,
            bytes: 0,
        }
    }

    fn done(&mut self, name: &str, built: &anqi_tablebase::facedown_file::Built) {
        self.tables += 1;
        self.positions += built.positions;
        self.bytes += built.bytes;
        if built.kept {
            self.kept += 1;
        } else {
            self.solved += built.positions;
        }
        let due = |last: Instant| last.elapsed() > Duration::from_millis(200);
        if self.shown && self.last.is_none_or(due) {
            self.last = Some(Instant::now());
            self.draw(name);
        }
    }

    fn draw(&self, name: &str) {
        let rate = self.solved as f64 / self.start.elapsed().as_secs_f64();
        let left = (self.total - self.positions) as f64 / rate.max(1.0);
        let share = 100.0 * self.positions as f64 / self.total as f64;
        eprint!(
            "\r{share:>3.0}% {name:<10} {:.2} M positions/s, {left:.0} s left   ",
            rate / 1e6
        );
        // A terminal that is gone does not stop a build.
        let _ = std::io::stderr().flush();
    }

    fn finish(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
        if !self.quiet {
            eprintln!(
                "{} tables ({} were there already), {} positions, {} bytes, {:.1} s",
                self.tables,
                self.kept,
                self.positions,
                self.bytes,
                self.start.elapsed().as_secs_f64()
            );
        }
    }
}

/// Verifies the tables with face-down pieces in a folder, if there are any, and prints the counts.
/// Returns whether there are.
pub fn verify_all(dir: &Path, every: u64) -> anyhow::Result<bool> {
    let tables = hidden_tables_in(dir)?;
    let Some(most) = tables.iter().map(|(unit, ..)| unit.pieces()).max() else {
        return Ok(false);
    };
    let (start, shown) = (Instant::now(), std::io::stderr().is_terminal());
    let face_up = FaceUpUnits::new(most)?;
    let mut all = HiddenVerified::default();
    let mut failures = 0;
    for (done, (unit, hidden, path)) in tables.iter().enumerate() {
        match verify_hidden((unit, *hidden), path, &face_up, every) {
            Ok(one) => {
                all.positions += one.positions;
                all.derived += one.derived;
                all.bytes += one.bytes;
            }
            Err(error) => {
                eprintln!("{}{error:#}", if shown { "\r" } else { "" });
                failures += 1;
            }
        }
        if shown {
            eprint!("\r{}/{} tables", done + 1, tables.len());
        }
    }
    if shown {
        eprintln!();
    }
    if failures > 0 {
        bail!(
            "{failures} of {} tables with face-down pieces are not sound",
            tables.len()
        );
    }
    println!(
        "{} tables with face-down pieces, {}: {} of {} positions follow from one ply of play ({:.1} s)",
        tables.len(),
        human_bytes(all.bytes),
        all.derived,
        all.positions,
        start.elapsed().as_secs_f64()
    );
    Ok(true)
}

/// Counts the tables and positions with face-down pieces.
pub fn count(pieces: impl Iterator<Item = u8>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>6} {:>9} {:>6} {:>9} {:>10} {:>15}",
        "pieces", "face down", "units", "divisions", "phases", "positions"
    )?;
    for pieces in pieces.map(usize::from) {
        let units = Units::of(pieces).list();
        for hidden in 1..pieces {
            let indices: Vec<_> = units
                .iter()
                .map(|unit| HiddenIndex::new(unit, hidden))
                .collect();
            let sum = |of: fn(&HiddenIndex) -> u64| indices.iter().map(of).sum::<u64>();
            writeln!(
                out,
                "{pieces:>6} {hidden:>9} {:>6} {:>9} {:>10} {:>15}",
                units.len(),
                sum(|index| index.divisions.len() as u64),
                sum(|index| index.phases() as u64),
                sum(HiddenIndex::positions)
            )?;
        }
    }
    Ok(())
}
