//! The folder of a tuning run, from which a killed run resumes.
//!
//! `tuning.json` says what run it is, `iterations.jsonl` has a line for every finished
//! iteration, appended by a single write, so that a killed process leaves at most one
//! incomplete line, which the next run cuts off. Results are stored as integers, and the
//! parameters are recomputed from them, so that a resumed run has the same parameters to
//! the last digit. A line that does not follow from those before it is refused. One
//! process at a time works in a folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anqi_files::{FolderLock, LockError};
use serde::{Deserialize, Serialize};

use super::games::Scores;
use super::plan::Plan;
use super::spsa::{Spsa, Trial};

const META: &str = "tuning.json";
const ITERATIONS: &str = "iterations.jsonl";
/// A line has at most some kilobytes, and a run at most some millions of lines.
const MOST_BYTES: u64 = 1 << 34;

/// What run a folder belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Meta {
    /// Name and version of the program.
    program: String,
    /// The plan.
    plan: Plan,
    /// The player with all settings spelled out.
    player: String,
}

/// A finished iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 0.
    pub iteration: u64,
    /// The first setting.
    pub plus: Vec<i64>,
    /// The second setting.
    pub minus: Vec<i64>,
    /// What they scored.
    pub scores: Scores,
    /// How much more the first scored, from -1 to 1.
    pub difference: f64,
    /// The parameters afterwards.
    pub values: Vec<f64>,
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
    #[error("{} holds another tuning run: {what} differs (choose another folder)", path.display())]
    OtherRun {
        /// Which folder.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
}

/// An open folder of a run.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    _lock: FolderLock,
}

impl Journal {
    /// Opens a folder and returns the iterations that are there, each checked.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds another run or lines that contradict it, is in use, or cannot
    /// be written.
    pub fn open(
        folder: &Path,
        plan: &Plan,
        player: &str,
        spsa: &Spsa,
    ) -> Result<(Journal, Vec<Iteration>), JournalError> {
        let lock = FolderLock::acquire(folder).map_err(|error| match error {
            LockError::File(path, error) => JournalError::File { path, error },
            in_use @ LockError::InUse(_) => JournalError::InUse(in_use),
        })?;
        let meta = Meta {
            program: concat!("selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
            plan: plan.clone(),
            player: player.to_owned(),
        };
        meta.require_same(folder)?;
        let path = folder.join(ITERATIONS);
        let text = read_if_there(&path)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let iterations = checked(&text[..whole], &path, plan, spsa)?;
        let fail = |error| file_error(&path, error);
        let file = File::options().append(true).create(true).open(&path);
        let file = file.map_err(fail)?;
        // Cuts off the incomplete line of a killed process.
        file.set_len(whole as u64).map_err(fail)?;
        let content = serde_json::to_string_pretty(&meta).expect("a plan is JSON") + "\n";
        let place = folder.join(META);
        anqi_files::replace(&place, content).map_err(|error| file_error(&place, error))?;
        let journal = Journal {
            path,
            file,
            _lock: lock,
        };
        Ok((journal, iterations))
    }

    /// Appends a finished iteration.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn append(&mut self, iteration: &Iteration) -> Result<(), JournalError> {
        let line = serde_json::to_string(iteration).expect("an iteration is JSON") + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| file_error(&self.path, error))
    }
}

impl Meta {
    /// Refuses a folder of another run; only the number of iterations and the test may differ.
    fn require_same(&self, folder: &Path) -> Result<(), JournalError> {
        let path = folder.join(META);
        let text = read_if_there(&path)?;
        if text.is_empty() {
            return Ok(());
        }
        let found: Meta = serde_json::from_str(&text).map_err(|error| JournalError::Content {
            path,
            line: error.line(),
            fault: error.to_string(),
        })?;
        let (ours, theirs) = (&self.plan, &found.plan);
        let same = [
            ("the program", self.program == found.program),
            (
                "the player",
                self.player == found.player && ours.player == theirs.player,
            ),
            ("the opponent", ours.opponent == theirs.opponent),
            ("[games]", ours.games == theirs.games),
            (
                "[schedule]",
                ours.schedule.gains() == theirs.schedule.gains(),
            ),
            (
                "schedule.pairs",
                ours.schedule.pairs == theirs.schedule.pairs,
            ),
            ("[objective]", ours.objective == theirs.objective),
            ("a [[parameter]]", ours.parameters == theirs.parameters),
        ];
        match same.into_iter().find(|(_, is_same)| !is_same) {
            None => Ok(()),
            Some((what, _)) => Err(JournalError::OtherRun {
                path: folder.to_owned(),
                what,
            }),
        }
    }
}

/// Reads the lines of a run and checks each against those before.
fn checked(
    text: &str,
    path: &Path,
    plan: &Plan,
    spsa: &Spsa,
) -> Result<Vec<Iteration>, JournalError> {
    let mut iterations: Vec<Iteration> = Vec::new();
    let mut values = spsa.start();
    for (index, line) in text.lines().enumerate() {
        let refuse = |fault: String| JournalError::Content {
            path: path.to_owned(),
            line: index + 1,
            fault,
        };
        let read: Iteration =
            serde_json::from_str(line).map_err(|error| refuse(error.to_string()))?;
        let number = index as u64;
        if number >= plan.schedule.iterations {
            // A longer run was here before; lines beyond the plan are ignored.
            break;
        }
        let Trial { plus, minus } = spsa.trial(number, &values);
        let is_paired = |scores: &Scores| {
            let pairs = plan.schedule.pairs;
            let against = if plan.opponent.is_some() { pairs } else { 0 };
            scores.plus.len() as u64 == pairs && scores.minus.len() as u64 == against
        };
        if read.iteration != number || read.plus != plus || read.minus != minus {
            let fault = "its settings do not follow from the lines before it";
            return Err(refuse(fault.to_owned()));
        }
        if !is_paired(&read.scores) {
            return Err(refuse("it does not have the pairs of the plan".to_owned()));
        }
        let iteration = finished(
            number,
            Trial { plus, minus },
            read.scores,
            &values,
            plan,
            spsa,
        );
        values.clone_from(&iteration.values);
        iterations.push(iteration);
    }
    Ok(iterations)
}

/// Returns an iteration with everything computed from its scores.
pub fn finished(
    iteration: u64,
    trial: Trial,
    scores: Scores,
    values: &[f64],
    plan: &Plan,
    spsa: &Spsa,
) -> Iteration {
    let difference = scores.difference(&plan.objective);
    Iteration {
        iteration,
        plus: trial.plus,
        minus: trial.minus,
        values: spsa.step(iteration, values, difference),
        scores,
        difference,
    }
}

fn read_if_there(path: &Path) -> Result<String, JournalError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        _ => {
            anqi_files::read_text_limited(path, MOST_BYTES).map_err(|error| file_error(path, error))
        }
    }
}

fn file_error(path: &Path, error: io::Error) -> JournalError {
    JournalError::File {
        path: path.to_owned(),
        error,
    }
}
