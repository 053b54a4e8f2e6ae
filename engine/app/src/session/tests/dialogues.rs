//! Whole games over the tournament protocol, and what is refused in them.

use super::*;

#[test]
fn the_opening_of_a_contest_game_byte_for_byte() {
    let mut session = session("b8-b8 none b5-b5");
    let dialogue = [
        ("1 name", "=1 anqi\n"),
        ("2 version", concat!("=2 ", env!("CARGO_PKG_VERSION"), "\n")),
        ("7 reset_board", "=7\n"),
        ("15 time_setting 900000", "=15\n"),
        ("14 ready", "=14\n"),
        ("12 genmove unknown", "=12 b8 b8\n"),
        ("11 flip b8 P", "=11\n"),
        ("16 time_left red 900000", "=16\n"),
        ("11 flip b6 P", "=11\n"),
        ("16 time_left black 887420", "=16\n"),
        ("12 genmove red", "=12 b5 b5\n"),
        ("5 quit", "=5\n"),
    ];
    let input: String = dialogue
        .iter()
        .map(|(line, _)| format!("{line}\n"))
        .collect();
    let expected: String = dialogue.iter().map(|(_, answer)| *answer).collect();
    let mut output = Vec::new();
    serve(&mut session, std::io::Cursor::new(input), &mut output).expect("no fault");
    assert_eq!(String::from_utf8(output).expect("text"), expected);
}

#[test]
fn questions_about_the_program() {
    let mut session = session("first");
    let output = answers(
        &mut session,
        &[
            "0 protocol_version",
            "3 known_command genmove",
            "3 known_command undress",
            "3 known_command time_setting",
            "6 boardsize 8 4",
            "13 game_over red wins by far",
            "55 stop",
            "# nothing",
            "",
        ],
    );
    let expected = [
        "=0 1.1.0", "=3 true", "=3 false", "=3 true", "=6", "=13", "=55", "", "",
    ];
    assert_eq!(output, expected);
    let names = answer(&mut session, "4 list_commands");
    let mut lines = names.lines();
    assert_eq!(lines.next(), Some("=4 protocol_version"));
    for line in lines {
        let name = line.strip_prefix(' ').expect("indented");
        assert_eq!(
            answer(&mut session, &format!("known_command {name}")),
            "= true"
        );
    }
}

#[test]
fn genmove_does_not_play_and_the_echo_does() {
    let mut session = session("first");
    let before = answer(&mut session, "get_position");
    assert_eq!(answer(&mut session, "12 genmove unknown"), "=12 a1 a1");
    assert_eq!(answer(&mut session, "get_position"), before);
    let output = answers(
        &mut session,
        &[
            "11 flip a1 G",
            "11 flip a2 k",
            "51 legal_actions",
            "52 undo",
            "53 get_position",
        ],
    );
    assert!(output[2].starts_with("=51 a3-a3 a4-a4"), "{}", output[2]);
    assert!(!output[2].contains("a1-a2"), "a guard does not take a king");
    let expected =
        "=53 ????/????/????/????/????/????/????/G??? b KGMMRRNNCCPPPPPkggmmrrnnccppppp 0 1";
    assert_eq!(output[4], expected);
}

#[test]
fn refused_requests_change_nothing() {
    let mut session = session("limits");
    let play = [
        "7 reset_board",
        "15 time_settings 5000",
        "11 flip a1 G",
        "11 flip a3 m",
    ];
    for line in play {
        assert!(answer(&mut session, line).starts_with('='), "{line}");
    }
    let before = state(&mut session);
    let refused = [
        ("10 move a1 a2", "?10 ", "face down"),
        ("10 move a3 a4", "?10 ", "red is to move"),
        ("10 move b1 b2", "?10 ", "face down"),
        ("11 flip a1 P", "?11 ", "not face down"),
        ("12 genmove unknown", "?12 ", "red is to move"),
        ("12 genmove black", "?12 ", "red is to move, not black"),
        ("8 num_repetition 1", "?8 ", "2-255"),
        ("18 init_board X X", "?18 ", "32 squares"),
        ("50 position nowhere", "?50 ", "five"),
        ("50 position start moves a1-a2", "?50 ", "ply 1"),
        ("56 set seed minus", "?56 ", "'minus'"),
        ("56 set player nobody", "?56 ", "nobody"),
        ("56 set colour blue", "?56 ", "there are: player"),
        ("60 probe", "?60 no table", ""),
        ("5 quit now", "?5 ", "quit got 1"),
        ("77 nothing", "?77 ", "unknown command"),
    ];
    for (line, start, part) in refused {
        let output = answer(&mut session, line);
        assert!(
            output.starts_with(start) && output.contains(part),
            "{line}: {output}"
        );
    }
    assert_eq!(state(&mut session), before);
}

#[test]
fn flips_of_pieces_that_are_gone_are_refused() {
    let mut session = session("first");
    let output = answers(&mut session, &["flip a1 K", "flip a2 K"]);
    assert_eq!(output[0], "= ");
    assert!(
        output[1].starts_with("? no K is face down"),
        "{}",
        output[1]
    );
}

