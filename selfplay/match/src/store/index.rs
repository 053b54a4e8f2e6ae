//! Where the pairs of a match are in its files: twelve bytes a pair.
//!
//! A match of millions of pairs does not fit into memory. An index is made in one pass over the
//! files, which checks every record; it is sorted by number, and equal numbers are compared, as
//! the records themselves would be. [`Records`] then reads the pairs again, one by one in the
//! order of their numbers.
//!
//! A pair that has been read needs its number no more: its result takes the number's place, so
//! that what needs all results twice, like a coefficient of luck from the other pairs, finds them
//! in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::reading::{common_meta, files_of, read_file, read_line};
use super::{Meta, Place, StoreError, TornLine};
use crate::luck;
use crate::record::{PairRecord, score_of};
use crate::statistics::adjusted::PairResult;

/// Bits of a place that number a byte of a file; the others number the file.
const BYTE_BITS: u32 = 44;
/// Bits of a result that hold half points, up to four.
const POINT_BITS: u32 = 3;
/// Files that are open at a time.
const MOST_OPEN: usize = 64;

/// The pairs of a match, sorted by number, as places in its files.
#[derive(Clone, Debug, Default)]
pub struct Index {
    files: Vec<PathBuf>,
    entries: Vec<Entry>,
    torn: Vec<TornLine>,
}

/// A pair.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// File and byte, the low half first.
    place: [u32; 2],
    /// The number of the pair; once it has been read, its result.
    content: u32,
}

/// Indexes folders of finished pairs of one match.
///
/// # Errors
///
/// Fails if a folder cannot be read, a record contradicts its own plies, the folders hold
/// different matches, or contradict each other.
pub fn index(folders: &[PathBuf]) -> Result<(Meta, Index), StoreError> {
    let meta = common_meta(folders)?;
    let mut index = Index::default();
    for folder in folders {
        let expected = meta.expected(folder)?;
        for path in files_of(folder)? {
            let file = index.files.len();
            index.files.push(path.clone());
            let torn = read_file(&path, &expected, |record, _, byte| {
                let entry = Entry::new(record.pair, file, byte);
                index.push(entry.ok_or_else(|| StoreError::TooMany(path.clone()))?);
                Ok(())
            })?;
            index.torn.extend(torn);
        }
    }
    index.sort()?;
    Ok((meta, index))
}

impl Index {
    /// Returns how many pairs there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the incomplete lines that were left out.
    pub fn torn(&self) -> &[TornLine] {
        &self.torn
    }

    /// Keeps the result of a pair that has been read.
    pub fn keep_result(&mut self, number: usize, record: &PairRecord) {
        let luck = record.luck.as_ref().map_or(0, luck::PairLuck::sum);
        self.entries[number].content = packed(record.half_points_a(), luck);
    }

    /// Returns the results of the first pairs, which have been read.
    pub fn results(&self, pairs: usize) -> impl Iterator<Item = PairResult> + Clone {
        let entries = self.entries[..pairs].iter();
        entries.map(|entry| unpacked(entry.content))
    }

    /// Adds an entry; the list grows by eighths, not to the double.
    fn push(&mut self, entry: Entry) {
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(self.entries.len() / 8 + 1_024);
        }
        self.entries.push(entry);
    }

    /// Sorts by number, drops duplicates and refuses contradictory ones.
    fn sort(&mut self) -> Result<(), StoreError> {
        self.entries
            .sort_unstable_by_key(|entry| (entry.content, entry.place()));
        let mut records = Records::default();
        for second in 1..self.entries.len() {
            let first = second - 1;
            if self.entries[first].content == self.entries[second].content {
                self.require_same_games(&mut records, first, second)?;
            }
        }
        self.entries.dedup_by_key(|entry| entry.content);
        Ok(())
    }

    fn require_same_games(
        &self,
        records: &mut Records,
        first: usize,
        second: usize,
    ) -> Result<(), StoreError> {
        let pair = records.read(self, first)?;
        if pair.same_games(&records.read(self, second)?) {
            return Ok(());
        }
        Err(StoreError::Contradiction {
            pair: pair.pair,
            first: self.place(first)?,
            second: self.place(second)?,
        })
    }

    fn file_and_byte(&self, number: usize) -> (usize, u64) {
        let place = self.entries[number].place();
        (
            (place >> BYTE_BITS) as usize,
            place & ((1 << BYTE_BITS) - 1),
        )
    }

    /// Returns the line of an entry, for messages.
    fn place(&self, number: usize) -> Result<Place, StoreError> {
        let (file, byte) = self.file_and_byte(number);
        let path = self.files[file].clone();
        let line = lines_before(&path, byte).map_err(StoreError::file(&path))? + 1;
        Ok(Place { path, line })
    }
}

