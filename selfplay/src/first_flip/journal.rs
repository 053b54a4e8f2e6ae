//! The folder of finished games, from which a killed run resumes.
//!
//! `first-flip.json` says what run it is, `games.jsonl` has a line for every finished game, appended
//! by a single write, so that a killed process leaves at most one incomplete line, which the next
//! run cuts off. No game is believed before it has been replayed. One process at a time works in a
//! folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anqi_files::{FolderLock, LockError, read_text_limited};
use serde::{Deserialize, Serialize};

use super::games::{DEAL, FLIPPER, PlayedGame, Recipe, deal};
use super::plan::FirstFlip;
use crate::adjudication::Adjudication;
use crate::limits::Limits;
use crate::openings::Openings;
use crate::replay::{Expected, check_single};

const META: &str = "first-flip.json";
const GAMES: &str = "games.jsonl";
/// Size limit of the description in bytes.
const META_BYTES: u64 = 1 << 16;
/// Size limit of a game in bytes; a long one has some five thousand.
const LINE_BYTES: u64 = 1 << 20;

/// What run a folder belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Meta {
    /// Name and version of the program.
    program: String,
    /// The player with all settings spelled out.
    player: String,
    limits: Limits,
    rules: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Adjudication::is_none")]
    adjudication: Adjudication,
    appraiser: String,
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
    #[error("{} holds games of another run: {what} differs (choose another folder)", path.display())]
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
    /// Opens a folder and returns the games that are there, sorted by number, each checked.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds another run or games that are none of it, is in use, or cannot
    /// be written.
    pub fn open(
        folder: &Path,
        recipe: &Recipe,
    ) -> Result<(Journal, Vec<PlayedGame>), JournalError> {
        let lock = FolderLock::acquire(folder).map_err(|error| match error {
            LockError::File(path, error) => JournalError::File { path, error },
            in_use @ LockError::InUse(_) => JournalError::InUse(in_use),
        })?;
        let meta = Meta::of(recipe);
        meta.require_same(folder)?;
        let path = folder.join(GAMES);
        let (games, whole) = read(&path, recipe)?;
        let fail = |error| file_error(&path, error);
        let file = File::options().append(true).create(true).open(&path);
        let file = file.map_err(fail)?;
        // Cuts off the incomplete line of a killed process.
        file.set_len(whole).map_err(fail)?;
        let content = serde_json::to_string_pretty(&meta).expect("a description is JSON") + "\n";
        let place = folder.join(META);
        anqi_files::replace(&place, content).map_err(|error| file_error(&place, error))?;
        let journal = Journal {
            path,
            file,
            _lock: lock,
        };
        Ok((journal, games))
    }

    /// Appends a finished game.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn append(&mut self, game: &PlayedGame) -> Result<(), JournalError> {
        let line = serde_json::to_string(game).expect("a game is JSON") + "\n";
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| file_error(&self.path, error))
    }
}

impl Meta {
    fn of(recipe: &Recipe) -> Meta {
        Meta {
            program: concat!("selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
            player: recipe.player.name().to_owned(),
            limits: recipe.limits,
            rules: recipe.rules_name.clone(),
            seed: recipe.seed,
            adjudication: recipe.adjudication,
            appraiser: recipe.appraiser.to_string(),
        }
    }

    fn require_same(&self, folder: &Path) -> Result<(), JournalError> {
        let path = folder.join(META);
        let found = match read_text_limited(&path, META_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(file_error(&path, error)),
        };
        let found: Meta = serde_json::from_str(&found).map_err(|error| JournalError::Content {
            path,
            line: error.line(),
            fault: error.to_string(),
        })?;
        let same = [
            ("the program", self.program == found.program),
            ("the player", self.player == found.player),
            ("the limit of a move", self.limits == found.limits),
            ("the set of rules", self.rules == found.rules),
            ("the seed", self.seed == found.seed),
            ("the adjudication", self.adjudication == found.adjudication),
            ("the appraiser", self.appraiser == found.appraiser),
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

/// Reads the finished games, and returns with them how many bytes their lines have.
fn read(path: &Path, recipe: &Recipe) -> Result<(Vec<PlayedGame>, u64), JournalError> {
    let mut games = BTreeMap::new();
    let mut whole = 0;
    if matches!(fs::metadata(path), Err(error) if error.kind() == io::ErrorKind::NotFound) {
        return Ok((Vec::new(), 0));
    }
    let file = anqi_files::open_regular(path).map_err(|error| file_error(path, error))?;
    let mut file = BufReader::new(file);
    for line in 1.. {
        let mut text = Vec::new();
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
        let game = checked(&text, recipe).map_err(refuse)?;
        if let Some(other) = games.insert(game.game, game) {
            return Err(refuse(format!("game {} is there twice", other.game)));
        }
        whole += bytes;
    }
    Ok((games.into_values().collect(), whole))
}

/// Reads a game and checks it against the recipe; the error says what is wrong.
fn checked(text: &[u8], recipe: &Recipe) -> Result<PlayedGame, String> {
    let played: PlayedGame = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let number = played.game;
    let expected = Expected {
        rules: recipe.rules,
        openings: Openings::new([FirstFlip::of_game(number).position()]),
        deal: DEAL,
        seed: recipe.seed,
        pairs: 1,
        adjudication: recipe.adjudication,
        adjudicator: OnceLock::new(),
    };
    let deal = deal(recipe.seed, number);
    let PlayedGame { record, luck, .. } = &played;
    match check_single(record, luck, !FLIPPER, &deal, &expected) {
        Ok(()) => Ok(played),
        Err(fault) => Err(format!("game {number}: {fault}")),
    }
}

fn file_error(path: &Path, error: io::Error) -> JournalError {
    JournalError::File {
        path: path.to_owned(),
        error,
    }
}
