//! Building tables: which units in which order, and one unit's files.
//!
//! A unit needs only the values of the units one piece smaller, so the units
//! form layers. A unit whose files are all there and sound is left alone: an
//! interrupted or killed build resumes where it was. Each file is written to a temporary
//! file, checked against its hash, and only then renamed.

use std::io;
use std::path::{Path, PathBuf};

use anqi_files::{FolderLock, LockError};
use anqi_rules::Color;

use super::codec::{Packing, rough_len};
use super::extract::{DONT_CARE, fill_dont_cares, values, values_of_some};
use super::header::{Counts, Longest};
use super::writer::{Draft, Frames};
use super::{Decoded, Header, Metric, TableError, TableFile};
use crate::classes::{Fit, Unit};
use crate::numbering::{DenseIndex, GroupOrder, usual_order};
use crate::solve::{
    DiskError, DistanceOverflow, Goal, Scheme, SolvedPlanes, Totals, UnitCache, farthest,
    human_bytes, need, solve, solve_on_disk, totals,
};

/// Why a unit cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Something about a file.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Distances that are too long for the format.
    #[error("{unit}: {reason}")]
    Distance {
        /// The unit.
        unit: String,
        /// What happened.
        reason: DistanceOverflow,
    },
    /// Another process works in the folder.
    #[error("{0}; wait until it is done, or build elsewhere")]
    Locked(LockError),
    /// No way of solving fits the memory allowed.
    #[error(
        "{unit} does not fit --memory: it needs {} in memory{}, but only {} is allowed",
        human_bytes(*.in_memory), or_streaming(*.streaming), human_bytes(*.allowed)
    )]
    Memory {
        /// The unit.
        unit: String,
        /// Bytes for solving it in memory.
        in_memory: u64,
        /// Bytes for solving it with its planes on disk, if that can be done.
        streaming: Option<u64>,
        /// Bytes allowed.
        allowed: u64,
    },
}

fn or_streaming(bytes: Option<u64>) -> String {
    bytes.map_or_else(String::new, |bytes| {
        format!(" or {} when streaming from disk", human_bytes(bytes))
    })
}

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

/// Returns where a unit's file is.
pub fn place(dir: &Path, unit: &Unit, metric: Metric) -> PathBuf {
    dir.join(format!("{unit}.{}", metric.name()))
}

/// How much of a folder a build writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildScope {
    /// Everything: no other build may run there.
    Whole,
    /// One unit: others may build other units beside it.
    Unit,
}

/// Locks a folder for a build and creates it if missing; a build of the whole folder also removes
/// what killed builds left.
///
/// # Errors
///
/// Fails if another process builds there, or the folder cannot be written.
pub fn lock(dir: &Path, scope: BuildScope) -> Result<FolderLock, BuildError> {
    match scope {
        BuildScope::Unit => FolderLock::share(dir).map_err(BuildError::Locked),
        BuildScope::Whole => {
            let lock = FolderLock::acquire(dir).map_err(BuildError::Locked)?;
            anqi_files::remove_leftovers(dir, |place| table_name(place).is_some());
            remove_old_leftovers(dir);
            Ok(lock)
        }
    }
}

/// Removes temporary files and folders with the names that versions up to 0.1.0 gave them.
fn remove_old_leftovers(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(place) = name.to_str().and_then(|name| name.strip_suffix(".tmp")) else {
            continue;
        };
        // A leftover that cannot be removed does no harm.
        if table_name(place).is_some() {
            let _ = std::fs::remove_file(entry.path());
        } else if place.strip_suffix(".planes").and_then(unit_of).is_some() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The unit and the metric in the name of a table file.
pub fn table_name(name: &str) -> Option<(&'static Unit, Metric)> {
    let (key, extension) = name.split_once('.')?;
    let metric = Metric::from_name(extension)?;
    Some((unit_of(key)?, metric))
}

/// The unit with this key.
fn unit_of(key: &str) -> Option<&'static Unit> {
    let unit = Fit::of(&key.parse().ok()?).unit;
    (unit.to_string() == key).then_some(unit)
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
        match goal.on_disk().filter(|_| built.scheme == Scheme::Streaming) {
            None => {
                let solved = solve(unit, &children, goal).map_err(overflow)?;
                write_all(&solved, &wanted, order)?;
                cache.offer(solved);
            }
            Some(goal) => {
                let solved = solve_on_disk(unit, &children, goal, &order.dir);
                let solved = solved.map_err(|error| match error {
                    DiskError::Io(source) => TableError::io(&order.dir)(source).into(),
                    DiskError::Distance(source) => overflow(source),
                })?;
                write_all(&solved, &wanted, order)?;
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
            streaming: need.streaming,
            allowed: order.memory,
        })
}

