//! The tournament protocol, as its servers speak it.

use std::time::Duration;

use anqi_rules::notation::excerpt;
use anqi_rules::{Action, Color, Game};

use super::finding::{Checked, fail};
use super::voice::{ANSWER, Pace, START, Voice};
use super::wire::Wire;

/// The answer to a request: the text after `=`, or the reason after `?`.
pub type Reply = Result<String, String>;

/// The server's side of the tournament protocol.
#[derive(Default)]
pub struct Tournament;

/// Sends a request, `<number> <name> <arguments>`, and reads its answer.
pub fn request(wire: &mut Wire, line: &str) -> Checked<Reply> {
    wire.send(line);
    reply(wire, line, ANSWER)
}

/// Reads the answer to a request.
pub fn reply(wire: &mut Wire, line: &str, limit: Duration) -> Checked<Reply> {
    let number = line.split(' ').next().unwrap_or_default();
    let awaited = format!("answer to '{}'", excerpt(line));
    let answer = wire.wait(&awaited, limit, |text| reply_to(number, text).is_some())?;
    Ok(reply_to(number, &answer).expect("it was awaited as one"))
}

/// Sends a request that must be accepted, and returns the text of the answer.
pub fn accepted(wire: &mut Wire, line: &str) -> Checked<String> {
    accepted_within(wire, line, ANSWER)
}

fn accepted_within(wire: &mut Wire, line: &str, limit: Duration) -> Checked<String> {
    wire.send(line);
    match reply(wire, line, limit)? {
        Ok(text) => Ok(text),
        Err(reason) => fail(format!("'{line}' was refused: ?{}", excerpt(&reason))),
    }
}

/// Returns whether the engine says that it knows a command.
pub fn knows(wire: &mut Wire, name: &str) -> Checked<bool> {
    let answer = request(wire, &format!("3 known_command {name}"))?;
    Ok(answer.is_ok_and(|text| text == "true"))
}

/// Reads a line as the answer to the request with this number.
fn reply_to(number: &str, line: &str) -> Option<Reply> {
    let (is_accepted, rest) = match line.split_at_checked(1)? {
        ("=", rest) => (true, rest),
        ("?", rest) => (false, rest),
        _ => return None,
    };
    let text = rest.strip_prefix(number)?;
    let text = match text.strip_prefix([' ', '\t']) {
        Some(text) => text.trim(),
        None if text.is_empty() => "",
        None => return None,
    };
    let text = text.to_owned();
    Some(if is_accepted { Ok(text) } else { Err(text) })
}

/// Reads `b4 b2`.
fn action(text: &str) -> Option<Action> {
    let mut squares = text.split_ascii_whitespace();
    let (from, to) = (squares.next()?.parse().ok()?, squares.next()?.parse().ok()?);
    squares.next().is_none().then_some(Action::step(from, to))
}

impl Voice for Tournament {
    fn greet(&mut self, wire: &mut Wire) -> Checked<String> {
        let name = accepted_within(wire, "1 name", START)?;
        let version = accepted(wire, "2 version")?;
        Ok(format!("{name} {version}").trim().to_owned())
    }

    fn begin(&mut self, wire: &mut Wire, pace: Pace) -> Checked {
        accepted(wire, "7 reset_board")?;
        let total = pace.clocks()[Color::Red];
        accepted(wire, &format!("15 time_settings {total}"))?;
        accepted_within(wire, "14 ready", START)?;
        Ok(())
    }

    fn tell(&mut self, wire: &mut Wire, game: &Game, pace: Pace) -> Checked {
        let Some(&ply) = game.plies().last() else {
            return Ok(());
        };
        let (from, to) = (ply.action.from(), ply.action.to());
        let line = match ply.reveal {
            Some(piece) => format!("11 flip {from} {piece}"),
            None => format!("10 move {from} {to}"),
        };
        accepted(wire, &line)?;
        let mover = !game.position().turn().expect("the first ply is a flip");
        let left = pace.clocks()[mover];
        accepted(wire, &format!("16 time_left {mover} {left}"))?;
        Ok(())
    }

    fn ask(&mut self, wire: &mut Wire, game: &Game, _pace: Pace) {
        let color = game.position().turn();
        let color = color.map_or_else(|| "unknown".to_owned(), |color| color.to_string());
        wire.send(&format!("12 genmove {color}"));
    }

    fn answer(&mut self, wire: &mut Wire, limit: Duration) -> Checked<Action> {
        match reply(wire, "12 genmove", limit)? {
            Ok(text) => action(&text).map_or_else(
                || {
                    let text = excerpt(&text);
                    fail(format!(
                        "'=12 {text}' is not an action (expected =12 b4 b2)"
                    ))
                },
                Ok,
            ),
            Err(reason) => fail(format!("genmove was refused: ?12 {}", excerpt(&reason))),
        }
    }

    fn is_answer(&self, line: &str) -> bool {
        reply_to("12", line).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_carry_the_number_of_their_request() {
        assert_eq!(reply_to("1", "=1 mock"), Some(Ok("mock".to_owned())));
        assert_eq!(reply_to("1", "=1"), Some(Ok(String::new())));
        assert_eq!(reply_to("12", "?12 no"), Some(Err("no".to_owned())));
        for other in ["=12 a1 a2", "= 1", "1", "", "é1", "=11"] {
            assert_eq!(reply_to("1", other), None, "{other}");
        }
    }

    #[test]
    fn actions_are_two_squares() {
        let text = |text: &str| action(text).map(|action| action.to_string());
        assert_eq!(text("b4 b2").as_deref(), Some("b4-b2"));
        assert_eq!(text("b8  b8").as_deref(), Some("b8-b8"));
        for bad in ["", "b4", "b4-b2", "b4 b9", "b4 b2 b1"] {
            assert_eq!(text(bad), None, "{bad}");
        }
    }
}
