//! Checking the tables of a directory, file by file, in three layers.
//!
//! 1. Every byte: checksums, the hash at the end, and the hashes of the smaller
//!    tables that the header names.
//! 2. Every value: the unit is solved again, its solution re-derived bit by bit, and its
//!    plies to the end number by number, from its successors, and each stored value and
//!    each total compared.
//! 3. An independent check: random positions are valued by the moves that the
//!    rules crate generates and by the files' values of their successors; so are their plies
//!    to the end, if all smaller units have files of these.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anqi_rules::{Color, Position};

use super::in_memory::MemoryUnits;
use super::library::{Answer, Library};
use crate::classes::Unit;
use crate::file::{Metric, TableError, TableFile, compare, goal_for, place, table_name};
use crate::numbering::{Groups, position_of};
use crate::solve::{
    DistanceOverflow, Goal, Solved, Store, Totals, UnitCache, Wdl, first_fault, first_fault_to_end,
    solve, totals,
};

/// Positions of each unit that the third layer samples unless told otherwise.
pub const SAMPLES: u64 = 500;

/// How much was verified.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verified {
    /// Files.
    pub files: usize,
    /// Values compared.
    pub values: u64,
    /// Positions sampled by the third layer.
    pub sampled: u64,
    /// Bytes read.
    pub bytes: u64,
}

