//! `lab induction`: how many positions of an ending must be stored for a search with a goal.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anqi_rules::{Position, Rules, random};
use anqi_tablebase::Tables;
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::distil::Pocket;
use anqi_tablebase::induction::{Critical, Ending, GoalSearch, Number};
use anqi_tablebase::solve::Wdl;
use anyhow::{Context, ensure};

/// Options of `lab induction`.
#[derive(clap::Args)]
pub struct Options {
    /// The material sets, such as GCkc; each is solved in memory
    #[arg(required = true)]
    sets: Vec<Material>,
    /// Depths of the search, in plies
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [2, 4], value_parser = clap::value_parser!(u8).range(0..=12))]
    depths: Vec<u8>,
    /// Shares of right answers, in per cent
    #[arg(long, value_name = "P", value_delimiter = ',', default_values_t = [90.0, 97.0, 100.0])]
    shares: Vec<f64>,
    /// Compare the bytes of this file of `tablebase distil`
    #[arg(long, value_name = "FILE")]
    distilled: Option<PathBuf>,
    /// Search so many positions of each set by NegaScout and compare the answers
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u32,
}

/// Prints a row for each set and depth.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let pocket = options.distilled.as_deref().map(open).transpose()?;
    let mut out = io::stdout().lock();
    write!(out, "set      positions  depth  by search")?;
    for share in &options.shares {
        write!(out, "  {:>16}", format!("stored for {share} %"))?;
    }
    writeln!(
        out,
        "  won, drawn, lost of the last      bytes  distilled  seconds"
    )?;
    for set in &options.sets {
        let ending = Ending::new(set)?;
        let distilled = pocket.as_ref().and_then(|pocket| bytes_of(pocket, set));
        for &depth in &options.depths {
            let start = Instant::now();
            let critical = Critical::of(&ending, depth);
            let seconds = start.elapsed().as_secs_f64();
            row(options, &ending, &critical, &mut out)?;
            let distilled = distilled.map_or_else(|| "-".to_owned(), |n| n.to_string());
            writeln!(out, "  {distilled:>9}  {seconds:>7.1}")?;
            if options.check > 0 {
                let nodes = check(&ending, &critical, options.check)?;
                let count = options.check;
                writeln!(
                    out,
                    "  {count} positions searched by NegaScout, {nodes:.0} nodes each: the same answers"
                )?;
            }
            out.flush()?;
        }
    }
    Ok(())
}

fn row(
    options: &Options,
    ending: &Ending,
    critical: &Critical,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let all = critical.positions as f64;
    let percent = |part: f64| 100.0 * part / all;
    write!(
        out,
        "{:<8} {:>9}  {:>5}  {:>7.3} %",
        ending.set().to_string(),
        critical.positions,
        critical.depth,
        percent(critical.answered as f64)
    )?;
    let mut last = 0;
    for share in &options.shares {
        last = critical.size(share / 100.0);
        let text = format!("{last} ({:.3} %)", percent(last as f64));
        write!(out, "  {text:>16}")?;
    }
    let mut kinds = [0; 3];
    for number in critical.first(last) {
        kinds[ending.value(number) as usize] += 1;
    }
    let [lost, drawn, won] = kinds;
    let text = format!("{won} {drawn} {lost}");
    write!(out, "  {text:>27}  {:>9}", critical.least_bytes(last))?;
    Ok(())
}

/// Searches positions with all critical ones stored and then with none, and compares; returns the nodes of a search.
fn check(ending: &Ending, critical: &Critical, count: u32) -> anyhow::Result<f64> {
    let tables = Tables::of_unit(Fit::of(ending.set()).unit, Rules::UNLIMITED, false)?;
    let mut state = 1;
    let mut nodes = 0;
    for size in [critical.size(1.0), 0] {
        let stored: HashSet<Number> = critical.first(size).collect();
        let known = |position: &Position| -> Option<Wdl> {
            let number = ending.find(position)?;
            stored.contains(&number).then(|| ending.value(number))
        };
        let search = GoalSearch::new(&tables, &known);
        let mut right = 0;
        for _ in 0..count {
            let number = random::below(ending.len().into(), || random::split_mix(&mut state));
            let position = ending.position(number as Number);
            let answer = search.answer(&position, critical.depth);
            let value = ending.value(number as Number);
            ensure!(
                answer.is_none_or(|answer| answer == value),
                "{position}: the search says {answer:?}, the tables {value:?}"
            );
            right += u32::from(answer.is_some());
        }
        let share = critical.right(size) as f64 / critical.positions as f64;
        let spread = (f64::from(count) * share * (1.0 - share)).sqrt();
        let expected = f64::from(count) * share;
        ensure!(
            (f64::from(right) - expected).abs() <= 4.0 * spread + 1e-6,
            "{}: {right} of {count} positions are answered, expected {expected:.1}",
            ending.set()
        );
        nodes += search.nodes();
    }
    Ok(nodes as f64 / f64::from(2 * count))
}

fn open(file: &Path) -> anyhow::Result<Pocket> {
    let bytes = std::fs::read(file).with_context(|| format!("--distilled {}", file.display()))?;
    Pocket::new(bytes).with_context(|| format!("--distilled {}", file.display()))
}

/// The bytes of a set's unit in a distilled file, without the prior that all units share.
fn bytes_of(pocket: &Pocket, set: &Material) -> Option<u32> {
    let unit = Fit::of(set).unit;
    let starts = &pocket.entry(unit.pieces(), unit.number).starts;
    Some(starts.last()? - starts.first()?)
}
