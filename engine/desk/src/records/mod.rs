//! Files of game records: whatever format they have, read as [`PgnGame`]s and written again.
//!
//! [`PgnGame`] holds all that any of the formats holds, but for what [`Records::lost`] and
//! [`Written::lost`] name.

mod error;
mod own;

pub use crate::wire::Format;
pub use error::{Lost, RecordsError};

use crate::line::{nothing_known, resembles};
use anqi_protocol::record::Record;
use anqi_protocol::record::pgn::{self, PgnGame};
use anqi_rules::{Game, Rules};
use error::add;

/// Games that were read.
#[derive(Clone, Debug)]
pub struct Records {
    /// The format of the text.
    pub format: Format,
    /// The games, at least one.
    pub games: Vec<PgnGame>,
    /// What of the text the games do not hold.
    pub lost: Lost,
}

/// Games that were written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What of the games it does not hold.
    pub lost: Lost,
}

/// Reads all games of a text; `rules` are those of records that name none.
///
/// # Errors
///
/// Returns an error if the text is invalid in the format that it resembles.
pub fn read(text: &[u8], rules: Rules) -> Result<Records, RecordsError> {
    let plain = String::from_utf8_lossy(text);
    let format = match resembles(&plain) {
        Some(format) => format,
        None => match pgn::read(text, rules) {
            Ok(_) => Format::Pgn,
            Err(error) => {
                let message = nothing_known(&plain, rules, &error);
                return Err(RecordsError::Other(message));
            }
        },
    };
    let mut lost = Lost::new();
    let games = match format {
        Format::Pgn => pgn::read(text, rules)?,
        Format::Platform => platform(text, rules, &mut lost)?,
        Format::Anqi => own::read(plain.trim_start_matches('\u{feff}'), &mut lost)?,
        Format::Position => {
            let game = Game::from_text(&plain, rules);
            let game = game.map_err(|error| RecordsError::Other(error.to_string()))?;
            vec![PgnGame::of_game(&game, ["?", "?"])]
        }
    };
    Ok(Records {
        format,
        games,
        lost,
    })
}

fn platform(text: &[u8], rules: Rules, lost: &mut Lost) -> Result<Vec<PgnGame>, RecordsError> {
    let records = Record::read_all(text)?;
    let mut games = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let number = index + 1;
        let game = PgnGame::of_record(record, rules);
        games.push(game.map_err(|error| RecordsError::Replay { number, error })?);
        if !record.stamps.is_empty() {
            add(lost, "time stamps, except as times of the plies");
        }
        if record.comment.is_some_and(|numbers| numbers != [0, 0]) {
            add(lost, "the numbers after Comment");
        }
    }
    Ok(games)
}

/// Writes games; `rules` are those of games that name none.
///
/// A position string holds the first game alone.
pub fn write(games: &[PgnGame], format: Format, rules: Rules) -> Written {
    let mut lost = Lost::new();
    let text = match format {
        Format::Pgn => pgn::write(games),
        Format::Platform => {
            let texts = games.iter().map(|game| {
                let (record, missing) = game.to_record(rules);
                for what in missing {
                    add(&mut lost, &what.0);
                }
                record.to_string()
            });
            texts.collect::<Vec<_>>().join("\n")
        }
        Format::Anqi => {
            let lines = games
                .iter()
                .map(|game| own::write(game, rules, &mut lost) + "\n");
            lines.collect()
        }
        Format::Position => {
            let words = games.first().map(|game| {
                let plies = game.main_line().into_iter().map(|ply| ply.ply.to_string());
                let plies: Vec<String> = plies.collect();
                format!("{} moves {}\n", game.start, plies.join(" "))
            });
            words.unwrap_or_default()
        }
    };
    Written { text, lost }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = "[First \"Anna B\"]\n[Second \"greedy\"]\n[Rules \"olympiad\"]\n[Event \"x\"]\n\n\
        1. b3=K $1 {[%clk 0:14:58] good} (1. b3=p) 1... b4=g 2. b3xb4 0-1\n";

    #[test]
    fn each_format_leads_to_each_other_and_says_what_it_lost() {
        let records = read(PGN.as_bytes(), Rules::PLATFORM).expect("PGN");
        assert_eq!(records.format, Format::Pgn);
        let names = |lost: &Lost| lost.keys().cloned().collect::<Vec<_>>().join(", ");
        let json = write(&records.games, Format::Anqi, Rules::PLATFORM);
        assert_eq!(
            names(&json.lost),
            "annotation glyphs, the reason of the ending, the tag Event"
        );
        let again = read(json.text.as_bytes(), Rules::PLATFORM).expect("JSON");
        assert_eq!(again.format, Format::Anqi);
        let [game] = &again.games[..] else {
            panic!("one game")
        };
        assert_eq!(game.result, records.games[0].result);
        assert_eq!(game.players(), ["Anna B", "greedy"]);
        assert_eq!(game.rules, Some(Rules::OLYMPIAD));
        assert_eq!(
            game.plies[0].annotation,
            records.games[0].plies[0].annotation
        );
        assert!(game.has_variations());
        let platform = write(&records.games, Format::Platform, Rules::PLATFORM);
        assert!(
            names(&platform.lost).contains("variations"),
            "{:?}",
            platform.lost
        );
        let again = read(platform.text.as_bytes(), Rules::PLATFORM).expect("a record");
        assert_eq!(again.format, Format::Platform);
        assert_eq!(again.games[0].players(), ["Anna_B", "greedy"]);
        assert_eq!(again.games[0].result, records.games[0].result);
        let position = write(&again.games, Format::Position, Rules::PLATFORM);
        let again = read(position.text.as_bytes(), Rules::PLATFORM).expect("a position");
        assert_eq!(again.format, Format::Position);
        assert_eq!(again.games[0].plies.len(), 3);
    }

    #[test]
    fn endings_survive_every_format() {
        for (result, reason) in [
            ("1-0", "resignation"),
            ("0-1", "time forfeit"),
            ("1/2-1/2", "agreement"),
        ] {
            let text =
                format!("[Result \"{result}\"]\n[Termination \"{reason}\"]\n\n1. b3=K {result}\n");
            let games = read(text.as_bytes(), Rules::OLYMPIAD).expect("PGN").games;
            for format in [Format::Pgn, Format::Platform, Format::Anqi] {
                let written = write(&games, format, Rules::OLYMPIAD);
                let again = read(written.text.as_bytes(), Rules::OLYMPIAD).expect("ours");
                assert_eq!(again.games[0].result, games[0].result, "{format:?}");
                assert_eq!(
                    again.games[0].termination, games[0].termination,
                    "{format:?}"
                );
            }
        }
    }

    #[test]
    fn something_else_names_the_formats_that_were_tried() {
        let error = read(b"Dear Anna", Rules::OLYMPIAD)
            .expect_err("a letter")
            .to_string();
        for part in [
            "PGN (line 1, column 1",
            "the platform's record (",
            "JSON (",
            "a position string (",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
        assert!(read(b"[First \"\xff\"]", Rules::OLYMPIAD).is_err());
    }
}
