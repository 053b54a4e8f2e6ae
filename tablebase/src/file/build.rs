//! Building tables: which units in which order, and one unit's files.
//!
//! A unit needs only the values of the units one piece smaller, so the units
//! form layers. A unit whose files are all there and sound is left alone: an
//! interrupted or killed build resumes where it was. Each file is written to a temporary
//! file, checked against its hash, and only then renamed.

use std::io;
use std::path::{Path, PathBuf};

use super::codec::Packing;
use super::error::{BuildError, TableError};
use super::folder::place;
use super::metric::Metric;
use super::reader::TableFile;
use super::solution::write_all;
use crate::classes::Unit;
use crate::numbering::{DenseIndex, usual_order};
use crate::solve::{DiskError, Goal, Scheme, UnitCache, need, solve, solve_on_disk};

/// What to build, and where.
#[derive(Clone, Debug)]
pub struct Order {
    /// The directory of the tables.
    pub dir: PathBuf,
    /// Which files each unit gets, values first.
    pub metrics: Vec<Metric>,
    /// How the files are packed.
    pub packing: Packing,
    /// Bytes of memory allowed for one unit.
    pub memory: u64,
}

/// The result of building a unit.
#[derive(Debug)]
pub struct Built {
    /// The unit.
    pub unit: &'static Unit,
    /// Whether its files were there already.
    pub kept: bool,
    /// The faults of existing files that were written again.
    pub repaired: Vec<TableError>,
    /// Positions solved, both sides to move.
    pub positions: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// How it was solved.
    pub scheme: Scheme,
}

/// Builds one unit's files, unless they are there and sound.
///
/// Existing files are read whole and checked against their hash, so that damage anywhere is
/// noticed.
///
/// # Errors
///
/// Fails if a smaller table is missing, memory does not suffice or a file cannot be written.
pub fn build_unit(
    unit: &'static Unit,
    order: &Order,
    cache: &UnitCache,
) -> Result<Built, BuildError> {
    let positions = 2 * DenseIndex::new(unit, usual_order(unit)).len();
    let (mut wanted, mut repaired) = (Vec::new(), Vec::new());
    for &metric in &order.metrics {
        match state(&order.dir, unit, metric)? {
            State::Sound => {}
            State::Missing => wanted.push(metric),
            State::Damaged(what) => {
                wanted.push(metric);
                repaired.push(what);
            }
        }
    }
    let mut built = Built {
        unit,
        kept: wanted.is_empty(),
        repaired,
        positions,
        bytes: 0,
        scheme: Scheme::InMemory,
    };
    if !built.kept {
        let goal = goal_for(&wanted);
        built.scheme = scheme(unit, goal, order)?;
        let overflow = |reason| BuildError::Distance {
            unit: unit.to_string(),
            reason,
        };
        let children = cache.children(unit).map_err(overflow)?;
        match built.scheme {
            Scheme::InMemory => {
                let solved = solve(unit, &children, goal).map_err(overflow)?;
                write_all(&solved, &wanted, &order.dir, order.packing)?;
                cache.offer(solved);
            }
            Scheme::Streaming => {
                let solved = solve_on_disk(unit, &children, goal, &order.dir);
                let solved = solved.map_err(|error| match error {
                    DiskError::Io(source) => TableError::io(&order.dir)(source).into(),
                    DiskError::Distance(source) => overflow(source),
                })?;
                write_all(&solved, &wanted, &order.dir, order.packing)?;
            }
        }
    }
    for &metric in &order.metrics {
        let path = place(&order.dir, unit, metric);
        let length = std::fs::metadata(&path)
            .map_err(TableError::io(&path))?
            .len();
        built.bytes += length;
    }
    Ok(built)
}

/// Returns what must be solved for these files.
pub fn goal_for(metrics: &[Metric]) -> Goal {
    if metrics.contains(&Metric::Dtw) {
        Goal::ToEnd
    } else if metrics.contains(&Metric::Dtc) {
        Goal::Distances
    } else {
        Goal::Values
    }
}

/// The state of a table file's place.
enum State {
    Missing,
    Sound,
    Damaged(TableError),
}

/// Reads the state of a table file's place.
///
/// # Errors
///
/// Fails if the place holds something that is no file or cannot be read: it is not ours to replace.
fn state(dir: &Path, unit: &Unit, metric: Metric) -> Result<State, TableError> {
    let path = place(dir, unit, metric);
    let check = || -> Result<(), TableError> {
        let table = TableFile::open(&path)?;
        table.expect(unit, metric)?;
        table.file.check_hash()?;
        match table.check_links() {
            // The file itself is sound; only units built from the missing one have to wait.
            Err(TableError::Missing { .. }) => Ok(()),
            links => links,
        }
    };
    match check() {
        Ok(()) => Ok(State::Sound),
        Err(TableError::Io { reason, .. }) if reason.kind() == io::ErrorKind::NotFound => {
            Ok(State::Missing)
        }
        Err(error @ TableError::Io { .. }) => Err(error),
        Err(damage) => Ok(State::Damaged(damage)),
    }
}

fn scheme(unit: &'static Unit, goal: Goal, order: &Order) -> Result<Scheme, BuildError> {
    let need = need(unit, goal);
    need.cheapest(order.memory)
        .ok_or_else(|| BuildError::Memory {
            unit: unit.to_string(),
            in_memory: need.in_memory,
            streaming: Some(need.streaming),
            allowed: order.memory,
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Fit;
    use crate::file::compare;
    use crate::solve::solve_late;

    #[test]
    fn long_distances_are_written_with_two_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let cache = UnitCache::new(2, 1 << 30, Goal::Values).unwrap();
        let order = Order {
            dir: dir.path().to_owned(),
            metrics: vec![Metric::Wdl],
            packing: Packing::default(),
            memory: 1 << 30,
        };
        let unit = Fit::of(&"Kkg".parse().unwrap()).unit;
        for child in unit.children() {
            build_unit(child, &order, &cache).unwrap();
        }
        for (offset, width) in [(0, 1), (231, 1), (232, 2), (1000, 2)] {
            let late = solve_late(unit, offset).unwrap();
            write_all(&late, &[Metric::Dtc], dir.path(), order.packing).unwrap();
            let table = TableFile::open(&place(dir.path(), unit, Metric::Dtc)).unwrap();
            assert_eq!(
                (table.header.width, table.header.longest.plies),
                (width, 24 + offset)
            );
            compare(&table, &late).unwrap();
            let other = solve_late(unit, offset ^ 256).unwrap();
            assert!(compare(&table, &other).is_err(), "the upper byte counts");
        }
    }
}
