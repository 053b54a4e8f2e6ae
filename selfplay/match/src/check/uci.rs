//! UCI for banqi, as graphical boards speak it.

use std::time::Duration;

use anqi_rules::notation::excerpt;
use anqi_rules::{Action, Color, Game, Position};

use super::finding::{Checked, fail};
use super::voice::{Pace, START, Voice};
use super::wire::Wire;
use crate::engines::banqi_fen;

/// The time for a move of a quick game, in milliseconds.
const QUICK_MS: u32 = 50;

/// The board's side of the dialect.
#[derive(Default)]
pub struct Uci;

/// Returns the command that sets up a game: the position after the last flip or capture, and the
/// moves since.
pub fn position(game: &Game) -> String {
    let (start, moves) = window(game);
    let mut command = format!("position fen {}", banqi_fen::position(&start));
    if !moves.is_empty() {
        command += " moves";
    }
    for action in moves {
        command.push(' ');
        command += &banqi_fen::action(action);
    }
    command
}

/// Returns the position after the last flip or capture, and the moves since.
fn window(game: &Game) -> (Position, Vec<Action>) {
    let mut start = *game.start();
    let mut position = start;
    let mut moves = Vec::new();
    for ply in game.plies() {
        let _ = position.play(*ply).expect("a game has legal plies");
        if position.quiet_counter() == 0 {
            start = position;
            moves.clear();
        } else {
            moves.push(ply.action);
        }
    }
    (start, moves)
}

/// Sends a word and waits for the one that answers it.
pub fn exchange(wire: &mut Wire, word: &str, answer: &str, limit: Duration) -> Checked {
    wire.send(word);
    wire.wait(answer, limit, |line| first_word(line) == answer)?;
    Ok(())
}

fn first_word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or_default()
}

impl Voice for Uci {
    fn greet(&mut self, wire: &mut Wire) -> Checked<String> {
        wire.send("uci");
        let mut name = None;
        wire.wait("uciok", START, |line| {
            let said = line.strip_prefix("id name ").map(str::to_owned);
            name = name.take().or(said);
            first_word(line) == "uciok"
        })?;
        exchange(wire, "isready", "readyok", START)?;
        match name {
            Some(name) => Ok(name),
            None => fail("no 'id name' before uciok"),
        }
    }

    fn begin(&mut self, wire: &mut Wire, _pace: Pace) -> Checked {
        wire.send("ucinewgame");
        exchange(wire, "isready", "readyok", START)
    }

    fn tell(&mut self, _wire: &mut Wire, _game: &Game, _pace: Pace) -> Checked {
        // The whole game is told with each question.
        Ok(())
    }

    fn ask(&mut self, wire: &mut Wire, game: &Game, pace: Pace) {
        wire.send(&position(game));
        match pace {
            Pace::Quick => wire.send(&format!("go movetime {QUICK_MS}")),
            Pace::Clocks(left) => {
                let (red, black) = (left[Color::Red], left[Color::Black]);
                wire.send(&format!("go wtime {red} btime {black}"));
            }
        }
    }

    fn answer(&mut self, wire: &mut Wire, limit: Duration) -> Checked<Action> {
        let line = wire.wait("bestmove", limit, |line| first_word(line) == "bestmove")?;
        let word = line.split_ascii_whitespace().nth(1).unwrap_or_default();
        match banqi_fen::parse_action(word) {
            Some(action) => Ok(action),
            None => fail(format!(
                "'{}' names no move (expected bestmove b1c1)",
                excerpt(&line)
            )),
        }
    }

    fn is_answer(&self, line: &str) -> bool {
        first_word(line) == "bestmove"
    }
}

#[cfg(test)]
mod tests {
    use anqi_rules::Rules;

    use super::*;

    #[test]
    fn a_game_is_told_from_its_last_flip_or_capture() {
        let text = "start moves a1(K) d8(k) a1-b1";
        let start = Game::from_text(text, Rules::OLYMPIAD);
        assert!(start.is_err(), "a1-b1 is face down");
        let mut game = Game::new(Position::start(), Rules::OLYMPIAD);
        game.play("a1(K)".parse().expect("a ply")).expect("legal");
        let told = position(&game);
        assert!(
            told.ends_with(" b A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1"),
            "{told}"
        );
        let text = "K3/1r2/4/4/4/4/4/?2g r p 3 40 moves a8-a7 d1-d2";
        let game = Game::from_text(text, Rules::OLYMPIAD).expect("a game");
        assert!(
            position(&game).ends_with(" moves h0g0 a3b3"),
            "{}",
            position(&game)
        );
    }
}
