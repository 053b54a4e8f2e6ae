//! Reading tables: nothing in a file is trusted before it is checked.
//!
//! Opening checks the header, the directory and the length; a frame's checksum
//! is checked whenever the frame is read; [`TableFile::check_hash`] reads every
//! byte. Damage of any kind is an error, never a panic or a value.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anqi_rules::Color;

use super::codec::{FRAME, decompress, raw_len, take, unpack};
use super::error::TableError;
use super::header::{Header, damaged};
use super::metric::Metric;
use crate::classes::Unit;

/// Bytes after the frames: the file's length and its hash.
pub const TRAILER: u64 = 40;

/// An open table.
#[derive(Debug)]
pub struct TableFile {
    /// The checked header.
    pub header: Header,
    path: PathBuf,
    file: File,
    length: u64,
    /// Where each frame begins, with its length and checksum.
    frames: Vec<(u64, u32, u32)>,
}

/// The decoded values of a frame.
#[derive(Clone, Debug)]
pub enum Decoded {
    /// All values are this one.
    Constant(u16),
    /// Packed values.
    Raw(Box<[u8]>),
}

thread_local! {
    /// Where a thread reads the compressed bytes of frames.
    static COMPRESSED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Reads a part of a file.
///
/// # Errors
///
/// Fails if it cannot be read.
#[cfg(unix)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Reads a part of a file.
///
/// # Errors
///
/// Fails if it cannot be read.
#[cfg(not(unix))]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}

impl TableFile {
    /// Opens a table and checks all but its values.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not a sound table.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let file = anqi_files::open_regular(path).map_err(TableError::io(path))?;
        let length = file.metadata().map_err(TableError::io(path))?.len();
        let mut start = [0; 16];
        let available = length.min(16) as usize;
        read_at(&file, &mut start[..available], 0).map_err(TableError::io(path))?;
        let head_len = Header::length(path, &start[..available])?;
        let mut bytes = vec![0; head_len];
        let too_short = |expected: u64| TableError::Length {
            path: path.to_owned(),
            found: length,
            expected,
        };
        if length < head_len as u64 {
            return Err(too_short(head_len as u64));
        }
        read_at(&file, &mut bytes, 0).map_err(TableError::io(path))?;
        let header = Header::read(path, &bytes)?;
        let body = head_len as u64 + 8 * header.frames() as u64 + 4;
        if length < body + TRAILER {
            return Err(too_short(body + TRAILER));
        }
        let mut directory = vec![0; (body - head_len as u64) as usize];
        read_at(&file, &mut directory, head_len as u64).map_err(TableError::io(path))?;
        let entries = directory.len() - 4;
        if crc32fast::hash(&directory[..entries]) != take::<u32>(&directory, entries) {
            return Err(damaged(path, "the directory's checksum"));
        }
        let mut at = body;
        let mut frames = Vec::with_capacity(header.frames());
        for entry in directory[..entries].chunks_exact(8) {
            let len: u32 = take(entry, 0);
            frames.push((at, len, take(entry, 4)));
            at += u64::from(len);
        }
        if at + TRAILER != length {
            return Err(too_short(at + TRAILER));
        }
        let mut end = [0; 8];
        read_at(&file, &mut end, at).map_err(TableError::io(path))?;
        if u64::from_le_bytes(end) != length {
            return Err(too_short(u64::from_le_bytes(end)));
        }
        Ok(TableFile {
            header,
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

    /// Returns the frame that holds a value, and the value's place in it.
    pub fn place(&self, turn: Color, number: u64) -> (usize, usize) {
        let at = turn.index() as u64 * self.header.index.len() + number;
        ((at / FRAME as u64) as usize, (at % FRAME as u64) as usize)
    }

    /// Returns the value of a frame that has only one; such a frame takes no bytes.
    #[inline]
    pub fn constant(&self, frame: usize) -> Option<u16> {
        let (_, len, value) = self.frames[frame];
        (len == 0).then_some(value as u16)
    }

    /// Reads a frame.
    ///
    /// # Errors
    ///
    /// Fails if the frame cannot be read or is damaged.
    pub fn frame(&self, frame: usize) -> Result<Decoded, TableError> {
        if let Some(value) = self.constant(frame) {
            return Ok(Decoded::Constant(value));
        }
        COMPRESSED.with_borrow_mut(|buffer| self.read_frame(frame, buffer).map(Decoded::Raw))
    }

    /// Reads a frame's bytes into a buffer, checks and decompresses them.
    fn read_frame(&self, frame: usize, buffer: &mut Vec<u8>) -> Result<Box<[u8]>, TableError> {
        let (offset, len, crc) = self.frames[frame];
        if buffer.len() < len as usize {
            buffer.resize(len as usize, 0);
        }
        let bytes = &mut buffer[..len as usize];
        read_at(&self.file, bytes, offset).map_err(TableError::io(&self.path))?;
        if crc32fast::hash(bytes) != crc {
            return Err(damaged(
                &self.path,
                &format!("the checksum of frame {frame}"),
            ));
        }
        let raw = raw_len(self.header.width, self.header.frame_len(frame));
        decompress(bytes, raw)
            .map(Vec::into_boxed_slice)
            .map_err(|_| damaged(&self.path, &format!("the compressed form of frame {frame}")))
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

    /// Checks that the table is of this unit and metric.
    ///
    /// # Errors
    ///
    /// Fails if it is of another unit or metric.
    pub fn expect(&self, unit: &Unit, metric: Metric) -> Result<(), TableError> {
        let header = &self.header;
        if header.unit.key == unit.key && header.metric == metric {
            return Ok(());
        }
        Err(TableError::Damaged {
            path: self.path.clone(),
            what: format!("it holds {} of {}", header.metric.name(), header.unit),
        })
    }

    /// Checks that the smaller tables beside this one are those it was made from.
    ///
    /// # Errors
    ///
    /// Fails if one is missing, cannot be read or differs.
    pub fn check_links(&self) -> Result<(), TableError> {
        let dir = self.path.parent().unwrap_or(Path::new(""));
        for (key, hash) in &self.header.children {
            let path = dir.join(format!("{key}.{}", Metric::Wdl.name()));
            if !path.exists() {
                let unit = key.to_string();
                return Err(TableError::Missing { path, unit });
            }
            if TableFile::open(&path)?.stored_hash()? != *hash {
                return Err(TableError::Wrong {
                    path: self.path.clone(),
                    what: format!("it was made from another {}", path.display()),
                });
            }
        }
        Ok(())
    }

    /// Reads the whole file and checks the hash at its end.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or any byte has changed.
    pub fn check_hash(&self) -> Result<(), TableError> {
        let hash = hash_of(&self.file, self.length - 32).map_err(TableError::io(&self.path))?;
        if hash != self.stored_hash()? {
            return Err(damaged(&self.path, "the hash at the end"));
        }
        Ok(())
    }
}

/// Returns the BLAKE3 hash of the first `length` bytes of a file.
///
/// # Errors
///
/// Fails if they cannot be read.
pub fn hash_of(file: &File, length: u64) -> io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    let mut at = 0;
    while at < length {
        let len = (length - at).min(1 << 16) as usize;
        read_at(file, &mut buffer[..len], at)?;
        hasher.update(&buffer[..len]);
        at += len as u64;
    }
    Ok(*hasher.finalize().as_bytes())
}

impl Decoded {
    /// Returns one value.
    #[inline]
    pub fn value(&self, width: u8, at: usize) -> u16 {
        match self {
            Decoded::Constant(value) => *value,
            Decoded::Raw(raw) => unpack(raw, width, at),
        }
    }
}
