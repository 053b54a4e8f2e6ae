//! The one-line dialect, as a course's server speaks it.

use std::time::Duration;

use anqi_rules::notation::excerpt;
use anqi_rules::{Action, Color, Game};

use super::finding::{Checked, fail};
use super::voice::{Pace, Voice};
use super::wire::Wire;
use crate::engines::banqi_lines;

/// The server's side of the dialect.
#[derive(Default)]
pub struct OneLine;

/// Returns the line that asks for an action.
pub fn question(game: &Game, pace: Pace) -> String {
    let board = banqi_lines::board(game.position());
    let left = pace.clocks();
    format!("{board} {} {}", left[Color::Red], left[Color::Black])
}

/// Returns the line that shows a board and asks nothing.
pub fn shown(game: &Game) -> String {
    format!("{} -9999 -9999", banqi_lines::board(game.position()))
}

impl Voice for OneLine {
    fn greet(&mut self, _wire: &mut Wire) -> Checked<String> {
        // The server says nothing before the first board.
        Ok("a program without a name".to_owned())
    }

    fn begin(&mut self, _wire: &mut Wire, _pace: Pace) -> Checked {
        Ok(())
    }

    fn tell(&mut self, wire: &mut Wire, game: &Game, _pace: Pace) -> Checked {
        wire.send(&shown(game));
        Ok(())
    }

    fn ask(&mut self, wire: &mut Wire, game: &Game, pace: Pace) {
        wire.send(&question(game, pace));
    }

    fn answer(&mut self, wire: &mut Wire, limit: Duration) -> Checked<Action> {
        let line = wire.wait("action", limit, |line| self.is_answer(line))?;
        match banqi_lines::parse_action(&line) {
            Some(action) => Ok(action),
            None => fail(format!(
                "'{}' is not an action (expected FLIP D2 or MOVE A1 A2)",
                excerpt(&line)
            )),
        }
    }

    fn is_answer(&self, line: &str) -> bool {
        // The server takes the first line for the answer, whatever it is.
        !line.is_empty()
    }
}
