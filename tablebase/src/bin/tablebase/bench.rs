//! `tablebase bench`: how fast this machine solves and probes.

use std::path::PathBuf;
use std::time::Instant;

use anqi_rules::{Color, Content, Position, Rules, Setup, Square};
use anqi_tablebase::classes::{Fit, Material};
use anqi_tablebase::numbering::{Block, DenseIndex, usual_order};
use anqi_tablebase::probe::{Endgames, Tables};
use anqi_tablebase::solve::{Distance, Goal, Method, Oracles, Store, first_fault, solve};

use crate::random::Random;

/// Options of `tablebase bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Sets to solve
    #[arg(default_values = ["KCPgp", "GGppm", "KCPgpm"])]
    sets: Vec<Material>,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Directory of files to probe at random positions of the most pieces there
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The set that the two slow solvers solve for comparison
    #[arg(long, default_value = "KCgp")]
    slow: Material,
    /// Only probe
    #[arg(long)]
    probe_only: bool,
}

/// Processor seconds that this process has used in user mode, if the system reports them.
fn user_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let ticks: f64 = after_name.split_whitespace().nth(11)?.parse().ok()?;
    Some(ticks / 100.0)
}

struct Timer {
    wall: Instant,
    user: Option<f64>,
}

impl Timer {
    fn start() -> Timer {
        Timer {
            wall: Instant::now(),
            user: user_seconds(),
        }
    }

    fn report(&self, what: &str, count: f64, unit: &str) {
        let wall = self.wall.elapsed().as_secs_f64();
        let user = user_seconds()
            .zip(self.user)
            .map_or(wall, |(now, then)| now - then);
        let rate = |seconds: f64| count / seconds.max(1e-9) / 1e6;
        println!(
            "{what}: {wall:.3} s wall, {user:.2} s user, {:.2} M {unit}/s wall, {:.2} user",
            rate(wall),
            rate(user)
        );
    }
}

/// Measures.
pub fn run(args: &Args) -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.into())
        .build_global()?;
    if !args.probe_only {
        streaming_bound();
        let timer = Timer::start();
        let store = Store::solve(4, Goal::Distances)?;
        let positions: u64 = store.iter().map(|s| positions(s.layout.unit)).sum();
        timer.report(
            "all units of 2 to 4 pieces, distances",
            positions as f64,
            "positions",
        );
        drop(store);
        slow_solvers(&args.slow);
        for set in &args.sets {
            solving(set)?;
        }
    }
    probing(args)
}

/// Positions of a unit with mirrors folded, both sides to move.
fn positions(unit: &anqi_tablebase::classes::Unit) -> u64 {
    2 * DenseIndex::new(unit, usual_order(unit)).len()
}

/// Measures the speed of memory: three planes read, one written.
fn streaming_bound() {
    let blocks = 1 << 18;
    let planes = [
        vec![Block::EMPTY; blocks],
        vec![Block([!0; 32]); blocks],
        vec![Block([5; 32]); blocks],
    ];
    let mut out = vec![Block::EMPTY; blocks];
    let timer = Timer::start();
    let rounds = 10;
    for _ in 0..rounds {
        for (i, out) in out.iter_mut().enumerate() {
            *out = planes[0][i].and_not(&planes[1][i]);
            out.add(&planes[2][i]);
        }
        std::hint::black_box(&mut out);
    }
    timer.report(
        "streaming bound, one pass",
        (rounds * blocks * 1024) as f64,
        "bits",
    );
}

fn slow_solvers(set: &Material) {
    for (name, method) in [
        ("naive forward", Method::Forward),
        ("by position", Method::Backward),
    ] {
        let mut oracles = Oracles::new(method, Distance::ToCapture);
        for (piece, _) in set.kinds() {
            let rest = set.without(piece);
            if Color::ALL.iter().all(|&color| rest.side(color) > 0) {
                oracles.solve(&rest);
            }
        }
        let timer = Timer::start();
        let oracle = oracles.solve(set);
        let all = 2
            * (0..oracle.len())
                .filter(|&i| oracle.get(Color::Red, i).is_some())
                .count();
        timer.report(
            &format!("{set} {name}, mirrors not folded"),
            all as f64,
            "positions",
        );
    }
}