/// Writes the files of a solved unit.
///
/// # Errors
///
/// Fails if a smaller table is missing or a file cannot be written.
pub fn write_all(
    source: &dyn SolvedPlanes,
    metrics: &[Metric],
    order: &Order,
) -> Result<(), TableError> {
    let totals = totals(source).map_err(TableError::io(&order.dir))?;
    metrics
        .iter()
        .try_for_each(|&metric| write(source, &totals, metric, order))
}

/// Writes one file of a solved unit.
fn write(
    source: &dyn SolvedPlanes,
    totals: &Totals,
    metric: Metric,
    order: &Order,
) -> Result<(), TableError> {
    let dir = &order.dir;
    let path = place(dir, source.layout().unit, metric);
    let width = width(source, metric);
    let Packing { frame, .. } = order.packing;
    let index = DenseIndex::new(
        source.layout().unit,
        best_order(source, metric, width, frame),
    );
    let mut frames = Frames::new(width, order.packing);
    for turn in Color::ALL {
        for orbit in 0..index.pivots() {
            frames
                .push(&values(source, &index, metric, turn, orbit).map_err(TableError::io(&path))?)
                .map_err(TableError::io(&path))?;
        }
    }
    let frames = frames.finish().map_err(TableError::io(&path))?;
    let header = header(source, totals, metric, index, width, frame, dir)?;
    let draft = Draft::write(&path, &header, &frames)?;
    // Each frame was decompressed and compared when it was made. The hash, computed from the
    // bytes in memory, proves that the file has the same bytes.
    let written = draft.open().and_then(|table| table.file.check_hash());
    written.map_err(|fault| fault.at(&path))?;
    draft.publish()
}

/// Bytes per value of a file; zero stands for two bits.
fn width(source: &dyn SolvedPlanes, metric: Metric) -> u8 {
    let longest = metric.distance().map(|kind| source.longest(kind));
    match longest {
        None => 0,
        Some(longest) => 1 + u8::from(longest.is_some_and(|plies| plies > 255)),
    }
}

fn header(
    source: &dyn SolvedPlanes,
    totals: &Totals,
    metric: Metric,
    index: DenseIndex,
    width: u8,
    frame: usize,
    dir: &Path,
) -> Result<Header, TableError> {
    let unit = source.layout().unit;
    let mut children = Vec::new();
    for child in unit.children() {
        let path = place(dir, child, Metric::Wdl);
        if !path.exists() {
            return Err(TableError::Missing {
                path,
                unit: child.to_string(),
            });
        }
        children.push((child.key, TableFile::open(&path)?.file.stored_hash()?));
    }
    let counts = totals.each_ref().map(|side| Counts {
        win: side.win,
        draw: side.draw,
        loss: side.loss,
        sum: match metric {
            Metric::Wdl => 0,
            Metric::Dtc => side.sum,
            Metric::Dtw => side.sum_to_end,
        },
    });
    let farthest = match metric.distance() {
        None => None,
        Some(kind) => farthest(source, kind).map_err(TableError::io(dir))?,
    };
    let longest = match farthest {
        None => Longest::default(),
        Some((plies, turn, address)) => {
            let groups = source.layout().groups_at(address).unwrap_or_default();
            let number = index.index(&groups);
            Longest {
                plies: plies.into(),
                turn: turn.index() as u8,
                number,
            }
        }
    };
    Ok(Header {
        metric,
        unit,
        index,
        width,
        frame,
        counts,
        longest,
        children,
    })
}

