//! Reading folders of finished pairs.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anqi_files::{open_regular, read_text_limited};

use super::{META, Meta, Place, StoreError};
use crate::record::PairRecord;
use crate::replay::{self, Expected};

/// Size limit of `meta.json` in bytes; it has a few hundred, and some 60 for each opening.
const META_BYTES: u64 = 1 << 25;
/// Size limit of a pair in bytes; two long games have some ten thousand.
const LINE_BYTES: u64 = 1 << 24;

/// An incomplete line, left out: a process was killed there, or is still writing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TornLine(pub Place);

/// The finished pairs of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Loaded {
    /// The pairs, sorted by number.
    pub records: Vec<PairRecord>,
    /// Incomplete lines that were left out or cut off.
    pub torn: Vec<TornLine>,
}

/// A record and where it was read.
#[derive(Clone, Debug)]
pub(super) struct PlacedRecord {
    pub(super) record: PairRecord,
    pub(super) place: Place,
}

/// The unsorted content of one or more files.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    pub(super) found: Vec<PlacedRecord>,
    pub(super) torn: Vec<TornLine>,
}

/// Reads folders of finished pairs of one match, sorted by number.
///
/// # Errors
///
/// Fails if a folder cannot be read, a record contradicts its own plies, the
/// folders hold different matches, or contradict each other.
pub fn load(folders: &[PathBuf]) -> Result<(Meta, Loaded), StoreError> {
    let meta = common_meta(folders)?;
    let mut files = Files::default();
    for folder in folders {
        files.read_folder(folder, &meta.expected(folder)?)?;
    }
    Ok((meta, files.sorted()?))
}

/// Returns the description of the match that all folders hold.
///
/// # Errors
///
/// Fails if one holds none, or another match.
pub(super) fn common_meta(folders: &[PathBuf]) -> Result<Meta, StoreError> {
    let mut whole: Option<Meta> = None;
    for folder in folders {
        let meta = read_meta(folder)?.ok_or_else(|| StoreError::NoMatch(folder.clone()))?;
        match &mut whole {
            None => whole = Some(meta),
            Some(whole) => whole.include(&meta, folder)?,
        }
    }
    whole.ok_or(StoreError::NoInput)
}

impl Meta {
    /// Merges the description of the same match in another folder.
    fn include(&mut self, other: &Meta, folder: &Path) -> Result<(), StoreError> {
        self.identity.require_same(&other.identity, folder)?;
        self.games = self.games.max(other.games);
        self.sprt = self.sprt.or(other.sprt);
        Ok(())
    }
}

/// Returns a folder's description of its match; `None` if it holds none.
///
/// # Errors
///
/// Fails if the description cannot be read.
pub fn meta(folder: &Path) -> Result<Option<Meta>, StoreError> {
    read_meta(folder)
}

/// Checks that a folder holds this match or none.
///
/// # Errors
///
/// Returns an error that names the first difference of the folder's match.
pub fn require_same(folder: &Path, meta: &Meta) -> Result<(), StoreError> {
    match read_meta(folder)? {
        Some(found) => meta.identity.require_same(&found.identity, folder),
        None => Ok(()),
    }
}

pub(super) fn read_meta(folder: &Path) -> Result<Option<Meta>, StoreError> {
    let path = folder.join(META);
    let text = match read_text_limited(&path, META_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::file(&path)(error)),
    };
    match serde_json::from_str(&text) {
        Ok(meta) => Ok(Some(meta)),
        Err(error) => Err(StoreError::Content {
            path,
            line: error.line(),
            error,
        }),
    }
}

impl Files {
    /// Reads all files of pairs in a folder.
    pub(super) fn read_folder(
        &mut self,
        folder: &Path,
        expected: &Expected,
    ) -> Result<(), StoreError> {
        for path in files_of(folder)? {
            let torn = read_file(&path, expected, |record, line, _| {
                let path = path.clone();
                let place = Place { path, line };
                self.found.push(PlacedRecord { record, place });
                Ok(())
            })?;
            self.torn.extend(torn);
        }
        Ok(())
    }

    /// Sorts records by number, drops duplicates and refuses contradictory ones.
    pub(super) fn sorted(self) -> Result<Loaded, StoreError> {
        let mut found = self.found;
        found.sort_by_key(|found| found.record.pair);
        for twice in found.windows(2) {
            let [first, second] = [&twice[0], &twice[1]];
            if contradicts(&first.record, &second.record) {
                return Err(StoreError::Contradiction {
                    pair: first.record.pair,
                    first: first.place.clone(),
                    second: second.place.clone(),
                });
            }
        }
        let mut records: Vec<PairRecord> = found.into_iter().map(|found| found.record).collect();
        records.dedup_by_key(|record| record.pair);
        Ok(Loaded {
            records,
            torn: self.torn,
        })
    }
}

/// Returns the files of pairs in a folder, by name.
pub(super) fn files_of(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(StoreError::file(folder))? {
        let path = entry.map_err(StoreError::file(folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_some_and(|name| name.starts_with("pairs") && name.ends_with(".jsonl")) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Hands each record of a file to `seen` with its line and the byte at which that begins, and
/// returns the incomplete line at the end, if there is one.
pub(super) fn read_file(
    path: &Path,
    expected: &Expected,
    mut seen: impl FnMut(PairRecord, usize, u64) -> Result<(), StoreError>,
) -> Result<Option<TornLine>, StoreError> {
    let file = open_regular(path).map_err(StoreError::file(path))?;
    let mut file = BufReader::new(file);
    let mut start = 0;
    for line in 1.. {
        let place = || Place {
            path: path.to_owned(),
            line,
        };
        let read = read_line(&mut file).map_err(StoreError::file(path))?;
        if read.is_empty() {
            break;
        }
        // An incomplete line is still being written, or its process was killed.
        let Some(text) = read.strip_suffix(b"\n") else {
            return Ok(Some(TornLine(place())));
        };
        seen(checked_record(text, place, expected)?, line, start)?;
        start += read.len() as u64;
    }
    Ok(None)
}

fn contradicts(first: &PairRecord, second: &PairRecord) -> bool {
    first.pair == second.pair && !first.same_games(second)
}

/// Sorts records by number and keeps one for each.
pub fn sorted(mut records: Vec<PairRecord>) -> Vec<PairRecord> {
    records.sort_by_key(|record| record.pair);
    records.dedup_by_key(|record| record.pair);
    records
}

/// Reads to the end of a line or of the file; a line beyond the limit is an error.
pub(super) fn read_line(file: &mut BufReader<File>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    file.take(LINE_BYTES).read_until(b'\n', &mut line)?;
    if line.len() as u64 == LINE_BYTES {
        let message = format!("has a line of more than {LINE_BYTES} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(line)
}

fn checked_record(
    text: &[u8],
    place: impl Fn() -> Place,
    expected: &Expected,
) -> Result<PairRecord, StoreError> {
    let record = serde_json::from_slice(text).map_err(|error| {
        let Place { path, line } = place();
        StoreError::Content { path, line, error }
    })?;
    match replay::check_pair(&record, expected) {
        Ok(()) => Ok(record),
        Err(fault) => Err(StoreError::Record {
            place: place(),
            fault,
        }),
    }
}
