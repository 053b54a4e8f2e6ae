//! Files of positions that are read a part at a time, as often as needed.
//!
//! A fit needs each position many times over, and the features of millions do not fit into
//! memory: they are worked out again each time instead. A file is checked once, as a whole,
//! when it is opened.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anqi_files::open_regular;

use super::example::RECORD_BYTES;
use super::file::{DataError, DataFault, DataFile, DataHeader, HEADER_BYTES, StreamedHeader};

/// Bytes of a file that are read at a time while it is checked.
const CHECKED_BYTES: usize = 1 << 16;

/// Labelled positions in memory or in a file.
pub trait PositionSource: Sync {
    /// Returns the header.
    fn header(&self) -> &DataHeader;

    /// Returns packed records, by their numbers from zero.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    fn read(&self, range: Range<usize>) -> Result<Vec<[u8; RECORD_BYTES]>, DataFault>;
}

impl PositionSource for DataFile {
    fn header(&self) -> &DataHeader {
        DataFile::header(self)
    }

    fn read(&self, range: Range<usize>) -> Result<Vec<[u8; RECORD_BYTES]>, DataFault> {
        Ok(self.records()[range].to_vec())
    }
}

/// A complete file of positions on the disk, with a verified checksum.
#[derive(Debug)]
pub struct DataStream {
    header: DataHeader,
    /// The byte at which the records begin.
    records_at: u64,
    file: Mutex<File>,
}

impl DataStream {
    /// Opens a file and checks it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is invalid.
    pub fn open(path: &Path) -> Result<DataStream, DataError> {
        let file = open_regular(path).map_err(|error| DataError::File {
            path: path.to_owned(),
            error,
        })?;
        DataStream::of(file).map_err(|fault| DataError::Content {
            path: path.to_owned(),
            fault,
        })
    }

    /// Checks an open file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is invalid.
    pub fn of(mut file: File) -> Result<DataStream, DataFault> {
        let length = file.metadata().map_err(|error| unreadable(&error))?.len();
        file.seek(SeekFrom::Start(0))
            .map_err(|error| unreadable(&error))?;
        let mut reader = BufReader::new(&mut file);
        let head = read_up_to(&mut reader, HEADER_BYTES as u64)?;
        let head = StreamedHeader::parse(&head, length)?;
        let recipe = read_up_to(&mut reader, head.recipe_bytes())?;
        let mut checksum = crc32fast::Hasher::new();
        let mut bytes = vec![0; CHECKED_BYTES];
        loop {
            match reader
                .read(&mut bytes)
                .map_err(|error| unreadable(&error))?
            {
                0 => break,
                count => checksum.update(&bytes[..count]),
            }
        }
        Ok(DataStream {
            records_at: HEADER_BYTES as u64 + head.recipe_bytes(),
            header: head.finish(recipe, checksum)?,
            file: Mutex::new(file),
        })
    }
}

impl PositionSource for DataStream {
    fn header(&self) -> &DataHeader {
        &self.header
    }

    fn read(&self, range: Range<usize>) -> Result<Vec<[u8; RECORD_BYTES]>, DataFault> {
        let mut records = vec![[0; RECORD_BYTES]; range.len()];
        // A position of the file that a panic left behind does not matter: it is set anew.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let start = self.records_at + (range.start * RECORD_BYTES) as u64;
        file.seek(SeekFrom::Start(start))
            .map_err(|error| unreadable(&error))?;
        file.read_exact(records.as_flattened_mut())
            .map_err(|error| unreadable(&error))?;
        Ok(records)
    }
}

fn unreadable(error: &io::Error) -> DataFault {
    DataFault::Unreadable(error.to_string())
}

fn read_up_to(reader: &mut impl Read, most: u64) -> Result<Vec<u8>, DataFault> {
    let mut bytes = Vec::new();
    let read = reader.take(most).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Cursor;

    use crate::training::example::{BestAction, Example, GameResult};
    use crate::training::writer::DataWriter;

    fn bytes() -> Vec<u8> {
        let out = Cursor::new(Vec::new());
        let mut writer = DataWriter::new(out, "a recipe".to_owned(), 7).expect("memory");
        for game in 0..3 {
            let example = Example {
                position: "K3/4/4/4/4/4/4/3g r - 3 40".parse().expect("a position"),
                value: 100 * game as i16,
                result: GameResult::Win,
                best: BestAction::Step,
                depth: 4,
                game,
            };
            writer.game(&[example, example]).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    }

    #[test]
    fn a_stream_reads_what_a_file_in_memory_holds() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("data");
        fs::write(&place, bytes()).expect("writable");
        let stream = DataStream::open(&place).expect("a file");
        let whole = DataFile::read(&place).expect("a file");
        assert_eq!(PositionSource::header(&stream), whole.header());
        for range in [0..6, 2..5, 5..6, 3..3] {
            let [one, other] =
                [&stream as &dyn PositionSource, &whole].map(|s| s.read(range.clone()));
            assert_eq!(one, other);
        }
    }

    #[test]
    fn a_stream_refuses_what_a_file_in_memory_refuses() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("data");
        let same = |content: &[u8]| {
            fs::write(&place, content).expect("writable");
            let stream = DataStream::open(&place).expect_err("damaged").to_string();
            let whole = DataFile::read(&place).expect_err("damaged").to_string();
            assert_eq!(stream, whole);
        };
        let whole = bytes();
        for length in 0..whole.len() {
            same(&whole[..length]);
        }
        same(&[&whole[..], b"x"].concat());
        for index in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[index] ^= 4;
            same(&damaged);
        }
    }
}
