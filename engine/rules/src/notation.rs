//! Reading and writing squares, plies and positions as text.
//!
//! A position is one line of five fields, `<rows> <turn> <hidden> <quiet> <ply>`,
//! described in `docs/rules.md`. Reading goes through [`Setup`]; syntax errors
//! and faults of the position are returned together, so that a text can be
//! corrected in one go.

pub use crate::excerpt::excerpt;

use crate::hidden::HiddenBag;
use crate::moves::{Action, Ply};
use crate::piece::{Color, Piece};
use crate::position::{Content, Position};
use crate::setup::{Fault, Setup};
use crate::square::{COLUMNS, ParseSquareError, ROWS, Square};
use std::fmt;
use std::str::FromStr;

/// Why a text is not an action or a ply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePlyError {
    /// A square in it cannot be read.
    #[error(transparent)]
    Square(#[from] ParseSquareError),
    /// A revealed piece in it cannot be read.
    #[error("'{0}' is not a piece (expected one of KGMRNCPkgmrncp)")]
    Piece(String),
    /// It does not have the form of a ply.
    #[error("'{0}' is not a ply (expected a flip such as b2(G) or a move such as b4-b2)")]
    Shape(String),
}

impl FromStr for Piece {
    type Err = ParsePlyError;

    fn from_str(text: &str) -> Result<Piece, ParsePlyError> {
        let mut letters = text.chars();
        letters
            .next()
            .and_then(Piece::from_letter)
            .filter(|_| letters.next().is_none())
            .ok_or_else(|| ParsePlyError::Piece(excerpt(text)))
    }
}

impl FromStr for Action {
    type Err = ParsePlyError;

    /// Reads `b4-b2`, and `b2-b2` or `b2` for a flip.
    fn from_str(text: &str) -> Result<Action, ParsePlyError> {
        match text.split_once('-') {
            Some((from, to)) => Ok(Action::step(from.parse()?, to.parse()?)),
            None => Ok(Action::flip(text.parse()?)),
        }
    }
}

impl FromStr for Ply {
    type Err = ParsePlyError;

    /// Reads `b2(G)` or `b4-b2`.
    fn from_str(text: &str) -> Result<Ply, ParsePlyError> {
        if let Some((square, rest)) = text.split_once('(') {
            let piece = rest
                .strip_suffix(')')
                .ok_or_else(|| ParsePlyError::Shape(excerpt(text)))?;
            return Ok(Ply::flip(square.parse()?, piece.parse()?));
        }
        if !text.contains('-') {
            return Err(ParsePlyError::Shape(excerpt(text)));
        }
        text.parse::<Action>().map(Ply::from)
    }
}

/// One reason why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// Not five fields.
    #[error("{0} fields instead of five: <rows> <turn> <hidden> <quiet> <ply>")]
    Fields(usize),
    /// Not eight rows.
    #[error("{0} rows instead of 8")]
    Rows(usize),
    /// A row is not four squares wide.
    #[error("row {row} has {width} squares instead of 4")]
    Width {
        /// The row's number, 1 to 8.
        row: usize,
        /// Its width.
        width: usize,
    },
    /// A sign in a row is neither a piece, nor `?`, nor a digit from 1 to 4.
    #[error("'{sign}' in row {row} is neither a piece, nor ?, nor a digit from 1 to 4")]
    Sign {
        /// The row's number, 1 to 8.
        row: usize,
        /// The sign.
        sign: String,
    },
    /// The turn is not one of `r`, `b` and `-`.
    #[error("'{0}' is not a turn (expected r, b or -)")]
    Turn(String),
    /// A sign among the hidden letters is not a piece.
    #[error("'{0}' among the hidden pieces is not one of KGMRNCPkgmrncp")]
    Hidden(String),
    /// A counter is not a number.
    #[error("'{text}' is not a number of {what} (expected 0 or more)")]
    Counter {
        /// The counter.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// It can be read, but the position is impossible.
    #[error(transparent)]
    Impossible(#[from] Fault),
}

/// All reasons why a text is not a position, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsePositionError {
    reasons: Vec<TextFault>,
}

