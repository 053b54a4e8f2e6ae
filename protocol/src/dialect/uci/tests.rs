//! Lines and their meanings.

use super::*;
use crate::command::parse;

#[test]
fn lines_become_requests() {
    let request = |line: &str| match read(line.as_bytes()) {
        Ok(Message::Request(request)) => request,
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
    let go = request("go movetime 500 fast 3 nodes 9");
    assert_eq!(go.number, Some(54));
    let limits = "go movetime 500 nodes 9";
    assert_eq!(
        Ok(Some(go.command)),
        parse(limits.as_bytes()).map(|r| r.map(|r| r.command))
    );
    let set = Command::Set("player".to_owned(), "greedy".to_owned());
    assert_eq!(command("setoption name Player value greedy"), set);
    assert_eq!(read(b"uci"), Ok(Message::Introduce));
    let button = Command::Set("clear hash".to_owned(), String::new());
    assert_eq!(command("setoption name Clear Hash"), button);
    let empty = Command::Set("tables".to_owned(), "none".to_owned());
    assert_eq!(command("setoption name Tables value <empty>"), empty);
    assert_eq!(read(b"ponderhit"), Ok(Message::PonderHit));
    for bad in [
        "position",
        "position fen",
        "position startpos moves b1b1",
        "setoption x",
    ] {
        let refusal = read(bad.as_bytes()).expect_err(bad);
        let expected = match bad.split(' ').next() {
            Some("position") => Some(50),
            _ => None,
        };
        assert_eq!(refusal.number, expected, "{bad}");
    }
}

#[test]
fn a_go_is_never_refused() {
    let Ok(Message::Doubtful(request, faults)) = read(b"go depth x nodes 7 wtime nan") else {
        panic!("a doubtful request");
    };
    let Command::Go(limits) = request.command else {
        panic!("a go");
    };
    assert_eq!(
        (limits.depth, limits.nodes, limits.clock),
        (None, Some(7), None)
    );
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].starts_with("'x' is not a depth"), "{faults:?}");
    assert!(faults[1].starts_with("'nan' is not a time"), "{faults:?}");
}

#[test]
fn unknown_words_are_passed_over_and_some_known_ones_ask_nothing() {
    for nothing in [
        "",
        "xyzzy",
        "debug on",
        "register later",
        "register name go",
    ] {
        assert_eq!(read(nothing.as_bytes()), Ok(Message::Nothing), "{nothing}");
    }
    assert_eq!(read(b"joho isready"), Ok(Message::Ready));
    let stop = Request {
        number: None,
        command: Command::Stop,
    };
    assert_eq!(read(b"\xff joho stop now"), Ok(Message::Request(stop)));
}

#[test]
fn a_line_that_is_too_long_is_refused_as_what_it_was() {
    for (word, number) in [("position", Some(50)), ("go", Some(54)), ("uci", None)] {
        let line = format!("{word} {}", "x ".repeat(MAX_LINE_BYTES));
        let refusal = read(line.as_bytes()).expect_err(word);
        assert_eq!(refusal.number, number, "{word}");
        assert!(refusal.to_string().contains("too long"), "{refusal}");
    }
}
