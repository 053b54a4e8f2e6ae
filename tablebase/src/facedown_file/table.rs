//! Reading tables with face-down pieces: nothing in a file is trusted before it is checked.

use std::path::Path;

use super::frames::{FRAME, unpack_waits};
use super::header::Header;
use super::names::path_of;
use crate::TableError;
use crate::classes::{Fit, Unit};
use crate::facedown::UnitValues;
use crate::file::FramedFile;
use crate::file::bytes::{damaged, directory_len};

/// An open table.
#[derive(Debug)]
pub struct HiddenTable {
    /// The checked header.
    pub header: Header,
    /// The longest wait from each phase on.
    pub waits: Vec<u16>,
    /// The file.
    pub file: FramedFile,
}

impl HiddenTable {
    /// Opens a table and checks all but its values.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not a sound table.
    pub fn open(path: &Path) -> Result<HiddenTable, TableError> {
        let mut file = FramedFile::open(path)?;
        let head = Header::length(path, &file.part(0, file.bytes().min(16))?)? as u64;
        let header = Header::read(path, &file.part(0, head)?)?;
        let (waits, crc) = header.waits;
        file.read_directory(head, header.frames(), waits.into())?;
        let packed = file.part(head + directory_len(header.frames()), waits.into())?;
        if crc32fast::hash(&packed) != crc {
            return Err(damaged(path, "the checksum of the waits"));
        }
        let waits = unpack_waits(&packed, header.index.phases())
            .map_err(|_| damaged(path, "the compressed form of the waits"))?;
        Ok(HiddenTable {
            header,
            waits,
            file,
        })
    }

    /// Reads, checks and decompresses a frame.
    ///
    /// # Errors
    ///
    /// Fails if the frame cannot be read or is damaged.
    pub fn frame(&self, frame: usize) -> Result<Box<[u8]>, TableError> {
        self.file.frame(frame, 2 * self.header.frame_len(frame))
    }

    /// Reads all values, and the plies of all positions.
    ///
    /// # Errors
    ///
    /// Fails if a frame cannot be read or is damaged.
    pub fn read(&self) -> Result<(UnitValues, Vec<u8>), TableError> {
        let positions = self.header.index.positions() as usize;
        let (mut values, mut plies) =
            (Vec::with_capacity(positions), Vec::with_capacity(positions));
        for frame in 0..self.file.frames() {
            let raw = self.frame(frame)?;
            let (first, second) = raw.split_at(raw.len() / 2);
            values.extend(first.iter().map(|&value| value as i8));
            plies.extend_from_slice(second);
        }
        let values = UnitValues {
            index: self.header.index.clone(),
            values,
            waits: self.waits.clone(),
        };
        Ok((values, plies))
    }

    /// Returns the frame of a position and its place there.
    pub fn place(&self, number: u64) -> (usize, usize) {
        let frame = FRAME as u64;
        ((number / frame) as usize, (number % frame) as usize)
    }

    /// Checks that the table is of this unit with this many pieces face down.
    ///
    /// # Errors
    ///
    /// Fails if it is of another.
    pub fn expect(&self, unit: &Unit, hidden: usize) -> Result<(), TableError> {
        let index = &self.header.index;
        if index.unit.key == unit.key && index.hidden == hidden {
            return Ok(());
        }
        Err(TableError::Damaged {
            path: self.file.path().to_owned(),
            what: format!("it holds {} with {} face down", index.unit, index.hidden),
        })
    }

    /// Checks that the smaller tables beside this one are those it was made from.
    ///
    /// # Errors
    ///
    /// Fails if one is missing, cannot be read or differs.
    pub(crate) fn check_links(&self) -> Result<(), TableError> {
        let dir = self.file.path().parent().unwrap_or(Path::new(""));
        for smaller in &self.header.smaller {
            let path = path_of(dir, Fit::of(&smaller.key).unit, smaller.hidden);
            if HiddenTable::existing(&path)?.file.stored_hash()? != smaller.hash {
                return Err(TableError::Wrong {
                    path: self.file.path().to_owned(),
                    what: format!("it was made from another {}", path.display()),
                });
            }
        }
        Ok(())
    }

    /// Opens a table that another needs.
    ///
    /// # Errors
    ///
    /// Fails with how to build it if it is not there, or if it is not a sound table.
    pub fn existing(path: &Path) -> Result<HiddenTable, TableError> {
        if path.exists() {
            return HiddenTable::open(path);
        }
        let path = path.to_owned();
        Err(TableError::MissingFaceDown { path })
    }
}