impl ParsePositionError {
    /// Returns the reasons in the order of the text.
    pub fn reasons(&self) -> &[TextFault] {
        &self.reasons
    }
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a position: ")?;
        for (index, reason) in self.reasons.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{reason}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ParsePositionError {}

impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [rows, turn, hidden, quiet, ply] = fields[..] else {
            let reasons = vec![TextFault::Fields(fields.len())];
            return Err(ParsePositionError { reasons });
        };
        let mut reading = Reading::default();
        reading.rows(rows);
        let board_is_sound = reading.reasons.is_empty();
        reading.turn(turn);
        reading.hidden(hidden);
        reading.setup.quiet = reading.counter("quiet plies", quiet);
        reading.setup.ply = reading.counter("plies", ply);
        reading.finish(board_is_sound)
    }
}

/// A position text being read: the setup, and the reasons against it so far.
#[derive(Default)]
struct Reading {
    setup: Setup,
    reasons: Vec<TextFault>,
}

impl Reading {
    fn rows(&mut self, text: &str) {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != ROWS {
            self.reasons.push(TextFault::Rows(rows.len()));
        }
        for (place, row) in rows.iter().take(ROWS).enumerate() {
            self.row(ROWS - place, row);
        }
    }

    fn row(&mut self, row: usize, text: &str) {
        let mut column = 0;
        let mut sound = true;
        for sign in text.chars() {
            let content = match sign {
                '1'..='4' => {
                    column += sign as usize - '0' as usize;
                    continue;
                }
                '?' => Some(Content::FaceDown),
                _ => Piece::from_letter(sign).map(Content::FaceUp),
            };
            match (content, Square::at(column, row - 1)) {
                (None, _) => {
                    let sign = excerpt(&sign.to_string());
                    self.reasons.push(TextFault::Sign { row, sign });
                    sound = false;
                }
                (Some(content), Some(square)) => self.setup.board[square.index()] = content,
                (Some(_), None) => {} // too wide: reported below
            }
            column += 1;
        }
        if sound && column != COLUMNS {
            let width = column;
            self.reasons.push(TextFault::Width { row, width });
        }
    }

    fn turn(&mut self, text: &str) {
        self.setup.turn = match text {
            "-" => None,
            "r" => Some(Color::Red),
            "b" => Some(Color::Black),
            _ => {
                self.reasons.push(TextFault::Turn(excerpt(text)));
                None
            }
        };
    }

    fn hidden(&mut self, text: &str) {
        if text == "-" {
            return;
        }
        for sign in text.chars() {
            match Piece::from_letter(sign) {
                Some(piece) => self.setup.hidden[piece.index()] += 1,
                None => self
                    .reasons
                    .push(TextFault::Hidden(excerpt(&sign.to_string()))),
            }
        }
    }

    fn counter(&mut self, what: &'static str, text: &str) -> u32 {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match text.parse() {
            Ok(number) if digits => number,
            _ => {
                let text = excerpt(text);
                self.reasons.push(TextFault::Counter { what, text });
                0
            }
        }
    }

    /// Adds the faults of the position: after a syntax error, only those that
    /// hold whatever was meant.
    fn finish(mut self, board_is_sound: bool) -> Result<Position, ParsePositionError> {
        let readable = self.reasons.is_empty();
        let counters_are_sound = !self
            .reasons
            .iter()
            .any(|reason| matches!(reason, TextFault::Counter { .. }));
        let holds = |fault: &Fault| match fault {
            Fault::TooMany { .. } | Fault::TooManyOfColor { .. } => true,
            Fault::QuietBeyondPly { .. } | Fault::TooManyPlies(_) => counters_are_sound,
            Fault::HiddenMismatch { .. } => {
                let known = |reason: &TextFault| !matches!(reason, TextFault::Hidden(_));
                board_is_sound && self.reasons.iter().all(known)
            }
            Fault::NoPieces => board_is_sound,
            Fault::TurnMissing | Fault::TurnUnknown(_) | Fault::PliesBeforeFirstFlip(_) => {
                let known = |reason: &TextFault| !matches!(reason, TextFault::Turn(_));
                board_is_sound && counters_are_sound && self.reasons.iter().all(known)
            }
        };
        let faults: Vec<Fault> = self.setup.faults().into_iter().filter(holds).collect();
        self.reasons.extend(faults.into_iter().map(TextFault::from));
        match self.setup.position() {
            Ok(position) if readable => Ok(position),
            _ => Err(ParsePositionError {
                reasons: self.reasons,
            }),
        }
    }
}

