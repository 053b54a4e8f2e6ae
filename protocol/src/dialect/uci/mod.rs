//! UCI for banqi, the dialect of MistyBanqi and Mistboard.
//!
//! The requests of chess UCI, with another board: `fen.rs` has the notation of
//! positions, `action.rs` that of moves. `moves` cannot contain flips, because they
//! do not show what appeared. Unknown words are ignored, as UCI requires; a line
//! that cannot be read is refused with the number of the corresponding tournament
//! command.

mod action;
mod fen;
mod go;
mod sketch;
mod write;

pub use action::{read_action, write_action};
pub use fen::{read_fen, write_fen};
pub use sketch::sketch;
pub use write::{write_info, write_reply};

use crate::command::{Command, CommandError, CommandName, MAX_LINE_BYTES, Refusal, Request};
use anqi_rules::{Ply, Position};

/// The meaning of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Nothing: an empty line, or words that this engine ignores.
    Nothing,
    /// `uci`, which asks for the engine's name and options.
    Introduce,
    /// `isready`, which is answered even during a search.
    Ready,
    /// `ponderhit`: the move that was pondered on has been played.
    PonderHit,
    /// A request of the tournament protocol.
    Request(Request),
    /// A request without the words that cannot be read.
    Doubtful(Request, Vec<CommandError>),
}

/// The words a line can begin with.
const KNOWN: [&str; 11] = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "quit",
    "debug",
    "register",
];

/// Reads one line; unknown words before the first known one are ignored.
///
/// ```
/// use anqi_protocol::Command;
/// use anqi_protocol::dialect::uci::{self, Message};
///
/// let Ok(Message::Request(request)) = uci::read(b"go wtime 300000 btime 300000 winc 2000") else {
///     panic!("a request");
/// };
/// assert!(matches!(request.command, Command::Go(limits) if limits.clock.is_some()));
/// assert_eq!(uci::read(b"isready"), Ok(Message::Ready));
/// ```
///
/// # Errors
///
/// Returns an error that names the word that is wrong and what was expected.
pub fn read(line: &[u8]) -> Result<Message, Refusal> {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text
        .split_ascii_whitespace()
        .skip_while(|word| !KNOWN.contains(word))
        .collect();
    let Some((&first, rest)) = words.split_first() else {
        return Ok(Message::Nothing);
    };
    let number = number_of(first);
    let is_short = line.len() <= MAX_LINE_BYTES;
    if first == "go" && is_short {
        return Ok(go(rest));
    }
    let command = if is_short {
        command(first, rest)
    } else {
        Err(CommandError::TooLong {
            limit: MAX_LINE_BYTES,
        })
    };
    match command {
        Ok(Some(command)) => Ok(Message::Request(Request { number, command })),
        Ok(None) => Ok(match first {
            "uci" => Message::Introduce,
            "isready" => Message::Ready,
            "ponderhit" => Message::PonderHit,
            _ => Message::Nothing,
        }),
        Err(error) => Err(Refusal { number, error }),
    }
}

/// Reads the words after `go`, which is never refused.
fn go(words: &[&str]) -> Message {
    let (limits, faults) = go::read_go(words);
    let request = Request {
        number: number_of("go"),
        command: Command::Go(limits),
    };
    if faults.is_empty() {
        Message::Request(request)
    } else {
        Message::Doubtful(request, faults)
    }
}

/// Returns the number of the two commands whose refusals need a special answer.
fn number_of(word: &str) -> Option<u32> {
    match word {
        "go" => Some(CommandName::Go.number()),
        "position" => Some(CommandName::Position.number()),
        _ => None,
    }
}

/// Returns the command, `None` if the line has none.
fn command(first: &str, rest: &[&str]) -> Result<Option<Command>, CommandError> {
    Ok(Some(match first {
        "ucinewgame" => Command::ResetBoard,
        "position" => position(rest)?,
        "stop" => Command::Stop,
        "setoption" => set_option(rest)?,
        "quit" => Command::Quit,
        _ => return Ok(None),
    }))
}

/// Reads `fen <FEN>` or `startpos`, then perhaps `moves` and moves.
fn position(words: &[&str]) -> Result<Command, CommandError> {
    let end = words.iter().position(|&word| word == "moves");
    let (place, moves) = words.split_at(end.unwrap_or(words.len()));
    let start = match place {
        ["startpos"] => Position::start(),
        ["fen", fields @ ..] => read_fen(fields).map_err(CommandError::Position)?,
        _ => {
            let expected = "a position (expected startpos or fen <FEN>)";
            return Err(CommandError::argument(&place.join(" "), expected));
        }
    };
    let plies = moves
        .iter()
        .skip(1)
        .map(|&word| ply(word))
        .collect::<Result<_, _>>()?;
    Ok(Command::Position(Box::new(start), plies))
}

fn ply(word: &str) -> Result<Ply, CommandError> {
    let action = read_action(word)
        .ok_or_else(|| CommandError::argument(word, "a move (expected such as b1c1)"))?;
    if action.is_flip() {
        let expected = "a move without a flip (expected the FEN after the last flip)";
        return Err(CommandError::argument(word, expected));
    }
    Ok(Ply::from(action))
}

/// Reads `name <option> value <value>`; names may contain blanks and be in any case.
fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let ["name", rest @ ..] = words else {
        return Err(CommandError::argument(
            &words.join(" "),
            "an option (expected: name <option> value <value>)",
        ));
    };
    let value_at = rest.iter().position(|&word| word == "value");
    let (name, value) = match value_at {
        Some(at) => (&rest[..at], rest[at + 1..].join(" ")),
        None => (rest, String::new()),
    };
    // UCI's notation for an empty text.
    let value = match value.as_str() {
        "<empty>" => "none".to_owned(),
        _ => value,
    };
    Ok(Command::Set(name.join(" ").to_ascii_lowercase(), value))
}

#[cfg(test)]
mod tests;
