//! The public view of a position.

use crate::tables::{TableSet, TableVerdict};
use crate::wire::{ColorName, OutcomeView};
use anqi_play::{EndReason, Seat, Verdict, reading_order};
use anqi_rules::{Color, Content, Game, Piece, Position, Repetition, Square, SquareSet, Undo};
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
#[cfg(test)]
use ts_rs::TS;

/// A position as everybody sees it. Nothing in it tells what lies face down where.
#[derive(Serialize, Debug, Clone)]
#[cfg_attr(test, derive(TS))]
pub struct Board {
    /// 32 characters, a8 b8 c8 d8 a7 … d1: a piece letter, `?` face down, `.` empty.
    pub squares: String,
    /// The whole position as a position string.
    pub position: String,
    /// Letters of the face-down pieces, in the order KGMRNCPkgmrncp; a letter as often as it lies there.
    pub hidden: String,
    /// Letters of the captured pieces, in the order of capture as far as it is known.
    pub captured: String,
    /// Colour to move; null before the first flip.
    pub turn: Option<ColorName>,
    /// Where each face-up piece of the side to move may go; squares without targets are left out.
    #[cfg_attr(test, ts(type = "Record<SquareName, SquareName[]>"))]
    pub targets: BTreeMap<String, Vec<String>>,
    /// Squares that may be flipped.
    pub flips: Vec<String>,
    /// Every capture that either side could make if it were to move.
    pub captures: Vec<CaptureView>,
    /// Face-up pieces of the side to move that the other side could capture if it were to move.
    pub threatened: Vec<String>,
    /// Plies since the last capture or flip.
    pub quiet: u32,
    /// So many draw the game.
    pub quiet_limit: Option<u32>,
    /// How often this position (or this cycle of plies) has stood since the last capture or flip.
    pub repetition: u32,
    /// So often draws the game.
    pub repetition_limit: Option<u32>,
    /// Plies played, counted from the beginning of the game.
    pub ply: u32,
    /// The table's verdict for the side to move, if tables know the position.
    pub table: Option<TableVerdict>,
    /// The end of the game by the rules, if this is one.
    pub outcome: Option<OutcomeView>,
}

/// A capture that a side could make if it were to move.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
pub struct CaptureView {
    /// The capturing piece.
    pub from: String,
    /// The captured piece.
    pub to: String,
    /// A cannon's screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub over: Option<String>,
}

/// A ply and its effect.
#[derive(Serialize, Debug, Clone, PartialEq, Eq)]
#[cfg_attr(test, derive(TS))]
pub struct PlyView {
    /// The ply.
    pub ply: String,
    /// Who played it.
    #[cfg_attr(test, ts(type = "Seat"))]
    pub seat: usize,
    /// Its colour.
    pub color: Option<ColorName>,
    /// The piece that moved or appeared.
    pub piece: char,
    /// The piece that it captured.
    pub captured: Option<char>,
    /// Time spent on it.
    pub ms: u64,
}

impl OutcomeView {
    /// Returns how a game ended by the rules, if it did.
    pub fn of(game: &Game) -> Option<OutcomeView> {
        Some(OutcomeView::from_verdict(game, Verdict::of(game)?))
    }

    /// Returns how a game ended; a reason that is not known counts as agreement.
    pub fn from_verdict(game: &Game, verdict: Verdict) -> OutcomeView {
        let color = |seat: Seat| seat.color(game).map(ColorName::from);
        OutcomeView {
            winner: verdict.winner.and_then(color),
            winner_seat: verdict.winner.map(Seat::index),
            reason: verdict.reason.unwrap_or(EndReason::Agreement),
        }
    }
}

impl Board {
    /// Returns the visible part of a game's position.
    pub fn of(game: &Game, tables: &TableSet) -> Board {
        let position = game.position();
        let outcome = OutcomeView::of(game);
        let (repetition, repetition_limit) = repetition(game);
        let playing = outcome.is_none();
        Board {
            squares: squares(position),
            position: position.to_string(),
            hidden: letters(position),
            captured: captured(game),
            turn: position.turn().map(ColorName::from),
            targets: if playing {
                targets(game)
            } else {
                BTreeMap::new()
            },
            flips: if playing {
                names(position.face_down())
            } else {
                Vec::new()
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
            color: Seat::after(index).color(game).map(ColorName::from),
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
