//! The same session in other languages.

use super::*;

/// Serves a whole input at once and returns the output.
fn conversation(player: &str, input: &str) -> String {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(input.to_owned());
    serve(&mut session(player), input, &mut output).expect("no fault");
    String::from_utf8(output).expect("text")
}

const BAG: &str = "G1A2E2R2H2C2S5g1a2e2r2h2c2s5";

#[test]
fn uci_introduces_itself_and_moves() {
    let told = conversation(
        "reports",
        &format!(
            "uci\nisready\nucinewgame\nposition fen XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - {BAG} 0 1\n\
             go depth 2\nposition fen G7/8/8/7a r - 0 1 moves a3b3 h0g0\ngo depth 2\nquit\n"
        ),
    );
    let (head, rest) = told.split_once("uciok\n").expect("an introduction");
    assert!(head.starts_with("id name anqi "), "{head}");
    for option in [
        "option name Player type string\n",
        "option name Level type spin default 10 min 1 max 10\n",
        "option name Contempt type spin default 0 min -5000 max 5000\n",
    ] {
        assert!(head.contains(option), "{head}");
    }
    let expected = "readyok
info depth 2 seldepth 3 score cp 3 nodes 77 time 0 pv a0a0
bestmove a0a0
info depth 2 seldepth 3 score cp 3 nodes 77 time 0 pv b3b2
bestmove b3b2
";
    assert_eq!(rest, expected);
}

#[test]
fn uci_faults_are_told_and_leave_no_position_to_think_about() {
    let told = conversation(
        "first",
        "uci\nposition fen G7/8/8/G7 r - 0 1\ngo\nposition fen G7/8/8/7a r - 0 1 moves a3c3\ngo\n\
         position fen G7/8/8/7a r - 0 1\ngo nodes none\nsetoption name Speed value 9\nnonsense\n\
         position fen 8/8/8/7a r - 0 1\ngo\nsetoption name player value last\nposition startpos\ngo depth 1\n",
    );
    let lines: Vec<&str> = told
        .lines()
        .skip_while(|line| *line != "uciok")
        .skip(1)
        .collect();
    assert_eq!(lines.len(), 12, "{lines:#?}");
    assert!(
        lines[0].starts_with("info string impossible position: 2 of K"),
        "{lines:#?}"
    );
    assert_eq!(
        lines[1],
        "info string no position: the last one was refused"
    );
    assert_eq!(lines[2], "bestmove (none)");
    assert!(
        lines[3].starts_with("info string ply 1 of the moves"),
        "{lines:#?}"
    );
    assert_eq!(lines[5], "bestmove (none)");
    assert!(lines[6].contains("'none'"), "{lines:#?}");
    assert_eq!(lines[7], "bestmove (none)");
    assert!(
        lines[8].starts_with("info string no option is called 'speed'"),
        "{lines:#?}"
    );
    // Red has no piece: the position is legal and over.
    assert!(
        lines[9].starts_with("info string the game is over"),
        "{lines:#?}"
    );
    assert_eq!(lines[10..], ["bestmove (none)", "bestmove h3h3"]);
}

#[test]
fn uci_sets_a_level_by_number_or_name() {
    let mut session = Session::new(Parts {
        make_player: Box::new(builtin_player),
        ..parts("champion:hash=1")
    })
    .expect("champion is built in");
    let input = "uci\nsetoption name Level value 3\nsetoption name contempt value -20\n\
                 setoption name LEVEL value 12\nsetoption name level value Casual\n\
                 setoption name Player value random\nsetoption name Level value 3\nquit\n";
    let mut output = Vec::new();
    serve(&mut session, std::io::Cursor::new(input), &mut output).expect("no fault");
    let told = String::from_utf8(output).expect("text");
    let (_, told) = told.split_once("uciok\n").expect("an introduction");
    let told: Vec<&str> = told.lines().collect();
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].starts_with("info string '12' is not a value for level"));
    assert!(told[1].starts_with("info string player 'random' has no levels"));
    let options = answer(&mut session, "options");
    assert!(options.contains("level 4 (not used"), "{options}");
    assert!(options.contains("contempt -20 (not used"), "{options}");
}

#[test]
fn uci_is_ready_once_the_player_is() {
    for (input, spec) in [("uci\nisready\n", "is prepared"), ("uci\n", "prepares")] {
        let mut session = session("prepares");
        let mut output = Vec::new();
        serve(&mut session, std::io::Cursor::new(input), &mut output).expect("no fault");
        assert_eq!(session.bench.player_mut().spec(), spec);
        assert_eq!(output.ends_with(b"readyok\n"), spec == "is prepared");
    }
}

#[test]
fn uci_stop_ends_an_infinite_search() {
    let told = conversation(
        "waits",
        "uci\nposition startpos\ngo infinite\nisready\nstop\n",
    );
    assert!(told.ends_with("uciok\nreadyok\nbestmove a0a0\n"), "{told}");
}

#[test]
fn lines_are_answered_unless_they_only_tell() {
    let told = conversation(
        "first",
        "????????/????????/????????/???????? r 900000 900000\n\
         a???????/????????/????????/???????? b -9999 -9999\n\
         a???????/K???????/????????/???????? r 899000 898000\n\
         this is no line\n\
         K???????/1???????/????????/???????? b 1 1\n",
    );
    assert_eq!(told, "FLIP A1\nFLIP B1\nMOVE A1 A2\n");
}

#[test]
fn lines_give_the_clock_to_the_player() {
    let mut session = session("limits");
    let input = "????????/????????/????????/???????? r 5000 7000\na???????/K???????/????????/???????? r 5000 -9999\n";
    serve(&mut session, std::io::Cursor::new(input), Vec::new()).expect("no fault");
    assert_eq!(session.clocks.left[Color::Black], Some(Duration::ZERO));
    assert!(session.clocks.left[Color::Red] <= Some(Duration::from_secs(5)));
    assert_eq!(session.game().expect("a game").plies().len(), 2);
}

#[test]
fn comments_and_empty_lines_decide_nothing() {
    let told = conversation("first", "\n# uci\n   \n1 name\nuci\n");
    assert_eq!(
        told,
        "=1 anqi\n? unknown command 'uci' (list_commands lists all)\n"
    );
}
