//! Lines that the page shows, and records that it imports.

use crate::notes;
use crate::pgn::notes_of;
use crate::wire::OutcomeView;
use crate::wire::{Code, Format, Line, Notes, Refusal, RulesName, refuse};
use anqi_play::{EndReason, Seat, Verdict};
use anqi_protocol::record::pgn::{self, PgnGame};
use anqi_protocol::record::{PlatformReason, PlatformVerdict, PlayerName, Record};
use anqi_rules::{Game, Ply, Position, Rules};
use serde::{Deserialize, Serialize};

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
    pub outcome: Option<OutcomeView>,
}

/// The only value of [`OwnRecord::format`].
pub(crate) const OWN_FORMAT: &str = "anqi 1";

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
    pub outcome: Option<OutcomeView>,
    /// Comments and variations, if there are any.
    pub notes: Option<Notes>,
    /// The titles of all games in the text, of which this is one.
    pub games: Vec<String>,
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
            .map_err(|e| Refusal::unreadable(format!("ply {number}: {e}")))?;
        game.play(ply)
            .map_err(|e| Refusal::unreadable(format!("ply {number}, {ply}: {e}")))?;
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
        other => other.parse().map_err(Refusal::unreadable),
    }
}

/// Returns a game as a line.
pub fn line_of(game: &Game) -> Line {
    Line {
        start: game.start().to_string(),
        plies: game.plies().iter().map(Ply::to_string).collect(),
        rules: RulesName::of(game),
    }
}

/// Returns the format that a text resembles; `None` if it resembles none.
pub fn resembles(text: &str) -> Option<Format> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let object = text.strip_prefix('{').map(str::trim_start);
    if object.is_some_and(|inner| inner.starts_with(['"', '}'])) {
        Some(Format::Anqi)
    } else if text.starts_with(['[', '{', ';', '%']) || begins_with_a_number(text) {
        Some(Format::Pgn)
    } else if text.lines().any(|line| line.starts_with("* ")) {
        Some(Format::Platform)
    } else if text.starts_with("start") || text.split(' ').next()?.matches('/').count() == 7 {
        Some(Format::Position)
    } else {
        None
    }
}

/// Returns whether a text begins with the number of a move: `1.`
fn begins_with_a_number(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with('.')
}

/// Reads the only or the first game of a text.
///
/// # Errors
///
/// Returns an error if the text is invalid in the format that it resembles; if it resembles none, the
/// error says which were tried.
pub fn import(text: &str, rules: RulesName) -> Result<Imported, Refusal> {
    import_game(text, rules, 1)
}

/// Reads a game, by its number from 1, of PGN, of the platform's records, of our own, or a position
/// string with or without moves.
///
/// # Errors
///
/// Returns an error if the text is invalid in the format that it resembles, or has fewer games.
pub fn import_game(text: &str, rules: RulesName, number: usize) -> Result<Imported, Refusal> {
    let text = text.trim();
    let imported = match resembles(text) {
        Some(Format::Anqi) => import_own(text, number)?,
        Some(Format::Platform) => import_platform(text, rules.rules(), number)?,
        Some(Format::Pgn) => {
            let games = pgn::read(text.as_bytes(), rules.rules()).map_err(Refusal::unreadable)?;
            import_pgn(&games, rules.rules(), number)?
        }
        Some(Format::Position) => import_position(text, rules.rules())?,
        None => match pgn::read(text.as_bytes(), rules.rules()) {
            Ok(games) => import_pgn(&games, rules.rules(), number)?,
            Err(error) => {
                return Err(Refusal::unreadable(nothing_known(
                    text,
                    rules.rules(),
                    &error,
                )));
            }
        },
    };
    if imported.game.plies().len() > MOST_PLIES {
        return refuse(
            Code::Unreadable,
            format!("more than {MOST_PLIES} plies in one game"),
        );
    }
    Ok(imported)
}

