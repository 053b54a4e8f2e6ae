//! `tablebase build`: the units of a number of pieces, layer by layer.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anqi_tablebase::classes::{Fit, MAX_PIECES, Material, Unit, Units};
use anqi_tablebase::facedown::MOST_PIECES;
use anqi_tablebase::file::{
    BuildScope, Built, FRAME, LEVEL, Metric, Order, Packing, build_unit, goal_for, is_frame_len,
    lock,
};
use anqi_tablebase::numbering::{DenseIndex, usual_order};
use anqi_tablebase::solve::{Goal, Scheme, UnitCache, human_bytes, need, parse_bytes};
use anyhow::{Context, bail};
use rayon::prelude::*;

use crate::{face_down, options};

/// Options of `tablebase build`.
///
/// Files that are there are kept if every byte of them is sound. One build of --pieces, or any
/// number of builds of different --unit, can run in a folder at a time.
#[derive(clap::Args)]
pub struct Args {
    /// Build all units of up to this many pieces
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=8), required_unless_present = "unit")]
    pieces: Option<u8>,
    /// Build only these units, in this order; the tables they depend on must exist (see `tablebase plan`)
    #[arg(
        long,
        value_name = "KEY,…",
        value_delimiter = ',',
        conflicts_with = "pieces"
    )]
    unit: Vec<Material>,
    /// Build tables of endings with face-down pieces instead, up to five pieces in all (docs/face-down.md);
    /// they need no other tables
    #[arg(long, conflicts_with = "metric")]
    face_down: bool,
    /// With --face-down: at most this many pieces face down [default: all but one]
    #[arg(long, value_name = "N", requires = "face_down", value_parser = clap::value_parser!(u8).range(1..=4))]
    hidden: Option<u8>,
    /// Directory of the tables; created if missing
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Which files each unit gets: wdl (values), dtc (plies to the next capture), dtw (plies to the end)
    #[arg(long, value_delimiter = ',', default_value = "wdl,dtc", value_parser = options::metric)]
    metric: Vec<Metric>,
    /// zstd's level: files of 12 are 5 % smaller and take twice as long to build, those of 16 8 % and
    /// four times; the manifest in the repository is of level 6 [default: 6]
    #[arg(long, value_name = "N", conflicts_with = "face_down", value_parser = clap::value_parser!(i32).range(1..=22), default_value_t = LEVEL, hide_default_value = true)]
    level: i32,
    /// Positions in a frame, which is read as a whole, a power of two from 512 to 65536: shorter frames
    /// make random probes faster and files larger; the manifest in the repository is of 16384 [default: 16384]
    #[arg(long, value_name = "N", conflicts_with = "face_down", value_parser = frame, default_value_t = FRAME, hide_default_value = true)]
    frame: usize,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Most memory to use, such as 2G [default: half of the machine's]; needs are computed before
    /// anything is allocated
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// No progress on standard error
    #[arg(long, short)]
    quiet: bool,
}

/// Builds.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(jobs) = args.jobs {
        rayon::ThreadPoolBuilder::new()
            .num_threads(jobs.into())
            .build_global()?;
    }
    if args.face_down {
        return face_down(args);
    }
    let scope = if args.unit.is_empty() {
        BuildScope::Whole
    } else {
        BuildScope::Unit
    };
    let _lock = lock(&args.dir, scope).context("--dir")?;
    let mut metrics = args.metric.clone();
    // Larger units record the value tables they were made from, so these are always built.
    metrics.push(Metric::Wdl);
    metrics.sort_unstable();
    metrics.dedup();
    let memory = args.memory.unwrap_or_else(options::usual_memory);
    let order = Order {
        dir: args.dir.clone(),
        metrics,
        packing: Packing {
            level: args.level,
            frame: args.frame,
        },
        memory,
    };
    match args.unit.as_slice() {
        [] => layers(usize::from(args.pieces.unwrap_or(2)), &order, args.quiet),
        sets => some(sets, &order, args.quiet),
    }
}

/// Reads the number of positions in a frame.
fn frame(text: &str) -> Result<usize, String> {
    let positions = text.parse().ok().filter(|&n| is_frame_len(n));
    positions.ok_or_else(|| "not a power of two from 512 to 65536".to_owned())
}

/// Builds tables with face-down pieces.
fn face_down(args: &Args) -> anyhow::Result<()> {
    let units: Vec<&'static Unit> = match args.unit.as_slice() {
        [] => {
            let most = usize::from(args.pieces.unwrap_or(2));
            (2..=most.min(MAX_PIECES))
                .flat_map(|n| Units::of(n).list())
                .collect()
        }
        sets => sets.iter().map(named).collect::<anyhow::Result<_>>()?,
    };
    let most = units.iter().map(|unit| unit.pieces()).max().unwrap_or(2);
    if most > MOST_PIECES as usize {
        bail!("--face-down: at most {MOST_PIECES} pieces in all, not {most}");
    }
    face_down::build_all(&face_down::Plan {
        units,
        hidden: args.hidden.map_or(most, usize::from),
        dir: &args.dir,
        memory: args.memory.unwrap_or_else(options::usual_memory),
        quiet: args.quiet,
    })
}

fn goal(order: &Order) -> Goal {
    goal_for(&order.metrics)
}

/// Builds some units; all names are looked up before any work.
fn some(sets: &[Material], order: &Order, quiet: bool) -> anyhow::Result<()> {
    let units: Vec<&'static Unit> = sets.iter().map(named).collect::<anyhow::Result<_>>()?;
    let pieces = units.iter().map(|unit| unit.pieces()).max().unwrap_or(2);
    let room = room_beside(&units, goal(order), order.memory);
    let cache = UnitCache::new(pieces, room, goal(order))?;
    units
        .into_iter()
        .try_for_each(|unit| one(unit, order, &cache, quiet))
}

