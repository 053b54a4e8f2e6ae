//! Probing table files.
//!
//! A file may hold anything where a capture already wins, so the library probes
//! all captures first, in the smaller tables, and reads the file only if none of
//! them wins. Distances are stored for lost positions only; that of
//! a win is one more than the least among the lost positions it can move to.
//! Frames are read as they are needed and kept in a cache that all threads share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anqi_rules::{Position, Undo};

use super::in_memory::{Hit, MemoryUnits, value_of_end};
use crate::classes::{MAX_PIECES, Material, Units};
use crate::file::{Decoded, FILE_VALUES, Metric, TableError, TableFile, place};
use crate::numbering::{Lookup, Placement, locate, prepare};
use crate::solve::Wdl;

/// Cached frames; each takes 4 KiB (values) or 16 KiB (distances).
const CACHED_FRAMES: usize = 4096;

/// A value and, if the tables have it, the plies to the next capture or the end.
pub type Answer = (Wdl, Option<u16>);

/// A directory of tables, with small units in memory.
#[derive(Debug)]
pub struct Library {
    dir: PathBuf,
    /// Units solved for unlimited play.
    memory: Arc<MemoryUnits>,
    pieces: u32,
    /// By number of pieces and number of the unit.
    units: Vec<Vec<UnitFiles>>,
    cache: Vec<Mutex<Option<Cached>>>,
}

/// One unit's files, opened when they are first needed. A missing one is remembered.
#[derive(Debug, Default)]
struct UnitFiles {
    tables: [OnceLock<Result<Option<TableFile>, Arc<TableError>>>; 3],
}

#[derive(Debug)]
struct Cached {
    id: u64,
    decoded: Decoded,
}

impl Library {
    /// Opens a directory of tables; `memory` must be solved for unlimited play.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be listed.
    pub fn open(dir: &Path, memory: Arc<MemoryUnits>) -> Result<Library, TableError> {
        Library::with_cache(dir, memory, CACHED_FRAMES)
    }

    fn with_cache(
        dir: &Path,
        memory: Arc<MemoryUnits>,
        frames: usize,
    ) -> Result<Library, TableError> {
        let mut pieces = memory.pieces() as usize;
        for entry in std::fs::read_dir(dir).map_err(TableError::io(dir))? {
            let path = entry.map_err(TableError::io(dir))?.path();
            if path.extension().is_some_and(|ext| ext == "wdl") {
                let set = path
                    .file_stem()
                    .and_then(|stem| stem.to_str()?.parse::<Material>().ok());
                pieces = pieces.max(set.map_or(0, |set| set.len()));
            }
        }
        let pieces = pieces.min(MAX_PIECES);
        prepare(pieces);
        let units = (0..=pieces)
            .map(|count| {
                let units = if count < 2 {
                    0
                } else {
                    Units::of(count).list().len()
                };
                (0..units).map(|_| UnitFiles::default()).collect()
            })
            .collect();
        let cache = (0..frames).map(|_| Mutex::new(None)).collect();
        Ok(Library {
            dir: dir.to_owned(),
            memory,
            pieces: pieces as u32,
            units,
            cache,
        })
    }