/// Says why a text is in none of the known formats.
pub fn nothing_known(text: &str, rules: Rules, pgn: &pgn::PgnError) -> String {
    let mut message = format!("not a record of a game; tried PGN ({pgn})");
    if let Err(error) = Record::read(text.as_bytes()) {
        message += &format!(", the platform's record ({error})");
    }
    message += ", JSON (it does not begin with {)";
    if let Err(error) = Game::from_text(text, rules) {
        message += &format!(", a position string ({error})");
    }
    message
}

/// Returns a game by its number, from 1.
fn pick<T>(games: Vec<T>, number: usize) -> Result<T, Refusal> {
    let count = games.len();
    let found = number
        .checked_sub(1)
        .and_then(|index| games.into_iter().nth(index));
    found.ok_or_else(|| {
        Refusal::unreadable(format!("there is no game {number} (expected 1 to {count})"))
    })
}

/// Returns the title of a game.
fn title(players: [&str; 2], result: &str) -> String {
    format!("{} – {} {result}", players[0], players[1])
}

fn import_position(text: &str, rules: Rules) -> Result<Imported, Refusal> {
    let game = Game::from_text(text, rules).map_err(Refusal::unreadable)?;
    Ok(Imported {
        format: Format::Position,
        outcome: OutcomeView::of(&game),
        game,
        players: None,
        date: None,
        notes: None,
        games: vec![String::new()],
    })
}

fn import_pgn(games: &[PgnGame], rules: Rules, number: usize) -> Result<Imported, Refusal> {
    let titles = games
        .iter()
        .map(|game| title(game.players(), game.result.text()));
    let record = pick(games.iter().collect(), number)?;
    let game = record.game(rules).map_err(Refusal::unreadable)?;
    let players = record.players();
    let named = players != ["?", "?"];
    Ok(Imported {
        format: Format::Pgn,
        outcome: crate::pgn::outcome_of(record, &game).or_else(|| OutcomeView::of(&game)),
        game,
        players: named.then(|| players.map(str::to_owned)),
        date: record.date().map(|date| date.to_string()),
        notes: Some(notes_of(record)).filter(Notes::say_more),
        games: titles.collect(),
    })
}

/// Reads our own records, one JSON object after the other.
///
/// # Errors
///
/// Returns an error if one of them cannot be read, or is in another format.
pub fn own_records(text: &str) -> Result<Vec<OwnRecord>, Refusal> {
    let mut records = Vec::new();
    for record in serde_json::Deserializer::from_str(text).into_iter::<OwnRecord>() {
        let record = record.map_err(Refusal::unreadable)?;
        if record.format != OWN_FORMAT {
            let found = anqi_rules::notation::excerpt(&record.format);
            let message = format!("the format '{found}' (expected {OWN_FORMAT})");
            return refuse(Code::Unreadable, message);
        }
        records.push(record);
    }
    Ok(records)
}

impl OwnRecord {
    /// Returns the game and its comments and variations, if there are any.
    ///
    /// # Errors
    ///
    /// Returns an error if a ply cannot be read or played.
    pub fn game(&self) -> Result<(Game, Option<Notes>), Refusal> {
        let notes = notes::read(&self.plies)?;
        let game = game_of(&Line {
            start: self.start.clone(),
            plies: notes.main_line().into_iter().map(str::to_owned).collect(),
            rules: self.rules,
        })?;
        let notes = Some(notes).filter(Notes::say_more);
        if let Some(notes) = &notes {
            notes.check(*game.start(), game.rules())?;
        }
        Ok((game, notes))
    }

    fn title(&self) -> String {
        let [first, second] = match &self.players {
            Some(players) => players.each_ref().map(String::as_str),
            None => ["?", "?"],
        };
        title([first, second], "")
    }
}

