//! Lines that the parser understands, and its refusals of others.

use super::*;
use anqi_rules::{Ply, Position};
use std::time::Duration;

fn understood(line: &str) -> Request {
    parse(line.as_bytes())
        .unwrap_or_else(|refusal| panic!("{line}: {refusal}"))
        .unwrap_or_else(|| panic!("{line}: ignored"))
}

fn refused(line: &[u8]) -> (Option<u32>, String) {
    let refusal = parse(line).expect_err("a refusal");
    (refusal.number, refusal.error.to_string())
}

fn square_of(text: &str) -> Square {
    text.parse().expect("a square")
}

/// One valid line for every command, with the typed command it means.
fn one_of_each() -> Vec<(&'static str, Command)> {
    let piece = |letter| Piece::from_letter(letter).expect("a piece");
    vec![
        ("protocol_version", Command::ProtocolVersion),
        ("name", Command::Name),
        ("version", Command::Version),
        (
            "known_command ready",
            Command::KnownCommand("ready".to_owned()),
        ),
        ("list_commands", Command::ListCommands),
        ("quit", Command::Quit),
        ("boardsize 4 8", Command::Boardsize),
        ("boardsize 8 4", Command::Boardsize),
        ("reset_board", Command::ResetBoard),
        (
            "num_repetition 3",
            Command::NumRepetition(NonZeroU16::new(3)),
        ),
        ("num_repetition 0", Command::NumRepetition(None)),
        (
            "num_moves_to_draw 60",
            Command::NumMovesToDraw(NonZeroU16::new(60)),
        ),
        ("num_moves_to_draw 0", Command::NumMovesToDraw(None)),
        (
            "move b4 b2",
            Command::Move(square_of("b4"), square_of("b2")),
        ),
        ("flip b8 P", Command::Flip(square_of("b8"), piece('P'))),
        ("flip a1 k", Command::Flip(square_of("a1"), piece('k'))),
        ("genmove red", Command::Genmove(Some(Color::Red))),
        ("genmove black", Command::Genmove(Some(Color::Black))),
        ("genmove unknown", Command::Genmove(None)),
        ("game_over", Command::GameOver(String::new())),
        (
            "game_over red wins",
            Command::GameOver("red wins".to_owned()),
        ),
        ("ready", Command::Ready),
        (
            "time_settings 900000",
            Command::TimeSettings(Duration::from_secs(900)),
        ),
        (
            "time_setting 900000",
            Command::TimeSettings(Duration::from_secs(900)),
        ),
        (
            "time_left red 886537",
            Command::TimeLeft(Color::Red, Duration::from_millis(886_537)),
        ),
        (
            "time_settings 9e5",
            Command::TimeSettings(Duration::from_secs(900)),
        ),
        (
            "time_left red 4900.5",
            Command::TimeLeft(Color::Red, Duration::from_millis(4_900)),
        ),
        (
            "time_left red -0.25",
            Command::TimeLeft(Color::Red, Duration::ZERO),
        ),
        (
            "time_left black -12",
            Command::TimeLeft(Color::Black, Duration::ZERO),
        ),
        ("showboard", Command::Showboard),
        (
            "position start",
            Command::Position(Box::new(Position::start()), Vec::new()),
        ),
        (
            "position start moves b2(G) b3(k)",
            Command::Position(
                Box::new(Position::start()),
                vec![
                    Ply::flip(square_of("b2"), piece('G')),
                    Ply::flip(square_of("b3"), piece('k')),
                ],
            ),
        ),
        ("legal_actions", Command::LegalActions),
        ("undo", Command::Undo),
        ("get_position", Command::GetPosition),
        ("go", Command::Go(GoLimits::default())),
        (
            "go multipv 3 depth 4 nodes 5 movetime 6",
            Command::Go(GoLimits {
                movetime: Some(Duration::from_millis(6)),
                nodes: Some(5),
                depth: Some(4),
                infinite: false,
                multipv: Some(3),
                ..GoLimits::default()
            }),
        ),
        (
            "go infinite",
            Command::Go(GoLimits {
                infinite: true,
                ..GoLimits::default()
            }),
        ),
        ("stop", Command::Stop),
        (
            "set player greedy",
            Command::Set("player".to_owned(), "greedy".to_owned()),
        ),
        (
            "set tables /a b/c",
            Command::Set("tables".to_owned(), "/a b/c".to_owned()),
        ),
        ("options", Command::Options),
        ("perft 3", Command::Perft(3)),
        ("result", Command::Result),
        ("probe", Command::Probe),
    ]
}

