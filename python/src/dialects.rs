//! The texts of actions and positions in each dialect.

use crate::errors::notation;
use anqi_protocol::dialect::{lines, uci};
use anqi_protocol::{Answer, BoardText};
use anqi_rules::notation::excerpt;
use anqi_rules::{Action, Color, Position, Square};
use pyo3::prelude::*;

/// How programs write actions and positions.
#[derive(Clone, Copy)]
pub enum Dialect {
    /// This program's own.
    Anqi,
    /// UCI for banqi.
    Uci,
    /// The one-line protocol of a course's server.
    Line,
    /// The tournament's protocol.
    Tournament,
}

impl Dialect {
    /// Reads the name of a dialect.
    pub fn named(name: &str) -> PyResult<Dialect> {
        match name {
            "anqi" => Ok(Dialect::Anqi),
            "uci" => Ok(Dialect::Uci),
            "line" => Ok(Dialect::Line),
            "tournament" => Ok(Dialect::Tournament),
            other => Err(notation(format!(
                "'{}' is not a dialect (expected anqi, uci, line or tournament)",
                excerpt(other)
            ))),
        }
    }

    /// Reads an action.
    pub fn read_action(self, text: &str) -> PyResult<Action> {
        let (read, expected) = match self {
            Dialect::Anqi => return text.parse().map_err(notation),
            Dialect::Uci => (uci::read_action(text), "a2b2, or a2a2 for a flip"),
            Dialect::Line => (lines::read_action(text), "MOVE A1 A2, or FLIP A1"),
            Dialect::Tournament => (two_squares(text), "b3 b4, or b3 b3 for a flip"),
        };
        read.ok_or_else(|| {
            let text = excerpt(text);
            notation(format!("'{text}' is not an action (expected {expected})"))
        })
    }

    /// Writes an action.
    pub fn action(self, action: Action) -> String {
        match self {
            Dialect::Anqi => action_text(action),
            Dialect::Uci => uci::write_action(action),
            Dialect::Line => lines::write_action(action),
            Dialect::Tournament => Answer::Squares(action).to_string(),
        }
    }

    /// Reads a position; `turn` is for a dialect whose boards do not say it.
    pub fn read_position(self, text: &str, turn: Option<Color>) -> PyResult<Position> {
        if turn.is_some() && !matches!(self, Dialect::Tournament) {
            return Err(notation(
                "the text says who is to move (expected no to_move)",
            ));
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        match self {
            Dialect::Anqi => text.parse().map_err(notation),
            Dialect::Uci => uci::read_fen(&words).map_err(notation),
            Dialect::Line => of_line(text),
            Dialect::Tournament => of_board(&words, turn),
        }
    }

    /// Writes a position.
    pub fn position(self, position: &Position) -> String {
        match self {
            Dialect::Anqi => position.to_string(),
            Dialect::Uci => uci::write_fen(position),
            Dialect::Line => lines::write_report(position),
            Dialect::Tournament => BoardText::of(position).to_string(),
        }
    }
}

/// Returns an action as its text, a flip as its square alone.
pub fn action_text(action: Action) -> String {
    if action.is_flip() {
        action.from().to_string()
    } else {
        action.to_string()
    }
}

fn two_squares(text: &str) -> Option<Action> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [from, to] = words[..] else {
        return None;
    };
    let (from, to): (Square, Square) = (from.parse().ok()?, to.parse().ok()?);
    Some(Action::step(from, to))
}

/// Reads the position of a line without any doubt.
fn of_line(text: &str) -> PyResult<Position> {
    let line = lines::read(text).map_err(notation)?;
    match line.doubts.first() {
        Some(doubt) => Err(notation(doubt)),
        None => line.diagram.position().map_err(notation),
    }
}

fn of_board(words: &[&str], turn: Option<Color>) -> PyResult<Position> {
    let board = BoardText::from_words(words).map_err(notation)?;
    if board.is_start() {
        return Ok(Position::start());
    }
    let turn = turn.ok_or_else(|| {
        notation("the board does not say who is to move (expected to_move='red' or 'black')")
    })?;
    board.position(turn).map_err(notation)
}
