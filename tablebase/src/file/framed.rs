//! What all table files have in common: a header, a directory, compressed frames, and at the end
//! the file's length and its hash.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::codec::{decompress, take};
use super::error::TableError;
use super::header::damaged;

/// Bytes after the frames: the file's length and its hash.
pub(super) const TRAILER: u64 = 40;

/// An open file of frames; nothing in it is trusted before it is checked.
#[derive(Debug)]
pub struct FramedFile {
    path: PathBuf,
    file: File,
    length: u64,
    frames: Vec<Entry>,
}

/// Where a frame is.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    at: u64,
    /// Its compressed length.
    pub len: u32,
    /// The checksum of its compressed bytes.
    pub crc: u32,
}

thread_local! {
    /// Where a thread reads the compressed bytes of frames.
    static COMPRESSED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(not(unix))]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}

impl FramedFile {
    /// Opens a file without looking at what it holds.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be opened or is no regular file.
    pub fn open(path: &Path) -> Result<FramedFile, TableError> {
        let file = anqi_files::open_regular(path).map_err(TableError::io(path))?;
        let length = file.metadata().map_err(TableError::io(path))?.len();
        Ok(FramedFile {
            path: path.to_owned(),
            file,
            length,
            frames: Vec::new(),
        })
    }

    /// Returns where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its length in bytes.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    fn wrong_length(&self, expected: u64) -> TableError {
        TableError::Length {
            path: self.path.clone(),
            found: self.length,
            expected,
        }
    }

    fn read(&self, buffer: &mut [u8], at: u64) -> Result<(), TableError> {
        read_at(&self.file, buffer, at).map_err(TableError::io(&self.path))
    }

    /// Reads a part of the file.
    ///
    /// # Errors
    ///
    /// Fails if the file ends before it or cannot be read.
    pub fn part(&self, at: u64, len: u64) -> Result<Vec<u8>, TableError> {
        if at + len > self.length {
            return Err(self.wrong_length(at + len));
        }
        let mut bytes = vec![0; len as usize];
        self.read(&mut bytes, at)?;
        Ok(bytes)
    }

    /// Reads the directory of `frames` frames that begins at `at`, and checks that they and the
    /// trailer, after `between` bytes of something else, are the rest of the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, has another length or a damaged directory.
    pub fn read_directory(
        &mut self,
        at: u64,
        frames: usize,
        between: u64,
    ) -> Result<(), TableError> {
        let directory = self.part(at, directory_len(frames))?;
        let (entries, crc) = directory.split_at(8 * frames);
        if crc32fast::hash(entries) != take::<u32>(crc, 0) {
            return Err(damaged(&self.path, "the directory's checksum"));
        }
        let mut next = at + directory.len() as u64 + between;
        let entries = entries.chunks_exact(8).map(|entry| {
            let (at, len, crc) = (next, take(entry, 0), take(entry, 4));
            next += u64::from(len);
            Entry { at, len, crc }
        });
        self.frames = entries.collect();
        if next + TRAILER != self.length {
            return Err(self.wrong_length(next + TRAILER));
        }
        let said = take::<u64>(&self.part(next, 8)?, 0);
        if said == self.length {
            Ok(())
        } else {
            Err(self.wrong_length(said))
        }
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// Returns where a frame is.
    #[inline]
    pub fn entry(&self, frame: usize) -> Entry {
        self.frames[frame]
    }

    /// Reads a frame, checks it and decompresses it to `raw` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the frame cannot be read or is damaged.
    pub fn frame(&self, frame: usize, raw: usize) -> Result<Box<[u8]>, TableError> {
        COMPRESSED.with_borrow_mut(|buffer| self.frame_by(frame, raw, buffer))
    }

    fn frame_by(
        &self,
        frame: usize,
        raw: usize,
        buffer: &mut Vec<u8>,
    ) -> Result<Box<[u8]>, TableError> {
        let Entry { at, len, crc } = self.frames[frame];
        if buffer.len() < len as usize {
            buffer.resize(len as usize, 0);
        }
        let bytes = &mut buffer[..len as usize];
        self.read(bytes, at)?;
        let broken = |what: &str| damaged(&self.path, &format!("{what} of frame {frame}"));
        if crc32fast::hash(bytes) != crc {
            return Err(broken("the checksum"));
        }
        decompress(bytes, raw)
            .map(Vec::into_boxed_slice)
            .map_err(|_| broken("the compressed form"))
    }

    /// Returns the hash stored at the end of the file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn stored_hash(&self) -> Result<[u8; 32], TableError> {
        let mut hash = [0; 32];
        self.read(&mut hash, self.length - 32)?;
        Ok(hash)
    }

    /// Reads the whole file and checks the hash at its end.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or any byte has changed.
    pub fn check_hash(&self) -> Result<(), TableError> {
        if self.hash_of(self.length - 32)? == self.stored_hash()? {
            Ok(())
        } else {
            Err(damaged(&self.path, "the hash at the end"))
        }
    }

    fn hash_of(&self, length: u64) -> Result<[u8; 32], TableError> {
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        let mut at = 0;
        while at < length {
            let len = (length - at).min(1 << 16) as usize;
            self.read(&mut buffer[..len], at)?;
            hasher.update(&buffer[..len]);
            at += len as u64;
        }
        Ok(*hasher.finalize().as_bytes())
    }
}

/// Returns the bytes of a directory.
pub(crate) fn directory_len(frames: usize) -> u64 {
    8 * frames as u64 + 4
}
