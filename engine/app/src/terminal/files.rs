//! Saving and loading games as the platform's records.
//!
//! A record says what was played, not what still lies face down: whoever opens
//! it learns no secret, and a game that is loaded again is dealt anew where
//! nobody has looked. A file appears whole or not at all, and a file that this
//! game has not written itself is never replaced.

use super::deal::DealError;
use super::dealt::{DealtGame, End, Order};
use super::words::{Names, TWO_PEOPLE, YOU};
use anqi_protocol::record::{Date, PlayerName, Reason, Record, RecordError, ReplayError, Verdict};
use anqi_rules::{Game, Rules};
use anqi_search::spec::SpecError;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most bytes of a record that are read; a long game takes some ten thousand.
const MOST_BYTES: u64 = 4 << 20;
/// What a record calls the only person in the game.
const PERSON: &str = "human";

/// Why a game was not saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is there already.
    #[error("{} is there already; choose another name", .0.display())]
    Exists(PathBuf),
    /// The file is larger than any record.
    #[error("{} is too large for a record of a game", .0.display())]
    TooLarge(PathBuf),
    /// The file is no record.
    #[error("{} is no record of a game: {error}", path.display())]
    NoRecord {
        /// The file.
        path: PathBuf,
        /// Why.
        error: RecordError,
    },
    /// The record cannot be played.
    #[error("the game in {} cannot be replayed: {error}", path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ReplayError,
    },
    /// A player for the game does not exist.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The pieces cannot be laid.
    #[error(transparent)]
    Deal(#[from] DealError),
}

/// Whether a file that exists may be replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It stays as it is, and saving fails.
    Keep,
    /// It is this game's own file.
    Replace,
}

/// Writes the game to a file.
///
/// # Errors
///
/// Says why the file was not written; whatever was there before is still there.
pub fn save(
    path: &Path,
    dealt: &DealtGame,
    names: &Names,
    existing: Existing,
) -> Result<(), FileError> {
    if existing == Existing::Keep && path.exists() {
        return Err(FileError::Exists(path.to_owned()));
    }
    let text = record(dealt, names).to_string();
    write_whole(path, text.as_bytes()).map_err(|error| FileError::Write {
        path: path.to_owned(),
        error,
    })
}

/// A game read from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// Who played it, the one who began first.
    pub players: Names,
}

impl Loaded {
    /// Returns whether this one was a person, if this program has written the record.
    pub fn is_person(&self, order: Order) -> bool {
        let name = self.players[order.index()].as_str();
        name == PERSON
            || TWO_PEOPLE
                .iter()
                .any(|person| PlayerName::new(person).as_str() == name)
    }
}

/// Reads a game from a file, to be played on under these rules.
///
/// # Errors
///
/// Says what is wrong with the file, or in which round the game in it is.
pub fn load(path: &Path, rules: Rules) -> Result<Loaded, FileError> {
    let bytes = read_bounded(path).map_err(|error| FileError::Read {
        path: path.to_owned(),
        error,
    })?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(FileError::TooLarge(path.to_owned()));
    }
    let record = Record::read(&bytes).map_err(|error| FileError::NoRecord {
        path: path.to_owned(),
        error,
    })?;
    let game = record.game(rules).map_err(|error| FileError::Replay {
        path: path.to_owned(),
        error,
    })?;
    let players = record.players.map(|name| name.to_string());
    Ok(Loaded { game, players })
}

/// Returns the record of the game.
fn record(dealt: &DealtGame, names: &Names) -> Record {
    let name = |order: Order| match names[order.index()].as_str() {
        YOU => PlayerName::new(PERSON),
        name => PlayerName::new(name),
    };
    let mut record = Record::of_game(dealt.game(), Order::ALL.map(name));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    record.date = now.ok().map(|time| Date::from_unix_seconds(time.as_secs()));
    if let Some(End::Resigned(loser)) = dealt.end() {
        let winner = loser.opponent().index();
        record.verdict = Some(Verdict::win(Reason::Resign, winner, &record.players));
    }
    record
}

/// Reads a file up to one byte beyond what a record may have.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes beside the file's place and moves it there when everything is on the disk.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path
        .file_name()
        .ok_or(io::ErrorKind::InvalidFilename)?
        .to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let written = File::create(&beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The error that matters is the first one.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::super::deal::{Deal, Known};
    use super::*;
    use anqi_rules::{Action, Position};

    fn dealt() -> DealtGame {
        let start = Position::start();
        let deal = Deal::new(&start, &Known::default(), 5).unwrap();
        let mut dealt = DealtGame::new(Game::new(start, Rules::OLYMPIAD), deal, None);
        for square in ["b2", "c7", "a1"] {
            dealt.act(Action::flip(square.parse().unwrap())).unwrap();
        }
        dealt
    }

    fn names() -> Names {
        ["you".to_owned(), "enhance:depth=2".to_owned()]
    }

    #[test]
    fn a_saved_game_loads_with_every_ply() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.txt");
        let dealt = dealt();
        save(&path, &dealt, &names(), Existing::Keep).unwrap();
        let loaded = load(&path, Rules::OLYMPIAD).unwrap();
        assert_eq!(loaded.game.plies(), dealt.game().plies());
        assert_eq!(loaded.game.position(), dealt.game().position());
        assert!(loaded.is_person(Order::First) && !loaded.is_person(Order::Second));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("* human vs enhance:depth=2\n"), "{text}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_foreign_file_stays_and_an_own_one_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        fs::write(&path, "Dear Anna").unwrap();
        let error = save(&path, &dealt(), &names(), Existing::Keep).unwrap_err();
        assert!(error.to_string().contains("is there already"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "Dear Anna");
        save(&path, &dealt(), &names(), Existing::Replace).unwrap();
        assert!(load(&path, Rules::OLYMPIAD).is_ok());
    }

    #[test]
    fn files_that_are_no_games_are_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        let why = |path: &Path| load(path, Rules::OLYMPIAD).unwrap_err().to_string();
        assert!(why(&path).starts_with("cannot read"));
        assert!(why(folder.path()).starts_with("cannot read"));
        fs::write(&path, "Dear Anna").unwrap();
        assert!(why(&path).contains("is no record of a game"));
        fs::write(&path, [0xff; 100]).unwrap();
        assert!(why(&path).contains("is no record of a game"));
        fs::write(&path, vec![b'\n'; MOST_BYTES as usize + 1]).unwrap();
        assert!(why(&path).contains("too large"));
        save(&path, &dealt(), &names(), Existing::Replace).unwrap();
        let twice = fs::read_to_string(&path).unwrap().replace("c7(", "b2(");
        fs::write(&path, twice).unwrap();
        assert!(why(&path).contains("round 1"), "{}", why(&path));
        let nowhere = folder.path().join("no such folder").join("game.txt");
        let error = save(&nowhere, &dealt(), &names(), Existing::Keep).unwrap_err();
        assert!(error.to_string().starts_with("cannot write"));
    }

    #[test]
    fn a_resigned_game_names_the_winner() {
        let mut dealt = dealt();
        dealt.resign(Order::First);
        let record = record(&dealt, &names());
        let verdict = record.verdict.expect("the game is over").to_string();
        assert_eq!(verdict, "Resign enhance:depth=2 Wins 0.000000,1.000000");
    }
}