#[test]
fn every_command_is_understood_with_and_without_its_number() {
    let mut names_seen = Vec::new();
    for (line, command) in one_of_each() {
        let text = line.split(' ').next().expect("a name");
        let name = CommandName::from_text(text).expect("a known name");
        let request = understood(line);
        assert_eq!(
            (request.number, &request.command),
            (None, &command),
            "{line}"
        );
        let numbered = format!("{} {line}\r\n", name.number());
        let request = understood(&numbered);
        assert_eq!(
            (request.number, &request.command),
            (Some(name.number()), &command),
            "{line}"
        );
        names_seen.push(name);
    }
    // `init_board` has tests of its own in the board module.
    let missing: Vec<_> = CommandName::all()
        .filter(|name| !names_seen.contains(name))
        .collect();
    assert_eq!(missing, [CommandName::InitBoard]);
}

#[test]
fn init_board_takes_46_words() {
    let words = format!("{}1 2 2 2 2 2 5 1 2 2 2 2 2 5", "X ".repeat(32));
    let request = understood(&format!("18 init_board {words}"));
    let Command::InitBoard(board) = request.command else {
        panic!("{request:?}");
    };
    assert!(board.is_start());
    let (number, reason) = refused(format!("18 init_board X {words}").as_bytes());
    assert_eq!(number, Some(18));
    assert!(reason.contains("got 47"), "{reason}");
}

#[test]
fn spaces_comments_and_empty_lines() {
    for line in ["", "\n", " \t \r\n", "# 12 genmove red", "   # indented"] {
        assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
    }
    assert_eq!(understood("  12\t genmove   red \r\n").number, Some(12));
    assert_eq!(understood("0012 genmove red").number, Some(12));
}