    /// Returns the most pieces of a unit on file or in memory.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the value of a position in unlimited play, or `None` if a table is missing.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn wdl(&self, position: &Position) -> Result<Option<Wdl>, Arc<TableError>> {
        let at = match self.memory.find(position) {
            Some(Hit::Over(loser)) => return Ok(Some(value_of_end(position, loser))),
            Some(Hit::Entry(entry)) => return Ok(Some(entry.wdl())),
            None => match locate(position, self.pieces) {
                Some(Lookup::Placed(at)) => at,
                Some(Lookup::Over(loser)) => return Ok(Some(value_of_end(position, loser))),
                None => return Ok(None),
            },
        };
        let mut has_action = false;
        for (next, undo) in successors(position) {
            has_action = true;
            if undo.captured().is_some() {
                match self.wdl(&next)? {
                    Some(Wdl::Loss) => return Ok(Some(Wdl::Win)),
                    Some(_) => {}
                    None => return Ok(None),
                }
            }
        }
        if !has_action {
            return Ok(Some(Wdl::Loss));
        }
        let stored = self.stored(&at, Metric::Wdl)?;
        Ok(stored.and_then(|value| FILE_VALUES.get(usize::from(value)).copied()))
    }

    /// Returns value and distance in unlimited play, or `None` if a table of values is missing.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn answer(&self, position: &Position) -> Result<Option<Answer>, Arc<TableError>> {
        if let Some(found) = self.memory.find(position) {
            return Ok(Some(match found {
                Hit::Over(loser) => (value_of_end(position, loser), Some(0)),
                Hit::Entry(entry) if entry.wdl() == Wdl::Draw => (Wdl::Draw, None),
                Hit::Entry(entry) => (entry.wdl(), Some(entry.dtc())),
            }));
        }
        let Some(wdl) = self.wdl(position)? else {
            return Ok(None);
        };
        let distance = match wdl {
            Wdl::Draw => None,
            Wdl::Loss => self.losing_distance(position)?,
            Wdl::Win => self.winning_distance(position)?,
        };
        Ok(Some((wdl, distance)))
    }

    fn losing_distance(&self, position: &Position) -> Result<Option<u16>, Arc<TableError>> {
        match locate(position, self.pieces) {
            Some(Lookup::Placed(at)) if position.has_action() => match self.memory.find(position) {
                Some(Hit::Entry(entry)) => Ok(Some(entry.dtc())),
                _ => self.stored(&at, Metric::Dtc),
            },
            _ => Ok(Some(0)),
        }
    }

    /// One more than the least distance among the lost positions that a win can move to.
    fn winning_distance(&self, position: &Position) -> Result<Option<u16>, Arc<TableError>> {
        let mut lost = Vec::new();
        for (next, undo) in successors(position) {
            if self.wdl(&next)? == Some(Wdl::Loss) {
                if undo.captured().is_some() {
                    // Nothing is quicker, and this is known even without distances.
                    return Ok(Some(1));
                }
                lost.push(next);
            }
        }
        let mut best = None;
        for next in lost {
            let Some(distance) = self.losing_distance(&next)? else {
                return Ok(None);
            };
            best = Some(best.map_or(distance + 1, |least: u16| least.min(distance + 1)));
        }
        Ok(best)
    }

    /// Returns the plies to the end in unlimited play, or `None` if they are not known or the
    /// position is drawn. Needs files of this metric for all numbers of pieces.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn plies_to_end(&self, position: &Position) -> Result<Option<u16>, Arc<TableError>> {
        match self.wdl(position)? {
            Some(Wdl::Loss) => self.losing_end(position),
            Some(Wdl::Win) => {
                let mut best: Option<u16> = None;
                for (next, _) in successors(position) {
                    if self.wdl(&next)? == Some(Wdl::Loss) {
                        let Some(plies) = self.losing_end(&next)? else {
                            return Ok(None);
                        };
                        best = Some(best.map_or(plies + 1, |least| least.min(plies + 1)));
                    }
                }
                Ok(best)
            }
            _ => Ok(None),
        }
    }

    fn losing_end(&self, position: &Position) -> Result<Option<u16>, Arc<TableError>> {
        match locate(position, self.pieces) {
            Some(Lookup::Placed(at)) if position.has_action() => self.stored(&at, Metric::Dtw),
            _ => Ok(Some(0)),
        }
    }

    /// Reads the value of a placement from a file.
    fn stored(&self, at: &Placement, metric: Metric) -> Result<Option<u16>, Arc<TableError>> {
        let slot = usize::from(metric.code());
        let files = self
            .units
            .get(at.pieces)
            .and_then(|units| units.get(at.unit));
        let Some(files) = files else { return Ok(None) };
        let table = files.tables[slot].get_or_init(|| self.open_table(at, metric));
        let Some(table) = table.as_ref().map_err(Arc::clone)? else {
            return Ok(None);
        };
        let (frame, place) = table.place(at.turn, table.header.index.index(&at.groups));
        let id =
            (at.pieces as u64) << 56 | (at.unit as u64) << 34 | (slot as u64) << 32 | frame as u64;
        let home = (id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % self.cache.len();
        let cell = &self.cache[home];
        if let Some(cached) = &*cell.lock().unwrap_or_else(PoisonError::into_inner)
            && cached.id == id
        {
            return Ok(Some(cached.decoded.value(table.header.width, place)));
        }
        // Not under the lock: other threads may use the cell meanwhile.
        let decoded = table.frame(frame).map_err(Arc::new)?;
        let value = decoded.value(table.header.width, place);
        *cell.lock().unwrap_or_else(PoisonError::into_inner) = Some(Cached { id, decoded });
        Ok(Some(value))
    }

    fn open_table(
        &self,
        at: &Placement,
        metric: Metric,
    ) -> Result<Option<TableFile>, Arc<TableError>> {
        let unit = &Units::of(at.pieces).list()[at.unit];
        let path = place(&self.dir, unit, metric);
        if !path.exists() {
            return Ok(None);
        }
        let table = TableFile::open(&path).map_err(Arc::new)?;
        table.expect(unit, metric).map_err(Arc::new)?;
        Ok(Some(table))
    }
}

