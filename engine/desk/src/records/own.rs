//! Our own records, one JSON object each.

use super::error::{Lost, RecordsError, add};
use crate::export::{RecordDetails, own_record};
use crate::line::own_records;
use crate::pgn::{notes_of, outcome_of, reason_of, set_notes, set_outcome};
use crate::wire::{Notes, RulesName};
use anqi_protocol::record::Date;
use anqi_protocol::record::pgn::{GameResult, PgnGame};
use anqi_rules::{Game, Rules};

/// Reads all records of a text.
pub(super) fn read(text: &str, lost: &mut Lost) -> Result<Vec<PgnGame>, RecordsError> {
    let records = own_records(text)?.into_iter();
    records
        .map(|record| {
            let (game, notes) = record.game()?;
            let players = record.players.as_ref();
            let names = players.map_or(["?", "?"], |names| names.each_ref().map(String::as_str));
            let mut pgn = PgnGame::of_game(&game, names);
            match record.date.as_deref().map(str::parse::<Date>) {
                Some(Ok(date)) => pgn.set_date(date),
                Some(Err(())) => add(lost, "a date of another form"),
                None => {}
            }
            if let Some(outcome) = &record.outcome {
                set_outcome(&mut pgn, outcome);
            }
            if let Some(notes) = notes {
                set_notes(&mut pgn, &notes)?;
                let mut comments = notes.plies.iter().map(|ply| &ply.comment);
                let broken = |comment: &String| comment.trim().contains('\n');
                if broken(&notes.comment) || comments.any(broken) {
                    add(lost, "line breaks in comments");
                }
            }
            Ok(pgn)
        })
        .collect()
}

/// Writes a record on one line.
pub(super) fn write(record: &PgnGame, rules: Rules, lost: &mut Lost) -> String {
    let rules = record.rules.unwrap_or(rules);
    if rules.name().and_then(RulesName::named).is_none() {
        add(lost, "the name of the rules");
    }
    let mut game = Game::new(record.start, rules);
    for ply in record.main_line() {
        // Plies of a game that was read are legal.
        if game.play(ply.ply).is_err() {
            break;
        }
    }
    let finished = record.result != GameResult::Unfinished;
    if finished && reason_of(record.termination.as_ref()).is_none() {
        add(lost, "the reason of the ending");
    }
    if record.plies.iter().any(|ply| !ply.glyphs.is_empty()) {
        add(lost, "annotation glyphs");
    }
    if record.deal.is_some() {
        add(lost, "the commitment to the deal");
    }
    const HELD: [&str; 4] = ["First", "Second", "Date", "Time"];
    for (name, _) in record.tags.iter().filter(|(name, _)| !HELD.contains(name)) {
        add(lost, &format!("the tag {name}"));
    }
    let players = record.players();
    let details = RecordDetails {
        players: (players != ["?", "?"]).then(|| players.map(str::to_owned)),
        outcome: outcome_of(record, &game),
        notes: Some(notes_of(record)).filter(Notes::say_more),
        ..RecordDetails::default()
    };
    let date = record.date().map(|date| date.to_string());
    own_record(&game, &details, date)
}
