//! Files of labelled positions.
//!
//! A file is a header and then records of one size ([`crate::training::example`]),
//! in the order of the games. Numbers are little-endian.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–7 | `anqidata` |
//! | 8–9 | version, 1 |
//! | 10–11 | bytes of a record, 36 |
//! | 12–15 | length of the text that says how the games were played |
//! | 16–23 | the seed of the games |
//! | 24–31 | how many games were played |
//! | 32–39 | how many records follow |
//! | 40–43 | CRC-32 of all records, then of bytes 0–39, then of the text |
//! | 44– | the text, and after it the records |
//!
//! Files are read here as a whole, by [`crate::training::stream`] a part at a time, and written by
//! [`crate::training::writer`].

use std::io;
use std::path::{Path, PathBuf};

use anqi_files::read_limited;
use anqi_search::envelope::{EnvelopeFault, FileKind, part, require_checksum, require_length};

use super::example::{Example, ExampleError, RECORD_BYTES};

const KIND: FileKind = FileKind {
    name: "file of positions",
    magic: "anqidata",
    version: 1,
};
pub(super) const HEADER_BYTES: usize = 44;
/// Size limit of a file in bytes: all of it has to fit into memory.
const FILE_BYTES: u64 = 1 << 36;
/// Bytes of the header before its checksum.
const SUMMED_BYTES: usize = 40;

/// What can be wrong with a file of positions.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It does not hold what it should.
    #[error("{}: {fault}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        fault: DataFault,
    },
}

/// What is wrong with bytes that should be a file of positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DataFault {
    /// Its envelope is wrong.
    #[error(transparent)]
    Envelope(#[from] EnvelopeFault),
    /// Its header is invalid.
    #[error("its header is damaged: {0}")]
    Header(&'static str),
    /// It cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// A record is invalid.
    #[error("record {number}: {error}")]
    Record {
        /// Which, from 1.
        number: usize,
        /// Why.
        error: ExampleError,
    },
}

/// The header of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataHeader {
    /// How the games were played.
    pub recipe: String,
    /// The seed of the games.
    pub seed: u64,
    /// How many games were played.
    pub games: u64,
    /// How many records there are.
    pub records: u64,
}

impl DataHeader {
    /// Returns the bytes before the checksum.
    pub(super) fn summed_bytes(&self) -> [u8; SUMMED_BYTES] {
        let mut bytes = [0; SUMMED_BYTES];
        let mut place = 0;
        let mut put = |part: &[u8]| {
            bytes[place..place + part.len()].copy_from_slice(part);
            place += part.len();
        };
        put(KIND.magic.as_bytes());
        put(&KIND.version.to_le_bytes());
        put(&(RECORD_BYTES as u16).to_le_bytes());
        put(&(self.recipe.len() as u32).to_le_bytes());
        put(&self.seed.to_le_bytes());
        put(&self.games.to_le_bytes());
        put(&self.records.to_le_bytes());
        bytes
    }

    /// Finishes the checksum that the records have begun.
    pub(super) fn checksum(&self, mut records: crc32fast::Hasher) -> u32 {
        records.update(&self.summed_bytes());
        records.update(self.recipe.as_bytes());
        records.finalize()
    }
}

/// A complete file of positions in memory, with a verified checksum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataFile {
    header: DataHeader,
    records: Vec<[u8; RECORD_BYTES]>,
}

