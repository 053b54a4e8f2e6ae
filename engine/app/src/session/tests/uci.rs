//! The session in UCI.

use super::*;
use anqi_search::parameters::Kind;
use anqi_search::players;

const BAG: &str = "G1A2E2R2H2C2S5g1a2e2r2h2c2s5";

#[test]
fn uci_introduces_itself_and_moves() {
    let output = conversation(
        "reports",
        &format!(
            "uci\nisready\nucinewgame\nposition fen XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - {BAG} 0 1\n\
             go depth 2\nposition fen G7/8/8/7a r - 0 1 moves a3b3 h0g0\ngo depth 2\nquit\n"
        ),
    );
    let (head, rest) = output.split_once("uciok\n").expect("an introduction");
    assert!(head.starts_with("id name anqi "), "{head}");
    for option in [
        "option name Player type string default champion\n",
        "option name Threads type spin default 1 min 1 max 1024\n",
        "option name Hash type spin default 64 min 1 max 1048576\n",
        "option name Rules type combo default olympiad var olympiad var platform",
        "option name MultiPV type spin default 1 min 1 max 256\n",
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
fn uci_faults_are_told_and_every_go_is_answered_if_there_is_an_action() {
    let output = conversation(
        "first",
        "uci\nposition fen G7/8/8/G7 r - 0 1\ngo\nposition fen G7/8/8/7a r - 0 1 moves a3c3\ngo\n\
         position fen G7/8/8/7a r - 0 1\ngo nodes none\nsetoption name Speed value 9\nnonsense\n\
         position fen 8/8/8/7a r - 0 1\ngo\nsetoption name player value last\nposition startpos\ngo depth 1\n",
    );
    let lines: Vec<&str> = output
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
    // By geometry alone: there are two kings.
    assert_eq!(lines[2], "bestmove a0b0");
    assert!(
        lines[3].starts_with("info string ply 1 of the moves"),
        "{lines:#?}"
    );
    assert_eq!(
        lines[4],
        "info string no position: the last one was refused"
    );
    // The board after the illegal move is possible: black is to move.
    assert_eq!(lines[5], "bestmove h0g0");
    assert!(lines[6].contains("'none'"), "{lines:#?}");
    assert_eq!(lines[7], "bestmove a3a2");
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
    let mut session = builtin_session();
    let input = "uci\nsetoption name Level value 3\nsetoption name contempt value -20\n\
                 setoption name LEVEL value 12\nsetoption name level value Casual\n\
                 setoption name Player value random\nsetoption name Level value 3\nquit\n";
    let mut output = Vec::new();
    serve(&mut session, std::io::Cursor::new(input), &mut output).expect("no fault");
    let output = String::from_utf8(output).expect("text");
    let (_, output) = output.split_once("uciok\n").expect("an introduction");
    let output: Vec<&str> = output.lines().collect();
    assert_eq!(output.len(), 2, "{output:#?}");
    assert!(output[0].starts_with("info string '12' is not a value for level"));
    assert!(output[1].starts_with("info string player 'random' has no levels"));
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
        assert_eq!(session.player.get_mut().spec(), spec);
        assert_eq!(output.ends_with(b"readyok\n"), spec == "is prepared");
    }
}

#[test]
fn uci_stop_ends_an_infinite_search() {
    let output = conversation(
        "waits",
        "uci\nposition startpos\ngo infinite\nisready\nstop\n",
    );
    assert!(
        output.ends_with("uciok\nreadyok\nbestmove a0a0\n"),
        "{output}"
    );
}

/// The output after the introduction.
fn told_after_uciok(player: &str, input: &str) -> Vec<String> {
    let output = conversation(player, &format!("uci\n{input}"));
    let (_, output) = output.split_once("uciok\n").expect("an introduction");
    output.lines().map(str::to_owned).collect()
}

/// The number after a word, in every line that has it.
fn numbers(lines: &[String], word: &str) -> Vec<u64> {
    let after = |line: &String| -> Option<u64> {
        let rest = line.split_once(&format!(" {word} "))?.1;
        rest.split(' ').next()?.parse().ok()
    };
    lines.iter().filter_map(after).collect()
}

#[test]
fn uci_clocks_reach_the_player() {
    let red = "position fen G7/8/8/7a r - 0 1\n";
    let black = "position fen G7/8/8/7a b - 0 1\n";
    let input = [
        red,
        "go wtime 300 btime 5000\n",
        "go wtime 4000 btime 5000 winc 100 binc 0 movestogo 10\n",
        "go wtime -12 btime 5000 depth 60\n",
        "go movetime 50 wtime 300\n",
        black,
        "go wtime 300 btime 5000\n",
        "go wtime 300\n",
        "position startpos\n",
        "go wtime 300 btime 280\n",
        "go infinite wtime 300\n",
    ]
    .concat();
    let output = told_after_uciok("limits", &input);
    // A limit for one move is shown above ten million.
    let expected = [300, 10_000_475, 0, 10_000_050, 5_000, 10_001_000, 280, 0];
    let numbers = numbers(&output, "nodes");
    assert_eq!(numbers.len(), expected.len(), "{output:#?}");
    for (number, expected) in numbers.into_iter().zip(expected) {
        assert_less(number, expected);
    }
}

/// Checks a limit that may have lost some time before the player got it.
#[track_caller]
pub(super) fn assert_less(limit: u64, whole: u64) {
    // A limit of 40 ms may be gone; one for a move keeps its millions.
    let least = whole / 10_000_000 * 10_000_000;
    let least = least.max(whole.saturating_sub(5_000));
    assert!((least..=whole).contains(&limit), "{limit} of {whole}");
}

#[test]
fn uci_times_have_decimals() {
    let input = "position fen G7/8/8/7a r - 0 1\ngo wtime 9e5 btime 5000.75\n\
                 go movetime 60000.9\ngo wtime soon btime 5\n";
    let output = told_after_uciok("limits", input);
    let [clock, movetime, unknown] = numbers(&output, "nodes")[..] else {
        panic!("{output:#?}");
    };
    assert_less(clock, 900_000);
    assert_less(movetime, 10_060_000);
    // As if no time were known: a second.
    assert_less(unknown, 10_001_000);
    assert!(
        output
            .iter()
            .any(|line| line.starts_with("info string 'soon' is not a time"))
    );
}

#[test]
fn uci_answers_after_a_position_that_cannot_be_read() {
    let go = "go depth 1\n";
    let cases = [
        // A bag that does not fit the board.
        ("position fen G7/8/8/1a5X r - 3 1\n", "bestmove a3b3"),
        // No turn: a flip is legal for either side.
        ("position fen G7/8/8/1a5X x s1 3 1\n", "bestmove h0h0"),
        // A flip among the moves: nobody knows what it revealed.
        (
            "position fen G7/8/8/1a5X r s1 3 1 moves h0h0\n",
            "bestmove b0a0",
        ),
        // No board at all: the last one that was accepted.
        ("position startpos\nposition fen rubbish\n", "bestmove h3h3"),
        ("position\n", "bestmove h3h3"),
        // Nobody has an action.
        ("position fen 8/8/8/8 r - 0 1\n", "bestmove (none)"),
        ("position fen GGG5/8/8/8 b - 0 1\n", "bestmove (none)"),
    ];
    for (position, expected) in cases {
        let output = told_after_uciok("last", &format!("{position}{go}"));
        let best: Vec<&String> = output
            .iter()
            .filter(|l| l.starts_with("bestmove"))
            .collect();
        assert_eq!(best.len(), 1, "{position}: {output:#?}");
        assert_eq!(best[0], expected, "{position}: {output:#?}");
        assert!(
            output.iter().any(|line| line.starts_with("info string ")),
            "{output:#?}"
        );
    }
}

#[test]
fn uci_thinks_no_longer_than_the_clock_allows() {
    let mut session = builtin_session();
    let input = "uci\nposition startpos\ngo wtime 300 btime 300\nisready\n";
    let begin = std::time::Instant::now();
    let mut output = Vec::new();
    serve(&mut session, Ending::new(input), &mut output).expect("no fault");
    let output = String::from_utf8(output).expect("text");
    assert!(output.contains("\nbestmove "), "{output}");
    let took: u64 = output
        .lines()
        .filter_map(|line| line.split_once(" time ")?.1.split(' ').next()?.parse().ok())
        .max()
        .unwrap_or(0);
    assert!(took <= 300, "{took} ms in {:?}", begin.elapsed());
}

#[test]
fn uci_reports_several_lines_when_multipv_is_set() {
    let output = told_after_uciok(
        "ranks",
        "position fen G7/8/8/7a r - 0 1\nsetoption name MultiPV value 2\ngo depth 1\n\
         setoption name multipv value 0\nsetoption name MultiPV value 257\n\
         setoption name MultiPV value 1\ngo depth 1\n",
    );
    assert_eq!(output.len(), 7, "{output:#?}");
    assert!(output[0].contains(" multipv 1 score cp 9 "), "{output:#?}");
    assert!(output[0].ends_with(" pv a3b3"), "{output:#?}");
    assert!(output[1].contains(" multipv 2 "), "{output:#?}");
    assert!(output[1].ends_with(" pv a3a2"), "{output:#?}");
    assert_eq!(output[2], "bestmove a3b3");
    for line in &output[3..5] {
        assert!(
            line.ends_with("is not a number of lines (expected 1-256)"),
            "{line}"
        );
    }
    assert!(!output[5].contains("multipv") && output[6] == "bestmove a3b3");
}

#[test]
fn uci_searchmoves_are_the_only_ones_chosen_and_told() {
    let position = "position fen 8/3G4/8/7a r - 0 1\n";
    for (player, moves, best) in [
        ("ranks", "d2c2 d2d3", "d2d3"),
        ("ranks", "d2c2", "d2c2"),
        ("first", "d2d1 d2d3", "d2d1"),
        // Illegal actions are dropped.
        ("ranks", "a0a0 d2c2", "d2c2"),
        // A player that ignores the restriction is overruled.
        ("heedless", "d2d3 d2c2", "d2d3"),
    ] {
        let input = format!("{position}go depth 1 searchmoves {moves}\n");
        let output = told_after_uciok(player, &input);
        assert_eq!(output.last(), Some(&format!("bestmove {best}")), "{moves}");
        for line in output.iter().filter(|line| line.contains(" pv ")) {
            assert!(line.ends_with(best) && !line.contains("multipv"), "{line}");
        }
    }
    let input =
        format!("{position}setoption name MultiPV value 2\ngo searchmoves d2d1 d2c2 d2e2\n");
    let output = told_after_uciok("ranks", &input);
    assert_eq!(numbers(&output, "multipv"), [1, 2], "{output:#?}");
    // None is legal: all are considered.
    let output = told_after_uciok("first", &format!("{position}go searchmoves a0a0\n"));
    assert_eq!(output, ["bestmove d2d1"]);
}

#[test]
fn uci_passes_over_what_it_does_not_know() {
    let output = told_after_uciok(
        "first",
        "stop\nponderhit\ndebug on\nregister later\nregister name go code 1\nxyzzy\n\
         joho isready\nsetoption name Clear Hash\nsetoption name UCI_Variant value banqi\n\
         setoption\nsetoption name\nposition startpos\ngo mate 3 depth 1 fast\n",
    );
    let expected = [
        "readyok",
        "info string no option is called 'clear hash' (there are: player, ",
        "info string no option is called 'uci_variant' (there are: player, ",
        "info string '' is not an option (expected: name <option> value <value>)",
        "info string no option is called '' (there are: player, ",
        "bestmove a0a0",
    ];
    assert_eq!(output.len(), expected.len(), "{output:#?}");
    for (line, start) in output.iter().zip(expected) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn uci_keeps_the_game_when_a_position_is_refused() {
    let mut session = session("first");
    let input = "uci\nposition fen G7/8/8/7a r - 0 1 moves a3b3\nposition startpos moves a0a1\n\
                 position fen G7/8/8/7a r - 0 1 moves a3b3 b3b2\n";
    let mut output = Vec::new();
    serve(&mut session, std::io::Cursor::new(input), &mut output).expect("no fault");
    let output = String::from_utf8(output).expect("text");
    assert_eq!(output.matches("info string ").count(), 2, "{output}");
    assert_eq!(session.game().expect("a game").plies().len(), 1);
}

#[test]
fn uci_searches_that_are_asked_for_together_are_all_answered() {
    let output = told_after_uciok(
        "waits",
        "position startpos\ngo infinite\ngo ponder wtime 1\nposition startpos\nponderhit\n",
    );
    assert_eq!(output, ["bestmove a0a0", "bestmove a0a0"]);
}

/// Input that stays open for a while after its text.
struct Ending(std::io::Cursor<&'static str>);

impl Ending {
    fn new(text: &'static str) -> Ending {
        Ending(std::io::Cursor::new(text))
    }
}

impl std::io::Read for Ending {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = std::io::Read::read(&mut self.0, buffer)?;
        if read == 0 {
            thread::sleep(Duration::from_secs(2));
        }
        Ok(read)
    }
}

#[test]
fn uci_spin_limits_are_the_players_own() {
    let mut session = builtin_session();
    let mut output = Vec::new();
    serve(&mut session, std::io::Cursor::new("uci\n"), &mut output).expect("no fault");
    let output = String::from_utf8(output).expect("text");
    let spins = output.lines().filter_map(|line| {
        let (name, range) = line
            .strip_prefix("option name ")?
            .split_once(" type spin ")?;
        let number = |word: &str| -> Option<i64> {
            let (_, rest) = range.split_once(word)?;
            rest.trim().split(' ').next()?.parse().ok()
        };
        let range = [number("default ")?, number("min ")?, number("max ")?];
        Some((name.to_ascii_lowercase(), range))
    });
    let spins: Vec<_> = spins.filter(|(name, _)| name != "multipv").collect();
    assert_eq!(spins.len(), 4, "{output}");
    let champion = players::KINDS.iter().find(|kind| kind.name == "champion");
    let parameters = champion.expect("a player").parameters();
    for (name, range) in spins {
        let own = parameters.iter().find(|own| own.name == name);
        let own = own.expect("a parameter of the same name");
        let Kind::Integer { least, most, .. } = own.kind else {
            panic!("{name} is not a number");
        };
        let default: i64 = own.default.to_string().parse().expect("a number");
        // Only specs may set a table of size zero.
        let least = if name == "hash" { 1 } else { least };
        assert_eq!(range, [default, least, most], "{name}");
        for value in [least - 1, most + 1] {
            let output = answer(&mut session, &format!("set {name} {value}"));
            // Refused for its value, not for lack of memory.
            assert!(
                output.contains("is not a value for"),
                "{name} {value}: {output}"
            );
        }
        // A table of the largest size need not fit this machine.
        let most_tried = if name == "hash" { 16 } else { most };
        for value in [least, most_tried] {
            let output = answer(&mut session, &format!("set {name} {value}"));
            assert_eq!(output, "= ", "{name} {value}");
        }
    }
}

fn builtin_session() -> Session {
    Session::new(Parts {
        make_player: Box::new(builtin_player),
        ..parts("champion:hash=1")
    })
    .expect("champion is built in")
}
