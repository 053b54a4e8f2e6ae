//! From bytes to a request.
//!
//! The number is read first, from the bytes themselves, because a refusal needs
//! it: a line may be too long or not text at all and must still be answered
//! with its number. Then the line must be text, its number and name must agree,
//! and the arguments must have the right number and each be valid.

use super::{Command, CommandError, CommandName, GoLimits, Refusal, Request};
use crate::board::BoardText;
use crate::time::{milliseconds, time_left};
use anqi_rules::notation::excerpt;
use anqi_rules::notation::parse_line;
use anqi_rules::{Color, Piece, Square};
use std::num::NonZeroU16;
use std::str::FromStr;

/// The longest line that is read as a request; a position with a thousand plies fits easily.
pub const MAX_LINE_BYTES: usize = 64 * 1024;

/// The greatest depth of `perft` and `go depth`.
const MAX_DEPTH: u32 = 255;
/// The greatest `multipv`: more than the actions of any position.
const MAX_MULTIPV: u32 = 256;

/// Reads one line, without or with its newline.
///
/// Of a line that is too long, any prefix that is too long will do. Returns
/// `None` for an empty line or a comment.
///
/// # Errors
///
/// Returns a [`Refusal`] with the number to answer with if the line is not a request.
pub fn parse(line: &[u8]) -> Result<Option<Request>, Refusal> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let too_long = line.len() > MAX_LINE_BYTES;
    let line = line.trim_ascii();
    if line.starts_with(b"#") || (line.is_empty() && !too_long) {
        return Ok(None);
    }
    let number = leading_number(line);
    let refuse = |error| Refusal { number, error };
    if too_long {
        return Err(refuse(CommandError::TooLong {
            limit: MAX_LINE_BYTES,
        }));
    }
    let text = as_text(line).map_err(refuse)?;
    let mut words = text.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    let name = if first.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = number.ok_or_else(|| {
            refuse(CommandError::HugeNumber {
                token: excerpt(first),
            })
        })?;
        numbered_name(number, words.next()).map_err(refuse)?
    } else {
        known_name(first).map_err(refuse)?
    };
    let arguments: Vec<&str> = words.collect();
    let command = command(name, &arguments).map_err(refuse)?;
    Ok(Some(Request { number, command }))
}

/// Returns the number that is the first word of a line, if it is one.
fn leading_number(line: &[u8]) -> Option<u32> {
    let end = line
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(line.len());
    let ends = line.get(end).is_none_or(u8::is_ascii_whitespace);
    let digits = std::str::from_utf8(&line[..end]).ok()?;
    digits.parse().ok().filter(|_| ends)
}

fn as_text(line: &[u8]) -> Result<&str, CommandError> {
    std::str::from_utf8(line).map_err(|error| CommandError::NotText {
        at: error.valid_up_to() + 1,
    })
}

fn known_name(text: &str) -> Result<CommandName, CommandError> {
    CommandName::from_text(text).ok_or_else(|| CommandError::UnknownCommand {
        name: excerpt(text),
    })
}

/// Returns the command with this number and name.
fn numbered_name(number: u32, text: Option<&str>) -> Result<CommandName, CommandError> {
    let numbered = CommandName::from_number(number);
    let Some(text) = text else {
        let expected = numbered.map_or("a name from list_commands", CommandName::text);
        return Err(CommandError::NoName { number, expected });
    };
    let name = known_name(text)?;
    match numbered {
        Some(numbered) if numbered == name => Ok(name),
        Some(numbered) => Err(CommandError::Disagree {
            number,
            numbered,
            name,
            expected: name.number(),
        }),
        None => Err(CommandError::UnknownNumber {
            number,
            name,
            expected: name.number(),
        }),
    }
}