impl DataFile {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is invalid.
    pub fn read(path: &Path) -> Result<DataFile, DataError> {
        let bytes = read_limited(path, FILE_BYTES).map_err(|error| DataError::File {
            path: path.to_owned(),
            error,
        })?;
        DataFile::parse(&bytes).map_err(|fault| DataError::Content {
            path: path.to_owned(),
            fault,
        })
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not a valid file.
    pub fn parse(bytes: &[u8]) -> Result<DataFile, DataFault> {
        let head = StreamedHeader::parse(bytes, bytes.len() as u64)?;
        let (recipe, records) = bytes[HEADER_BYTES..].split_at(head.recipe_bytes() as usize);
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(records);
        let header = head.finish(recipe.to_vec(), checksum)?;
        let records = records
            .chunks_exact(RECORD_BYTES)
            .map(|record| part(record, 0));
        Ok(DataFile {
            header,
            records: records.collect(),
        })
    }

    /// Returns the header.
    pub fn header(&self) -> &DataHeader {
        &self.header
    }

    /// Returns the checksum of the whole file, as in its header.
    pub fn checksum(&self) -> u32 {
        let mut checksum = crc32fast::Hasher::new();
        (self.records.iter()).for_each(|record| checksum.update(record));
        self.header.checksum(checksum)
    }

    /// Returns the packed records, in the order of the games.
    pub fn records(&self) -> &[[u8; RECORD_BYTES]] {
        &self.records
    }

    /// Returns the position with this number, from zero.
    ///
    /// # Errors
    ///
    /// Returns an error if its record is invalid.
    pub fn example(&self, index: usize) -> Result<Example, DataFault> {
        let number = index + 1;
        Example::unpack(&self.records[index]).map_err(|error| DataFault::Record { number, error })
    }
}

/// The numbers of a header, whose recipe and records are still to be read.
#[derive(Debug)]
pub(super) struct StreamedHeader {
    seed: u64,
    games: u64,
    records: u64,
    recipe_bytes: u32,
    checksum: u32,
}

impl StreamedHeader {
    /// Reads the beginning of a file that is `length` bytes long.
    pub(super) fn parse(bytes: &[u8], length: u64) -> Result<StreamedHeader, DataFault> {
        let (header, _) = KIND.split_header(bytes, HEADER_BYTES)?;
        KIND.require_version(header)?;
        if usize::from(u16::from_le_bytes(part(header, 10))) != RECORD_BYTES {
            return Err(DataFault::Header("records of another size"));
        }
        let recipe_bytes = u32::from_le_bytes(part(header, 12));
        let [seed, games, records] =
            [16, 24, 32].map(|place| u64::from_le_bytes(part(header, place)));
        let expected = records
            .checked_mul(RECORD_BYTES as u64)
            .and_then(|bytes| bytes.checked_add(HEADER_BYTES as u64 + u64::from(recipe_bytes)))
            .ok_or(DataFault::Header("more records than there can be"))?;
        require_length(expected, length)?;
        Ok(StreamedHeader {
            seed,
            games,
            records,
            recipe_bytes,
            checksum: u32::from_le_bytes(part(header, SUMMED_BYTES)),
        })
    }

    /// Returns the length of the recipe in bytes.
    pub(super) fn recipe_bytes(&self) -> u64 {
        self.recipe_bytes.into()
    }

    /// Returns the header, if the checksum is right that the records have begun.
    pub(super) fn finish(
        self,
        recipe: Vec<u8>,
        records: crc32fast::Hasher,
    ) -> Result<DataHeader, DataFault> {
        let recipe = String::from_utf8(recipe)
            .map_err(|_| DataFault::Header("its recipe is not UTF-8 text"))?;
        let header = DataHeader {
            recipe,
            seed: self.seed,
            games: self.games,
            records: self.records,
        };
        require_checksum(self.checksum, header.checksum(records))?;
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::training::example::{BestAction, GameResult};
    use crate::training::writer::DataWriter;
    use anqi_rules::Position;

    fn example(game: u32) -> Example {
        Example {
            position: "K3/4/4/4/4/4/4/3g r - 3 40".parse().expect("a position"),
            value: 5_000,
            result: GameResult::Win,
            best: BestAction::Step,
            depth: 4,
            game,
        }
    }

    fn file() -> Vec<u8> {
        let out = Cursor::new(Vec::new());
        let mut writer = DataWriter::new(out, "a recipe".to_owned(), 7).expect("memory");
        writer.game(&[example(0), example(0)]).expect("memory");
        writer.game(&[]).expect("memory");
        writer.game(&[example(2)]).expect("memory");
        writer.finish().expect("memory").into_inner()
    }

    #[test]
    fn what_was_written_is_read() {
        let data = DataFile::parse(&file()).expect("a file");
        let expected = DataHeader {
            recipe: "a recipe".to_owned(),
            seed: 7,
            games: 3,
            records: 3,
        };
        assert_eq!(data.header(), &expected);
        assert_eq!(data.example(2), Ok(example(2)));
    }

    #[test]
    fn every_truncation_and_every_changed_byte_is_refused() {
        let whole = file();
        for length in 0..whole.len() {
            assert!(DataFile::parse(&whole[..length]).is_err(), "{length} bytes");
        }
        let longer = [&whole[..], b"x"].concat();
        assert!(matches!(
            DataFile::parse(&longer),
            Err(DataFault::Envelope(EnvelopeFault::Length { .. }))
        ));
        for index in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[index] ^= 4;
            assert!(DataFile::parse(&damaged).is_err(), "byte {index}");
        }
    }

    #[test]
    fn impossible_records_are_named() {
        let impossible = Example {
            position: Position::start(),
            ..example(0)
        };
        let mut writer =
            DataWriter::new(Cursor::new(Vec::new()), String::new(), 1).expect("memory");
        writer.game(&[example(0), impossible]).expect("memory");
        let mut data = DataFile::parse(writer.finish().expect("memory").get_ref()).expect("whole");
        data.records[1][0] = 0;
        let fault = data.example(1).expect_err("two red kings");
        assert!(
            fault
                .to_string()
                .starts_with("record 2: impossible position"),
            "{fault}"
        );
    }
}