/// Compares every value of a file, don't-cares excepted, with the solution.
///
/// # Errors
///
/// Fails if a value differs or the file cannot be read.
pub fn compare(table: &TableFile, source: &dyn SolvedPlanes) -> Result<(), TableError> {
    let header = &table.header;
    let mut at = 0u64;
    let mut held = (usize::MAX, Decoded::Constant(0));
    for turn in Color::ALL {
        for orbit in 0..header.index.pivots() {
            let expected = values(source, &header.index, header.metric, turn, orbit);
            let expected = expected.map_err(TableError::io(table.file.path()))?;
            let mut rest = &expected[..];
            while !rest.is_empty() {
                let (frame, start) = header.place(at);
                let (here, later) = rest.split_at(rest.len().min(header.frame - start));
                if held.0 != frame {
                    held = (frame, table.frame(frame)?);
                }
                let found = &held.1;
                let wrong = here.iter().enumerate().find(|&(i, &expected)| {
                    expected != DONT_CARE && found.value(header.width, start + i) != expected
                });
                if let Some((i, expected)) = wrong {
                    let (number, found) = (at + i as u64, found.value(header.width, start + i));
                    return Err(TableError::Wrong {
                        path: table.file.path().to_owned(),
                        what: format!(
                            "value {number} is {found}, but {expected} follows from the rules"
                        ),
                    });
                }
                at += here.len() as u64;
                rest = later;
            }
        }
    }
    Ok(())
}

/// Tries each group as the innermost one on a sample and returns the order that compresses best.
fn best_order(source: &dyn SolvedPlanes, metric: Metric, width: u8, frame: usize) -> GroupOrder {
    let unit = source.layout().unit;
    let usual = usual_order(unit);
    let candidates = (1..usual.len()).map(|last| {
        let mut order = usual.clone();
        let group = order.remove(last);
        order.push(group);
        order
    });
    let singles = candidates.filter(|order| {
        let last = usize::from(order[order.len() - 1]);
        unit.count(last) == 1 || *order == usual
    });
    singles
        .map(|order| (sample_len(source, metric, width, frame, &order), order))
        .min_by_key(|(len, _)| *len)
        .map_or(usual, |(_, order)| order)
}

/// Estimates the compressed length from a sample: one orbit in eight, every fourth placement of
/// the next group, both sides to move.
fn sample_len(
    source: &dyn SolvedPlanes,
    metric: Metric,
    width: u8,
    frame: usize,
    order: &GroupOrder,
) -> u64 {
    let index = DenseIndex::new(source.layout().unit, order.clone());
    let len = |turn: Color, orbit: usize| -> io::Result<u64> {
        let mut values = values_of_some(source, &index, metric, turn, orbit, 4)?;
        fill_dont_cares(&mut values);
        let mut total = 0;
        for frame in values.chunks(frame) {
            total += rough_len(frame, width)? as u64;
        }
        Ok(total)
    };
    let mut total = 0;
    for turn in Color::ALL {
        for orbit in (4..index.pivots()).step_by(8) {
            match len(turn, orbit) {
                Ok(bytes) => total += bytes,
                // Writing will fail too, and report why.
                Err(_) => return u64::MAX,
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::solve_late;

    fn unit(key: &str) -> &'static Unit {
        unit_of(key).unwrap()
    }

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
        let unit = unit("Kkg");
        for child in unit.children() {
            build_unit(child, &order, &cache).unwrap();
        }
        for (offset, width) in [(0, 1), (231, 1), (232, 2), (1000, 2)] {
            let late = solve_late(unit, offset).unwrap();
            write_all(&late, &[Metric::Dtc], &order).unwrap();
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

    #[test]
    fn names_of_tables_are_keys_and_metrics() {
        let (unit, metric) = table_name("KGgp.dtc").unwrap();
        assert_eq!((unit.to_string().as_str(), metric), ("KGgp", Metric::Dtc));
        for name in [
            "GKgp.dtc",
            "KGgp",
            "KGgp.dt",
            "KGgp.wdl.bak",
            ".wdl",
            "Pkg.wdl",
            "KG.wdl",
        ] {
            assert!(table_name(name).is_none(), "{name}");
        }
    }
}
