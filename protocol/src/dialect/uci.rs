//! UCI for banqi, as MistyBanqi and Mistboard speak it.
//!
//! A subset of the chess protocol: `uci`, `isready`, `ucinewgame`,
//! `setoption`, `position fen <FEN> [moves …]`, `go`, `stop`, `quit`. A FEN has
//! five fields, `<ranks> <turn> <bag> <quiet> <move>`: four ranks, rank 4
//! first, letters `GAERHCS` (red upper case), `X` face down; turn `r`, `b`, or
//! `-` before the first flip; the bag as letters with counts, `G1a2s5`, or `-`.
//! A move names two squares, file `a`–`h` and rank `0`–`3`, a flip its square
//! twice. `moves` can hold no flips, because they do not say what appeared.

use super::{piece_among, read_ranks};
use crate::command::{Command, CommandError, CommandName, Request, parse};
use crate::reply::{Answer, BestMove, Info, Reply};
use crate::text::excerpt;
use anqi_rules::{Action, Color, Content, Ply, Position, Setup, Square};

const LETTERS: &str = "GAERHCS";

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing: an empty line, or a word that is not known, which UCI passes over.
    Nothing,
    /// `uci`: who are you?
    Introduce,
    /// `isready`, which is answered at once, whatever goes on.
    Ready,
    /// What a tournament server would ask for too; the number tells what it is.
    Request(Request),
}

/// Reads one line.
///
/// # Errors
///
/// Names the word that is wrong and what was expected.
pub fn read(line: &[u8]) -> Result<Line, CommandError> {
    let text = String::from_utf8_lossy(line);
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let command = match words.split_first() {
        Some((&"uci", _)) => return Ok(Line::Introduce),
        Some((&"isready", _)) => return Ok(Line::Ready),
        Some((&"ucinewgame", _)) => Command::ResetBoard,
        Some((&"stop", _)) => Command::Stop,
        Some((&"quit", _)) => Command::Quit,
        Some((&"position", rest)) => position(rest)?,
        Some((&"go", rest)) => go(rest)?,
        Some((&"setoption", rest)) => set_option(rest)?,
        _ => return Ok(Line::Nothing),
    };
    let number = match command {
        Command::Go(_) => Some(CommandName::Go.number()),
        Command::Position(..) => Some(CommandName::Position.number()),
        _ => None,
    };
    Ok(Line::Request(Request { number, command }))
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

/// Reads the limits; they are the tournament extension's, others are passed over.
fn go(words: &[&str]) -> Result<Command, CommandError> {
    let known = ["movetime", "nodes", "depth", "multipv"];
    let mut line = "go".to_owned();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if word == "infinite" {
            line.push_str(" infinite");
        } else if known.contains(&word) {
            let value = words.next().copied().unwrap_or_default();
            line.push_str(&format!(" {word} {value}"));
        }
    }
    match parse(line.as_bytes()) {
        Ok(Some(request)) => Ok(request.command),
        Ok(None) => Ok(Command::Go(Default::default())),
        Err(refusal) => Err(refusal.error),
    }
}

/// Reads `name <option> value <value>`; names are ours, in any case.
fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    match words {
        ["name", name, "value", value @ ..] => {
            Ok(Command::Set(name.to_ascii_lowercase(), value.join(" ")))
        }
        _ => Err(CommandError::argument(
            &words.join(" "),
            "an option (expected: name <option> value <value>)",
        )),
    }
}

/// Reads the fields of a FEN.
///
/// # Errors
///
/// Says what is wrong, every reason if the position is impossible.
pub fn read_fen(fields: &[&str]) -> Result<Position, String> {
    let [ranks, turn, bag, quiet, moves @ ..] = fields else {
        let count = fields.len();
        return Err(format!(
            "{count} fields in the FEN (expected ranks, turn, bag, quiet, move)"
        ));
    };
    let mut setup = Setup {
        board: read_ranks(ranks, |place| 3 - place, content)?,
        turn: match *turn {
            "r" => Some(Color::Red),
            "b" => Some(Color::Black),
            "-" => None,
            _ => {
                return Err(format!(
                    "'{}' is not a turn (expected r, b or -)",
                    excerpt(turn)
                ));
            }
        },
        ..Setup::default()
    };
    read_bag(bag, &mut setup)?;
    let counter = |text: &str| {
        let wrong = || format!("'{}' is not a counter (expected a number)", excerpt(text));
        text.parse::<u32>().map_err(|_| wrong())
    };
    if setup.turn.is_some() {
        setup.quiet = counter(quiet)?;
        // The move number is cosmetic and may be less than the plies that were quiet.
        let played = moves.first().map_or(Ok(1), |moves| counter(moves))?;
        setup.ply = setup.quiet.max(played.saturating_sub(1));
    }
    setup.position().map_err(|error| error.to_string())
}

fn content(sign: char) -> Option<Content> {
    match sign {
        'X' => Some(Content::FaceDown),
        _ => piece_among(LETTERS, Color::Red, sign).map(Content::FaceUp),
    }
}

fn read_bag(bag: &str, setup: &mut Setup) -> Result<(), String> {
    let wrong = || {
        format!(
            "'{}' is not a bag (expected such as G1a2s5, or -)",
            excerpt(bag)
        )
    };
    if bag == "-" {
        return Ok(());
    }
    let mut signs = bag.chars().peekable();
    while let Some(sign) = signs.next() {
        let piece = piece_among(LETTERS, Color::Red, sign).ok_or_else(wrong)?;
        let mut count = None;
        while let Some(digit) = signs.peek().and_then(|sign| sign.to_digit(10)) {
            signs.next();
            count = Some((count.unwrap_or(0) * 10 + digit).min(99));
        }
        setup.hidden[piece.index()] = count.ok_or_else(wrong)?;
    }
    Ok(())
}