/// Returns the units that have files in a directory, the small ones first, with their files.
///
/// # Errors
///
/// Fails if the directory cannot be listed, or a table file in it has no unit's name.
pub fn units_in(dir: &Path) -> Result<Vec<(&'static Unit, Vec<PathBuf>)>, TableError> {
    let mut found: BTreeMap<(usize, usize), (&'static Unit, Vec<PathBuf>)> = BTreeMap::new();
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(TableError::io(dir))? {
        paths.push(entry.map_err(TableError::io(dir))?.path());
    }
    for path in paths {
        let extension = path.extension().and_then(OsStr::to_str);
        if extension.and_then(Metric::from_name).is_none() {
            continue;
        }
        let name = path.file_name().and_then(OsStr::to_str);
        let Some((unit, _)) = name.and_then(table_name) else {
            let what = "no unit has this name".to_owned();
            return Err(TableError::Damaged { path, what });
        };
        let entry = found.entry((unit.pieces(), unit.number));
        entry.or_insert((unit, Vec::new())).1.push(path);
    }
    let mut units: Vec<_> = found.into_values().collect();
    for (_, files) in &mut units {
        files.sort_by_key(|path| {
            let extension = path.extension().and_then(OsStr::to_str);
            extension.and_then(Metric::from_name)
        });
    }
    Ok(units)
}

/// Verifies the files of one unit; the cache must keep plies to the end if there are files of those.
/// The third layer samples `samples` positions. Calls `sound` with the solution and its totals if
/// nothing is wrong.
///
/// # Errors
///
/// Returns the first fault.
pub fn verify_unit(
    unit: &'static Unit,
    files: &[PathBuf],
    cache: &UnitCache,
    library: &Library,
    samples: u64,
    sound: impl FnOnce(&Solved, &Totals),
) -> Result<Verified, TableError> {
    let mut verified = Verified::default();
    let mut tables = Vec::new();
    for path in files {
        let table = TableFile::open(path)?;
        table.file.check_hash()?;
        table.check_links()?;
        verified.bytes += table.file.bytes();
        verified.files += 1;
        tables.push(table);
    }
    let metrics: Vec<Metric> = tables.iter().map(|table| table.header.metric).collect();
    let solved = solved_again(unit, &metrics, cache, &files[0])?;
    let totals = totals(&solved).map_err(TableError::io(&files[0]))?;
    for table in &tables {
        if table.header.unit.key != unit.key {
            return Err(wrong(table, format!("it holds {}", table.header.unit)));
        }
        compare(table, &solved)?;
        compare_totals(table, &totals)?;
        verified.values += table.header.values();
    }
    let distances = if metrics.contains(&Metric::Dtc) {
        Distances::Known
    } else {
        Distances::Unknown
    };
    verified.sampled = sample(&tables[0], &solved, distances, library, samples)?;
    let ends = tables.iter().find(|t| t.header.metric == Metric::Dtw);
    let is_known = || files[0].parent().is_some_and(|dir| has_ends(dir, unit));
    if let Some(ends) = ends.filter(|_| is_known()) {
        sample_ends(ends, &solved, library, samples)?;
    }
    sound(&solved, &totals);
    cache.offer(solved);
    Ok(verified)
}

fn wrong(table: &TableFile, what: String) -> TableError {
    TableError::Wrong {
        path: table.file.path().to_owned(),
        what,
    }
}

fn solved_again(
    unit: &'static Unit,
    metrics: &[Metric],
    cache: &UnitCache,
    path: &Path,
) -> Result<Solved, TableError> {
    let too_long = |error: DistanceOverflow| TableError::Wrong {
        path: path.to_owned(),
        what: error.to_string(),
    };
    let children = cache.children(unit).map_err(too_long)?;
    let solved = solve(unit, &children, goal_for(metrics)).map_err(too_long)?;
    let fault = first_fault(&solved, &children);
    if let Some(block) = fault.or_else(|| first_fault_to_end(&solved, &children)) {
        let what = format!("the solution contradicts itself in block {block}");
        return Err(TableError::Wrong {
            path: path.to_owned(),
            what,
        });
    }
    Ok(solved)
}

fn compare_totals(table: &TableFile, totals: &Totals) -> Result<(), TableError> {
    for (counts, side) in table.header.counts.iter().zip(totals) {
        let sum = match table.header.metric {
            Metric::Wdl => 0,
            Metric::Dtc => side.sum,
            Metric::Dtw => side.sum_to_end,
        };
        if (counts.win, counts.draw, counts.loss, counts.sum)
            != (side.win, side.draw, side.loss, sum)
        {
            return Err(wrong(table, "the totals in its header".to_owned()));
        }
    }
    Ok(())
}

/// Values random positions by one ply of play and compares.
fn sample(
    table: &TableFile,
    solved: &Solved,
    distances: Distances,
    library: &Library,
    samples: u64,
) -> Result<u64, TableError> {
    for (groups, turn, position) in sampled(table, samples) {
        let found = library
            .answer(&position)
            .map_err(|error| unwrap_error(&error, table))?;
        let expected = one_ply(&position, library).map_err(|error| unwrap_error(&error, table))?;
        let here = solved.wdl(turn, solved.layout.address(&groups));
        let same = match (found, expected) {
            (Some(found), Some(expected)) => found.0 == here && agree(found, expected, distances),
            _ => false,
        };
        if !same {
            let what = format!("{position} is {found:?}, but one ply of play says {expected:?}");
            return Err(wrong(table, what));
        }
    }
    Ok(samples)
}

/// Random placements of a unit as positions, the same ones every time.
fn sampled(
    table: &TableFile,
    samples: u64,
) -> impl Iterator<Item = (Groups, Color, Position)> + '_ {
    let index = &table.header.index;
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    (0..samples).map(move |_| {
        // Knuth's linear congruential generator: the positions must only be the same every time.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let groups = index.groups((state >> 16) % index.len());
        let turn = Color::ALL[(state >> 63) as usize];
        let position = position_of(&table.header.unit.key, &groups, turn);
        (groups, turn, position)
    })
}

/// Whether a unit and all smaller ones that its captures lead to have files of plies to the end.
fn has_ends(dir: &Path, unit: &Unit) -> bool {
    let mut children = unit.children().into_iter();
    place(dir, unit, Metric::Dtw).exists() && children.all(|child| has_ends(dir, child))
}

