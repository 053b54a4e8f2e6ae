//! Playing into a folder, and merging folders.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anqi_files::NewFile;

use super::index::{Index, Records, index};
use super::reading::{Files, read_meta};
use super::{Loaded, META, Meta, Place, StoreError, TornLine};
use crate::pairing::Shard;
use crate::record::PairRecord;

/// An open folder into which a match is played.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Opens a folder for playing, and returns the pairs that are already there.
    ///
    /// Makes the folder if needed, cuts off an incomplete last line, and saves the
    /// description of the match.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds another match or records that contradict
    /// themselves, is in use, or cannot be written.
    pub fn open(folder: &Path, meta: &Meta, shard: Shard) -> Result<(Store, Loaded), StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::file(folder))?;
        let mut meta = meta.clone();
        if let Some(found) = read_meta(folder)? {
            meta.identity.require_same(&found.identity, folder)?;
            // A longer match keeps its pairs.
            meta.games = meta.games.max(found.games);
        }
        let path = folder.join(file_name(shard));
        let mut file = open_locked(&path)?;
        let cut = cut_torn_line(&mut file).map_err(StoreError::file(&path))?;
        let mut files = Files::default();
        files.torn.extend(cut.map(|line| {
            let path = path.clone();
            TornLine(Place { path, line })
        }));
        files.read_folder(folder, &meta.expected(folder)?)?;
        let loaded = files.sorted()?;
        replace(&folder.join(META), &pretty(&meta))?;
        Ok((Store { path, file }, loaded))
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
}

/// Cuts off the incomplete last line of a killed process, and returns its number.
fn cut_torn_line(file: &mut File) -> io::Result<Option<usize>> {
    let mut content = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut content)?;
    let last_newline = content.iter().rposition(|&byte| byte == b'\n');
    let complete = last_newline.map_or(0, |index| index + 1);
    if complete == content.len() {
        return Ok(None);
    }
    file.set_len(complete as u64)?;
    let lines = content[..complete]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    Ok(Some(lines + 1))
}

fn open_locked(path: &Path) -> Result<File, StoreError> {
    let fail = |error| StoreError::file(path)(error);
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let message = "is no regular file";
        return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, message)));
    }
    let file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
        .map_err(fail)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(fail(error)),
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

fn replace(path: &Path, content: &str) -> Result<(), StoreError> {
    anqi_files::replace(path, content).map_err(StoreError::file(path))
}

/// What a merge has written.
#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    /// How many pairs.
    pub pairs: usize,
    /// Incomplete lines that were left out.
    pub torn: Vec<TornLine>,
}

/// Merges folders of one match: all pairs in one file of another folder, in order.
///
/// The pairs of that folder are part of the match and stay.
///
/// # Errors
///
/// Fails as [`index()`] does, or if the folder is in use or cannot be written.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<Merged, StoreError> {
    // Everything is read before the folder is made: a misspelt name leaves nothing behind.
    let mut all = folders.to_vec();
    if read_meta(out)?.is_some() {
        all.push(out.to_owned());
    }
    drop(index(&all)?);
    fs::create_dir_all(out).map_err(StoreError::file(out))?;
    let path = out.join(file_name(Shard::WHOLE));
    let _lock = open_locked(&path)?;
    let (meta, found) = index(&all)?;
    write_all(&path, &found)?;
    replace(&out.join(META), &pretty(&meta))?;
    Ok(Merged {
        pairs: found.len(),
        torn: found.torn().to_vec(),
    })
}

/// Replaces a file by all pairs of an index.
fn write_all(path: &Path, found: &Index) -> Result<(), StoreError> {
    let failed = || StoreError::file(path);
    let mut file = NewFile::create(path).map_err(failed())?;
    let mut records = Records::default();
    for number in 0..found.len() {
        let record = records.read(found, number)?;
        file.write_all(line(&record).as_bytes()).map_err(failed())?;
    }
    file.publish().map_err(failed())
}