/// Reads `b1c1`.
pub fn read_action(word: &str) -> Option<Action> {
    let square = |file: u8, rank: u8| {
        let (file, rank) = (file.checked_sub(b'a')?, rank.checked_sub(b'0')?);
        Square::at(rank.into(), file.into())
    };
    let &[file, rank, to_file, to_rank] = word.as_bytes() else {
        return None;
    };
    Some(Action::step(square(file, rank)?, square(to_file, to_rank)?))
}

/// Writes `b1c1`.
pub fn write_action(action: Action) -> String {
    let square =
        |square: Square| format!("{}{}", (b'a' + square.row() as u8) as char, square.column());
    square(action.from()) + &square(action.to())
}

/// Writes what a reply means here, with its newline; most replies are silent.
pub fn write_reply(reply: &Reply) -> String {
    let go = reply.number == Some(CommandName::Go.number());
    match &reply.content {
        Ok(Answer::BestMove(BestMove { action, .. })) => {
            format!("bestmove {}\n", write_action(*action))
        }
        Ok(_) => String::new(),
        Err(reason) => {
            let reason = reason.replace('\n', " ");
            let none = if go { "bestmove (none)\n" } else { "" };
            format!("info string {reason}\n{none}")
        }
    }
}

/// Writes a line about a running search; the score is the expected result in hundredths.
pub fn write_info(info: &Info) -> String {
    let mut line = format!(
        "info depth {} seldepth {}",
        info.depth, info.selective_depth
    );
    if let Some(multipv) = info.multipv {
        line.push_str(&format!(" multipv {multipv}"));
    }
    if let Some(score) = &info.score {
        line.push_str(&format!(" score cp {}", hundredths(score)));
    }
    line.push_str(&format!(
        " nodes {} time {}",
        info.nodes,
        info.time.as_millis()
    ));
    if !info.line.is_empty() {
        let moves: Vec<String> = info
            .line
            .iter()
            .map(|&action| write_action(action))
            .collect();
        line.push_str(&format!(" pv {}", moves.join(" ")));
    }
    line + "\n"
}

fn hundredths(score: &str) -> i32 {
    match score.split(' ').next() {
        Some("win") => 100,
        Some("loss") => -100,
        _ => score
            .parse()
            .map_or(0, |value: f64| (value * 100.0).round() as i32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1";

    fn fen(text: &str) -> Result<Position, String> {
        read_fen(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn the_first_position_is_ours() {
        assert_eq!(fen(START), Ok(Position::start()));
    }

    #[test]
    fn files_are_rows_ranks_are_columns_and_letters_change() {
        let position = fen("G7/8/8/1a5X r s1 3 1").expect("a position");
        assert_eq!(position.to_string(), "?3/4/4/4/4/4/g3/3K r p 3 3");
        for action in Action::all() {
            assert_eq!(read_action(&write_action(action)), Some(action));
        }
        assert_eq!(
            read_action("b0b0").map(|a| a.to_string()).as_deref(),
            Some("a2-a2")
        );
        assert_eq!(
            read_action("h3g3").map(|a| a.to_string()).as_deref(),
            Some("d8-d7")
        );
        for bad in ["", "a0", "a4a0", "i0a0", "a0a0a0", "a-a-"] {
            assert_eq!(read_action(bad), None, "{bad}");
        }
    }

    #[test]
    fn faults_are_named() {
        let cases = [
            ("XXXXXXXX/XXXXXXXX/XXXXXXXX - G1 0 1", "3 ranks"),
            ("9/8/8/8 r - 0 1", "9 squares"),
            ("XXXXXXXXX/8/8/8 r - 0 1", "more than 8"),
            ("K7/8/8/8 r - 0 1", "'K'"),
            ("G7/8/8/8 w - 0 1", "'w'"),
            ("G7/8/8/8 r G 0 1", "'G' is not a bag"),
            ("G7/8/8/8 r G1 0 1", "impossible position"),
            ("G7/8/8/8 r - none 1", "'none'"),
            ("G7/8/8/8 r", "2 fields"),
        ];
        for (text, expected) in cases {
            let fault = fen(text).expect_err(text);
            assert!(fault.contains(expected), "{text}: {fault}");
        }
    }

    #[test]
    fn lines_become_requests() {
        let request = |line: &str| match read(line.as_bytes()) {
            Ok(Line::Request(request)) => request,
            other => panic!("{line}: {other:?}"),
        };
        let command = |line: &str| request(line).command;
        assert_eq!(command("quit"), Command::Quit);
        assert_eq!(
            command("position startpos"),
            Command::Position(Box::new(Position::start()), Vec::new())
        );
        let Command::Position(_, plies) = command("position fen G7/8/8/7a r - 0 1 moves a3b3 h0g0")
        else {
            panic!("no position");
        };
        assert_eq!(
            plies.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["d1-d2", "a8-a7"]
        );
        let go = request("go movetime 500 wtime 3 nodes 9");
        assert_eq!(go.number, Some(54));
        let limits = "go movetime 500 nodes 9";
        assert_eq!(
            Ok(Some(go.command)),
            parse(limits.as_bytes()).map(|r| r.map(|r| r.command))
        );
        let set = Command::Set("player".to_owned(), "greedy".to_owned());
        assert_eq!(command("setoption name Player value greedy"), set);
        assert_eq!(read(b"uci"), Ok(Line::Introduce));
        assert_eq!(read(b"xyzzy"), Ok(Line::Nothing));
        for bad in [
            "position",
            "position fen",
            "position startpos moves b1b1",
            "go depth x",
            "setoption x",
        ] {
            assert!(read(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