impl Entry {
    /// Returns `None` for what has no room in an entry.
    fn new(pair: u64, file: usize, byte: u64) -> Option<Entry> {
        let fits = byte >> BYTE_BITS == 0 && file >> (u64::BITS - BYTE_BITS) == 0;
        let place = (file as u64) << BYTE_BITS | byte;
        Some(Entry {
            place: [place as u32, (place >> u32::BITS) as u32],
            content: u32::try_from(pair).ok().filter(|_| fits)?,
        })
    }

    fn place(self) -> u64 {
        u64::from(self.place[1]) << u32::BITS | u64::from(self.place[0])
    }
}

/// Packs a result. The luck of a record that has been checked is at most 64 flips of 20,000.
fn packed(half_points: u64, luck: i64) -> u32 {
    ((luck as i32) << POINT_BITS) as u32 | half_points as u32
}

fn unpacked(result: u32) -> PairResult {
    let half_points = result & ((1 << POINT_BITS) - 1);
    PairResult {
        score: score_of(half_points.into()),
        luck: luck::points_of(i64::from(result as i32 >> POINT_BITS)),
    }
}

fn lines_before(path: &Path, byte: u64) -> io::Result<usize> {
    let mut lines = 0;
    let mut file = BufReader::new(File::open(path)?.take(byte));
    while file.skip_until(b'\n')? > 0 {
        lines += 1;
    }
    Ok(lines)
}

/// Reads records by an index. Its files stay open from one record to the next.
#[derive(Debug, Default)]
pub struct Records {
    /// The file with each number, if it is open, and the byte at which it stands.
    open: Vec<Option<(BufReader<File>, u64)>>,
}

impl Records {
    /// Reads the record of a pair whose result has not been kept yet.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not what was indexed.
    pub fn read(&mut self, index: &Index, number: usize) -> Result<PairRecord, StoreError> {
        let record = self.read_again(index, number)?;
        if record.pair != u64::from(index.entries[number].content) {
            let (file, _) = index.file_and_byte(number);
            return Err(StoreError::Changed(index.files[file].clone()));
        }
        Ok(record)
    }

    /// Reads the record of a pair whose result has been kept.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not what was indexed.
    pub fn read_again(&mut self, index: &Index, number: usize) -> Result<PairRecord, StoreError> {
        let (file, byte) = index.file_and_byte(number);
        let path = &index.files[file];
        let line = self
            .line(path, file, byte)
            .map_err(StoreError::file(path))?;
        serde_json::from_slice(&line).map_err(|_| StoreError::Changed(path.clone()))
    }

    /// Reads the line of a file that begins at a byte.
    fn line(&mut self, path: &Path, file: usize, byte: u64) -> io::Result<Vec<u8>> {
        if self.open.len() <= file {
            self.open.resize_with(file + 1, || None);
        }
        if self.open[file].is_none() {
            if self.open.iter().flatten().count() >= MOST_OPEN {
                self.open.iter_mut().for_each(|open| *open = None);
            }
            self.open[file] = Some((BufReader::new(File::open(path)?), 0));
        }
        let (reader, at) = self.open[file].as_mut().expect("it was just opened");
        match i64::try_from(byte).ok().zip(i64::try_from(*at).ok()) {
            Some((byte, at)) => reader.seek_relative(byte - at)?,
            None => drop(reader.seek(SeekFrom::Start(byte))?),
        }
        let line = read_line(reader)?;
        *at = byte + line.len() as u64;
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_takes_less_than_sixteen_bytes() {
        assert_eq!(size_of::<Entry>(), 12);
        let mut index = Index::default();
        for pair in 0..100_000 {
            index.push(Entry::new(pair, 0, 600 * pair).expect("it fits"));
            let bytes = index.entries.capacity() * size_of::<Entry>();
            assert!(
                bytes <= 14 * index.len() + 16_384,
                "{bytes} for {}",
                index.len()
            );
        }
    }

    #[test]
    fn places_and_results_come_back_as_they_were_kept() {
        for (file, byte) in [(0, 0), (1, 5), (70_000, (1 << BYTE_BITS) - 1)] {
            let index = Index {
                entries: vec![Entry::new(7, file, byte).expect("it fits")],
                ..Index::default()
            };
            assert_eq!(index.file_and_byte(0), (file, byte));
        }
        assert!(Entry::new(1 << 32, 0, 0).is_none());
        assert!(Entry::new(0, 1 << 20, 0).is_none());
        assert!(Entry::new(0, 0, 1 << BYTE_BITS).is_none());
        for luck in [-64 * 20_000, -1, 0, 1, 12_345, 64 * 20_000] {
            for half_points in 0..=4 {
                let result = unpacked(packed(half_points, luck));
                assert_eq!(result.score, half_points as f64 / 4.0);
                assert_eq!(result.luck, luck::points_of(luck));
            }
        }
    }
}
