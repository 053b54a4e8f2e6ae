//! Probing table files.
//!
//! A file may hold anything where a capture already wins, so the library probes
//! all captures first, in the smaller tables, and reads the file only if none of
//! them wins. Distances are stored for lost positions only; that of
//! a win is 1 if a capture wins and else one more than the least among the lost
//! positions it can move to.
//! Frames are read as they are needed and kept in a cache that all threads share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anqi_rules::{Action, Position};

use super::frames::FrameCache;
use super::in_memory::{Entry, MemoryUnits, value_of_end};
use super::rated::after;
use crate::classes::{MAX_PIECES, Material, Units};
use crate::file::{Decoded, FILE_VALUES, Metric, TableError, TableFile, place, unpack};
use crate::numbering::{Lookup, Placement, locate, prepare};
use crate::solve::Wdl;

/// Bytes of cached frames, unless another number is asked for; each of 16,384 positions takes 4 KiB
/// (values) or 16 KiB (distances).
const CACHED_BYTES: usize = 256 << 20;

/// A value and, if the tables have it, the plies to the next capture or the end.
pub(super) type Answer = (Wdl, Option<u16>);

/// The result of reading what a table may lack or hold damaged.
type Read<T> = Result<Option<T>, Arc<TableError>>;

/// A directory of tables, with small units in memory.
#[derive(Debug)]
pub struct Library {
    dir: PathBuf,
    /// Units solved for unlimited play.
    memory: Arc<MemoryUnits>,
    pieces: u32,
    /// By number of pieces and number of the unit.
    units: Vec<Vec<UnitFiles>>,
    cache: FrameCache,
    /// Whether the directory has plies to the end.
    has_ends: bool,
}

/// One unit's files, opened when they are first needed. A missing one is remembered.
#[derive(Debug, Default)]
struct UnitFiles {
    tables: [OnceLock<Read<TableFile>>; 3],
}

/// How the value of a placement was found.
#[derive(Clone, Copy)]
enum Value<'a> {
    /// In memory, the distance with it.
    InMemory(Entry<'a>),
    /// Some capture wins.
    ByCapture,
    /// The side to move has no move.
    NoMove,
    /// In a file.
    Stored(Wdl),
}

impl Value<'_> {
    fn wdl(self) -> Wdl {
        match self {
            Value::InMemory(entry) => entry.wdl(),
            Value::Stored(wdl) => wdl,
            Value::ByCapture => Wdl::Win,
            Value::NoMove => Wdl::Loss,
        }
    }
}

impl Library {
    /// Opens a directory of tables; `memory` must be solved for unlimited play.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be listed.
    pub fn open(dir: &Path, memory: Arc<MemoryUnits>) -> Result<Library, TableError> {
        let mut pieces = memory.pieces() as usize;
        let mut has_ends = false;
        for entry in std::fs::read_dir(dir).map_err(TableError::io(dir))? {
            let path = entry.map_err(TableError::io(dir))?.path();
            let extension = path.extension();
            has_ends |= extension.is_some_and(|ext| ext == Metric::Dtw.name());
            if extension.is_some_and(|ext| ext == "wdl") {
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
        Ok(Library {
            dir: dir.to_owned(),
            memory,
            pieces: pieces as u32,
            units,
            cache: FrameCache::new(CACHED_BYTES),
            has_ends,
        })
    }

    /// Replaces the cache by an empty one for this many bytes of frames.
    pub fn set_cache(&mut self, bytes: usize) {
        self.cache = FrameCache::new(bytes);
    }

    /// Returns the most pieces of a unit on file or in memory.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns whether the directory has plies to the end.
    pub fn has_ends(&self) -> bool {
        self.has_ends
    }

    /// Returns the value of a position in unlimited play, or `None` if a table is missing.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn wdl(&self, position: &Position) -> Read<Wdl> {
        match locate(position, self.pieces) {
            None => Ok(None),
            Some(Lookup::Over(loser)) => Ok(Some(value_of_end(position, loser))),
            Some(Lookup::Placed(at)) => Ok(self.value(position, &at)?.map(Value::wdl)),
        }
    }

    /// Returns the value in unlimited play if no distance in the position's unit exceeds `plies`,
    /// as far as a file of distances says.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn wdl_within(&self, position: &Position, plies: u32) -> Read<Wdl> {
        let Some(Lookup::Placed(at)) = locate(position, self.pieces) else {
            return Ok(None);
        };
        match self.table(&at, Metric::Dtc)? {
            Some(table) if table.header.longest.plies <= plies => {
                Ok(self.value(position, &at)?.map(Value::wdl))
            }
            _ => Ok(None),
        }
    }

