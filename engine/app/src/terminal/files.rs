//! Saving and loading games as the platform's records.
//!
//! A record has the plies but not the pieces that are still face down: it
//! reveals no secret, and those pieces are dealt again when the game is loaded.
//! A file that exists is replaced only if the user says so; where nobody can be
//! asked, only if this game has written it.

use super::deal::DealError;
use super::dealt::{DealtGame, End, Order};
use super::text::plies;
use super::words::{Names, TWO_PEOPLE, YOU, player_name};
use anqi_protocol::record::{Date, PlayerName, Reason, Record, RecordError, ReplayError, Verdict};
use anqi_rules::{Game, Rules};
use anqi_search::spec::SpecError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Size limit of a record in bytes; a long game takes some ten thousand.
const MOST_BYTES: u64 = 4 << 20;
/// The name in records of the only person in a game.
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
    /// The file exists.
    #[error("{} exists; choose another name", .0.display())]
    Exists(PathBuf),
    /// The file is not a record.
    #[error("{} is not a record of a game: {error}", path.display())]
    NotARecord {
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
    /// The deal does not fit the position.
    #[error(transparent)]
    Deal(#[from] DealError),
}

/// Whether a file that exists may be replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// It stays as it is, and saving fails.
    Keep,
    /// The user has said so, or this game has written it.
    Replace,
}

/// A file that this game has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    path: PathBuf,
    text: String,
}

impl Saved {
    /// Returns whether this is the file, unchanged since.
    pub fn is_still_at(&self, path: &Path) -> bool {
        let same = match (fs::canonicalize(&self.path), fs::canonicalize(path)) {
            (Ok(mine), Ok(other)) => mine == other,
            _ => self.path == path,
        };
        same && anqi_files::read_text_limited(path, MOST_BYTES).is_ok_and(|text| text == self.text)
    }
}

/// Writes the game to a file.
///
/// # Errors
///
/// Fails if the file exists and must be kept, or cannot be written; the old file is unchanged.
pub fn save(
    path: &Path,
    dealt: &DealtGame,
    names: &Names,
    existing: Existing,
) -> Result<Saved, FileError> {
    let fail = |error| FileError::Write {
        path: path.to_owned(),
        error,
    };
    match fs::metadata(path) {
        // Opening a pipe could block forever.
        Ok(found) if !found.is_file() => {
            let what = match found.is_dir() {
                true => "it is a folder",
                false => "it is not a regular file",
            };
            return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, what)));
        }
        Ok(_) if existing == Existing::Keep => return Err(FileError::Exists(path.to_owned())),
        _ => {}
    }
    let text = record(dealt, names).to_string();
    anqi_files::replace(path, &text).map_err(fail)?;
    let path = path.to_owned();
    Ok(Saved { path, text })
}

/// A game read from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// The players, in the order of play.
    pub players: Names,
}

impl Loaded {
    /// Describes the loaded game.
    pub fn sentence(&self, path: &Path) -> String {
        let [first, second] = [0, 1].map(|order| player_name(&self.players[order]));
        let count = plies(self.game.plies().len());
        let path = path.display();
        format!("Loaded {count} of {first} against {second} from {path}.")
    }

    /// Returns whether this player was a person, by the names that this program writes.
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
/// Fails if the file cannot be read or the game in it cannot be replayed.
pub fn load(path: &Path, rules: Rules) -> Result<Loaded, FileError> {
    let text =
        anqi_files::read_text_limited(path, MOST_BYTES).map_err(|error| FileError::Read {
            path: path.to_owned(),
            error,
        })?;
    let record = Record::read(text.as_bytes()).map_err(|error| FileError::NotARecord {
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

#[cfg(test)]
mod tests {
    use super::super::deal::{Deal, KnownDeal};
    use super::*;
    use anqi_rules::{Action, Position};

    fn dealt() -> DealtGame {
        let start = Position::start();
        let deal = Deal::new(&start, &KnownDeal::default(), 5).unwrap();
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
    fn a_foreign_file_stays_unless_the_user_says_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        fs::write(&path, "Dear Anna").unwrap();
        let error = save(&path, &dealt(), &names(), Existing::Keep).unwrap_err();
        assert!(error.to_string().contains("letter.txt exists"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "Dear Anna");
        save(&path, &dealt(), &names(), Existing::Replace).unwrap();
        assert!(load(&path, Rules::OLYMPIAD).is_ok());
    }

    #[test]
    fn a_saved_file_is_this_games_own_until_somebody_else_writes_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.txt");
        let saved = save(&path, &dealt(), &names(), Existing::Keep).unwrap();
        assert!(saved.is_still_at(&path));
        assert!(saved.is_still_at(&folder.path().join(".").join("game.txt")));
        let copy = folder.path().join("copy.txt");
        fs::copy(&path, &copy).unwrap();
        assert!(!saved.is_still_at(&copy), "a copy is somebody's back-up");
        fs::write(&path, "Dear Anna").unwrap();
        assert!(!saved.is_still_at(&path));
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let error = load(&pipe, Rules::OLYMPIAD).unwrap_err().to_string();
        assert!(error.contains("no regular file"), "{error}");
        for path in [pipe.as_path(), Path::new("/dev/null")] {
            let error = save(path, &dealt(), &names(), Existing::Replace).unwrap_err();
            assert!(error.to_string().contains("not a regular file"), "{error}");
        }
    }

    #[test]
    fn files_that_are_not_games_are_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("letter.txt");
        let why = |path: &Path| load(path, Rules::OLYMPIAD).unwrap_err().to_string();
        assert!(why(&path).starts_with("cannot read"));
        assert!(why(folder.path()).starts_with("cannot read"));
        fs::write(&path, "Dear Anna").unwrap();
        assert!(why(&path).contains("is not a record of a game"));
        fs::write(&path, [0xff; 100]).unwrap();
        assert!(why(&path).contains("not UTF-8 text"));
        fs::write(&path, vec![b'\n'; MOST_BYTES as usize + 1]).unwrap();
        assert!(why(&path).contains("larger than"));
        save(&path, &dealt(), &names(), Existing::Replace).unwrap();
        let twice = fs::read_to_string(&path).unwrap().replace("c7(", "b2(");
        fs::write(&path, twice).unwrap();
        assert!(why(&path).contains("round 1"), "{}", why(&path));
        let nowhere = folder.path().join("no such folder").join("game.txt");
        let error = save(&nowhere, &dealt(), &names(), Existing::Keep).unwrap_err();
        assert!(error.to_string().starts_with("cannot write"));
        let error = save(folder.path(), &dealt(), &names(), Existing::Replace).unwrap_err();
        assert!(error.to_string().contains("it is a folder"), "{error}");
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
