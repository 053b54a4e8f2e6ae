//! Writing tables: to a temporary file first, which is then renamed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anqi_files::NewFile;

use super::codec::{Packed, Packing, compress, put};
use super::error::TableError;
use super::extract::fill_dont_cares;
use super::framed::TRAILER;
use super::header::Header;
use super::reader::TableFile;
use crate::parallel;

/// Collects the values of a table in order and compresses them frame by frame.
#[derive(Debug)]
pub(super) struct Frames {
    width: u8,
    packing: Packing,
    /// Values that do not fill a frame yet.
    rest: Vec<u16>,
    packed: Vec<Packed>,
}

impl Frames {
    /// Starts a table with values of this width.
    pub(super) fn new(width: u8, packing: Packing) -> Frames {
        Frames {
            width,
            packing,
            rest: Vec::new(),
            packed: Vec::new(),
        }
    }

    /// Appends values, don't-cares included.
    ///
    /// # Errors
    ///
    /// Fails if the compressor does.
    pub(super) fn push(&mut self, mut values: &[u16]) -> io::Result<()> {
        let frame = self.packing.frame;
        if !self.rest.is_empty() {
            let (more, others) = values.split_at(values.len().min(frame - self.rest.len()));
            self.rest.extend_from_slice(more);
            values = others;
            if self.rest.len() < frame {
                return Ok(());
            }
            let whole = std::mem::take(&mut self.rest);
            self.pack(&whole)?;
        }
        let (whole, rest) = values.split_at(values.len() / frame * frame);
        self.rest.extend_from_slice(rest);
        self.pack(whole)
    }

    fn pack(&mut self, values: &[u16]) -> io::Result<()> {
        let (width, Packing { level, frame }) = (self.width, self.packing);
        let frames: Vec<&[u16]> = values.chunks(frame).collect();
        let packed = parallel::map(&frames, |values| {
            let mut values = values.to_vec();
            fill_dont_cares(&mut values);
            compress(&values, width, level)
        });
        for frame in packed {
            self.packed.push(frame?);
        }
        Ok(())
    }

    /// Returns all frames.
    ///
    /// # Errors
    ///
    /// Fails if the compressor does.
    pub(super) fn finish(mut self) -> io::Result<Vec<Packed>> {
        let rest = std::mem::take(&mut self.rest);
        self.pack(&rest)?;
        Ok(self.packed)
    }
}

/// A table in a temporary file, which is deleted unless it is [`Draft::publish`]ed.
#[derive(Debug)]
pub(super) struct Draft {
    file: NewFile,
    place: PathBuf,
}

impl Draft {
    /// Writes a table whose place is `place`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub(super) fn write(
        place: &Path,
        header: &Header,
        frames: &[Packed],
    ) -> Result<Draft, TableError> {
        let mut draft = Draft {
            file: NewFile::create(place).map_err(TableError::io(place))?,
            place: place.to_owned(),
        };
        draft.fill(header, frames).map_err(TableError::io(place))?;
        Ok(draft)
    }

    fn fill(&mut self, header: &Header, frames: &[Packed]) -> io::Result<()> {
        let head = header.to_bytes();
        let directory = directory(frames);
        let body = frames.iter().filter_map(|frame| match frame {
            Packed::Constant(_) => None,
            Packed::Bytes(bytes) => Some(&bytes[..]),
        });
        let parts = [&head[..], &directory[..]].into_iter().chain(body);
        write_with_trailer(&mut self.file, parts).map(|_| ())
    }

    /// Opens the table for reading it back.
    ///
    /// # Errors
    ///
    /// Fails if what was written is not a sound table.
    pub(super) fn open(&self) -> Result<TableFile, TableError> {
        TableFile::open(self.file.temporary_path().unwrap_or(&self.place))
    }

    /// Puts the table in its place.
    ///
    /// # Errors
    ///
    /// Fails if the disk is full or the place cannot be replaced.
    pub(super) fn publish(self) -> Result<(), TableError> {
        self.file.publish().map_err(TableError::io(self.place))
    }
}

/// Writes the parts of a file, then its length and the hash of all that; returns the length.
///
/// # Errors
///
/// Fails if the file cannot be written.
pub(crate) fn write_with_trailer<'a>(
    file: &mut NewFile,
    parts: impl Iterator<Item = &'a [u8]>,
) -> io::Result<u64> {
    let mut hasher = blake3::Hasher::new();
    let mut length = TRAILER;
    for part in parts {
        hasher.update(part);
        file.write_all(part)?;
        length += part.len() as u64;
    }
    hasher.update(&length.to_le_bytes());
    file.write_all(&length.to_le_bytes())?;
    file.write_all(hasher.finalize().as_bytes())?;
    file.flush()?;
    Ok(length)
}

/// The length and checksum of each frame, and a checksum of these.
fn directory(frames: &[Packed]) -> Vec<u8> {
    let mut out = Vec::with_capacity(frames.len() * 8 + 4);
    for frame in frames {
        match frame {
            Packed::Constant(value) => {
                put(&mut out, 0u32);
                put(&mut out, *value);
            }
            Packed::Bytes(bytes) => {
                put(&mut out, bytes.len() as u32);
                put(&mut out, crc32fast::hash(bytes));
            }
        }
    }
    let crc = crc32fast::hash(&out);
    put(&mut out, crc);
    out
}