/// Checks the number of arguments and builds the command.
fn command(name: CommandName, arguments: &[&str]) -> Result<Command, CommandError> {
    if !name.takes(arguments.len()) {
        return Err(CommandError::ArgumentCount {
            name,
            got: arguments.len(),
        });
    }
    let argument = |index: usize| arguments.get(index).copied().unwrap_or_default();
    Ok(match name {
        CommandName::ProtocolVersion => Command::ProtocolVersion,
        CommandName::Name => Command::Name,
        CommandName::Version => Command::Version,
        CommandName::KnownCommand => Command::KnownCommand(argument(0).to_owned()),
        CommandName::ListCommands => Command::ListCommands,
        CommandName::Quit => Command::Quit,
        CommandName::Boardsize => boardsize(argument(0), argument(1))?,
        CommandName::ResetBoard => Command::ResetBoard,
        CommandName::NumRepetition => Command::NumRepetition(repetition_limit(argument(0))?),
        CommandName::NumMovesToDraw => Command::NumMovesToDraw(limit(argument(0))?),
        CommandName::Move => move_between(argument(0), argument(1))?,
        CommandName::Flip => Command::Flip(square(argument(0))?, piece(argument(1))?),
        CommandName::Genmove => Command::Genmove(color_or_unknown(argument(0))?),
        CommandName::GameOver => Command::GameOver(arguments.join(" ")),
        CommandName::Ready => Command::Ready,
        CommandName::TimeSettings => Command::TimeSettings(milliseconds(argument(0))?),
        CommandName::TimeLeft => Command::TimeLeft(color(argument(0))?, time_left(argument(1))?),
        CommandName::Showboard => Command::Showboard,
        CommandName::InitBoard => Command::InitBoard(Box::new(BoardText::from_words(arguments)?)),
        CommandName::Position => position(arguments)?,
        CommandName::LegalActions => Command::LegalActions,
        CommandName::Undo => Command::Undo,
        CommandName::GetPosition => Command::GetPosition,
        CommandName::Go => Command::Go(go_limits(arguments)?),
        CommandName::Stop => Command::Stop,
        CommandName::Set => Command::Set(argument(0).to_owned(), arguments[1..].join(" ")),
        CommandName::Options => Command::Options,
        CommandName::Perft => Command::Perft(depth(argument(0))?),
        CommandName::Result => Command::Result,
        CommandName::Probe => Command::Probe,
    })
}

fn boardsize(columns: &str, rows: &str) -> Result<Command, CommandError> {
    match (columns, rows) {
        ("4", "8") | ("8", "4") => Ok(Command::Boardsize),
        _ => Err(CommandError::argument(
            &format!("{columns} {rows}"),
            "a board size (expected 4 8 or 8 4)",
        )),
    }
}

/// Reads the two squares of a move, which must differ: a flip has its own command.
fn move_between(from: &str, to: &str) -> Result<Command, CommandError> {
    let (from, to) = (square(from)?, square(to)?);
    if from == to {
        return Err(CommandError::Conflict(format!(
            "'{from} {to}' goes nowhere (expected two squares; a flip is reported by: flip {from} <piece>)"
        )));
    }
    Ok(Command::Move(from, to))
}

fn number<T: FromStr>(token: &str, expected: &'static str) -> Result<T, CommandError> {
    let digits = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = token.parse().ok().filter(|_| digits);
    parsed.ok_or_else(|| CommandError::argument(token, expected))
}

fn limit(token: &str) -> Result<Option<NonZeroU16>, CommandError> {
    let plies: u16 = number(token, "a limit (expected 0 for none, or 1-65535)")?;
    Ok(NonZeroU16::new(plies))
}

/// Reads a repetition limit; 1 would end every game before it begins.
fn repetition_limit(token: &str) -> Result<Option<NonZeroU16>, CommandError> {
    let expected = "a repetition limit (expected 0 for none, or 2-255)";
    let times: u8 = number(token, expected)?;
    match times {
        1 => Err(CommandError::argument(token, expected)),
        _ => Ok(NonZeroU16::new(times.into())),
    }
}