#[test]
fn results_and_playing_on_after_a_draw() {
    let mut session = session("first");
    assert_eq!(answer(&mut session, "59 result"), "=59 playing");
    let draw = "50 position K3/4/4/4/4/4/4/3g r - 179 300 moves a8-a7";
    let output = answers(
        &mut session,
        &[
            draw,
            "59 result",
            "12 genmove black",
            "10 move d1 d2",
            "9 num_moves_to_draw 0",
            "59 result",
        ],
    );
    assert_eq!(
        output,
        [
            "=50",
            "=59 draw quiet-limit",
            "=12 d1 c1",
            "=10",
            "=9",
            "=59 playing"
        ]
    );
    let cycle = "a8-a7 d1-d2 a7-a8 d2-d1 ".repeat(2);
    let thrice = format!("position K3/4/4/4/4/4/4/3g r - 0 0 moves {cycle}");
    let output = answers(
        &mut session,
        &[&thrice, "result", "8 num_repetition 4", "result"],
    );
    assert_eq!(output, ["= ", "= draw repetition", "=8", "= playing"]);
    let output = answers(
        &mut session,
        &[
            "position 4/4/4/4/4/4/P3/kP2 b - 0 0",
            "result",
            "12 genmove black",
        ],
    );
    assert_eq!(output[1], "= red wins");
    assert_eq!(output[2], "?12 the game is over: black has no legal action");
    let output = answers(
        &mut session,
        &[
            "position ?3/4/4/4/4/4/4/Kg2 r G 0 0 moves a1-b1",
            "12 genmove black",
        ],
    );
    // Red's last piece is still face down: the server that asks plays on.
    assert_eq!(output[1], "=12 a8 a8");
    let output = answers(
        &mut session,
        &[
            "position 4/4/4/4/4/4/4/K3 r - 0 0",
            "12 genmove red",
            "54 go depth 1",
            "position 4/4/4/4/4/4/4/K3 b - 0 0",
            "12 genmove black",
            "54 go depth 1",
        ],
    );
    assert_eq!(output[1], "=12 a1 a2");
    assert_eq!(output[2], "=54 bestmove a1-a2 depth 0 nodes 0");
    assert_eq!(output[4], "?12 the game is over: black has no pieces left");
    assert_eq!(output[5], "?54 the game is over: black has no pieces left");
}

#[test]
fn reset_board_forgets_the_game_and_keeps_settings() {
    let mut session = session("limits");
    let lines = [
        "num_moves_to_draw 60",
        "time_settings 9000",
        "time_left red 10",
        "flip a1 G",
        "7 reset_board",
    ];
    answers(&mut session, &lines);
    let output = answers(&mut session, &["get_position", "options"]);
    assert!(
        output[0].ends_with(" 0 0") && output[0].contains(" - K"),
        "{}",
        output[0]
    );
    assert!(output[1].contains("no_progress 60"), "{}", output[1]);
    answers(&mut session, &["flip a1 g", "flip a2 G"]);
    // Almost: thinking takes a little of the clock.
    let output = answer(&mut session, "go");
    let nodes: u64 = output
        .rsplit(' ')
        .next()
        .expect("nodes")
        .parse()
        .expect("a number");
    assert!((8000..=9000).contains(&nodes), "{output}");
}

#[test]
fn clocks_reach_the_player() {
    let mut session = session("limits");
    answers(&mut session, &["flip a1 G", "flip a2 g"]);
    let output = answers(
        &mut session,
        &[
            "go",
            "time_left red 4321",
            "go",
            "go movetime 50",
            "go nodes 9",
            "go depth 3",
            "go infinite",
        ],
    );
    let limits: Vec<&str> = output
        .iter()
        .filter_map(|t| t.split("depth ").nth(1))
        .collect();
    let expected = [
        "0 nodes 10001000",
        "0 nodes 4321",
        "0 nodes 10000050",
        "0 nodes 9",
        "3 nodes 0",
        "0 nodes 0",
    ];
    assert_eq!(limits, expected);
    assert!(output[0].starts_with("= bestmove a1-"), "{}", output[0]);
}

#[test]
fn a_failing_player_does_not_lose_the_game() {
    for player in ["panics", "illegal"] {
        let mut session = session(player);
        assert_eq!(answer(&mut session, "flip b2 K"), "= ");
        assert_eq!(answer(&mut session, "flip b3 P"), "= ");
        assert_eq!(
            answer(&mut session, "12 genmove black"),
            "?12 red is to move, not black"
        );
        let output = answers(
            &mut session,
            &["12 genmove red", "set player last", "12 genmove red"],
        );
        assert_eq!(output, ["=12 a1 a1", "= ", "=12 d8 d8"]);
    }
}

#[test]
fn perft_counts_from_the_position() {
    let mut session = session("first");
    assert_eq!(answer(&mut session, "58 perft 0"), "=58 1");
    assert_eq!(answer(&mut session, "58 perft 1"), "=58 448");
    let few = "position K3/1r2/4/4/4/4/4/?2g r p 0 0";
    assert_eq!(answer(&mut session, few), "= ");
    for depth in 0..=5 {
        let position = *session.game().expect("a game").position();
        let expected = format!("=58 {}", anqi_rules::perft(&position, depth));
        assert_eq!(answer(&mut session, &format!("58 perft {depth}")), expected);
    }
}
