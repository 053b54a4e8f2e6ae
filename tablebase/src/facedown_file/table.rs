//! Reading tables with face-down pieces: nothing in a file is trusted before it is checked.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::frames::{FRAME, unpack_waits};
use super::header::Header;
use super::names::path_of;
use crate::TableError;
use crate::classes::{Fit, Unit};
use crate::facedown::UnitValues;
use crate::file::bytes::{TRAILER, damaged, decompress, hash_of, read_at, take};

/// An open table.
#[derive(Debug)]
pub struct HiddenTable {
    /// The checked header.
    pub header: Header,
    /// The longest wait from each phase on.
    pub waits: Vec<u16>,
    path: PathBuf,
    file: File,
    length: u64,
    /// Where each frame begins, with its length and checksum.
    frames: Vec<(u64, u32, u32)>,
}

impl HiddenTable {
    /// Opens a table and checks all but its values.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not a sound table.
    pub fn open(path: &Path) -> Result<HiddenTable, TableError> {
        let file = anqi_files::open_regular(path).map_err(TableError::io(path))?;
        let length = file.metadata().map_err(TableError::io(path))?.len();
        let read = |at: u64, len: u64| read_part(&file, path, length, at, len);
        let head = Header::length(path, &read(0, length.min(16))?)? as u64;
        let header = Header::read(path, &read(0, head)?)?;
        let directory = read(head, 8 * header.frames() as u64 + 4)?;
        let entries = directory.len() - 4;
        if crc32fast::hash(&directory[..entries]) != take::<u32>(&directory, entries) {
            return Err(damaged(path, "the directory's checksum"));
        }
        let mut at = head + directory.len() as u64;
        let packed = read(at, header.waits.0.into())?;
        if crc32fast::hash(&packed) != header.waits.1 {
            return Err(damaged(path, "the checksum of the waits"));
        }
        let waits = unpack_waits(&packed, header.index.phases())
            .map_err(|_| damaged(path, "the compressed form of the waits"))?;
        at += u64::from(header.waits.0);
        let mut frames = Vec::with_capacity(header.frames());
        for entry in directory[..entries].chunks_exact(8) {
            frames.push((at, take(entry, 0), take(entry, 4)));
            at += u64::from(take::<u32>(entry, 0));
        }
        let said = take::<u64>(&read(at, 8)?, 0);
        if said != length || at + TRAILER != length {
            return Err(TableError::Length {
                path: path.to_owned(),
                found: length,
                expected: at + TRAILER,
            });
        }
        Ok(HiddenTable {
            header,
            waits,
            path: path.to_owned(),
            file,
            length,
            frames,
        })
    }

    /// Returns where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file's length in bytes.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// Reads, checks and decompresses a frame.
    ///
    /// # Errors
    ///
    /// Fails if the frame cannot be read or is damaged.
    pub fn frame(&self, frame: usize) -> Result<Box<[u8]>, TableError> {
        let (offset, len, crc) = self.frames[frame];
        let bytes = read_part(&self.file, &self.path, self.length, offset, len.into())?;
        if crc32fast::hash(&bytes) != crc {
            return Err(damaged(
                &self.path,
                &format!("the checksum of frame {frame}"),
            ));
        }
        decompress(&bytes, 2 * self.header.frame_len(frame))
            .map(Vec::into_boxed_slice)
            .map_err(|_| damaged(&self.path, &format!("the compressed form of frame {frame}")))
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
        for frame in 0..self.frames.len() {
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

    /// Checks that the table is of this unit with so many pieces face down.
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
            path: self.path.clone(),
            what: format!("it holds {} with {} face down", index.unit, index.hidden),
        })
    }

    /// Returns the hash stored at the end of the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn stored_hash(&self) -> Result<[u8; 32], TableError> {
        let mut hash = [0; 32];
        read_at(&self.file, &mut hash, self.length - 32).map_err(TableError::io(&self.path))?;
        Ok(hash)
    }

    /// Reads the whole file and checks the hash at its end.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or any byte has changed.
    pub fn check_hash(&self) -> Result<(), TableError> {
        let hash = hash_of(&self.file, self.length - 32).map_err(TableError::io(&self.path))?;
        match hash == self.stored_hash()? {
            true => Ok(()),
            false => Err(damaged(&self.path, "the hash at the end")),
        }
    }

    /// Checks that the smaller tables beside this one are those it was made from.
    ///
    /// # Errors
    ///
    /// Fails if one is missing, cannot be read or differs.
    pub fn check_links(&self) -> Result<(), TableError> {
        let dir = self.path.parent().unwrap_or(Path::new(""));
        for smaller in &self.header.smaller {
            let path = path_of(dir, Fit::of(&smaller.key).unit, smaller.hidden);
            if HiddenTable::existing(&path)?.stored_hash()? != smaller.hash {
                return Err(TableError::Wrong {
                    path: self.path.clone(),
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

/// Reads a part of a file that must have it.
fn read_part(
    file: &File,
    path: &Path,
    length: u64,
    at: u64,
    len: u64,
) -> Result<Vec<u8>, TableError> {
    if at + len > length {
        return Err(TableError::Length {
            path: path.to_owned(),
            found: length,
            expected: at + len,
        });
    }
    let mut bytes = vec![0; len as usize];
    read_at(file, &mut bytes, at).map_err(TableError::io(path))?;
    Ok(bytes)
}
