//! Saving and loading games as records: PGN, the platform's, or JSON, by the ending of the file.
//!
//! A record has the plies but not the pieces that are still face down: it
//! reveals no secret, and those pieces are dealt again when the game is loaded.
//! A file that exists is replaced only if the user says so; where nobody can be
//! asked, only if this game has written it.

use super::language::{Language, say};
use super::text::plies;
use super::words::{Names, TWO_PEOPLE, YOU, player_name, shown_name};
use anqi_desk::records::{self, Format, RecordsError};
use anqi_play::DealError;
use anqi_play::{DealtGame, EndReason, Seat, Verdict};
use anqi_protocol::record::pgn::{GameResult, PgnGame, Termination};
use anqi_protocol::record::{Date, PlayerName};
use anqi_rules::{Game, PlayError, Rules};
use anqi_search::spec::SpecError;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Size limit of a record in bytes; a long game takes some ten thousand.
const MOST_BYTES: u64 = 4 << 20;
/// The name in records of the only person in a game.
const PERSON: &str = "human";

/// Why a game was not saved or loaded.
#[derive(Debug)]
pub enum FileError {
    /// The file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file exists.
    Exists(PathBuf),
    /// The file is not a record.
    NotARecord {
        /// The file.
        path: PathBuf,
        /// Why.
        error: RecordsError,
    },
    /// The record cannot be played.
    Replay {
        /// The file.
        path: PathBuf,
        /// Why.
        error: PlayError,
    },
    /// A player for the game does not exist.
    Spec(SpecError),
    /// The deal does not fit the position.
    Deal(DealError),
}

impl FileError {
    /// Returns the error in a language.
    pub fn sentence(&self, language: Language) -> String {
        let about = |key: &str, path: &Path, error: &dyn fmt::Display| {
            language.message(key, &[("path", &path.display()), ("error", error)])
        };
        match self {
            FileError::Read { path, error } => about("file.read", path, error),
            FileError::Write { path, error } => about("file.write", path, error),
            FileError::Exists(path) => say!(language, "file.exists", path = path.display()),
            FileError::NotARecord { path, error } => about("file.no-record", path, error),
            FileError::Replay { path, error } => about("file.replay", path, error),
            FileError::Spec(error) => error.to_string(),
            FileError::Deal(error) => error.to_string(),
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Language::English))
    }
}

impl std::error::Error for FileError {}

impl From<SpecError> for FileError {
    fn from(error: SpecError) -> FileError {
        FileError::Spec(error)
    }
}

impl From<DealError> for FileError {
    fn from(error: DealError) -> FileError {
        FileError::Deal(error)
    }
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
            let what = if found.is_dir() {
                "it is a folder"
            } else {
                "it is not a regular file"
            };
            return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, what)));
        }
        Ok(_) if existing == Existing::Keep => return Err(FileError::Exists(path.to_owned())),
        _ => {}
    }
    let record = record(dealt, names);
    let text = records::write(&[record], format_of(path), dealt.game().rules()).text;
    anqi_files::replace(path, &text).map_err(fail)?;
    let path = path.to_owned();
    Ok(Saved { path, text })
}

/// Returns the format that a file's ending stands for; the platform's record for any other.
fn format_of(path: &Path) -> Format {
    let ending = path.extension().and_then(|ending| ending.to_str());
    match ending.map(str::to_ascii_lowercase).as_deref() {
        Some("pgn") => Format::Pgn,
        Some("json") => Format::Anqi,
        _ => Format::Platform,
    }
}

/// A game read from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game.
    pub game: Game,
    /// The players, in the order of play.
    pub players: Names,
    /// How it ended, if the board does not show it.
    pub end: Option<Verdict>,
    /// How many games the file has; this is the first.
    pub games: usize,
}

impl Loaded {
    /// Describes the loaded game.
    pub fn sentence(&self, path: &Path, language: Language) -> String {
        let [first, second] =
            [0, 1].map(|seat| shown_name(&player_name(&self.players[seat]), language));
        let key = match self.games {
            0 | 1 => "loaded",
            _ => "loaded.several",
        };
        say!(
            language,
            key,
            plies = plies(language, self.game.plies().len()),
            first = first,
            second = second,
            path = path.display(),
            games = self.games,
        )
    }