fn solving(set: &Material) -> anyhow::Result<()> {
    let unit = Fit::of(set).unit;
    let mut store = Store::solve_unit(unit, Goal::Values)?;
    store.forget_captures();
    let children = store.children(unit);
    // Twins fold a set's positions further; a unit's rate counts what is left.
    let folded = positions(unit) as f64;
    let apart = set.placements() as f64 / unit.placements() as f64;
    println!(
        "{set} is unit {unit}: {folded} positions for {} of the set",
        folded * apart
    );
    for (name, goal) in [("values", Goal::Values), ("distances", Goal::Distances)] {
        let timer = Timer::start();
        let solved = solve(unit, &children, goal)?;
        timer.report(
            &format!("{set} {name}, {} plies", solved.longest),
            folded,
            "positions",
        );
        if goal == Goal::Values {
            let timer = Timer::start();
            anyhow::ensure!(first_fault(&solved, &children).is_none(), "{set}: wrong");
            timer.report(
                &format!("{set} every bit derived again"),
                folded,
                "positions",
            );
        }
    }
    Ok(())
}

fn random_positions(pieces: usize, count: usize) -> Vec<Position> {
    let sets = Material::all(pieces);
    let mut random = Random(pieces as u64);
    let mut positions = Vec::with_capacity(count);
    let mut squares: Vec<Square> = Square::all().collect();
    while positions.len() < count {
        let mut setup = Setup {
            board: [Content::Empty; 32],
            ..Setup::default()
        };
        let set = sets[random.below(sets.len())];
        let kinds = set
            .kinds()
            .flat_map(|(piece, n)| std::iter::repeat_n(piece, n));
        for (i, piece) in kinds.enumerate() {
            let other = i + random.below(32 - i);
            squares.swap(i, other);
            setup.board[squares[i].index()] = Content::FaceUp(piece);
        }
        setup.turn = Some(Color::ALL[random.below(2)]);
        positions.extend(setup.position().ok());
    }
    positions
}

fn probing(args: &Args) -> anyhow::Result<()> {
    let timer = Timer::start();
    let small = Tables::built_in(Rules::OLYMPIAD);
    timer.report(
        "opening the built-in tables",
        f64::from(small.pieces_in_memory()),
        "pieces",
    );
    let tables = Tables::solved(4, Rules::OLYMPIAD)?;
    for threads in [1, 2] {
        probe(
            &tables,
            &random_positions(4, 1 << 14),
            200,
            threads,
            "4 pieces in memory",
        );
    }
    let Some(dir) = &args.dir else { return Ok(()) };
    for threads in [1, 2] {
        let tables = Tables::open(
            dir,
            4,
            Rules {
                quiet_limit: None,
                ..Rules::PAPER
            },
        )?;
        let pieces = tables.pieces() as usize;
        // Open every file before the clock runs.
        probe(
            &tables,
            &random_positions(pieces, 1 << 15),
            1,
            1,
            "from files, first time",
        );
        let positions = random_positions(pieces, 1 << 18);
        probe(
            &tables,
            &positions,
            1,
            threads,
            &format!("{pieces} pieces from files"),
        );
        if let Some(damage) = tables.damage() {
            anyhow::bail!("{damage}");
        }
    }
    Ok(())
}

/// Probes all positions `rounds` times, divided among threads.
fn probe(tables: &Tables, positions: &[Position], rounds: usize, threads: usize, what: &str) {
    let timer = Timer::start();
    let known: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = positions
            .chunks(positions.len().div_ceil(threads))
            .map(|part| {
                scope.spawn(move || {
                    (0..rounds)
                        .map(|_| part.iter().filter(|p| tables.wdl(p).is_some()).count())
                        .sum::<usize>()
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or(0))
            .sum()
    });
    let total = (positions.len() * rounds) as f64;
    timer.report(
        &format!("probing {what}, {threads} threads, {known} known"),
        total,
        "probes",
    );
}
