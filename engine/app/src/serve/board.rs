//! The public view of a position.

use super::tables::TableSet;
use super::wire::RulesName;
use anqi_rules::{
    Color, Content, DrawReason, Game, Outcome as RulesOutcome, Piece, Position, Repetition, Square,
    SquareSet, Undo, WinReason,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// The squares in reading order: a8 b8 c8 d8 a7 … d1.
pub fn reading_order() -> impl Iterator<Item = Square> {
    (0..anqi_rules::ROWS)
        .rev()
        .flat_map(|row| (0..anqi_rules::COLUMNS).filter_map(move |column| Square::at(column, row)))
}

/// The visible part of a position; see `wire.ts`.
#[derive(Serialize, Debug, Clone)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct Board {
    pub squares: String,
    pub position: String,
    pub hidden: String,
    pub captured: String,
    pub turn: Option<&'static str>,
    pub targets: BTreeMap<String, Vec<String>>,
    pub flips: Vec<String>,
    pub captures: Vec<CaptureView>,
    pub threatened: Vec<String>,
    pub quiet: u32,
    pub quiet_limit: Option<u32>,
    pub repetition: u32,
    pub repetition_limit: Option<u32>,
    pub ply: u32,
    pub table: Option<TableVerdict>,
    pub outcome: Option<Outcome>,
}

/// A capture that a side could make if it were to move.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
pub struct CaptureView {
    /// The capturing piece.
    pub from: String,
    /// The captured piece.
    pub to: String,
    /// A cannon's screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
}

/// How a game ended; see `wire.ts`.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// `red`, `black` or none.
    pub winner: Option<WinnerColor>,
    /// The winner's seat.
    pub winner_seat: Option<usize>,
    /// Why.
    pub reason: EndReason,
}

/// A colour by its name.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum WinnerColor {
    Red,
    Black,
}

/// Why a game ended.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum EndReason {
    NoLegalAction,
    Annihilation,
    QuietLimit,
    Repetition,
    Resignation,
    Agreement,
    Time,
}

/// A table's verdict; see `wire.ts`.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct TableVerdict {
    pub wdl: &'static str,
    pub dtc: Option<u16>,
    pub dtw: Option<u16>,
}

/// A table's verdict on an action; see `wire.ts`.
#[derive(Serialize, Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct TableAction {
    pub action: String,
    pub wdl: Option<&'static str>,
    pub dtc: Option<u16>,
    pub expected: Option<f64>,
}

/// A ply and its effect; see `wire.ts`.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "wire.ts describes every key")]
pub struct PlyView {
    pub ply: String,
    pub seat: usize,
    pub color: Option<&'static str>,
    pub piece: char,
    pub captured: Option<char>,
    pub ms: u64,
}

/// Returns a colour's name.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}

impl From<Color> for WinnerColor {
    fn from(color: Color) -> WinnerColor {
        match color {
            Color::Red => WinnerColor::Red,
            Color::Black => WinnerColor::Black,
        }
    }
}

/// Returns the colour of the seat that began, once it is known.
pub fn first_color(game: &Game) -> Option<Color> {
    let flipped = || game.plies().first()?.reveal.map(Piece::color);
    game.start().turn().or_else(flipped)
}

/// Returns the colour of a seat, once it is known.
pub fn seat_color(game: &Game, seat: usize) -> Option<Color> {
    let first = first_color(game)?;
    Some(if seat == 0 { first } else { !first })
}

impl Outcome {
    /// Returns how a game ended by the rules, if it did.
    pub fn of(game: &Game) -> Option<Outcome> {
        let (winner, reason) = match game.outcome()? {
            RulesOutcome::Win { winner, reason } => (
                Some(winner),
                match reason {
                    WinReason::NoLegalAction => EndReason::NoLegalAction,
                    WinReason::Annihilation => EndReason::Annihilation,
                },
            ),
            RulesOutcome::Draw(DrawReason::QuietLimit) => (None, EndReason::QuietLimit),
            RulesOutcome::Draw(DrawReason::Repetition { .. }) => (None, EndReason::Repetition),
        };
        let first = first_color(game);
        Some(Outcome {
            winner: winner.map(WinnerColor::from),
            winner_seat: winner.map(|winner| usize::from(first != Some(winner))),
            reason,
        })
    }

