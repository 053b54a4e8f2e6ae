//! Writing tables with face-down pieces: to a temporary file first, which is then renamed.

use std::io;
use std::path::Path;

use anqi_files::NewFile;

use super::header::Header;
use super::table::HiddenTable;
use crate::TableError;
use crate::file::bytes::{put, write_with_trailer};

/// Writes a table, reads it back against its hash, and puts it in its place.
///
/// # Errors
///
/// Fails if the file cannot be written or is not what was written.
pub(super) fn write(
    place: &Path,
    header: &Header,
    waits: &[u8],
    frames: &[Vec<u8>],
) -> Result<u64, TableError> {
    let mut file = NewFile::create(place).map_err(TableError::io(place))?;
    let length = fill(&mut file, header, waits, frames).map_err(TableError::io(place))?;
    let written = file.temporary_path().unwrap_or(place).to_owned();
    let read = HiddenTable::open(&written).and_then(|table| table.file.check_hash());
    read.map_err(|fault| fault.at(place))?;
    file.publish().map_err(TableError::io(place))?;
    Ok(length)
}

fn fill(file: &mut NewFile, header: &Header, waits: &[u8], frames: &[Vec<u8>]) -> io::Result<u64> {
    let (head, directory) = (header.to_bytes(), directory(frames));
    let parts = [&head[..], &directory, waits].into_iter();
    write_with_trailer(file, parts.chain(frames.iter().map(Vec::as_slice)))
}

/// The length and checksum of each frame, and a checksum of these.
fn directory(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::with_capacity(frames.len() * 8 + 4);
    for frame in frames {
        put(&mut out, frame.len() as u32);
        put(&mut out, crc32fast::hash(frame));
    }
    let crc = crc32fast::hash(&out);
    put(&mut out, crc);
    out
}
