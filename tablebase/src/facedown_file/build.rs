//! Building tables with face-down pieces.
//!
//! A table needs those of the same unit with one piece fewer face down, and those of the units one
//! piece smaller with as many face down; with one piece face down, also the unit without face-down
//! pieces, which is solved in memory. So tables are built by number of pieces, then unit, then
//! number of face-down pieces. A table that is there and sound is left alone: a killed build
//! started again ends with the same bytes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anqi_files::FolderLock;

use super::frames::{Frames, pack_waits};
use super::header::{Counts, Header, SmallerTable};
use super::names::{hidden_name, name_of, path_of};
use super::table::HiddenTable;
use super::writer::write;
use crate::TableError;
use crate::classes::Unit;
use crate::facedown::{AfterFlips, HiddenIndex, UnitSolver, UnitValues, after_captures, whole};
use crate::file::BuildError;
use crate::parallel;
use crate::solve::{Goal, Store, need, solve};

/// The most phases, and about the most positions, that are solved before they are compressed.
const BATCH: usize = 256;
const BATCH_POSITIONS: usize = 16 << 20;

/// Where to build, and with what.
#[derive(Debug)]
pub struct BuildOrder {
    dir: PathBuf,
    /// Bytes of memory allowed for one table.
    memory: u64,
    /// Units without face-down pieces, with distances.
    face_up: Store,
}

/// The result of building a table.
#[derive(Debug)]
pub struct Built {
    /// Whether it was there already.
    pub kept: bool,
    /// The fault of an existing file that was written again.
    pub repaired: Option<TableError>,
    /// Positions, both sides to move.
    pub positions: u64,
    /// Bytes of its file.
    pub bytes: u64,
}

/// Locks a folder for a build, creates it if missing, and removes what killed builds left.
///
/// # Errors
///
/// Fails if another process builds there, or the folder cannot be written.
pub fn lock(dir: &Path) -> Result<FolderLock, BuildError> {
    let lock = FolderLock::acquire(dir).map_err(BuildError::Locked)?;
    anqi_files::remove_leftovers(dir, |name| hidden_name(name).is_some());
    Ok(lock)
}

/// Returns the tables that one is made from.
pub(super) fn smaller(unit: &'static Unit, hidden: usize) -> Vec<(&'static Unit, usize)> {
    let children = after_captures(unit, hidden).into_iter();
    let own = (hidden > 1).then_some((unit, hidden - 1));
    children.map(|child| (child, hidden)).chain(own).collect()
}

/// Returns about how much memory the building of a table takes beside the units of up to four pieces
/// without face-down ones: the values it is made from and, compressed to a half at worst, its own.
pub fn memory_needed(unit: &'static Unit, hidden: usize) -> u64 {
    let codes = |pieces: usize, hidden: usize| 2u64 << (5 * (pieces - hidden));
    // What a table is made from is there as it is stored and unpacked, a byte for each code.
    let of_smaller = |(unit, hidden): (&'static Unit, usize)| {
        let index = HiddenIndex::new(unit, hidden);
        index.positions() + index.phases() as u64 * codes(unit.pieces(), hidden)
    };
    let made_from: u64 = smaller(unit, hidden).into_iter().map(of_smaller).sum();
    let own = HiddenIndex::new(unit, hidden).positions();
    // A phase being solved takes two bytes for each of its codes and some twenty bits, two more for
    // each level, in each thread.
    let bits = 16 + 20 + 2 * u64::from(whole(hidden).unsigned_abs());
    let phase = codes(unit.pieces(), hidden) * bits / 8;
    let batch = 2 * BATCH_POSITIONS as u64;
    // With one piece face down, the unit without any is solved too.
    let face_up = match hidden {
        1 => need(unit, Goal::Distances).in_memory,
        _ => 0,
    };
    made_from + own + phase + batch + face_up
}

impl BuildOrder {
    /// Prepares to build tables of up to `pieces` pieces; solves the units of up to four without
    /// face-down pieces.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn new(dir: &Path, pieces: usize, memory: u64) -> Result<BuildOrder, BuildError> {
        let mut face_up = Store::solve(pieces.min(4), Goal::Distances).map_err(|reason| {
            let unit = "a unit of four pieces".to_owned();
            BuildError::Distance { unit, reason }
        })?;
        face_up.forget_captures();
        Ok(BuildOrder {
            dir: dir.to_owned(),
            memory,
            face_up,
        })
    }

    fn after_flips(&self, unit: &'static Unit, hidden: usize) -> Result<AfterFlips, BuildError> {
        if hidden > 1 {
            return Ok(AfterFlips::Hidden(self.values(unit, hidden - 1)?));
        }
        if let Some(known) = AfterFlips::face_up(&self.face_up, unit) {
            return Ok(known);
        }
        let solved = solve(unit, &self.face_up.children(unit), Goal::Distances);
        let solved = solved.map_err(|reason| BuildError::Distance {
            unit: unit.to_string(),
            reason,
        })?;
        Ok(AfterFlips::solved(solved, &self.face_up))
    }

    fn values(&self, unit: &Unit, hidden: usize) -> Result<Arc<UnitValues>, TableError> {
        let table = HiddenTable::existing(&path_of(&self.dir, unit, hidden))?;
        table.expect(unit, hidden)?;
        Ok(Arc::new(table.read()?.0))
    }
}

