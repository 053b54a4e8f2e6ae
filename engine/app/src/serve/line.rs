//! Lines and records that the page shows, imports and exports.

use super::board::{EndReason, Outcome, first_color, rules_name};
use super::notes;
use super::wire::{Code, Format, Line, Notes, Refusal, RulesName, refuse};
use anqi_protocol::record::{Date, PlayerName, Reason, Record, Verdict};
use anqi_rules::{Game, Ply, Position, Rules};
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// The most plies of a line; the longest known game has 503.
pub const MOST_PLIES: usize = 2_000;

/// Our own record: one JSON object.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct OwnRecord {
    /// The format, `anqi 1`.
    pub format: String,
    /// The start position, as a position string.
    pub start: String,
    /// The plies, separated by blanks, with comments and variations as in [`notes`].
    pub plies: String,
    /// The rules.
    #[serde(default)]
    pub rules: RulesName,
    /// The players, in order of play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[String; 2]>,
    /// The date, in the platform's format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// The only value of [`OwnRecord::format`].
const OWN_FORMAT: &str = "anqi 1";

/// A game read from text.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The kind of text.
    pub format: Format,
    /// The game.
    pub game: Game,
    /// The players, in order of play.
    pub players: Option<[String; 2]>,
    /// The date.
    pub date: Option<String>,
    /// The outcome, even if the board does not show it.
    pub outcome: Option<Outcome>,
    /// Comments and variations, if there are any.
    pub notes: Option<Notes>,
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    Refusal {
        code: Code::Unreadable,
        message: error.to_string(),
    }
}

/// Plays a line.
///
/// # Errors
///
/// Returns an error if a position or ply cannot be read or played, or there are too many plies.
pub fn game_of(line: &Line) -> Result<Game, Refusal> {
    if line.plies.len() > MOST_PLIES {
        let plies = line.plies.len();
        let message = format!("{plies} plies (expected at most {MOST_PLIES})");
        return refuse(Code::Unreadable, message);
    }
    let start = position_of(&line.start)?;
    let mut game = Game::new(start, line.rules.rules());
    for (index, text) in line.plies.iter().enumerate() {
        let number = index + 1;
        let ply: Ply = text
            .parse()
            .map_err(|e| unreadable(format!("ply {number}: {e}")))?;
        game.play(ply)
            .map_err(|e| unreadable(format!("ply {number}, {ply}: {e}")))?;
    }
    Ok(game)
}

/// Reads `start` or a position string.
///
/// # Errors
///
/// Returns an error if the position string is invalid.
pub fn position_of(text: &str) -> Result<Position, Refusal> {
    match text.trim() {
        "start" => Ok(Position::start()),
        other => other.parse().map_err(unreadable),
    }
}

/// Returns a game as a line.
pub fn line_of(game: &Game) -> Line {
    Line {
        start: game.start().to_string(),
        plies: game.plies().iter().map(Ply::to_string).collect(),
        rules: rules_name(game),
    }
}

/// A format of games, and how a text shows that it is in it.
struct Reader {
    /// What the format is called.
    name: &'static str,
    /// What a text of the format looks like.
    sign: &'static str,
    /// Whether a text looks like it.
    resembles: fn(&str) -> bool,
    read: fn(&str, Rules) -> Result<Imported, Refusal>,
}

/// The formats, in the order in which they are tried.
const READERS: [Reader; 3] = [
    Reader {
        name: "a record of Anqi",
        sign: "it begins with {",
        resembles: |text| text.starts_with('{'),
        read: |text, _| import_own(text),
    },
    Reader {
        name: "a record of the platform",
        sign: "its lines begin with *",
        resembles: |text| text.lines().any(|line| line.starts_with("* ")),
        read: import_platform,
    },
    Reader {
        name: "a position string",
        sign: "start, or rows separated by /, with or without moves",
        resembles: |text| {
            let first = text.split_whitespace().next().unwrap_or_default();
            first == "start" || first.contains('/')
        },
        read: import_position,
    },
];

