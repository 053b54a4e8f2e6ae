//! A folder of finished parts of a run, from which a killed run resumes.
//!
//! One file says what run it is; another has a line for every finished part, appended by a single
//! write, so that a killed process leaves at most one incomplete line, which the next run cuts off.
//! No line is believed before its run has checked it. One process at a time works in a folder.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anqi_files::{FolderLock, LockError, read_text_limited};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Size limit of a description in bytes.
const DESCRIPTION_BYTES: u64 = 1 << 24;
/// Size limit of a line in bytes; a long game has some five thousand.
const LINE_BYTES: u64 = 1 << 24;

/// What a folder says about its run.
pub trait JournalRun: Serialize + DeserializeOwned {
    /// What such a run is called.
    const KIND: &str;
    /// The file with the description.
    const DESCRIPTION: &str;
    /// The file with the finished parts.
    const PARTS: &str;
    /// A finished part.
    type Part: Serialize;

    /// Returns what differs between this run and the one that was found.
    fn difference(&self, found: &Self) -> Option<&'static str>;
}

/// Returns the first of these that is not the same, for [`JournalRun::difference`].
pub fn first_difference<const N: usize>(same: [(&'static str, bool); N]) -> Option<&'static str> {
    let other = same.into_iter().find(|(_, is_same)| !is_same);
    other.map(|(what, _)| what)
}

/// What can be wrong with the folder of a run.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another process works there.
    #[error("{0}")]
    InUse(LockError),
    /// A file does not hold what it should.
    #[error("{}, line {line}: {fault}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// Which line.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// The folder belongs to another run.
    #[error("{} holds another {kind}: {what} differs (choose another folder)", path.display())]
    OtherRun {
        /// Which folder.
        path: PathBuf,
        /// What such a run is called.
        kind: &'static str,
        /// What differs.
        what: &'static str,
    },
}

/// An open folder of a run.
#[derive(Debug)]
pub struct Journal<R> {
    path: PathBuf,
    file: File,
    _lock: FolderLock,
    run: PhantomData<R>,
}

impl<R: JournalRun> Journal<R> {
    /// Opens a folder, and hands each line that is there to `check`, which says what is wrong
    /// with it.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds another run or lines that are none of it, is in use, or cannot
    /// be written.
    pub fn open(
        folder: &Path,
        run: &R,
        check: impl FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<Journal<R>, JournalError> {
        let lock = FolderLock::acquire(folder).map_err(|error| match error {
            LockError::File(path, error) => JournalError::File { path, error },
            in_use @ LockError::InUse(_) => JournalError::InUse(in_use),
        })?;
        require_same(folder, run)?;
        let path = folder.join(R::PARTS);
        let whole = read(&path, check)?;
        let file = File::options().append(true).create(true).open(&path);
        let file = file.map_err(|error| file_error(&path, error))?;
        // Cuts off the incomplete line of a killed process.
        let cut = file.set_len(whole);
        cut.map_err(|error| file_error(&path, error))?;
        let content = serde_json::to_string_pretty(run).expect("a description is JSON") + "\n";
        let place = folder.join(R::DESCRIPTION);
        anqi_files::replace(&place, content).map_err(|error| file_error(&place, error))?;
        Ok(Journal {
            path,
            file,
            _lock: lock,
            run: PhantomData,
        })
    }

    /// Appends a finished part.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn append(&mut self, part: &R::Part) -> Result<(), JournalError> {
        let line = serde_json::to_string(part).expect("a part is JSON") + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| file_error(&self.path, error))
    }
}

/// Refuses a folder of another run.
fn require_same<R: JournalRun>(folder: &Path, run: &R) -> Result<(), JournalError> {
    let path = folder.join(R::DESCRIPTION);
    let text = match read_text_limited(&path, DESCRIPTION_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(file_error(&path, error)),
    };
    let found = serde_json::from_str(&text).map_err(|error| JournalError::Content {
        path,
        line: error.line(),
        fault: error.to_string(),
    })?;
    match run.difference(&found) {
        None => Ok(()),
        Some(what) => Err(JournalError::OtherRun {
            path: folder.to_owned(),
            kind: R::KIND,
            what,
        }),
    }
}

/// Hands each whole line to `check`, and returns how many bytes they have.
fn read(
    path: &Path,
    mut check: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<u64, JournalError> {
    let mut file = match anqi_files::open_regular(path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(file_error(path, error)),
    };
    let mut whole = 0;
    let mut text = Vec::new();
    for line in 1.. {
        text.clear();
        let read = file.by_ref().take(LINE_BYTES).read_until(b'\n', &mut text);
        let bytes = read.map_err(|error| file_error(path, error))? as u64;
        let refuse = |fault: String| JournalError::Content {
            path: path.to_owned(),
            line,
            fault,
        };
        if bytes == LINE_BYTES {
            return Err(refuse(format!("has more than {LINE_BYTES} bytes")));
        }
        if text.pop() != Some(b'\n') {
            break;
        }
        check(&text).map_err(refuse)?;
        whole += bytes;
    }
    Ok(whole)
}

fn file_error(path: &Path, error: io::Error) -> JournalError {
    JournalError::File {
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    /// A run whose parts are numbers.
    #[derive(Debug, Serialize, Deserialize)]
    struct Numbers {
        seed: u64,
    }

    impl JournalRun for Numbers {
        const KIND: &str = "run of numbers";
        const DESCRIPTION: &str = "run.json";
        const PARTS: &str = "numbers.jsonl";
        type Part = u64;

        fn difference(&self, found: &Numbers) -> Option<&'static str> {
            (self.seed != found.seed).then_some("the seed")
        }
    }

    fn open(folder: &Path, seed: u64) -> Result<(Journal<Numbers>, Vec<u64>), JournalError> {
        let mut numbers = Vec::new();
        let journal = Journal::open(folder, &Numbers { seed }, |line| {
            let number = serde_json::from_slice(line).map_err(|error| error.to_string())?;
            numbers.push(number);
            Ok(())
        })?;
        Ok((journal, numbers))
    }

    #[test]
    fn a_run_goes_on_behind_the_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..3 {
            let (mut journal, before) = open(folder.path(), 7).unwrap();
            assert_eq!(before, (0..number).collect::<Vec<_>>());
            journal.append(&number).unwrap();
            // A process is killed while it appends the next line.
            journal.file.write_all(b"12").unwrap();
        }
    }

    #[test]
    fn a_folder_is_of_one_run_and_one_process_and_its_lines_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, _) = open(folder.path(), 7).unwrap();
        assert!(matches!(
            open(folder.path(), 7),
            Err(JournalError::InUse(_))
        ));
        journal.append(&3).unwrap();
        journal.file.write_all(b"three\n").unwrap();
        drop(journal);
        let of = |seed| open(folder.path(), seed).unwrap_err().to_string();
        assert!(
            of(8).contains("another run of numbers: the seed differs"),
            "{}",
            of(8)
        );
        assert!(of(7).contains("numbers.jsonl, line 2: "), "{}", of(7));
    }
}