/// The memory that the cache of solved units may take beside the largest of these units.
fn room_beside(units: &[&'static Unit], goal: Goal, memory: u64) -> u64 {
    let needs = units.iter().map(|unit| need(unit, goal).in_memory);
    // What does not fit streams, in far less.
    let most = needs.filter(|&need| need <= memory).max().unwrap_or(0);
    (memory / 4).min(memory - most)
}

fn named(set: &Material) -> anyhow::Result<&'static Unit> {
    let unit = Fit::of(set).unit;
    if unit.key != *set {
        bail!("--unit {set}: this set belongs to the unit {unit}; use --unit {unit}");
    }
    Ok(unit)
}

fn one(unit: &'static Unit, order: &Order, cache: &UnitCache, quiet: bool) -> anyhow::Result<()> {
    let need = need(unit, goal(order));
    if !quiet {
        eprintln!(
            "{unit}: needs {} in memory, {} when streaming; {} allowed",
            human_bytes(need.in_memory),
            human_bytes(need.streaming),
            human_bytes(order.memory)
        );
    }
    let built = build_unit(unit, order, cache)?;
    tell_repairs(&built);
    if !quiet {
        eprintln!("{}", said(&built));
    }
    Ok(())
}

/// Names damaged files, even with `--quiet`.
fn tell_repairs(built: &Built) {
    for damage in &built.repaired {
        eprintln!("{damage}; written again");
    }
}

fn said(built: &Built) -> String {
    let what = match (built.kept, built.scheme) {
        (true, _) => "was there already",
        (_, Scheme::InMemory) => "solved in memory",
        (_, Scheme::Streaming) => "solved by streaming",
    };
    format!(
        "{}: {what}, {} positions, {} on disk",
        built.unit,
        built.positions,
        human_bytes(built.bytes)
    )
}

fn layers(pieces: usize, order: &Order, quiet: bool) -> anyhow::Result<()> {
    let all: Vec<&'static Unit> = (2..=pieces).flat_map(|n| Units::of(n).list()).collect();
    let progress = Progress::new(&all, quiet);
    let goal = goal(order);
    if !quiet {
        let most = all
            .iter()
            .map(|unit| need(unit, goal).in_memory)
            .max()
            .unwrap_or(0);
        eprintln!(
            "{} units of 2 to {pieces} pieces, {} positions; the largest needs {}, {} allowed",
            all.len(),
            progress.total,
            human_bytes(most),
            human_bytes(order.memory)
        );
    }
    let cache = UnitCache::new(pieces, room_beside(&all, goal, order.memory), goal)?;
    for count in 2..=pieces {
        let units = Units::of(count).list();
        let largest = units
            .iter()
            .map(|unit| need(unit, goal).in_memory)
            .max()
            .unwrap_or(1);
        // Small units are solved several at a time; a large one uses all threads.
        let at_once = (order.memory / 2 / largest.max(1)).clamp(1, 64) as usize;
        for batch in units.chunks(at_once) {
            let built: Vec<_> = batch
                .par_iter()
                .map(|unit| {
                    let built = build_unit(unit, order, &cache);
                    if let Ok(built) = &built {
                        progress.done(built);
                    }
                    built
                })
                .collect();
            for built in built {
                built?;
            }
        }
    }
    progress.finish();
    Ok(())
}

/// Progress, shown on a terminal.
struct Progress {
    units: usize,
    total: u64,
    shown: bool,
    quiet: bool,
    start: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    units: usize,
    kept: usize,
    positions: u64,
    solved: u64,
    bytes: u64,
    last: Option<Instant>,
}

impl Progress {
    fn new(units: &[&'static Unit], quiet: bool) -> Progress {
        let total = units
            .iter()
            .map(|unit| 2 * DenseIndex::new(unit, usual_order(unit)).len())
            .sum();
        Progress {
            units: units.len(),
            total,
            shown: !quiet && std::io::stderr().is_terminal(),
            quiet,
            start: Instant::now(),
            state: Mutex::default(),
        }
    }

    fn done(&self, built: &Built) {
        if self.shown && !built.repaired.is_empty() {
            eprint!("\r\x1b[K");
        }
        tell_repairs(built);
        let mut state = self
            .state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        state.units += 1;
        state.positions += built.positions;
        state.bytes += built.bytes;
        if built.kept {
            state.kept += 1;
        } else {
            state.solved += built.positions;
        }
        let due = state
            .last
            .is_none_or(|last| last.elapsed() > Duration::from_millis(200));
        if self.shown && due {
            state.last = Some(Instant::now());
            self.draw(&state);
        }
    }

    fn draw(&self, state: &State) {
        let done = state.positions as f64 / self.total as f64;
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = state.solved as f64 / seconds;
        let left = (self.total - state.positions) as f64 / rate.max(1.0);
        let bar = "#".repeat((done * 24.0) as usize);
        eprint!(
            "\r[{bar:<24}] {:>3.0}% {}/{} units, {:.1} M positions/s, {left:.0} s left   ",
            done * 100.0,
            state.units,
            self.units,
            rate / 1e6
        );
        // A terminal that is gone does not stop a build.
        let _ = std::io::stderr().flush();
    }

    fn finish(&self) {
        let state = self
            .state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.shown {
            self.draw(&state);
            eprintln!();
        }
        if !self.quiet {
            eprintln!(
                "{} units ({} were there already), {} on disk, {:.1} s",
                state.units,
                state.kept,
                human_bytes(state.bytes),
                self.start.elapsed().as_secs_f64()
            );
        }
    }
}
