//! Files of finished pairs: what lets a long match be killed and go on.
//!
//! A folder holds `meta.json`, which says what match this is, and one or more
//! files of pairs, one JSON object a line. A line is appended by a single write
//! when both games of its pair have ended, so that a killed process leaves at
//! most one incomplete last line, which the next one cuts off. Each shard has a
//! file of its own (`pairs-2-of-3.jsonl`), so that shards may share a folder;
//! a lock on it keeps a second process from playing the same pairs.
//!
//! The order of lines is the order in which pairs happened to end and means
//! nothing: readers sort by number.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::deal::DealKind;
use crate::limits::Limits;
use crate::pairing::Shard;
use crate::record::PairRecord;
use crate::side::BySide;
use crate::statistics::sprt::Sprt;

const META: &str = "meta.json";

/// What match a folder belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Meta {
    /// What decides how the games go.
    pub identity: Identity,
    /// How many games were asked for last.
    pub games: u64,
    /// The test that may end the match early, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

/// Everything that decides how the games of a match go; a resumed run must agree in all of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// Name and version of the program.
    pub program: String,
    /// The players as they were given.
    pub players: BySide<String>,
    /// The players with all settings spelled out, and what outside programs call themselves.
    pub names: BySide<String>,
    /// What each side may spend on a move.
    pub limits: BySide<Limits>,
    /// Name of the rules.
    pub rules: String,
    /// How the deal is bound to flips.
    pub deal: DealKind,
    /// The seed.
    pub seed: u64,
}

/// What can be wrong with a folder of pairs.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file does not hold what it should.
    #[error("{}, line {line}: {error}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Which line.
        line: usize,
        /// Why.
        error: serde_json::Error,
    },
    /// The folder belongs to another match.
    #[error("{} holds another match: {field} is {found} there and {expected} here", path.display())]
    OtherMatch {
        /// Which folder.
        path: PathBuf,
        /// What differs.
        field: &'static str,
        /// What the folder says.
        found: String,
        /// What was asked for.
        expected: String,
    },
    /// Another process is playing into this file.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// The same pair was played with different results.
    #[error("pair {pair} is there twice with different games")]
    Contradiction {
        /// Which pair.
        pair: u64,
    },
    /// There is nothing to read.
    #[error("{} holds no match (there is no {META})", .0.display())]
    NoMatch(PathBuf),
    /// Nothing was named.
    #[error("no folder of pairs was named")]
    NoInput,
}

impl StoreError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
        let path = path.to_owned();
        |error| StoreError::File { path, error }
    }
}

impl Identity {
    /// Returns the first thing in which two matches differ.
    fn difference(&self, other: &Identity) -> Option<(&'static str, String, String)> {
        let fields = |identity: &Identity| {
            [
                ("the program", identity.program.clone()),
                ("player A", identity.names.a.clone()),
                ("player B", identity.names.b.clone()),
                ("the limit of A", identity.limits.a.to_string()),
                ("the limit of B", identity.limits.b.to_string()),
                ("the set of rules", identity.rules.clone()),
                ("the kind of deal", identity.deal.to_string()),
                ("the seed", identity.seed.to_string()),
                // The given texts may differ while the full names agree.
            ]
        };
        let pairs = fields(self).into_iter().zip(fields(other));
        pairs
            .into_iter()
            .find(|(mine, theirs)| mine.1 != theirs.1)
            .map(|(mine, theirs)| (mine.0, mine.1, theirs.1))
    }

    /// Checks that a folder's match is this one.
    fn require_same(&self, found: &Identity, path: &Path) -> Result<(), StoreError> {
        match found.difference(self) {
            None => Ok(()),
            Some((field, found, expected)) => Err(StoreError::OtherMatch {
                path: path.to_owned(),
                field,
                found,
                expected,
            }),
        }
    }
}

/// An open folder into which a match is played.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Opens a folder for playing, and returns the pairs that are already there.
    ///
    /// Makes the folder if needed, cuts off an incomplete last line, and writes
    /// down what match it is.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds another match, is in use, or cannot be written.
    pub fn open(
        folder: &Path,
        meta: &Meta,
        shard: Shard,
    ) -> Result<(Store, Vec<PairRecord>), StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::file(folder))?;
        if let Some(found) = read_meta(folder)? {
            meta.identity.require_same(&found.identity, folder)?;
        }
        let path = folder.join(file_name(shard));
        let file = open_locked(&path)?;
        write_whole(&folder.join(META), &pretty(meta))?;
        let mut store = Store { path, file };
        store.cut_incomplete_line()?;
        let records = read_pairs(folder)?;
        Ok((store, records))
    }

    /// Appends a finished pair.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; what was written before stays.
    pub fn append(&mut self, record: &PairRecord) -> Result<(), StoreError> {
        self.file
            .write_all(line(record).as_bytes())
            .map_err(StoreError::file(&self.path))
    }

    fn cut_incomplete_line(&mut self) -> Result<(), StoreError> {
        cut_incomplete_line(&mut self.file).map_err(StoreError::file(&self.path))
    }
}

