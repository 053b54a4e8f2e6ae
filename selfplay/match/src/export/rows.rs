//! Rows from records.

use anqi_rules::{Game, Position, Rules};

use super::schema::{Cell, What};
use super::sink::ExportError;
use super::source::SavedMatch;
use crate::luck::WIN;
use crate::record::{GameRecord, PairRecord, Timing};
use crate::replay;
use crate::side::{BySide, Side};

/// Whether times, which differ from run to run, are in the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportTimes {
    /// Their cells are missing, so that the same games give the same file.
    LeftOut,
    /// Their cells are filled.
    Included,
}

/// Where rows go.
type Out<'a> = &'a mut dyn FnMut(Vec<Cell>) -> Result<(), ExportError>;

/// Makes a row of cells of several kinds.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$(Cell::from($cell)),*] };
}

/// Passes every row of a table to `out`.
pub(super) fn of(
    what: What,
    matches: &[SavedMatch],
    times: ExportTimes,
    out: Out<'_>,
) -> Result<(), ExportError> {
    for (index, saved) in matches.iter().enumerate() {
        let number = index + 1;
        match what {
            What::Matches => out(of_match(number, saved))?,
            _ => games_of(what, number, saved, times, out)?,
        }
    }
    Ok(())
}

fn games_of(
    what: What,
    number: usize,
    saved: &SavedMatch,
    times: ExportTimes,
    out: Out<'_>,
) -> Result<(), ExportError> {
    let rules = saved.rules();
    for pair in &saved.records {
        for index in 0..pair.games.len() {
            let place = Place {
                number,
                pair,
                index,
            };
            let game = place.replayed(rules)?;
            if what == What::Flips {
                flips(&place, &game, out)?;
            } else {
                out(of_game(&place, &game, saved, times))?;
            }
        }
    }
    Ok(())
}

fn of_match(number: usize, saved: &SavedMatch) -> Vec<Cell> {
    let identity = &saved.meta.identity;
    let games = || saved.records.iter().flat_map(|pair| &pair.games);
    let count = |holds: &dyn Fn(&GameRecord) -> bool| games().filter(|game| holds(game)).count();
    let half_points: u64 = games().map(|game| game.verdict.half_points(Side::A)).sum();
    let played = games().count();
    let appraiser = saved.records.iter().find_map(|pair| pair.luck.as_ref());
    row![
        number,
        saved.folder.display().to_string(),
        identity.program.as_str(),
        identity.players.a.as_str(),
        identity.players.b.as_str(),
        identity.names.a.as_str(),
        identity.names.b.as_str(),
        identity.limits.a.to_string(),
        identity.limits.b.to_string(),
        identity.rules.as_str(),
        identity.deal.to_string(),
        identity.seed,
        identity.adjudication.to_string(),
        appraiser.map(|luck| luck.appraiser.as_str()),
        played,
        count(&|game| game.verdict.winner == Some(Side::A)),
        count(&|game| game.verdict.winner.is_none()),
        count(&|game| game.verdict.winner == Some(Side::B)),
        count(&|game| game.verdict.reason.is_fault()),
        (played > 0).then(|| half_points as f64 / 2.0 / played as f64),
    ]
}

/// A game of a match.
struct Place<'a> {
    /// The number of the match, from 1.
    number: usize,
    pair: &'a PairRecord,
    /// Which of the pair's games, from 0.
    index: usize,
}

impl Place<'_> {
    fn record(&self) -> &GameRecord {
        &self.pair.games[self.index]
    }

    fn replayed(&self, rules: Rules) -> Result<Game, ExportError> {
        Ok(replay::replayed(self.record(), rules, None)?)
    }

    /// Returns A's luck in each flip, if it was measured.
    fn luck(&self) -> Option<&[i32]> {
        let luck = self.pair.luck.as_ref()?;
        Some(&luck.flips[self.index])
    }

    fn timing(&self, times: ExportTimes) -> Option<Timing> {
        (times == ExportTimes::Included).then_some(self.pair.timing[self.index])
    }
}

fn of_game(place: &Place<'_>, game: &Game, saved: &SavedMatch, times: ExportTimes) -> Vec<Cell> {
    let record = place.record();
    let players: &BySide<String> = &saved.meta.identity.players;
    let timing = place.timing(times);
    let flips = game.plies().iter().filter(|ply| ply.reveal.is_some());
    let captured = game.undos().iter().filter(|undo| undo.captured().is_some());
    // Half a point lies between a draw and a win.
    let luck = place
        .luck()
        .map(|all| all.iter().sum::<i32>() as f64 / f64::from(WIN) / 2.0);
    row![
        place.number,
        place.pair.pair,
        place.index + 1,
        players.a.as_str(),
        players.b.as_str(),
        side(record.starter),
        record.starter_color.map(|color| color.to_string()),
        record.verdict.winner.map(side),
        record.verdict.reason.name(),
        record.verdict.detail.as_deref(),
        record.verdict.half_points(Side::A) as f64 / 2.0,
        luck,
        game.plies().len(),
        flips.count(),
        captured.count(),
        record.nodes.a,
        record.nodes.b,
        record.last_values.a,
        record.last_values.b,
        timing.map(|timing| timing.thinking_us.a),
        timing.map(|timing| timing.thinking_us.b),
        timing.map(|timing| timing.total_us),
        record.plies.as_str(),
    ]
}

fn side(side: Side) -> String {
    side.letter().to_string()
}

fn flips(place: &Place<'_>, game: &Game, out: Out<'_>) -> Result<(), ExportError> {
    let mut position: Position = *game.start();
    let mut flip = 0;
    for (index, &ply) in game.plies().iter().enumerate() {
        if let Some(piece) = ply.reveal {
            let starter = place.record().starter;
            let flipper = if index % 2 == 0 { starter } else { !starter };
            let luck_a = place.luck().and_then(|all| all.get(flip)).copied();
            let sign = if flipper == Side::A { 1 } else { -1 };
            let hidden = position.hidden();
            let face_down = position.face_down().len();
            let chance = f64::from(hidden.count(piece)) / face_down.max(1) as f64;
            flip += 1;
            out(row![
                place.number,
                place.pair.pair,
                place.index + 1,
                index + 1,
                flip,
                side(flipper),
                place.record().color(flipper).map(|color| color.to_string()),
                ply.action.from().to_string(),
                piece.letter().to_string(),
                face_down,
                chance,
                luck_a,
                luck_a.map(|luck| sign * luck),
                position.to_string(),
            ])?;
        }
        let _ = position.play_unchecked(ply);
    }
    Ok(())
}