    /// Returns whether this player was a person, by the names that this program writes.
    pub fn is_person(&self, seat: Seat) -> bool {
        let name = self.players[seat.index()].as_str();
        name == PERSON
            || TWO_PEOPLE
                .iter()
                .any(|person| *person == name || PlayerName::new(person).as_str() == name)
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
    let records = records::read(text.as_bytes(), rules);
    let not_a_record = |error| FileError::NotARecord {
        path: path.to_owned(),
        error,
    };
    let games = records.map_err(not_a_record)?.games;
    let count = games.len();
    let Some(record) = games.into_iter().next() else {
        let error = RecordsError::Other("it has no game".to_owned());
        return Err(not_a_record(error));
    };
    let mut game = record.game(rules).map_err(|error| FileError::Replay {
        path: path.to_owned(),
        error,
    })?;
    // The game is played on under the rules that the user has chosen.
    game.set_rules(rules);
    Ok(Loaded {
        end: verdict_of(&record).filter(|_| game.outcome().is_none()),
        players: record.players().map(str::to_owned),
        games: count,
        game,
    })
}

/// Returns how a recorded game ended, `None` if it goes on.
fn verdict_of(record: &PgnGame) -> Option<Verdict> {
    let winner = record.result.winner().map(|seat| Seat::ALL[seat]);
    Some(match (&record.termination, winner) {
        _ if record.result == GameResult::Unfinished => return None,
        (Some(Termination::Resignation), Some(winner)) => Verdict::resigned(winner.opponent()),
        (Some(Termination::TimeForfeit), Some(winner)) => Verdict::out_of_time(winner.opponent()),
        (Some(Termination::Agreement), None) => Verdict::draw(EndReason::Agreement),
        (_, winner) => Verdict::recorded(winner),
    })
}

/// Returns the record of the game.
fn record(dealt: &DealtGame, names: &Names) -> PgnGame {
    let name = |seat: Seat| match names[seat.index()].as_str() {
        YOU => PERSON,
        name => name,
    };
    let mut record = PgnGame::of_game(dealt.game(), Seat::ALL.map(name));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    if let Ok(time) = now {
        record.set_date(Date::from_unix_seconds(time.as_secs()));
    }
    let Some(verdict) = dealt.verdict() else {
        return record;
    };
    let termination = match verdict.reason {
        None => None,
        Some(EndReason::Resignation) => Some(Termination::Resignation),
        Some(EndReason::Time) => Some(Termination::TimeForfeit),
        Some(EndReason::Agreement) => Some(Termination::Agreement),
        // The board shows these.
        Some(
            EndReason::NoLegalAction
            | EndReason::Annihilation
            | EndReason::QuietLimit
            | EndReason::Repetition,
        ) => return record,
    };
    let won_by = |winner: Seat| GameResult::won_by(winner.index());
    let result = verdict.winner.map_or(GameResult::Draw, won_by);
    record.result = result;
    record.termination = termination;
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_play::{Deal, KnownDeal};
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
        assert!(loaded.is_person(Seat::First) && !loaded.is_person(Seat::Second));
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
    fn an_end_that_the_board_does_not_show_is_saved_and_loaded_in_every_format() {
        let folder = tempfile::tempdir().unwrap();
        for (end, platform, pgn) in [
            (
                Verdict::resigned(Seat::First),
                "* Resign enhance:depth=2 Wins 0.000000,1.000000\n",
                "[Result \"0-1\"]\n",
            ),
            (
                Verdict::out_of_time(Seat::Second),
                "* TimeOut human Wins 1.000000,0.000000\n",
                "[Termination \"time forfeit\"]\n",
            ),
            (
                Verdict::draw(EndReason::Agreement),
                "* Agreement human Draw 0.500000,0.500000\n",
                "[Termination \"agreement\"]\n",
            ),
            (
                Verdict::recorded(Some(Seat::Second)),
                "* Normal enhance:depth=2 Wins 0.000000,1.000000\n",
                "[Result \"0-1\"]\n",
            ),
        ] {
            let mut dealt = dealt();
            dealt.decide(end);
            for (name, expected) in [
                ("a.txt", platform),
                ("a.PGN", pgn),
                ("a.json", "\"outcome\""),
            ] {
                let path = folder.path().join(name);
                save(&path, &dealt, &names(), Existing::Replace).unwrap();
                let text = fs::read_to_string(&path).unwrap();
                assert!(text.contains(expected), "{text}");
                let loaded = load(&path, Rules::OLYMPIAD).unwrap();
                assert_eq!(loaded.game.plies(), dealt.game().plies());
                assert!(loaded.is_person(Seat::First) && !loaded.is_person(Seat::Second));
                assert_eq!(loaded.end, Some(end), "{name}");
            }
        }
    }

    #[test]
    fn the_first_of_several_games_is_loaded_and_that_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        fs::write(
            &path,
            "[First \"a\"]\n\n1. b3=K *\n\n[First \"b\"]\n\n1. b3=G *\n",
        )
        .unwrap();
        let loaded = load(&path, Rules::OLYMPIAD).unwrap();
        assert_eq!(loaded.players[0], "a");
        let sentence = loaded.sentence(Path::new("games.pgn"), Language::English);
        assert_eq!(
            sentence,
            "Loaded 1 ply of a against ? from games.pgn, the first of 2 games."
        );
    }
}
