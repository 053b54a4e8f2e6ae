//! `tablebase verify`: every file of a directory against the rules.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use anqi_rules::{Color, Piece};
use anqi_tablebase::classes::{Fit, Graph, MAX_GROUPS, Material, Twins};
use anqi_tablebase::probe::{Verified, library, units_in, verify_unit};
use anqi_tablebase::solve::{
    Distance, Goal, Method, Oracle, Oracles, Store, UnitCache, Wdl, human_bytes,
};
use anyhow::{Context, bail};
use rayon::prelude::*;

use crate::options;

/// Options of `tablebase verify`.
#[derive(clap::Args)]
pub struct Args {
    /// Directory of the tables
    dir: PathBuf,
    /// Also solve every class of up to four pieces position by position, with other code, and
    /// compare every value and distance (some minutes)
    #[arg(long)]
    oracle: bool,
    /// Most memory for solved units that are kept, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = options::bytes)]
    memory: Option<u64>,
}

/// Verifies.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let units = units_in(&args.dir)?;
    if units.is_empty() {
        bail!(
            "{}: no table files here (expected names like KGgp.wdl)",
            args.dir.display()
        );
    }
    let start = Instant::now();
    let most = units.last().map_or(2, |(unit, _)| unit.pieces());
    let memory = args.memory.unwrap_or_else(options::usual_memory);
    let ends = units
        .iter()
        .flat_map(|(_, files)| files)
        .any(|path| path.extension().is_some_and(|e| e == "dtw"));
    let cache = UnitCache::new(
        most,
        memory / 4,
        if ends { Goal::ToEnd } else { Goal::Values },
    )?;
    let library = library(&args.dir)?;
    let shown = std::io::stderr().is_terminal();
    let mut all = Verified::default();
    let mut failures = 0;
    for (done, batch) in units.chunks(16).enumerate() {
        let results: Vec<_> = batch
            .par_iter()
            .map(|(unit, files)| verify_unit(unit, files, &cache, &library))
            .collect();
        for result in results {
            match result {
                Ok(one) => {
                    all.files += one.files;
                    all.values += one.values;
                    all.sampled += one.sampled;
                    all.bytes += one.bytes;
                }
                Err(error) => {
                    eprintln!("{}{error}", if shown { "\r" } else { "" });
                    failures += 1;
                }
            }
        }
        if shown {
            eprint!(
                "\r{}/{} units",
                (done * 16 + batch.len()).min(units.len()),
                units.len()
            );
        }
    }
    if shown {
        eprintln!();
    }
    if failures > 0 {
        bail!("{failures} of {} units are not sound", units.len());
    }
    println!(
        "{} files, {}, {} values and {} sampled positions are right ({:.1} s)",
        all.files,
        human_bytes(all.bytes),
        all.values,
        all.sampled,
        start.elapsed().as_secs_f64()
    );
    if args.oracle {
        oracle(most.min(4))?;
    }
    Ok(())
}

/// Compares the block solver with the by-position solver on all classes.
fn oracle(most: usize) -> anyhow::Result<()> {
    let store = Store::solve(most, Goal::ToEnd)?;
    for pieces in 2..=most {
        let mut positions = 0u64;
        let mut seen = std::collections::HashSet::new();
        let mut sets = Material::all(pieces);
        sets.retain(|set| seen.insert(Graph::new(set, Twins::Apart).code));
        for count in [Distance::ToCapture, Distance::ToEnd] {
            let mut oracles = Oracles::new(Method::Backward, count);
            for set in &sets {
                positions += compare(&store, &oracles.solve(set), count)
                    .with_context(|| format!("{set}: the two solvers differ"))?;
            }
        }
        println!(
            "{pieces} pieces: {} classes agree by position, {positions} comparisons",
            sets.len()
        );
    }
    Ok(())
}

fn compare(store: &Store, oracle: &Oracle, count: Distance) -> anyhow::Result<u64> {
    let fit = Fit::of(&oracle.set);
    let solved = store.get(fit.unit).context("the unit was not solved")?;
    let pieces: Vec<Piece> = oracle.pieces().to_vec();
    let mut compared = 0;
    for index in 0..oracle.len() {
        let mut groups = [0; MAX_GROUPS];
        for (square, piece) in oracle.squares(index).zip(&pieces) {
            groups[usize::from(fit.groups[piece.index()])] |= 1 << square;
        }
        for turn in Color::ALL {
            let Some((value, distance)) = oracle.get(turn, index) else {
                continue;
            };
            let there = if fit.swapped { !turn } else { turn };
            let address = solved.layout.address(&groups);
            let found = match count {
                Distance::ToCapture => solved.dtc(there, address),
                Distance::ToEnd => solved.dtw(there, address),
            };
            let same = solved.wdl(there, address) == value
                && (value == Wdl::Draw || found == Some(distance));
            if !same {
                bail!("placement {index:x}, {turn} to move: {value:?} in {distance} expected");
            }
            compared += 1;
        }
    }
    Ok(compared)
}