/// Reads a game in any of the [`READERS`]' formats.
///
/// # Errors
///
/// Returns an error that names the format that the text resembles and what is wrong with it, or
/// all formats if it resembles none.
pub fn import(text: &str, rules: RulesName) -> Result<Imported, Refusal> {
    let text = text.trim();
    let Some(reader) = READERS.iter().find(|reader| (reader.resembles)(text)) else {
        let tried = READERS.map(|reader| format!("{} ({})", reader.name, reader.sign));
        let message = format!("not a game in any known format: {}", tried.join("; "));
        return refuse(Code::Unreadable, message);
    };
    let imported = (reader.read)(text, rules.rules()).map_err(|refusal| Refusal {
        message: format!("read as {}: {}", reader.name, refusal.message),
        ..refusal
    })?;
    if imported.game.plies().len() > MOST_PLIES {
        return refuse(
            Code::Unreadable,
            format!("more than {MOST_PLIES} plies in one game"),
        );
    }
    Ok(imported)
}

fn import_position(text: &str, rules: Rules) -> Result<Imported, Refusal> {
    let game = Game::from_text(text, rules).map_err(unreadable)?;
    Ok(Imported {
        format: Format::Position,
        outcome: Outcome::of(&game),
        game,
        players: None,
        date: None,
        notes: None,
    })
}

fn import_own(text: &str) -> Result<Imported, Refusal> {
    let record: OwnRecord = serde_json::from_str(text).map_err(unreadable)?;
    if record.format != OWN_FORMAT {
        let found = anqi_rules::notation::excerpt(&record.format);
        let message = format!("the format '{found}' (expected {OWN_FORMAT})");
        return refuse(Code::Unreadable, message);
    }
    let notes = notes::read(&record.plies)?;
    let line = Line {
        start: record.start,
        plies: notes.main_line().into_iter().map(str::to_owned).collect(),
        rules: record.rules,
    };
    let game = game_of(&line)?;
    let notes = Some(notes).filter(Notes::say_more);
    if let Some(notes) = &notes {
        notes.check(*game.start(), game.rules())?;
    }
    Ok(Imported {
        notes,
        format: Format::Anqi,
        outcome: Outcome::of(&game).or(record.outcome),
        game,
        players: record.players,
        date: record.date,
    })
}

fn import_platform(text: &str, rules: Rules) -> Result<Imported, Refusal> {
    let record = Record::read(text.as_bytes()).map_err(unreadable)?;
    let game = record.game(rules).map_err(unreadable)?;
    let told = record.verdict.as_ref().map(|v| outcome_of(v, &game));
    Ok(Imported {
        format: Format::Platform,
        outcome: told.or_else(|| Outcome::of(&game)),
        game,
        players: Some(record.players.map(|name| name.to_string())),
        date: record.date.map(|date| date.to_string()),
        notes: None,
    })
}

/// Converts a platform's verdict; an unknown reason counts as agreement.
fn outcome_of(verdict: &Verdict, game: &Game) -> Outcome {
    let reason = match &verdict.reason {
        Reason::NoMove => match Outcome::of(game) {
            Some(outcome) => outcome.reason,
            None => EndReason::NoLegalAction,
        },
        Reason::NoEatFlipDraw => EndReason::QuietLimit,
        Reason::PositionRepetitionDraw { .. } => EndReason::Repetition,
        Reason::TimeOut => EndReason::Time,
        Reason::Resign => EndReason::Resignation,
        Reason::Other(_) => EndReason::Agreement,
    };
    match verdict.half_points {
        [2, 0] => Outcome::won_by(game, 0, reason),
        [0, 2] => Outcome::won_by(game, 1, reason),
        _ => Outcome::draw(reason),
    }
}