/// Cuts off what a killed process has left after the last newline.
fn cut_incomplete_line(file: &mut File) -> io::Result<()> {
    let mut content = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut content)?;
    let last_newline = content.iter().rposition(|&byte| byte == b'\n');
    let complete = last_newline.map_or(0, |index| index + 1);
    if complete < content.len() {
        file.set_len(complete as u64)?;
    }
    Ok(())
}

fn open_locked(path: &Path) -> Result<File, StoreError> {
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
        .map_err(StoreError::file(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(StoreError::file(path)(error)),
    }
}

fn file_name(shard: Shard) -> String {
    if shard == Shard::WHOLE {
        "pairs.jsonl".to_owned()
    } else {
        format!("pairs-{}-of-{}.jsonl", shard.index, shard.count)
    }
}

fn line(record: &PairRecord) -> String {
    serde_json::to_string(record).expect("records hold nothing that JSON cannot say") + "\n"
}

fn pretty(meta: &Meta) -> String {
    serde_json::to_string_pretty(meta).expect("meta data hold nothing that JSON cannot say") + "\n"
}

/// Reads folders of finished pairs of one match, sorted by number.
///
/// # Errors
///
/// Fails if a folder cannot be read, the folders hold different matches, or
/// contradict each other.
pub fn load(folders: &[PathBuf]) -> Result<(Meta, Vec<PairRecord>), StoreError> {
    let mut whole: Option<Meta> = None;
    let mut records = Vec::new();
    for folder in folders {
        let meta = read_meta(folder)?.ok_or_else(|| StoreError::NoMatch(folder.clone()))?;
        match &mut whole {
            None => whole = Some(meta),
            Some(whole) => {
                whole.identity.require_same(&meta.identity, folder)?;
                whole.games = whole.games.max(meta.games);
                whole.sprt = whole.sprt.or(meta.sprt);
            }
        }
        records.extend(read_pairs(folder)?);
    }
    let meta = whole.ok_or(StoreError::NoInput)?;
    Ok((meta, sorted(records)?))
}

/// Writes a folder with all pairs in one file, in order.
///
/// # Errors
///
/// Fails if the folder holds another match or cannot be written.
pub fn write(folder: &Path, meta: &Meta, records: &[PairRecord]) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(StoreError::file(folder))?;
    if let Some(found) = read_meta(folder)? {
        meta.identity.require_same(&found.identity, folder)?;
    }
    let path = folder.join(file_name(Shard::WHOLE));
    let _lock = open_locked(&path)?;
    // What the folder already holds is part of the match.
    let all = sorted(
        read_pairs(folder)?
            .into_iter()
            .chain(records.iter().cloned())
            .collect(),
    )?;
    write_whole(&folder.join(META), &pretty(meta))?;
    write_whole(&path, &all.iter().map(line).collect::<String>())
}

/// Writes a file beside its place and renames it.
///
/// What is no plain file, such as a link or `/dev/stdout`, is written to as it
/// is: renaming would put a file in its place.
///
/// # Errors
///
/// Fails if the file cannot be written; the old one then stays.
pub fn write_whole(path: &Path, content: &str) -> Result<(), StoreError> {
    if fs::symlink_metadata(path).is_ok_and(|known| !known.is_file()) {
        return fs::write(path, content).map_err(StoreError::file(path));
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(content.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        // The error that counts is the first one; a left-over part is only untidy.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(StoreError::file(path))
}

fn read_meta(folder: &Path) -> Result<Option<Meta>, StoreError> {
    let path = folder.join(META);
    let text = match fs::read_to_string(&path) {
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

/// Reads all files of pairs in a folder, in no order.
fn read_pairs(folder: &Path) -> Result<Vec<PairRecord>, StoreError> {
    let mut records = Vec::new();
    for entry in fs::read_dir(folder).map_err(StoreError::file(folder))? {
        let path = entry.map_err(StoreError::file(folder))?.path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        if name.starts_with("pairs") && name.ends_with(".jsonl") {
            read_file(&path, &mut records)?;
        }
    }
    Ok(records)
}

fn read_file(path: &Path, records: &mut Vec<PairRecord>) -> Result<(), StoreError> {
    let text = fs::read_to_string(path).map_err(StoreError::file(path))?;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        // A line without an end is still being written, or never will be.
        let Some(line) = line.strip_suffix('\n') else {
            break;
        };
        let record = serde_json::from_str(line).map_err(|error| StoreError::Content {
            path: path.to_owned(),
            line: index + 1,
            error,
        })?;
        records.push(record);
    }
    Ok(())
}

/// Sorts records by number and drops repetitions.
///
/// # Errors
///
/// Fails if a pair is there twice with different games.
pub fn sorted(mut records: Vec<PairRecord>) -> Result<Vec<PairRecord>, StoreError> {
    records.sort_by_key(|record| record.pair);
    for twice in records.windows(2) {
        if twice[0].pair == twice[1].pair && !twice[0].same_games(&twice[1]) {
            let pair = twice[0].pair;
            return Err(StoreError::Contradiction { pair });
        }
    }
    records.dedup_by_key(|record| record.pair);
    Ok(records)
}