    /// Finds the value of a position at its placement.
    #[inline]
    fn value(&self, position: &Position, at: &Placement) -> Read<Value<'_>> {
        if let Some(entry) = self.memory.entry(at) {
            return Ok(Some(Value::InMemory(entry)));
        }
        let actions = position.actions();
        for &action in &actions {
            if captures(position, action) {
                match self.wdl(&after(position, action))? {
                    Some(Wdl::Loss) => return Ok(Some(Value::ByCapture)),
                    Some(_) => {}
                    None => return Ok(None),
                }
            }
        }
        if actions.is_empty() {
            return Ok(Some(Value::NoMove));
        }
        let stored = self.stored(at, Metric::Wdl)?;
        let wdl = stored.and_then(|value| FILE_VALUES.get(usize::from(value)).copied());
        Ok(wdl.map(Value::Stored))
    }

    /// Returns value and distance in unlimited play, or `None` if a table of values is missing.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn answer(&self, position: &Position) -> Read<Answer> {
        let at = match locate(position, self.pieces) {
            None => return Ok(None),
            Some(Lookup::Over(loser)) => {
                return Ok(Some((value_of_end(position, loser), Some(0))));
            }
            Some(Lookup::Placed(at)) => at,
        };
        let Some(value) = self.value(position, &at)? else {
            return Ok(None);
        };
        let distance = match value.wdl() {
            Wdl::Draw => None,
            Wdl::Loss => self.losing_distance(&at, value)?,
            Wdl::Win => self.winning_distance(position, value)?,
        };
        Ok(Some((value.wdl(), distance)))
    }

    /// The distance of a loss that was found in this way.
    fn losing_distance(&self, at: &Placement, value: Value<'_>) -> Read<u16> {
        match value {
            Value::InMemory(entry) => Ok(Some(entry.dtc())),
            Value::NoMove => Ok(Some(0)),
            Value::ByCapture | Value::Stored(_) => self.stored(at, Metric::Dtc),
        }
    }

    /// The distance of a win that was found in this way.
    fn winning_distance(&self, position: &Position, value: Value<'_>) -> Read<u16> {
        match value {
            Value::InMemory(entry) => return Ok(Some(entry.dtc())),
            // Nothing is quicker, and this is known even without distances.
            Value::ByCapture => return Ok(Some(1)),
            Value::NoMove | Value::Stored(_) => {}
        }
        let mut best = None;
        for action in position.actions() {
            // No capture wins: `value` has tried them all.
            if captures(position, action) {
                continue;
            }
            let next = after(position, action);
            let Some(Lookup::Placed(at)) = locate(&next, self.pieces) else {
                continue;
            };
            let lost = self.value(&next, &at)?.filter(|v| v.wdl() == Wdl::Loss);
            if let Some(value) = lost {
                let Some(distance) = self.losing_distance(&at, value)? else {
                    return Ok(None);
                };
                best = Some(best.map_or(distance + 1, |least: u16| least.min(distance + 1)));
            }
        }
        Ok(best)
    }

    /// Returns the plies to the end in unlimited play, or `None` if they are not known or the
    /// position is drawn. Needs files of this metric for all numbers of pieces.
    ///
    /// # Errors
    ///
    /// Fails if a file is damaged.
    pub fn plies_to_end(&self, position: &Position) -> Read<u16> {
        match self.wdl(position)? {
            Some(Wdl::Loss) => self.losing_end(position),
            Some(Wdl::Win) => {
                let mut best: Option<u16> = None;
                for action in position.actions() {
                    let next = after(position, action);
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

    fn losing_end(&self, position: &Position) -> Read<u16> {
        match locate(position, self.pieces) {
            Some(Lookup::Placed(at)) if position.has_action() => self.stored(&at, Metric::Dtw),
            _ => Ok(Some(0)),
        }
    }

    /// Reads the value of a placement from a file.
    fn stored(&self, at: &Placement, metric: Metric) -> Read<u16> {
        let Some(table) = self.table(at, metric)? else {
            return Ok(None);
        };
        let width = table.header.width;
        let (frame, place) = table.place(at.unit.turn, table.header.index.index(&at.groups));
        if let Some(value) = table.constant(frame) {
            return Ok(Some(value));
        }
        let id = (at.unit.pieces as u64) << 56
            | (at.unit.number as u64) << 34
            | u64::from(metric.code()) << 32
            | frame as u64;
        if let Some(value) = self.cache.read(id, |raw| unpack(raw, width, place)) {
            return Ok(Some(value));
        }
        let decoded = table.frame(frame).map_err(Arc::new)?;
        let value = decoded.value(width, place);
        if let Decoded::Raw(raw) = decoded {
            self.cache.keep(id, raw);
        }
        Ok(Some(value))
    }

    /// Returns the table of a placement's unit, opened now if it is not open yet.
    fn table(&self, at: &Placement, metric: Metric) -> Result<Option<&TableFile>, Arc<TableError>> {
        let units = self.units.get(at.unit.pieces);
        let Some(files) = units.and_then(|units| units.get(at.unit.number)) else {
            return Ok(None);
        };
        let slot = &files.tables[usize::from(metric.code())];
        let table = slot.get_or_init(|| self.open_table(at, metric));
        table.as_ref().map(Option::as_ref).map_err(Arc::clone)
    }

    fn open_table(&self, at: &Placement, metric: Metric) -> Read<TableFile> {
        let unit = &Units::of(at.unit.pieces).list()[at.unit.number];
        let path = place(&self.dir, unit, metric);
        if !path.exists() {
            return Ok(None);
        }
        let table = TableFile::open(&path).map_err(Arc::new)?;
        table.expect(unit, metric).map_err(Arc::new)?;
        Ok(Some(table))
    }
}

fn captures(position: &Position, action: Action) -> bool {
    position.occupied().contains(action.to())
}

#[cfg(test)]
mod tests {
    use super::super::frames::SHELF_BYTES;
    use super::super::in_memory::Hit;
    use super::*;
    use crate::classes::Unit;
    use crate::file::{Order, Packing, build_unit};
    use crate::numbering::{DenseIndex, position_of, usual_order};
    use crate::solve::{Goal, Store, UnitCache};
    use anqi_rules::Color;

    fn build(dir: &Path, pieces: usize, metrics: &[Metric]) {
        let cache = UnitCache::new(pieces, 1 << 30, Goal::Values).unwrap();
        let order = Order {
            dir: dir.to_owned(),
            metrics: metrics.to_vec(),
            packing: Packing::default(),
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
    fn frames_that_share_a_shelf_of_the_cache_do_not_answer_for_each_other() {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), 3, &[Metric::Wdl, Metric::Dtc]);
        let large = memory(3);
        for bytes in [1, 3 * SHELF_BYTES] {
            let mut library = Library::open(dir.path(), memory(2)).unwrap();
            library.set_cache(bytes);
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