/// The contents of a record other than the plies.
#[derive(Debug, Clone, Default)]
pub struct Sidelights {
    /// The players, in order of play.
    pub players: Option<[String; 2]>,
    /// The outcome, if the board does not show it.
    pub outcome: Option<Outcome>,
    /// The platform's record that the game came from.
    pub original: Option<String>,
    /// Comments and variations, for our own record.
    pub notes: Option<Notes>,
}

impl Sidelights {
    /// Checks that the comments and variations belong to this game.
    ///
    /// # Errors
    ///
    /// Returns an error if a ply cannot be played or the main line is another one.
    pub fn check(&self, game: &Game) -> Result<(), Refusal> {
        let Some(notes) = &self.notes else {
            return Ok(());
        };
        notes.check(*game.start(), game.rules())?;
        if notes.main_line() == line_of(game).plies {
            return Ok(());
        }
        refuse(Code::Unreadable, "the notes are of another line")
    }
}

/// Writes a game.
pub fn export(game: &Game, format: Format, sidelights: &Sidelights) -> String {
    match format {
        Format::Position => {
            let mut text = game.start().to_string();
            if !game.plies().is_empty() {
                text.push_str(" moves");
            }
            for ply in game.plies() {
                text.push(' ');
                text.push_str(&ply.to_string());
            }
            text
        }
        Format::Anqi => own_record(game, sidelights),
        Format::Platform => platform_record(game, sidelights).to_string(),
    }
}

fn own_record(game: &Game, sidelights: &Sidelights) -> String {
    let line = line_of(game);
    // Invalid notes are left out: `check` has refused them.
    let noted = sidelights
        .notes
        .as_ref()
        .and_then(|notes| notes.write().ok());
    let record = OwnRecord {
        format: OWN_FORMAT.to_owned(),
        start: line.start,
        plies: noted.unwrap_or_else(|| line.plies.join(" ")),
        rules: line.rules,
        players: sidelights.players.clone(),
        date: now().map(|date| date.to_string()),
        outcome: Outcome::of(game).or_else(|| sidelights.outcome.clone()),
    };
    // This cannot fail: every key of a record is a string.
    serde_json::to_string(&record).unwrap_or_default()
}

fn now() -> Option<Date> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.ok().map(|time| Date::from_unix_seconds(time.as_secs()))
}

/// Returns the original record if it is of the same game, else a new one.
fn platform_record(game: &Game, sidelights: &Sidelights) -> Record {
    let original = sidelights.original.as_deref();
    if let Some(original) = original.and_then(|text| Record::read(text.as_bytes()).ok()) {
        let same = original
            .game(game.rules())
            .is_ok_and(|known| known.start() == game.start() && known.plies() == game.plies());
        if same {
            return original;
        }
    }
    let names = sidelights.players.clone().unwrap_or_default();
    let players = names.map(|name| PlayerName::new(&name));
    let mut record = Record::of_game(game, players.clone());
    record.first = first_color(game);
    record.date = now();
    if record.verdict.is_none() {
        record.verdict = sidelights
            .outcome
            .as_ref()
            .map(|outcome| verdict(outcome, &players));
    }
    record
}

fn verdict(outcome: &Outcome, players: &[PlayerName; 2]) -> Verdict {
    let reason = match outcome.reason {
        EndReason::Time => Reason::TimeOut,
        EndReason::Resignation => Reason::Resign,
        EndReason::Agreement => Reason::Other(PlayerName::new("Agreement")),
        EndReason::QuietLimit => Reason::NoEatFlipDraw,
        EndReason::Repetition => Reason::PositionRepetitionDraw {
            times: 3,
            period: 1,
        },
        EndReason::NoLegalAction | EndReason::Annihilation => Reason::NoMove,
    };
    match outcome.winner_seat {
        Some(seat) => Verdict::win(reason, seat, players),
        None => Verdict::draw(reason, players),
    }
}

