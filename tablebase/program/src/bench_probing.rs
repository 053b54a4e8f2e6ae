//! The part of `tablebase bench` that probes: memory, and files at random and as a search does.

use std::path::Path;

use anqi_rules::{Color, Content, Position, Rules, Setup, Square};
use anqi_tablebase::Wdl;
use anqi_tablebase::classes::Material;
use anqi_tablebase::probe::{Endgames, Tables};

use crate::random::Random;
use crate::timer::Timer;

/// Positions that are probed before the clock runs, so that every file is open.
const FIRST: usize = 1 << 15;
/// Positions of a measurement of values.
const VALUES: usize = 1 << 18;
/// Positions of a measurement of distances.
const DISTANCES: usize = 1 << 15;
/// Plies of a random game.
const PLIES: usize = 24;
/// How a folder is opened: four pieces in memory.
const IN_MEMORY: usize = 4;

/// Measures probes of memory.
pub fn in_memory() -> anyhow::Result<()> {
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
            &random_positions(4, 1 << 14, 4),
            200,
            threads,
            "4 pieces in memory",
        );
    }
    Ok(())
}

/// A folder, and the most bytes of its decoded frames to keep.
#[derive(Clone, Copy)]
struct Files<'a> {
    dir: &'a Path,
    cache: usize,
}

/// Measures all ways of probing a folder with a cache of this many bytes.
pub fn from_files(dir: &Path, cache: usize) -> anyhow::Result<()> {
    let timer = Timer::start();
    let pieces = Tables::open(dir, 2, Rules::UNLIMITED)?.pieces() as usize;
    timer.report("opening the folder", pieces as f64, "pieces");
    let random = random_positions(pieces, VALUES, 1);
    let games = along_games(pieces, VALUES);
    let files = Files { dir, cache };
    for threads in [1, 2] {
        let what = format!("{pieces} pieces from files");
        values(files, Rules::UNLIMITED, &random, threads, &what)?;
    }
    let what = "moves of random games, from files";
    values(files, Rules::UNLIMITED, &games, 1, what)?;
    let what = "moves of random games, drawn after 180 plies";
    values(files, Rules::OLYMPIAD, &games, 1, what)?;
    distances(files, &random[..DISTANCES], "random positions")?;
    distances(files, &games[..DISTANCES], "moves of random games")
}

/// Opens the folder and every file that positions of the most pieces need.
fn open(files: Files, rules: Rules, probe: impl Fn(&Tables, &Position)) -> anyhow::Result<Tables> {
    let tables = Tables::open(files.dir, IN_MEMORY, rules)?.with_cache(files.cache);
    for position in random_positions(tables.pieces() as usize, FIRST, 2) {
        probe(&tables, &position);
    }
    Ok(tables)
}

/// Positions in the order of a search: all moves of each position of random games.
fn along_games(pieces: usize, count: usize) -> Vec<Position> {
    let mut random = Random(3);
    let mut positions = Vec::with_capacity(count + 64);
    let starts = random_positions(pieces, count / PLIES, 3);
    for mut position in starts.into_iter().cycle() {
        for _ in 0..PLIES {
            let actions = position.actions();
            let quiet = actions.iter().map(|&action| {
                let mut next = position;
                let _ = next.step_unchecked(action);
                next
            });
            let next: Vec<Position> = quiet.filter(|p| p.occupied().len() == pieces).collect();
            if next.is_empty() {
                break;
            }
            positions.extend(&next);
            position = next[random.below(next.len())];
        }
        if positions.len() >= count {
            break;
        }
    }
    positions.truncate(count);
    positions
}

fn values(
    files: Files,
    rules: Rules,
    positions: &[Position],
    threads: usize,
    what: &str,
) -> anyhow::Result<()> {
    let tables = open(files, rules, |tables, position| {
        std::hint::black_box(tables.wdl(position));
    })?;
    for frames in ["frames not yet cached", "once more"] {
        probe(&tables, positions, 1, threads, &format!("{what}, {frames}"));
    }
    sound(&tables)
}

/// Measures distances, those of positions that no capture wins apart: each needs all its moves.
fn distances(files: Files, positions: &[Position], what: &str) -> anyhow::Result<()> {
    let tables = open(files, Rules::UNLIMITED, |tables, position| {
        std::hint::black_box(tables.known(position));
    })?;
    let (won, others): (Vec<Position>, Vec<Position>) = positions.iter().partition(|position| {
        let known = tables.known(position);
        known.is_some_and(|known| known.wdl == Wdl::Win && known.dtc != Some(1))
    });
    // With nothing cached of the positions themselves.
    let tables = open(files, Rules::UNLIMITED, |tables, position| {
        std::hint::black_box(tables.known(position));
    })?;
    for (list, kind) in [
        (won, "wins without a capture that wins"),
        (others, "others"),
    ] {
        for frames in ["frames not yet cached", "once more"] {
            let timer = Timer::start();
            for position in &list {
                std::hint::black_box(tables.known(position));
            }
            let count = list.len() as f64;
            let what = format!("distances of {count} {what}, {kind}, {frames}");
            timer.report(&what, count, "probes");
        }
    }
    sound(&tables)
}

fn sound(tables: &Tables) -> anyhow::Result<()> {
    match tables.damage() {
        Some(damage) => anyhow::bail!("{damage}"),
        None => Ok(()),
    }
}

/// Returns positions of random sets of this many pieces, the same for the same seed.
fn random_positions(pieces: usize, count: usize, seed: u64) -> Vec<Position> {
    let sets = Material::all(pieces);
    let mut random = Random(seed);
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