/// Iterates over the successors, with what was played.
fn successors(position: &Position) -> impl Iterator<Item = (Position, Undo)> + '_ {
    position.actions().into_iter().map(|action| {
        let mut next = *position;
        let undo = next.step_unchecked(action);
        (next, undo)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Unit;
    use crate::file::{Order, build_unit};
    use crate::numbering::{DenseIndex, position_of, usual_order};
    use crate::solve::{Goal, Store, UnitCache};
    use anqi_rules::Color;

    fn build(dir: &Path, pieces: usize, metrics: &[Metric]) {
        let cache = UnitCache::new(pieces, 1 << 30, Goal::Values).unwrap();
        let order = Order {
            dir: dir.to_owned(),
            metrics: metrics.to_vec(),
            memory: 1 << 30,
        };
        for unit in (2..=pieces).flat_map(|n| Units::of(n).list()) {
            build_unit(unit, &order, &cache).unwrap();
        }
    }

    fn memory(pieces: usize) -> Arc<MemoryUnits> {
        let mut store = Store::solve(pieces, Goal::Distances).unwrap();
        store.forget_captures();
        Arc::new(MemoryUnits::new(&store, pieces))
    }

    fn positions(unit: &'static Unit, step: usize) -> impl Iterator<Item = Position> {
        let index = DenseIndex::new(unit, usual_order(unit));
        (0..index.len()).step_by(step).flat_map(move |number| {
            Color::ALL.map(|turn| position_of(&unit.key, &index.groups(number), turn))
        })
    }

    #[test]
    fn frames_that_share_a_cell_of_the_cache_do_not_answer_for_each_other() {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), 3, &[Metric::Wdl, Metric::Dtc]);
        let large = memory(3);
        for cells in [1, 3] {
            let library = Library::with_cache(dir.path(), memory(2), cells).unwrap();
            for unit in Units::of(3).list() {
                for position in positions(unit, 211) {
                    let expected = match large.find(&position) {
                        Some(Hit::Entry(entry)) => entry.wdl(),
                        _ => continue,
                    };
                    let (wdl, _) = library.answer(&position).unwrap().unwrap();
                    assert_eq!(wdl, expected, "{position}");
                }
            }
        }
    }

    #[test]
    fn the_most_pieces_are_those_of_files_or_memory_whichever_has_more() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Library::open(dir.path(), memory(3)).unwrap().pieces(), 3);
        build(dir.path(), 2, &[Metric::Wdl]);
        assert_eq!(Library::open(dir.path(), memory(3)).unwrap().pieces(), 3);
        std::fs::write(dir.path().join("KGgp.wdl"), "").unwrap();
        std::fs::write(dir.path().join("KGMMgp.dtc"), "").unwrap();
        std::fs::write(dir.path().join("notes.wdl"), "").unwrap();
        assert_eq!(Library::open(dir.path(), memory(3)).unwrap().pieces(), 4);
        assert!(Library::open(&dir.path().join("none"), memory(2)).is_err());
    }

    #[test]
    fn a_file_that_cannot_be_opened_is_an_error_every_time() {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), 3, &[Metric::Wdl]);
        let unit = Units::of(3).list().iter().find(|u| u.to_string() == "Kgp");
        let path = place(dir.path(), unit.unwrap(), Metric::Wdl);
        std::fs::write(&path, "not a table").unwrap();
        let library = Library::open(dir.path(), memory(2)).unwrap();
        let failures = |library: &Library| {
            let asked = positions(unit.unwrap(), 149);
            asked.filter(|p| library.wdl(p).is_err()).count()
        };
        let count = failures(&library);
        assert!(count > 0);
        assert_eq!(failures(&library), count);
    }
}