    /// Returns the outcome of a win by this seat.
    pub fn won_by(game: &Game, seat: usize, reason: EndReason) -> Outcome {
        Outcome {
            winner: seat_color(game, seat).map(WinnerColor::from),
            winner_seat: Some(seat),
            reason,
        }
    }

    /// Returns the outcome of a draw.
    pub fn draw(reason: EndReason) -> Outcome {
        Outcome {
            winner: None,
            winner_seat: None,
            reason,
        }
    }
}

impl Board {
    /// Returns the visible part of a game's position.
    pub fn of(game: &Game, tables: &TableSet) -> Board {
        let position = game.position();
        let outcome = Outcome::of(game);
        let (repetition, repetition_limit) = repetition(game);
        let playing = outcome.is_none();
        Board {
            squares: squares(position),
            position: position.to_string(),
            hidden: letters(position),
            captured: captured(game),
            turn: position.turn().map(color_name),
            targets: if playing {
                targets(game)
            } else {
                BTreeMap::new()
            },
            flips: match playing {
                true => names(position.face_down()),
                false => Vec::new(),
            },
            captures: captures(position),
            threatened: threatened(position),
            quiet: position.quiet_counter(),
            quiet_limit: game.rules().quiet_limit.map(NonZeroU32::get),
            repetition,
            repetition_limit,
            ply: position.ply(),
            table: tables.verdict(game.rules(), position),
            outcome,
        }
    }
}

/// Returns the plies of a game with their effects; `ms` has the time of each.
pub fn plies(game: &Game, ms: &[u64]) -> Vec<PlyView> {
    let mut replay = Game::new(*game.start(), game.rules());
    let mut views = Vec::with_capacity(game.plies().len());
    for (index, (&ply, undo)) in game.plies().iter().zip(game.undos()).enumerate() {
        let moved = replay.position().piece_at(ply.action.from()).or(ply.reveal);
        if replay.play(ply).is_err() {
            break;
        }
        views.push(PlyView {
            ply: ply.to_string(),
            seat: index % 2,
            color: seat_color(game, index % 2).map(color_name),
            piece: moved.map_or('?', Piece::letter),
            captured: undo.captured().map(Piece::letter),
            ms: ms.get(index).copied().unwrap_or(0),
        });
    }
    views
}

fn squares(position: &Position) -> String {
    let letter = |square| match position.content(square) {
        Content::Empty => '.',
        Content::FaceDown => '?',
        Content::FaceUp(piece) => piece.letter(),
    };
    reading_order().map(letter).collect()
}

fn names(set: SquareSet) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

/// Returns the letters of the face-down pieces.
fn letters(position: &Position) -> String {
    let mut text = String::new();
    for (piece, count) in position.hidden() {
        text.extend(std::iter::repeat_n(piece.letter(), count as usize));
    }
    text
}

/// Returns the captured pieces: those missing at the start by kind, then the rest by ply.
fn captured(game: &Game) -> String {
    let mut text = String::new();
    for piece in Piece::all() {
        let missing = piece.role().per_side() as u32 - game.start().living_of(piece);
        text.extend(std::iter::repeat_n(piece.letter(), missing as usize));
    }
    let taken = game.undos().iter().filter_map(Undo::captured);
    text.extend(taken.map(Piece::letter));
    text
}

fn targets(game: &Game) -> BTreeMap<String, Vec<String>> {
    let mut targets: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for action in game.actions().into_iter().filter(|a| !a.is_flip()) {
        let from = targets.entry(action.from().to_string()).or_default();
        from.push(action.to().to_string());
    }
    targets
}

fn captures(position: &Position) -> Vec<CaptureView> {
    let mut found = Vec::new();
    for color in Color::ALL {
        for from in position.color(color) {
            for to in position.targets(from) & position.color(!color) {
                found.push(CaptureView {
                    from: from.to_string(),
                    to: to.to_string(),
                    over: screen(position, from, to).map(|square| square.to_string()),
                });
            }
        }
    }
    found
}

/// Returns a cannon's screen, `None` for a capture by a step.
fn screen(position: &Position, from: Square, to: Square) -> Option<Square> {
    let between = |a: usize, b: usize, x: usize| x > a.min(b) && x < a.max(b);
    position.occupied().into_iter().find(|square| {
        let (column, row) = (square.column(), square.row());
        column == from.column() && column == to.column() && between(from.row(), to.row(), row)
            || row == from.row() && row == to.row() && between(from.column(), to.column(), column)
    })
}