fn import_own(text: &str, number: usize) -> Result<Imported, Refusal> {
    let records = own_records(text)?;
    let games = records.iter().map(OwnRecord::title).collect();
    let record = pick(records, number)?;
    let (game, notes) = record.game()?;
    Ok(Imported {
        notes,
        format: Format::Anqi,
        outcome: OutcomeView::of(&game).or(record.outcome),
        game,
        players: record.players,
        date: record.date,
        games,
    })
}

fn import_platform(text: &str, rules: Rules, number: usize) -> Result<Imported, Refusal> {
    let records = Record::read_all(text.as_bytes()).map_err(Refusal::unreadable)?;
    let titles = records.iter().map(|record| {
        let names = record.players.each_ref().map(PlayerName::as_str);
        title(names, "")
    });
    let games = titles.collect();
    let record = pick(records, number)?;
    let game = record.game(rules).map_err(Refusal::unreadable)?;
    let recorded = record.verdict.as_ref().map(|v| outcome_of(v, &game));
    Ok(Imported {
        format: Format::Platform,
        outcome: recorded.or_else(|| OutcomeView::of(&game)),
        game,
        players: Some(record.players.map(|name| name.to_string())),
        date: record.date.map(|date| date.to_string()),
        notes: None,
        games,
    })
}

