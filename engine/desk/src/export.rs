//! Records that the page exports.

use crate::line::{OWN_FORMAT, OwnRecord, line_of};
use crate::pgn::{set_notes, set_outcome, time_control};
use crate::wire::OutcomeView;
use crate::wire::{ClockSetting, Code, DealView, Format, Notes, Refusal, refuse};
use anqi_play::{EndReason, first_color};
use anqi_protocol::record::pgn::PgnGame;
use anqi_protocol::record::{Date, PlatformReason, PlatformVerdict, PlayerName, Record};
use anqi_rules::Game;

/// The contents of a record other than the plies.
#[derive(Debug, Clone, Default)]
pub struct RecordDetails {
    /// The players, in order of play.
    pub players: Option<[String; 2]>,
    /// The outcome, if the board does not show it.
    pub outcome: Option<OutcomeView>,
    /// The platform's record that the game came from.
    pub original: Option<String>,
    /// Comments and variations, for PGN and our own record.
    pub notes: Option<Notes>,
    /// The commitment to the deal, and the deal itself after the game.
    pub deal: Option<DealView>,
    /// The time of each ply, if it was measured.
    pub ply_ms: Vec<u64>,
    /// The time for the game.
    pub clock: Option<ClockSetting>,
    /// The date of a record that has none of its own.
    pub date: Option<Date>,
}

impl RecordDetails {
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
pub fn export(game: &Game, format: Format, details: &RecordDetails) -> String {
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
        Format::Anqi => {
            let date = details.date.map(|date| date.to_string());
            own_record(game, details, date)
        }
        Format::Pgn => pgn_record(game, details).to_string(),
        Format::Platform => platform_record(game, details).to_string(),
    }
}

/// Returns the record in the shape of PGN.
pub fn pgn_record(game: &Game, details: &RecordDetails) -> PgnGame {
    let names = details.players.as_ref();
    let names = names.map_or(["?", "?"], |names| names.each_ref().map(String::as_str));
    let mut record = PgnGame::of_game(game, names);
    if let Some(date) = details.date {
        record.set_date(date);
    }
    if let Some(clock) = details.clock {
        record.tags.set("TimeControl", &time_control(clock));
    }
    if let Some(outcome) = &details.outcome {
        set_outcome(&mut record, outcome);
    }
    record.deal = details.deal.as_ref().map(DealView::proof);
    match &details.notes {
        // Invalid notes are left out: `check` has refused them.
        Some(notes) => drop(set_notes(&mut record, notes)),
        None if details.ply_ms.len() == record.plies.len() => {
            for (ply, &ms) in record.plies.iter_mut().zip(&details.ply_ms) {
                ply.annotation.elapsed_ms = Some(ms);
            }
        }
        None => {}
    }
    record
}

/// Writes our own record.
pub fn own_record(game: &Game, details: &RecordDetails, date: Option<String>) -> String {
    let line = line_of(game);
    // Invalid notes are left out: `check` has refused them.
    let noted = details.notes.as_ref().and_then(|notes| notes.write().ok());
    let record = OwnRecord {
        format: OWN_FORMAT.to_owned(),
        start: line.start,
        plies: noted.unwrap_or_else(|| line.plies.join(" ")),
        rules: line.rules,
        players: details.players.clone(),
        date,
        outcome: OutcomeView::of(game).or_else(|| details.outcome.clone()),
    };
    // This cannot fail: every key of a record is a string.
    serde_json::to_string(&record).unwrap_or_default()
}

/// Returns the original record if it is of the same game, else a new one.
fn platform_record(game: &Game, details: &RecordDetails) -> Record {
    let original = details.original.as_deref();
    if let Some(original) = original.and_then(|text| Record::read(text.as_bytes()).ok()) {
        let same = original
            .game(game.rules())
            .is_ok_and(|known| known.start() == game.start() && known.plies() == game.plies());
        if same {
            return original;
        }
    }
    let names = details.players.clone().unwrap_or_default();
    let players = names.map(|name| PlayerName::new(&name));
    let mut record = Record::of_game(game, players.clone());
    record.first = first_color(game);
    record.date = details.date;
    if record.verdict.is_none() {
        record.verdict = details
            .outcome
            .as_ref()
            .map(|outcome| verdict(outcome, &players));
    }
    record
}

fn verdict(outcome: &OutcomeView, players: &[PlayerName; 2]) -> PlatformVerdict {
    let reason = match outcome.reason {
        EndReason::Time => PlatformReason::TimeOut,
        EndReason::Resignation => PlatformReason::Resign,
        EndReason::Agreement => PlatformReason::Other(PlayerName::new("Agreement")),
        EndReason::QuietLimit => PlatformReason::NoEatFlipDraw,
        EndReason::Repetition => PlatformReason::PositionRepetitionDraw {
            times: 3,
            period: 1,
        },
        EndReason::NoLegalAction | EndReason::Annihilation => PlatformReason::NoMove,
    };
    match outcome.winner_seat {
        Some(seat) => PlatformVerdict::win(reason, seat, players),
        None => PlatformVerdict::draw(reason, players),
    }
}

/// Returns the suggested name of the file.
pub fn file_name(format: Format) -> &'static str {
    match format {
        Format::Platform => "game.txt",
        Format::Anqi => "game.json",
        Format::Position => "position.txt",
        Format::Pgn => "game.pgn",
    }
}