fn threatened(position: &Position) -> Vec<String> {
    let Some(turn) = position.turn() else {
        return Vec::new();
    };
    let mut set = SquareSet::EMPTY;
    for from in position.color(!turn) {
        set |= position.targets(from) & position.color(turn);
    }
    names(set)
}

/// Returns how often the position or the sequence of plies has occurred, and how often draws.
fn repetition(game: &Game) -> (u32, Option<u32>) {
    let keys = game.quiet_keys();
    let stood = || match keys.split_last() {
        Some((last, before)) => 1 + before.iter().filter(|key| *key == last).count() as u32,
        None => 1,
    };
    match game.rules().repetition {
        Repetition::Never => (stood(), None),
        Repetition::Position { times } | Repetition::ChaseBan { times } => (stood(), Some(times)),
        Repetition::Sequence { times } => {
            let draws = |times: &u32| {
                let rules = anqi_rules::Rules {
                    quiet_limit: None,
                    repetition: Repetition::Sequence { times: *times },
                    ..game.rules()
                };
                rules.repetition_draw(keys, game.quiet_plies()).is_some()
            };
            let cycles = (2..=times).rev().find(draws).unwrap_or(1);
            (cycles, Some(times))
        }
    }
}

/// Returns the preset's name for the page, the default for other rules.
pub fn rules_name(game: &Game) -> RulesName {
    let named = game.rules().name().and_then(RulesName::named);
    named.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Rules;

    fn board(text: &str) -> Board {
        let game = Game::from_text(text, Rules::OLYMPIAD).unwrap();
        Board::of(&game, &TableSet::none())
    }

    #[test]
    fn the_start_shows_nothing_but_backs() {
        let start = board("start");
        assert_eq!(start.squares, "?".repeat(32));
        assert_eq!(start.hidden, "KGGMMRRNNCCPPPPPkggmmrrnnccppppp");
        assert_eq!((start.flips.len(), start.targets.len()), (32, 0));
        assert_eq!((start.turn, start.captured.as_str()), (None, ""));
    }

    #[test]
    fn cannons_show_their_screens_and_prey_is_threatened() {
        let seen = board("c?m1/4/4/4/4/4/4/G2C b m 0 9");
        assert_eq!(seen.squares, format!("c?m.{}G..C", ".".repeat(24)));
        assert_eq!(seen.captures, []);
        let seen = board("C?m1/4/4/4/4/4/4/G2g b m 0 9");
        let jump = CaptureView {
            from: "a8".into(),
            to: "c8".into(),
            over: Some("b8".into()),
        };
        assert_eq!(seen.captures, [jump]);
        assert_eq!(seen.threatened, ["c8"]);
        assert_eq!(seen.targets["c8"], ["c7", "d8"]);
        assert_eq!(seen.flips, ["b8"]);
    }

    #[test]
    fn counters_and_captures_are_told_in_order() {
        let cycle = "a8-a7 d1-d2 a7-a8 d2-d1";
        let seen = board(&format!("K3/4/4/4/4/4/4/3g r - 0 0 moves {cycle}"));
        assert_eq!((seen.repetition, seen.repetition_limit), (2, Some(3)));
        assert_eq!((seen.quiet, seen.quiet_limit), (4, Some(180)));
        let seen = board("start moves a1(K) a2(g) a1-a2");
        assert_eq!(seen.captured, "g");
        assert_eq!(seen.outcome, None);
    }

    #[test]
    fn a_banned_chase_is_not_offered() {
        let cycle = "c3-b3 b4-c4 b3-c3 c4-b4";
        let text = format!("P3/4/4/1r2/4/2G1/4/3p b - 0 0 moves b5-b4 {cycle} {cycle}");
        let targets = |rules| targets(&Game::from_text(&text, rules).unwrap())["c3"].clone();
        assert_eq!(targets(Rules::MISTBOARD), ["c2", "c4", "d3"]);
        assert_eq!(targets(Rules::PAPER), ["b3", "c2", "c4", "d3"]);
    }

    #[test]
    fn a_game_that_is_over_offers_nothing() {
        let seen = board("4/4/4/4/4/4/4/Kg2 r - 0 0 moves a1-b1");
        let outcome = seen.outcome.unwrap();
        assert_eq!(outcome.winner_seat, Some(0));
        assert_eq!(outcome.reason, EndReason::Annihilation);
        assert!(seen.targets.is_empty() && seen.flips.is_empty());
    }
}