/// Converts a platform's verdict; an unknown reason counts as agreement.
fn outcome_of(verdict: &PlatformVerdict, game: &Game) -> OutcomeView {
    let reason = match &verdict.reason {
        PlatformReason::NoMove => {
            let shown = Verdict::of(game).and_then(|verdict| verdict.reason);
            shown.unwrap_or(EndReason::NoLegalAction)
        }
        PlatformReason::NoEatFlipDraw => EndReason::QuietLimit,
        PlatformReason::PositionRepetitionDraw { .. } => EndReason::Repetition,
        PlatformReason::TimeOut => EndReason::Time,
        PlatformReason::Resign => EndReason::Resignation,
        PlatformReason::Other(_) => EndReason::Agreement,
    };
    let verdict = match verdict.half_points {
        [2, 0] => Verdict::won(Seat::First, reason),
        [0, 2] => Verdict::won(Seat::Second, reason),
        _ => Verdict::draw(reason),
    };
    OutcomeView::from_verdict(game, verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{RecordDetails, export};

    const TEXT: &str = "start moves b2(G) b3(k) a1(p) b3-b2";

    #[test]
    fn every_format_comes_back_as_it_went() {
        let game = Game::from_text(TEXT, Rules::PLATFORM).unwrap();
        let details = RecordDetails {
            players: Some(["one".to_owned(), "two".to_owned()]),
            outcome: Some(OutcomeView::from_verdict(
                &game,
                Verdict::won(Seat::Second, EndReason::Resignation),
            )),
            ..RecordDetails::default()
        };
        for format in [
            Format::Platform,
            Format::Anqi,
            Format::Position,
            Format::Pgn,
        ] {
            let text = export(&game, format, &details);
            let again = import(&text, RulesName::Platform).expect("what we wrote");
            assert_eq!(again.format, format);
            assert_eq!(again.game.plies(), game.plies());
            assert_eq!(again.game.start(), game.start());
            if format != Format::Position {
                assert_eq!(again.players, details.players);
                assert_eq!(again.outcome, details.outcome);
            }
        }
    }

    #[test]
    fn every_format_keeps_how_a_game_ended() {
        let game = Game::from_text(TEXT, Rules::PLATFORM).unwrap();
        for outcome in [
            OutcomeView::from_verdict(&game, Verdict::won(Seat::First, EndReason::Resignation)),
            OutcomeView::from_verdict(&game, Verdict::won(Seat::Second, EndReason::Time)),
            OutcomeView::from_verdict(&game, Verdict::draw(EndReason::Agreement)),
        ] {
            let details = RecordDetails {
                outcome: Some(outcome.clone()),
                ..RecordDetails::default()
            };
            for format in [Format::Platform, Format::Anqi, Format::Pgn] {
                let text = export(&game, format, &details);
                let again = import(&text, RulesName::Platform).expect("what we wrote");
                assert_eq!(again.outcome.as_ref(), Some(&outcome), "{text}");
            }
        }
    }

    #[test]
    fn a_text_with_several_games_gives_the_one_that_is_asked_for() {
        let game = Game::from_text(TEXT, Rules::PLATFORM).unwrap();
        let shorter = Game::from_text("start moves b2(G)", Rules::PLATFORM).unwrap();
        for format in [Format::Platform, Format::Anqi, Format::Pgn] {
            let named = |names: [&str; 2]| RecordDetails {
                players: Some(names.map(str::to_owned)),
                ..RecordDetails::default()
            };
            let both = [
                export(&game, format, &named(["a", "b"])),
                export(&shorter, format, &named(["c", "d"])),
            ];
            let text = both.join("\n");
            let first = import(&text, RulesName::Platform).expect("the first");
            assert_eq!(first.game.plies(), game.plies());
            let second = import_game(&text, RulesName::Platform, 2).expect("the second");
            assert_eq!(second.game.plies(), shorter.plies());
            assert_eq!(second.games.len(), 2);
            assert!(second.games[1].starts_with("c – d"), "{:?}", second.games);
            let none = import_game(&text, RulesName::Platform, 3).expect_err("two games");
            assert!(
                none.message.contains("no game 3 (expected 1 to 2)"),
                "{none}"
            );
        }
    }

    #[test]
    fn pgn_keeps_comments_and_variations() {
        let game = Game::from_text(TEXT, Rules::OLYMPIAD).unwrap();
        let text = "b2(G) {the \\} guard} ( b2(K) {luckier} ) b3(k) a1(p) b3-b2";
        let details = RecordDetails {
            notes: Some(notes::read(text).unwrap()),
            ..RecordDetails::default()
        };
        let record = export(&game, Format::Pgn, &details);
        assert!(
            record.contains("{the \\} guard} (1. b2=K {luckier})"),
            "{record}"
        );
        let again = import(&record, RulesName::Platform).unwrap();
        assert_eq!(again.notes, details.notes);
    }

    #[test]
    fn our_own_record_keeps_comments_and_variations() {
        let game = Game::from_text(TEXT, Rules::OLYMPIAD).unwrap();
        let text = "b2(G) {the \\} guard} ( b2(K) {luckier} ) b3(k) a1(p) b3-b2";
        let details = RecordDetails {
            notes: Some(notes::read(text).unwrap()),
            ..RecordDetails::default()
        };
        assert_eq!(details.check(&game), Ok(()));
        let record = export(&game, Format::Anqi, &details);
        let again = import(&record, RulesName::Platform).unwrap();
        assert_eq!(again.notes, details.notes);
        assert_eq!(again.game.plies(), game.plies());
        let shorter = Game::from_text("start moves b2(G)", Rules::OLYMPIAD).unwrap();
        assert!(details.check(&shorter).is_err());
        let plain = export(&game, Format::Anqi, &RecordDetails::default());
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
        let details = RecordDetails {
            original: Some(original.clone()),
            ..RecordDetails::default()
        };
        let again = export(&imported.game, Format::Platform, &details);
        assert_eq!(again, original);
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, part) in [
            ("", "five"),
            (
                "Dear Anna",
                "tried PGN (line 1, column 1: 'Dear' is not a move",
            ),
            (
                "1. b3=K b3xc3",
                "line 1, column 9: 'b3xc3' cannot be played",
            ),
            ("{x} 1. b9=K", "line 1, column 8: 'b9=K' is not a move"),
            ("Dear Anna", "the platform's record ("),
            ("Dear Anna", "a position string ("),
            (
                "[First \"a\"]\n\n1. b3=K c9=g",
                "line 3, column 9: 'c9=g' is not a move",
            ),
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