#[test]
fn refusals_carry_the_number_and_name_token_and_expectation() {
    let cases: &[(&str, Option<u32>, &[&str])] = &[
        ("12", Some(12), &["12", "genmove"]),
        ("99", Some(99), &["99", "list_commands"]),
        ("99 genmove red", Some(99), &["99", "genmove is 12"]),
        (
            "13 genmove red",
            Some(13),
            &["13 is game_over", "genmove is 12"],
        ),
        ("12 genmov red", Some(12), &["'genmov'"]),
        ("genmov red", None, &["'genmov'"]),
        ("99999999999 quit", None, &["'99999999999'"]),
        ("12x genmove red", None, &["'12x'"]),
        ("-1 name", None, &["'-1'"]),
        ("QUIT", None, &["'QUIT'"]),
        (
            "12 genmove",
            Some(12),
            &["genmove got 0", "red|black|unknown"],
        ),
        ("12 genmove red black", Some(12), &["genmove got 2"]),
        (
            "12 genmove white",
            Some(12),
            &["'white'", "red, black or unknown"],
        ),
        (
            "16 time_left unknown 5",
            Some(16),
            &["'unknown'", "red or black"],
        ),
        (
            "16 time_left red soon",
            Some(16),
            &["'soon'", "milliseconds"],
        ),
        ("15 time_settings -5", Some(15), &["'-5'", "milliseconds"]),
        ("16 time_left red nan", Some(16), &["'nan'", "milliseconds"]),
        (
            "16 time_left red -inf",
            Some(16),
            &["'-inf'", "milliseconds"],
        ),
        (
            "15 time_settings 1e300",
            Some(15),
            &["'1e300'", "milliseconds"],
        ),
        ("54 go movetime 5.5x", Some(54), &["'5.5x'", "milliseconds"]),
        (
            "15 time_settings 99999999999999999999",
            Some(15),
            &["milliseconds"],
        ),
        ("5 quit now", Some(5), &["quit got 1", "none"]),
        ("6 boardsize 8 8", Some(6), &["'8 8'", "4 8 or 8 4"]),
        ("8 num_repetition 1", Some(8), &["'1'", "2-255"]),
        ("8 num_repetition 256", Some(8), &["'256'"]),
        ("9 num_moves_to_draw +5", Some(9), &["'+5'"]),
        ("9 num_moves_to_draw 70000", Some(9), &["'70000'", "65535"]),
        ("10 move b9 b2", Some(10), &["'b9'", "a1-d8"]),
        ("10 move b2 B3", Some(10), &["'B3'"]),
        ("10 move b2", Some(10), &["move got 1", "<from> <to>"]),
        ("10 move b2 b2", Some(10), &["b2 b2", "flip b2"]),
        ("11 flip b2", Some(11), &["flip got 1"]),
        ("11 flip b2 X", Some(11), &["'X'", "KGMRNCPkgmrncp"]),
        ("11 flip b2 GG", Some(11), &["'GG'"]),
        ("50 position", Some(50), &["position got 0"]),
        ("50 position here", Some(50), &["1 fields", "five"]),
        ("50 position start moves b2", Some(50), &["b2"]),
        ("54 go depth", Some(54), &["''", "depth"]),
        ("54 go depth 0", Some(54), &["'0'"]),
        ("54 go depth 256", Some(54), &["'256'"]),
        ("54 go depth 2 depth 3", Some(54), &["'depth'", "twice"]),
        ("54 go infinite depth 3", Some(54), &["infinite"]),
        ("54 go nodes 0", Some(54), &["'0'", "nodes"]),
        ("54 go multipv 0", Some(54), &["'0'", "1-256"]),
        ("54 go fast", Some(54), &["'fast'", "movetime"]),
        ("56 set player", Some(56), &["set got 1"]),
        ("58 perft x", Some(58), &["'x'", "depth"]),
    ];
    for (line, number, needles) in cases {
        let (answered, reason) = refused(line.as_bytes());
        assert_eq!(answered, *number, "{line}");
        for needle in *needles {
            assert!(reason.contains(needle), "{line}: {reason} lacks {needle}");
        }
    }
}

#[test]
fn overlong_lines_and_bytes_that_are_no_text_keep_their_number() {
    let mut long = b"13 game_over ".to_vec();
    long.resize(MAX_LINE_BYTES, b'x');
    assert!(parse(&long).is_ok());
    long.push(b'x');
    let (number, reason) = refused(&long);
    assert_eq!(number, Some(13));
    assert!(reason.contains("65536"), "{reason}");
    assert_eq!(refused(&vec![b' '; MAX_LINE_BYTES + 1]).0, None);
    assert_eq!(parse(&vec![b'#'; MAX_LINE_BYTES + 1]), Ok(None));
    let (number, reason) = refused(b"10 move b\xff b3");
    assert_eq!(number, Some(10));
    assert!(reason.contains("byte 10"), "{reason}");
    assert_eq!(refused(b"\xfe\xff").0, None);
    let (_, reason) = refused(b"na\0me");
    assert!(reason.contains("na\\0me"), "{reason}");
}

#[test]
fn reasons_quote_only_the_beginning_of_long_words() {
    let word = "y".repeat(10_000);
    for line in [
        word.clone(),
        format!("10 move {word} b2"),
        format!("50 position {word}"),
    ] {
        let (_, reason) = refused(line.as_bytes());
        assert!(reason.len() < 400, "{} bytes", reason.len());
        assert!(!reason.contains('\n'));
    }
}
