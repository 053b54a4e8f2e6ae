//! Probing table files with face-down pieces.
//!
//! A file holds the value and the plies of every position, and the longest wait of every phase, so a
//! probe reads one frame. Frames are kept in a cache that all threads share.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anqi_rules::Position;

use super::frames::FrameCache;
use crate::classes::{MAX_GROUPS, Units};
use crate::facedown::{
    Endings, Expectation, KeptExpectations, MOST_PIECES, PhaseFit, PhaseKey, PhaseReader, whole,
};
use crate::facedown_file::{HiddenTable, hidden_name, path_of, values_and_plies};
use crate::file::TableError;
use crate::fraction::Fraction;
use crate::numbering::{Groups, number_of};

/// Bytes of cached frames, which take 16 KiB each.
const CACHED_BYTES: usize = 64 << 20;

/// A table, opened when it is first needed; a missing one is remembered.
type Slot = OnceLock<Result<Option<HiddenTable>, Arc<TableError>>>;

/// The tables with face-down pieces of a directory.
#[derive(Debug)]
pub struct HiddenLibrary {
    dir: PathBuf,
    pieces: u32,
    /// By number of pieces, number of face-down pieces, and number of the unit.
    tables: Vec<Vec<Vec<Slot>>>,
    cache: FrameCache,
}

impl HiddenLibrary {
    /// Opens a directory; files are read when a probe first needs them.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be listed.
    pub fn open(dir: &Path) -> Result<HiddenLibrary, TableError> {
        let mut pieces = 0;
        for entry in std::fs::read_dir(dir).map_err(TableError::io(dir))? {
            let name = entry.map_err(TableError::io(dir))?.file_name();
            let table = name.to_str().and_then(hidden_name);
            pieces = pieces.max(table.map_or(0, |(unit, _)| unit.pieces()));
        }
        let pieces = pieces.min(MOST_PIECES as usize);
        let slots = |count: usize| -> Vec<Slot> {
            let units = if count < 2 {
                0
            } else {
                Units::of(count).list().len()
            };
            (0..units).map(|_| OnceLock::new()).collect()
        };
        let tables = 0..=pieces;
        Ok(HiddenLibrary {
            dir: dir.to_owned(),
            pieces: pieces as u32,
            tables: tables
                .map(|count| (0..=count).map(|_| slots(count)).collect())
                .collect(),
            cache: FrameCache::new(CACHED_BYTES),
        })
    }

    /// Adds the tables of a directory, if there are any, to what endings know.
    ///
    /// # Errors
    ///
    /// Fails if the directory cannot be listed.
    pub fn behind(dir: &Path, endings: Endings) -> Result<Endings, TableError> {
        let library = HiddenLibrary::open(dir)?;
        Ok(match library.pieces {
            0 => endings,
            _ => endings.with(Box::new(library)),
        })
    }

    fn table(&self, fit: &PhaseFit) -> Result<Option<&HiddenTable>, Arc<TableError>> {
        let slot = &self.tables[fit.unit.pieces()][fit.hidden][fit.unit.number];
        let table = slot.get_or_init(|| {
            let path = path_of(&self.dir, fit.unit, fit.hidden);
            if !path.exists() {
                return Ok(None);
            }
            let table = HiddenTable::open(&path).map_err(Arc::new)?;
            table.expect(fit.unit, fit.hidden).map_err(Arc::new)?;
            Ok(Some(table))
        });
        table.as_ref().map(Option::as_ref).map_err(Arc::clone)
    }

    fn read(&self, position: &Position) -> Result<Option<Expectation>, Arc<TableError>> {
        let Some(turn) = position.turn() else {
            return Ok(None);
        };
        let reader = PhaseReader::new(PhaseFit::of(&PhaseKey::of(position)));
        let fit = reader.fit();
        let Some(table) = self.table(fit)? else {
            return Ok(None);
        };
        let index = &table.header.index;
        let (frame, at) = table.place(reader.number(index, &groups_of(position, fit), turn));
        let (value, plies) = self.stored(table, frame, at)?;
        let phase = index.divisions[fit.division].phase(fit.orbit);
        Ok(Some(Expectation {
            expected: Fraction::new(value.into(), whole(fit.hidden).into()),
            plies: plies.into(),
            longest: table.waits[phase].into(),
        }))
    }

    fn stored(
        &self,
        table: &HiddenTable,
        frame: usize,
        at: usize,
    ) -> Result<(i8, u8), Arc<TableError>> {
        let index = &table.header.index;
        let id = (index.unit.pieces() as u64) << 60
            | (index.hidden as u64) << 56
            | (index.unit.number as u64) << 34
            | frame as u64;
        if let Some(found) = self.cache.read(id, |raw| values_and_plies(raw, at)) {
            return Ok(found);
        }
        let raw = table.frame(frame).map_err(Arc::new)?;
        let found = values_and_plies(&raw, at);
        self.cache.keep(id, raw);
        Ok(found)
    }
}

/// Returns the squares of each face-up group of a position.
pub(super) fn groups_of(position: &Position, fit: &PhaseFit) -> Groups {
    let mut groups: Groups = [0; MAX_GROUPS];
    for square in position.occupied() & !position.face_down() {
        if let Some(piece) = position.piece_at(square) {
            groups[usize::from(fit.groups[piece.index()])] |= 1 << number_of(square);
        }
    }
    groups
}

impl KeptExpectations for HiddenLibrary {
    fn pieces(&self) -> u32 {
        self.pieces
    }

    fn kept(&self, position: &Position) -> Result<Option<Expectation>, String> {
        let nothing_face_up = position.occupied() == position.face_down();
        let nothing_hidden = position.face_down().is_empty();
        if nothing_face_up || nothing_hidden || position.occupied().len() as u32 > self.pieces {
            return Ok(None);
        }
        self.read(position).map_err(|error| error.to_string())
    }
}