fn depth(token: &str) -> Result<u32, CommandError> {
    let expected = "a depth (expected 0-255)";
    let depth = number(token, expected)?;
    if depth > MAX_DEPTH {
        return Err(CommandError::argument(token, expected));
    }
    Ok(depth)
}

fn square(token: &str) -> Result<Square, CommandError> {
    token
        .parse()
        .map_err(|_| CommandError::argument(token, "a square (expected a1-d8)"))
}

fn piece(token: &str) -> Result<Piece, CommandError> {
    let mut letters = token.chars();
    let piece = letters.next().and_then(Piece::from_letter);
    piece
        .filter(|_| letters.next().is_none())
        .ok_or_else(|| CommandError::argument(token, "a piece (expected one of KGMRNCPkgmrncp)"))
}

fn color(token: &str) -> Result<Color, CommandError> {
    match token {
        "red" => Ok(Color::Red),
        "black" => Ok(Color::Black),
        _ => Err(CommandError::argument(
            token,
            "a colour (expected red or black)",
        )),
    }
}

fn color_or_unknown(token: &str) -> Result<Option<Color>, CommandError> {
    if token == "unknown" {
        return Ok(None);
    }
    color(token)
        .map(Some)
        .map_err(|_| CommandError::argument(token, "a colour (expected red, black or unknown)"))
}

/// Reads `start` or a position string, optionally followed by `moves` and plies.
fn position(arguments: &[&str]) -> Result<Command, CommandError> {
    let (position, plies) = parse_line(&arguments.join(" "))
        .map_err(|error| CommandError::Position(error.to_string()))?;
    Ok(Command::Position(Box::new(position), plies))
}

/// Reads the limits of `go`, each at most once.
fn go_limits(arguments: &[&str]) -> Result<GoLimits, CommandError> {
    let mut limits = GoLimits::default();
    let mut words = arguments.iter().copied();
    let mut seen: Vec<&str> = Vec::new();
    while let Some(word) = words.next() {
        if seen.contains(&word) {
            return Err(CommandError::Conflict(format!(
                "'{}' stands twice (expected once)",
                excerpt(word)
            )));
        }
        seen.push(word);
        let mut value = || words.next().unwrap_or_default();
        match word {
            "movetime" => limits.movetime = Some(milliseconds(value())?),
            "nodes" => limits.nodes = Some(positive(value())?),
            "depth" => limits.depth = Some(search_depth(value())?),
            "infinite" => limits.infinite = true,
            "multipv" => limits.multipv = Some(multipv(value())?),
            _ => {
                let expected = "a limit (expected movetime, nodes, depth, infinite or multipv)";
                return Err(CommandError::argument(word, expected));
            }
        }
    }
    let bounded = limits.movetime.is_some() || limits.nodes.is_some() || limits.depth.is_some();
    if limits.infinite && bounded {
        return Err(CommandError::Conflict(
            "'infinite' excludes movetime, nodes and depth (expected one or the other)".to_owned(),
        ));
    }
    Ok(limits)
}

pub(crate) fn positive(token: &str) -> Result<u64, CommandError> {
    let expected = "a number of nodes (expected 1 or more)";
    number(token, expected).and_then(|nodes| match nodes {
        0 => Err(CommandError::argument(token, expected)),
        _ => Ok(nodes),
    })
}

pub(crate) fn search_depth(token: &str) -> Result<u32, CommandError> {
    match depth(token)? {
        0 => Err(CommandError::argument(
            token,
            "a depth to search (expected 1-255)",
        )),
        depth => Ok(depth),
    }
}

pub(crate) fn multipv(token: &str) -> Result<u32, CommandError> {
    let expected = "a number of lines (expected 1-256)";
    number(token, expected).and_then(|lines| match lines {
        1..=MAX_MULTIPV => Ok(lines),
        _ => Err(CommandError::argument(token, expected)),
    })
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