/// Compares plies to the end of random positions with those of their successors.
fn sample_ends(
    table: &TableFile,
    solved: &Solved,
    library: &Library,
    samples: u64,
) -> Result<(), TableError> {
    for (groups, turn, position) in sampled(table, samples) {
        let found = library.plies_to_end(&position);
        let found = found.map_err(|error| unwrap_error(&error, table))?;
        let expected = ends_by_one_ply(&position, library);
        let expected = expected.map_err(|error| unwrap_error(&error, table))?;
        let here = solved.dtw(turn, solved.layout.address(&groups));
        if found != expected || found != here {
            let what = format!(
                "{position} ends in {found:?} plies, but one ply of play says {expected:?} and the solution {here:?}"
            );
            return Err(wrong(table, what));
        }
    }
    Ok(())
}

/// The plies to the end of a position from those of its successors; `None` for draws.
fn ends_by_one_ply(position: &Position, library: &Library) -> Result<Option<u16>, Arc<TableError>> {
    let (mut quickest, mut slowest, mut all_lose) = (None, 0, true);
    for action in position.actions() {
        let mut next = *position;
        let _ = next.step_unchecked(action);
        let value = library.wdl(&next)?;
        let plies = library.plies_to_end(&next)?.map_or(0, |plies| plies + 1);
        match value {
            Some(Wdl::Loss) => {
                quickest = Some(quickest.map_or(plies, |least: u16| least.min(plies)));
            }
            Some(Wdl::Win) => slowest = slowest.max(plies),
            _ => all_lose = false,
        }
    }
    Ok(quickest.or(all_lose.then_some(slowest)))
}

/// Whether the distances of a unit's positions can be probed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distances {
    /// All of them: the unit has a file of them.
    Known,
    /// Some: those that a capture decides.
    Unknown,
}

/// Whether two answers agree as far as both can know the distance.
fn agree(found: Answer, expected: Answer, distances: Distances) -> bool {
    let same_distance = match distances {
        Distances::Known => found.1 == expected.1 && (found.0 == Wdl::Draw || found.1.is_some()),
        Distances::Unknown => found.1.is_none() || expected.1.is_none() || found.1 == expected.1,
    };
    found.0 == expected.0 && same_distance
}

fn unwrap_error(error: &Arc<TableError>, table: &TableFile) -> TableError {
    wrong(table, error.to_string())
}

/// Value and distance of a position from those of its successors; `None` if something is unknown.
///
/// A win takes one ply more than the quickest loss it can lead to, a loss one more than the
/// slowest win; captures count one. If a distance that matters is unknown, so is the answer's.
fn one_ply(position: &Position, library: &Library) -> Result<Option<Answer>, Arc<TableError>> {
    let mut best = Wdl::Loss;
    let mut distances = Vec::new();
    for action in position.actions() {
        let mut next = *position;
        let undo = next.step_unchecked(action);
        let Some((value, distance)) = library.answer(&next)? else {
            return Ok(None);
        };
        let wdl = value.reversed();
        if wdl > best {
            best = wdl;
            distances.clear();
        }
        if wdl == best {
            let captures = undo.captured().is_some();
            distances.push(if captures { Some(0) } else { distance });
        }
    }
    let plies = match best {
        Wdl::Draw => None,
        // Nothing is quicker than a capture.
        Wdl::Win if distances.contains(&Some(0)) => Some(1),
        Wdl::Win => all(distances).and_then(|plies| plies.min().map(|d| d + 1)),
        Wdl::Loss => all(distances).map(|plies| plies.max().map_or(0, |d| d + 1)),
    };
    Ok(Some((best, plies)))
}

/// The distances, if all are known.
fn all(distances: Vec<Option<u16>>) -> Option<impl Iterator<Item = u16>> {
    let known: Option<Vec<u16>> = distances.into_iter().collect();
    known.map(Vec::into_iter)
}

/// Opens what [`verify_unit`] probes: small units solved, everything larger from the files.
///
/// # Errors
///
/// Fails if the directory cannot be listed.
pub fn library(dir: &Path) -> Result<Library, TableError> {
    let mut store = Store::solve(2, Goal::Distances).expect("distances of two pieces are small");
    store.forget_captures();
    Library::open(dir, Arc::new(MemoryUnits::new(&store, 2)))
}