/// Builds one table, unless it is there and sound.
///
/// # Errors
///
/// Fails if a smaller table is missing, memory does not suffice or the file cannot be written.
pub fn build(unit: &'static Unit, hidden: usize, order: &BuildOrder) -> Result<Built, BuildError> {
    let path = path_of(&order.dir, unit, hidden);
    let mut built = Built {
        kept: false,
        repaired: None,
        positions: HiddenIndex::new(unit, hidden).positions(),
        bytes: 0,
    };
    match existing(&path, unit, hidden) {
        Ok(bytes) => {
            (built.kept, built.bytes) = (true, bytes);
            return Ok(built);
        }
        Err(TableError::Io { reason, .. }) if reason.kind() == io::ErrorKind::NotFound => {}
        Err(error @ TableError::Io { .. }) => return Err(error.into()),
        Err(damage) => built.repaired = Some(damage),
    }
    let need = memory_needed(unit, hidden);
    if need > order.memory {
        return Err(BuildError::Memory {
            unit: name_of(unit, hidden),
            in_memory: need,
            streaming: None,
            allowed: order.memory,
        });
    }
    let captures = after_captures(unit, hidden).into_iter();
    let captures: Result<_, TableError> = captures.map(|u| order.values(u, hidden)).collect();
    let solver = UnitSolver::new(unit, hidden, order.after_flips(unit, hidden)?, captures?);
    built.bytes = solve_and_write(&solver, &order.dir)?;
    Ok(built)
}

/// Checks every byte of an existing table and returns its length.
fn existing(path: &Path, unit: &Unit, hidden: usize) -> Result<u64, TableError> {
    let table = HiddenTable::open(path)?;
    table.expect(unit, hidden)?;
    table.file.check_hash()?;
    table.check_links()?;
    Ok(table.file.bytes())
}

fn solve_and_write(solver: &UnitSolver, dir: &Path) -> Result<u64, TableError> {
    let index = &solver.index;
    let path = path_of(dir, index.unit, index.hidden);
    let too_long = |found: u32| TableError::TooLong {
        path: path.clone(),
        found,
    };
    let whole = whole(index.hidden);
    let (mut frames, mut waits, mut counts) = (Frames::default(), Vec::new(), Counts::default());
    let divisions = 0..index.divisions.len();
    let phases =
        divisions.flat_map(|division| (0..index.orbits()).map(move |orbit| (division, orbit)));
    let phases: Vec<(usize, usize)> = phases.collect();
    let largest = index
        .divisions
        .iter()
        .map(|division| 2 * division.placements())
        .max();
    let batch = BATCH_POSITIONS / largest.unwrap_or(1) as usize;
    for batch in phases.chunks(batch.clamp(1, BATCH)) {
        let solved = parallel::map(batch, |&(division, orbit)| solver.solve(division, orbit));
        for phase in solved {
            if phase.most_plies > u8::MAX.into() {
                return Err(too_long(phase.most_plies));
            }
            let wait = u16::try_from(phase.longest).map_err(|_| too_long(phase.longest))?;
            waits.push(wait);
            counts.add_all(&phase.values, whole);
            frames
                .push(&phase.values, &phase.plies)
                .map_err(TableError::io(&path))?;
        }
    }
    let frames = frames.finish().map_err(TableError::io(&path))?;
    let packed = pack_waits(&waits).map_err(TableError::io(&path))?;
    let header = Header {
        index: index.clone(),
        longest: waits.iter().max().copied().unwrap_or(0),
        counts,
        waits: (packed.len() as u32, crc32fast::hash(&packed)),
        smaller: links(index, dir)?,
    };
    write(&path, &header, &packed, &frames)
}

fn links(index: &HiddenIndex, dir: &Path) -> Result<Vec<SmallerTable>, TableError> {
    let smaller = smaller(index.unit, index.hidden).into_iter();
    let link = |(unit, hidden): (&'static Unit, usize)| {
        Ok(SmallerTable {
            key: unit.key,
            hidden,
            hash: HiddenTable::existing(&path_of(dir, unit, hidden))?
                .file
                .stored_hash()?,
        })
    };
    smaller.map(link).collect()
}
