//! `tablebase verify`: checks every file of a directory against the rules.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anqi_tablebase::classes::{Fit, Graph, Material, Twins};
use anqi_tablebase::counts::{CountsError, KeptCounts, UnitCounts};
use anqi_tablebase::probe::{SAMPLES, Verified, library, units_in, verify_unit};
use anqi_tablebase::solve::{
    Distance, Goal, Method, Oracles, Store, UnitCache, compare, human_bytes, parse_bytes,
};
use anyhow::{Context, bail};
use rayon::prelude::*;

use crate::manifest::Manifest;
use crate::options;

/// Options of `tablebase verify`.
#[derive(clap::Args)]
pub struct Args {
    /// Directory of the tables
    #[arg(required_unless_present = "distilled")]
    dir: Option<PathBuf>,
    /// Compare a file of `distil` instead, with units that are solved again: every stored value,
    /// and the probes of some positions
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dir", "oracle", "manifest", "memory", "unit", "record"])]
    distilled: Option<PathBuf>,
    /// With --distilled: probe one position in this many [default: 1000]; 1 probes all, which takes
    /// long for five pieces. Of tables with face-down pieces: derive one position in this many again
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// Also solve every class of up to four pieces position by position, with separate code, and
    /// compare every value and distance (some minutes)
    #[arg(long)]
    oracle: bool,
    /// Also compare the files with the hashes of this manifest, byte for byte; the one of all tables
    /// up to six pieces is tablebase/manifest.txt
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Only these units, such as KGgp; the tables they depend on must be there too
    #[arg(long, value_name = "KEY,…", value_delimiter = ',')]
    unit: Vec<Material>,
    /// Random positions of each unit that are valued by the moves of the rules and the files'
    /// values of what follows
    #[arg(long, value_name = "N", default_value_t = SAMPLES)]
    samples: u64,
    /// Add what is counted on the way to this file, for `lab findings` and `lab lattice`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Most memory for the cache of solved units, such as 2G
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
}

/// Verifies.
pub fn run(args: &Args) -> anyhow::Result<()> {
    match (&args.distilled, &args.dir) {
        (Some(file), _) => crate::distil::verify(file, args.every.unwrap_or(1000)),
        (None, Some(dir)) => verify_folder(args, dir),
        (None, None) => bail!("name a directory of tables, or a file with --distilled"),
    }
}

/// Verifies the files of a directory, those with face-down pieces first.
fn verify_folder(args: &Args, dir: &Path) -> anyhow::Result<()> {
    let face_down = if args.unit.is_empty() {
        crate::face_down::verify_all(dir, args.every.unwrap_or(1))?
    } else {
        false
    };
    if face_down && units_in(dir)?.is_empty() {
        Ok(())
    } else {
        verify_files(args, dir)
    }
}

/// Verifies the files without face-down pieces.
#[expect(
    clippy::too_many_lines,
    reason = "one loop over the units with the output for each"
)]
fn verify_files(args: &Args, dir: &Path) -> anyhow::Result<()> {
    let mut units = units_in(dir)?;
    for set in &args.unit {
        if !units.iter().any(|(unit, _)| unit.key == *set) {
            bail!("--unit {set}: {} has no table of it", dir.display());
        }
    }
    if !args.unit.is_empty() {
        units.retain(|(unit, _)| args.unit.contains(&unit.key));
    }
    if units.is_empty() {
        bail!(
            "{}: no table files here (expected names like KGgp.wdl)",
            dir.display()
        );
    }
    let manifest = args.manifest.as_deref().map(Manifest::read).transpose()?;
    let record = KeptCounts::open(args.record.as_deref()).context("--record")?;
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
    let library = library(dir)?;
    let shown = std::io::stderr().is_terminal();
    let mut all = Verified::default();
    let mut failures = 0;
    for (done, batch) in units.chunks(16).enumerate() {
        let results: Vec<_> = batch
            .par_iter()
            .map(|(unit, files)| {
                let mut kept = Ok(());
                let verified = verify_unit(
                    unit,
                    files,
                    &cache,
                    &library,
                    args.samples,
                    |solved, totals| {
                        if args.record.is_some() && solved.dtc.is_some() {
                            kept = UnitCounts::of(solved, totals)
                                .map_err(CountsError::from)
                                .and_then(|counts| record.keep(unit, &counts));
                        }
                    },
                )?;
                kept?;
                anyhow::Ok(verified)
            })
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
                    eprintln!("{}{error:#}", if shown { "\r" } else { "" });
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
    if let Some(manifest) = manifest {
        let files: Vec<PathBuf> = units.into_iter().flat_map(|(_, files)| files).collect();
        let named = manifest.compare(&files)?;
        println!(
            "{named} of {} files have the hashes of the manifest",
            files.len()
        );
    }
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
                let unit = Fit::of(set).unit;
                let solved = store.get(unit).context("the unit was not solved")?;
                positions += compare(&oracles.solve(set), solved, count)
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