/// Returns the suggested name of the file.
pub fn file_name(format: Format) -> &'static str {
    match format {
        Format::Platform => "game.txt",
        Format::Anqi => "game.json",
        Format::Position => "position.txt",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "start moves b2(G) b3(k) a1(p) b3-b2";

    #[test]
    fn every_format_comes_back_as_it_went() {
        let game = Game::from_text(TEXT, Rules::PLATFORM).unwrap();
        let sidelights = Sidelights {
            players: Some(["one".to_owned(), "two".to_owned()]),
            outcome: Some(Outcome::won_by(&game, 1, EndReason::Resignation)),
            ..Sidelights::default()
        };
        for format in [Format::Platform, Format::Anqi, Format::Position] {
            let text = export(&game, format, &sidelights);
            let again = import(&text, RulesName::Platform).expect("what we wrote");
            assert_eq!(again.format, format);
            assert_eq!(again.game.plies(), game.plies());
            assert_eq!(again.game.start(), game.start());
            if format != Format::Position {
                assert_eq!(again.players, sidelights.players);
                assert_eq!(again.outcome, sidelights.outcome);
            }
        }
    }

    #[test]
    fn our_own_record_keeps_comments_and_variations() {
        let game = Game::from_text(TEXT, Rules::OLYMPIAD).unwrap();
        let text = "b2(G) {the \\} guard} ( b2(K) {luckier} ) b3(k) a1(p) b3-b2";
        let sidelights = Sidelights {
            notes: Some(notes::read(text).unwrap()),
            ..Sidelights::default()
        };
        assert_eq!(sidelights.check(&game), Ok(()));
        let record = export(&game, Format::Anqi, &sidelights);
        let again = import(&record, RulesName::Platform).unwrap();
        assert_eq!(again.notes, sidelights.notes);
        assert_eq!(again.game.plies(), game.plies());
        let shorter = Game::from_text("start moves b2(G)", Rules::OLYMPIAD).unwrap();
        assert!(sidelights.check(&shorter).is_err());
        let plain = export(&game, Format::Anqi, &Sidelights::default());
        assert_eq!(import(&plain, RulesName::Platform).unwrap().notes, None);
        let wrong = record.replace("b2(K)", "b2-b3");
        assert!(import(&wrong, RulesName::Platform).is_err());
    }

    #[test]
    fn an_imported_record_is_exported_as_it_was() {
        let game = Game::from_text(TEXT, Rules::PLATFORM).unwrap();
        let mut record = Record::of_game(&game, ["a", "b"].map(PlayerName::new));
        record.seconds = Some(900);
        record.comment = Some([4, 2]);
        record.stamps = vec![1, 2, 3];
        let original = record.to_string();
        let imported = import(&original, RulesName::Platform).unwrap();
        let sidelights = Sidelights {
            original: Some(original.clone()),
            ..Sidelights::default()
        };
        let again = export(&imported.game, Format::Platform, &sidelights);
        assert_eq!(again, original);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, part) in [
            ("", "in any known format"),
            (
                "Dear Anna",
                "a record of Anqi (it begins with {); a record of the platform",
            ),
            (
                "Dear Anna",
                "a position string (start, or rows separated by /",
            ),
            ("K3/4 r", "read as a position string: "),
            ("{\"format\":\"other\"}", "missing field"),
            ("* a vs b", "record ends early"),
            ("start moves b2-b3", "b2-b3"),
            (
                "{\"format\":\"x\",\"start\":\"start\",\"plies\":\"\"}",
                "anqi 1",
            ),
        ] {
            let refusal = import(text, RulesName::Olympiad).expect_err(text);
            assert!(refusal.message.contains(part), "{text}: {refusal}");
        }
        let line = Line {
            start: "start".to_owned(),
            plies: vec!["a1(K)".to_owned(); MOST_PLIES + 1],
            rules: RulesName::Olympiad,
        };
        assert!(game_of(&line).is_err());
    }
}