impl fmt::Display for Position {
    /// Writes the position string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..ROWS).rev() {
            write_row(self, row, f)?;
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        let turn = self.turn().map_or('-', Color::letter);
        let (quiet, ply) = (self.quiet_counter(), self.ply());
        write!(f, "{turn} {} {quiet} {ply}", self.hidden())
    }
}

fn write_row(position: &Position, row: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut empty = 0;
    for square in (0..COLUMNS).filter_map(|column| Square::at(column, row)) {
        let content = position.content(square);
        if content == Content::Empty {
            empty += 1;
            continue;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
            empty = 0;
        }
        match content {
            Content::FaceUp(piece) => write!(f, "{piece}")?,
            _ => f.write_str("?")?,
        }
    }
    if empty > 0 {
        write!(f, "{empty}")?;
    }
    Ok(())
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// Why a text is not a position followed by plies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseLineError {
    /// The position is wrong.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    /// A ply cannot be read.
    #[error("ply {number} of the moves: {error}")]
    Ply {
        /// Its place, from 1.
        number: usize,
        /// What is wrong with it.
        error: ParsePlyError,
    },
}

/// Reads `start` or a position string, optionally followed by `moves` and plies.
///
/// The plies are parsed, not checked: [`crate::Game::play`] does that.
///
/// # Errors
///
/// Returns an error if the position or a ply cannot be read.
pub fn parse_line(text: &str) -> Result<(Position, Vec<Ply>), ParseLineError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|word| *word == "moves");
    let (place, plies) = words.split_at(end.unwrap_or(words.len()));
    let position = match place {
        ["start"] => Position::start(),
        _ => place.join(" ").parse()?,
    };
    let plies = plies.iter().skip(1).enumerate().map(|(index, word)| {
        let number = index + 1;
        word.parse()
            .map_err(|error| ParseLineError::Ply { number, error })
    });
    Ok((position, plies.collect::<Result<_, _>>()?))
}

impl FromStr for HiddenBag {
    type Err = ParsePlyError;

    /// Reads letters in any order, or `-` for the empty bag.
    fn from_str(text: &str) -> Result<HiddenBag, ParsePlyError> {
        if text == "-" {
            return Ok(HiddenBag::EMPTY);
        }
        let mut bag = HiddenBag::EMPTY;
        for letter in text.chars() {
            let piece: Piece = letter.to_string().parse()?;
            if bag.count(piece) as usize == piece.role().per_side() {
                return Err(ParsePlyError::Piece(excerpt(text)));
            }
            bag.insert(piece);
        }
        Ok(bag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str =
        "????/????/????/????/????/????/????/???? - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 0";

    #[test]
    fn start_reads_and_prints() {
        assert_eq!(Position::start().to_string(), START);
        assert_eq!(START.parse(), Ok(Position::start()));
    }

    #[test]
    fn every_reason_is_named_at_once() {
        let text = "KK2/4/4/4/4/4/4/x8 w k 7 3";
        let error = text.parse::<Position>().unwrap_err().to_string();
        for part in [
            "'x' in row 1",
            "'8' in row 1",
            "'w' is not a turn",
            "2 of K",
            "7 quiet plies",
        ] {
            assert!(error.contains(part), "{part} in {error}");
        }
    }

    #[test]
    fn plies_and_lines() {
        assert_eq!("b2(G)".parse::<Ply>().unwrap().to_string(), "b2(G)");
        assert_eq!("b4-b2".parse::<Ply>().unwrap().to_string(), "b4-b2");
        for bad in [
            "", "b2", "b2(", "b2(X)", "b2(GG)", "b9-b2", "b2-b3-b4", "b2(G)x",
        ] {
            assert!(bad.parse::<Ply>().is_err(), "{bad}");
        }
        let (position, plies) = parse_line("start moves b2(G) b3(k)").unwrap();
        assert_eq!(position, Position::start());
        assert_eq!(plies.len(), 2);
        assert!(parse_line("start moves b2(G) zz").is_err());
        assert!(parse_line("").is_err());
    }
}
