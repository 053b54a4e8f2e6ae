//! Games that are read, written, and refused.

use super::*;
use crate::record::{PlatformVerdict, PlayerName, Record};
use anqi_rules::{Reveal, Square};
use proptest::prelude::*;

fn one(text: &str) -> PgnGame {
    let games = read(text.as_bytes(), Rules::OLYMPIAD).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let [game] = games.try_into().expect("one game");
    game
}

fn fault(text: &[u8]) -> String {
    read(text, Rules::OLYMPIAD)
        .expect_err("a fault")
        .to_string()
}

/// Everything that a record can have, as the writer spells it.
const WHOLE: &str = r#"[Event "A \"friendly\" game"]
[Site "?"]
[Date "2026.11.25"]
[Round "1.2"]
[First "陳 \\ 小明"]
[Second "champion:level=4"]
[Result "0-1"]
[Variant "Banqi"]
[Rules "olympiad"]
[Red "First"]
[TimeControl "900+5"]
[Termination "resignation"]
[DealCommitment "00ff"]
[Deal "aa KGkg"]
[Annotator "nobody"]
[Time "20:31:00"]

{before the first ply} 1. b3=K $1
{[%clk 0:14:58] [%emt 0:00:02.5] [%eval 0.2500,12] a \} in it} (1. b3=p
{luckier} 1... c6=k (1... c6=g) 2. d1=n) (1. b3=P) 1... b4=g 2. b3xb4
{[%eval #-7]} 2... c6=p 0-1
"#;

#[test]
fn a_whole_record_reads_and_writes_itself() {
    let game = one(WHOLE);
    assert_eq!(game.players(), ["陳 \\ 小明", "champion:level=4"]);
    assert_eq!(game.result, GameResult::SecondWins);
    assert_eq!(game.termination, Some(Termination::Resignation));
    assert_eq!(game.first_color(), Some(Color::Red));
    assert_eq!(game.rules, Some(Rules::OLYMPIAD));
    assert_eq!(game.tags.get("Event"), Some("A \"friendly\" game"));
    assert_eq!(game.tags.get("Site"), None);
    let main: Vec<String> = game.main_line().iter().map(|p| p.ply.to_string()).collect();
    assert_eq!(main, ["b3(K)", "b4(g)", "b3-b4", "c6(p)"]);
    let first = &game.plies[0];
    assert_eq!(first.glyphs, [1]);
    assert_eq!(first.annotation.clock_ms, Some(898_000));
    assert_eq!(first.annotation.elapsed_ms, Some(2_500));
    assert_eq!(first.annotation.text(), "a } in it");
    let value = first.annotation.eval.expect("a value");
    assert_eq!(value.expectation, Expectation::Result(2_500));
    assert_eq!(value.depth, Some(12));
    let after: Vec<usize> = game.plies.iter().map(|ply| ply.after).collect();
    assert_eq!(after, [0, 0, 2, 2, 3, 0, 1, 7, 8]);
    assert_eq!(write(&[game]), WHOLE);
}

#[test]
fn layout_and_spelling_are_free_when_reading() {
    let plain = one("[First \"a\"]\n[Second \"b\"]\n\n1. b3=K {x} 1... b4=g 2. b3xb4 1-0\n");
    let loose = [
        "\u{feff}[first \"a\"]\r\n[ SECOND   \"b\" ]\r\n1.b3=K{x}1...b4=g 2.b3-b4 1-0",
        "[First \"a\"][Second \"b\"] b3(K) ; x\nb4(g)\n% a line for another program {\nB3-B4\t1-0",
        "[First \"a\"]\n[Second \"b\"]\n[Result \"1-0\"]\n\n1 b3=K\n{x}\n\n1… b4=g 2 b3-b4",
        "[First \"a\"]\n[Second \"b\"]\n[Result \"1-0\"]\n\n1. b3=K {x} b4=g b3-b4 *\n",
    ];
    for text in loose {
        assert_eq!(one(text), plain, "{text}");
    }
    let marked = one("1. b3=K! b4=g?? {[%clk 1:0]}");
    assert_eq!(
        (marked.plies[0].glyphs[0], marked.plies[1].glyphs[0]),
        (1, 4)
    );
    assert_eq!(marked.plies[1].annotation.clock_ms, Some(60_000));
    let said = one("{a} {b} 1. b3=K ({c} 1. b3=p {d}) {e} 1-0 {f}");
    assert_eq!(said.annotation.text(), "a b");
    assert_eq!(said.plies[0].annotation.text(), "e f");
    assert_eq!(said.plies[1].annotation.text(), "c d");
}

#[test]
fn a_file_has_any_number_of_games() {
    let text = format!("{WHOLE}\n{}", WHOLE.replace("0-1", "1/2-1/2"));
    let games = read(text.as_bytes(), Rules::OLYMPIAD).expect("two games");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].result, GameResult::Draw);
    assert_eq!(write(&games), text);
    // A result that is missing does not hide the next game, and a game need not have tags.
    let text = "[First \"a\"]\n1. b3=K\n[First \"b\"]\n\n1. b3=G *\nb3=P 1-0 b3=p";
    let games = read(text.as_bytes(), Rules::OLYMPIAD).expect("four games");
    assert_eq!(games.len(), 4);
    assert_eq!(games[2].result, GameResult::FirstWins);
}

#[test]
fn captures_positions_and_rules_are_kept() {
    let game = Game::from_text("K3/4/4/4/4/4/g3/G3 r - 3 9 moves a1-a2 ", Rules::MISTBOARD)
        .expect("a game");
    let record = PgnGame::of_game(&game, ["a", "b"]);
    let text = write(std::slice::from_ref(&record));
    for line in [
        "[Result \"1-0\"]",
        "[Rules \"mistboard\"]",
        "[Red \"First\"]",
        "[Termination \"annihilation\"]",
        "[Setup \"1\"]",
        "[FEN \"K3/4/4/4/4/4/g3/G3 r - 3 9\"]",
        "1. a1xa2 1-0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    assert_eq!(one(&text), record);
    assert_eq!(one(&text.replace("a1xa2", "a1-a2")), record);
    for (name, rules) in Rules::PRESETS {
        let text = format!("[Rules \"{name}\"]\n*");
        assert_eq!(one(&text).rules, Some(rules));
    }
}

#[test]
fn faults_name_line_column_word_and_expectation() {
    for (text, expected) in [
        ("", "line 1, column 1: there is no game"),
        (
            "Dear Anna",
            "line 1, column 1: 'Dear' is not a move (expected one such as b3-b4",
        ),
        (
            "[First \"陳\"]\n\n1. b3=K c9=g",
            "line 3, column 9: 'c9=g' is not a move",
        ),
        (
            "1. b3=K b3=g",
            "line 1, column 9: 'b3=g' cannot be played: ",
        ),
        ("1. b3=K b3-b3", "'b3-b3' is not a move"),
        (
            "[FEN \"K3/4/4/4/4/4/4/3g r - 0 0\"]\n1. a8xa7",
            "line 2, column 4: 'a8xa7' captures nothing (expected a8-a7)",
        ),
        (
            "1. b3=K {x",
            "line 1, column 9: this comment is not closed (expected })",
        ),
        (
            "1. b3=K (1. b3=p\n",
            "column 9: this variation is not closed (expected ))",
        ),
        (
            "1. b3=K (1. b3=p 1-0",
            "column 9: this variation is not closed",
        ),
        (
            "1. b3=K ()",
            "column 10: ')' is out of place (expected a move in the variation)",
        ),
        (
            "1. b3=K )",
            "column 9: ')' is out of place (expected a variation that it closes)",
        ),
        (
            "(b3=K)",
            "column 1: '(' is out of place (expected a move before it)",
        ),
        (
            "$1 b3=K",
            "'$1' is out of place (expected a move before it)",
        ),
        (
            "b3=K $256",
            "column 6: '$256' is not an annotation glyph (expected $0 to $255)",
        ),
        ("b3=K }", "column 6: '}' is out of place"),
        (
            "[First]",
            "column 1: '[First]' is not a tag (expected [Name \"value\"])",
        ),
        (
            "[First \"a]\n",
            "column 8: this value is not closed (expected \")",
        ),
        (
            "[First \"a\"]\n[FIRST \"b\"]",
            "line 2, column 1: the tag First stands twice",
        ),
        (
            "[Rules \"chess\"]",
            "'chess' is not a value of the tag Rules (expected one of olympiad, ",
        ),
        (
            "[Variant \"Atomic\"]",
            "'Atomic' is not a value of the tag Variant (expected Banqi)",
        ),
        (
            "[Result \"2-0\"]",
            "'2-0' is not a value of the tag Result (expected 1-0, 0-1, ",
        ),
        (
            "[Result \"1-0\"]\n\nb3=K 0-1",
            "line 3, column 6: '0-1' contradicts the tag Result (expected 1-0)",
        ),
        (
            "[FEN \"K3 r\"]",
            "is not a value of the tag FEN (expected a position: ",
        ),
        (
            "[Setup \"1\"]",
            "is not a value of the tag Setup (expected 0, or 1 and a tag FEN",
        ),
        (
            "[Red \"blue\"]",
            "'blue' is not a value of the tag Red (expected First or Second)",
        ),
        (
            "[Red \"Second\"]\n1. b3=K",
            "line 2, column 4: 'b3=K' is out of place (expected a black piece",
        ),
        (
            "[Red \"First\"]\n[FEN \"K3/4/4/4/4/4/4/3k b - 0 1\"]",
            "line 1, column 1: 'First' is not a value of the tag Red",
        ),
    ] {
        let message = fault(text.as_bytes());
        assert!(message.contains(expected), "{text}\n{message}\n{expected}");
        assert!(message.starts_with("line "), "{message}");
    }
    let message = fault(b"[First \"a\"]\nb3=K \xff");
    assert!(
        message.starts_with("line 2, column 6: byte 0xff is not UTF-8"),
        "{message}"
    );
    let endless = "b3-b4 b4-b3 ".repeat(3);
    let message = fault(format!("b3=K c6=p {endless}").as_bytes());
    assert!(message.contains("cannot be played"), "{message}");
}

#[test]
fn a_game_has_at_most_so_many_plies_and_brackets_nest_without_end() {
    let mut text = "b3=K ".to_owned();
    text += &"(b3=p ".repeat(10_000);
    text += &")".repeat(10_000);
    let game = one(&text);
    assert_eq!(game.plies.len(), 10_001);
    let again = one(&write(std::slice::from_ref(&game)));
    assert_eq!(again.plies.len(), game.plies.len());
    let mut text = "b3=K ".to_owned();
    text += &"(b3=p) ".repeat(MOST_PGN_PLIES);
    assert!(fault(text.as_bytes()).contains("too many plies (expected at most 20000"));
}

#[test]
fn red_may_be_told_by_name_and_unknown_is_unknown() {
    let named = "[First \"a\"]\n[Second \"b\"]\n[Red \"b\"]\n\n1. b3=k *";
    assert_eq!(one(named).first_color(), Some(Color::Black));
    assert!(fault(named.replace("=k", "=K").as_bytes()).contains("a black piece"));
    assert!(fault(b"[First \"a\"]\n[Second \"a\"]\n[Red \"a\"]\n").contains("First or Second"));
    let unknown = one("[Red \"?\"]\n[Rules \"?\"]\n[Result \"?\"]\n[Termination \"normal\"]\n\n*");
    assert_eq!((unknown.rules, unknown.termination), (None, None));
    let text = write(&[one("*")]);
    assert!(
        text.contains("[Red \"?\"]\n[Termination \"unterminated\"]\n\n*\n"),
        "{text}"
    );
}

#[test]
fn a_deal_is_written_after_the_game_only_and_proves_its_commitment() {
    let layout = format!("{}{}", "KGGMMRRNNCCPPPPP", "kggmmrrnnccppppp");
    let deal = format!("{} {layout}", "7".repeat(64));
    let game = Game::from_text("start moves a8(K)", Rules::OLYMPIAD).expect("a game");
    let mut record = PgnGame::of_game(&game, ["a", "b"]);
    record.deal = Some(DealProof {
        commitment: hash_of_deal(&deal),
        deal: Some(deal.clone()),
    });
    let secret = write(&[record.clone()]);
    assert!(secret.contains("[DealCommitment \"") && !secret.contains("[Deal \""));
    assert!(!secret.contains(&layout));
    record.result = GameResult::SecondWins;
    record.termination = Some(Termination::Resignation);
    let open = write(&[record.clone()]);
    assert!(open.contains(&format!("[Deal \"{deal}\"]\n")), "{open}");
    assert_eq!(one(&open).check_deal(), Ok(()));
    let other = one(&open.replace("=K", "=G"));
    let said = other.check_deal().expect_err("another piece").to_string();
    assert_eq!(said, "a8(G), but the layout has K there");
    let other = one(&open.replace("[Deal \"7", "[Deal \"8"));
    assert!(matches!(other.check_deal(), Err(DealFault::Hash(_))));
    assert_eq!(one("*").check_deal(), Ok(()));
}

#[test]
fn a_record_of_the_platform_goes_there_and_back() {
    let game = Game::from_text("start moves b2(G) b3(k) a1(p)", Rules::PLATFORM).expect("a game");
    for (reason, seat, termination) in [
        ("Resign", Some(1), "resignation"),
        ("TimeOut", Some(0), "time forfeit"),
        ("Agreement", None, "agreement"),
    ] {
        let mut record = Record::of_game(&game, ["a", "b"].map(PlayerName::new));
        record.date = "0:53pm Jan 13, 2022".parse().ok();
        record.seconds = Some(900);
        let points = match seat {
            Some(0) => "a Wins 1,0",
            Some(_) => "b Wins 0,1",
            None => "a Draw 0.5,0.5",
        };
        record.verdict = PlatformVerdict::read(&format!("{reason} {points}"));
        assert!(record.verdict.is_some());
        let mut stamped = record.clone();
        stamped.stamps = vec![1_000, 3_500, 3_600, 9_000];
        let pgn = PgnGame::of_record(&stamped, Rules::PLATFORM).expect("a game");
        assert_eq!(
            pgn.termination.as_ref().map(Termination::text),
            Some(termination)
        );
        assert_eq!(pgn.result.winner(), seat);
        assert_eq!(pgn.tags.get("Date"), Some("2022.01.13"));
        assert_eq!(pgn.plies[2].annotation.elapsed_ms, Some(5_400));
        let (again, lost) = one(&write(&[pgn])).to_record(Rules::OLYMPIAD);
        assert_eq!(again, record);
        assert_eq!(lost, [Lost("times of the plies".to_owned())]);
    }
    let (_, lost) = one(WHOLE).to_record(Rules::OLYMPIAD);
    let lost: Vec<String> = lost.into_iter().map(|lost| lost.0).collect();
    for what in [
        "variations",
        "comments",
        "clocks",
        "the tag Annotator",
        "the time control",
    ] {
        assert!(lost.iter().any(|said| said == what), "{what}: {lost:?}");
    }
}

/// A random tree of legal plies.
fn trees() -> impl Strategy<Value = PgnGame> {
    let said = "([a-z{}()\\\\;%*\"陳 \n-]|\\[%clk 0:00:09\\.5\\]|\\[%eval -0\\.5,3\\]|\\[%emt 5\\]|\\[%){0,9}";
    let choice = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let plies = proptest::collection::vec(
        (choice, said, proptest::collection::vec(any::<u8>(), 0..2)),
        0..40,
    );
    let name = "[ -~陳\n\t]{0,12}";
    let rules = proptest::option::of(0..Rules::PRESETS.len());
    (plies, said, (name, name), 0..4_usize, rules).prop_map(
        |(plies, before, names, result, rules)| {
            let start = Game::new(Position::start(), Rules::OLYMPIAD);
            let mut game = PgnGame::of_game(&start, [&names.0, &names.1]);
            game.tags.set("x y", &names.0);
            game.rules = rules.map(|index| Rules::PRESETS[index].1);
            game.annotation = Annotation::read(&before);
            game.result = GameResult::ALL[result];
            game.termination = Termination::read(&names.1);
            let mut positions = vec![Position::start()];
            for ((after, pick), said, glyphs) in plies {
                let after = after.index(positions.len());
                if let Some(ply) = choose(&positions[after], pick) {
                    let mut next = positions[after];
                    let _ = next.play_unchecked(ply);
                    positions.push(next);
                    let annotation = Annotation::read(&said);
                    game.plies.push(PgnPly {
                        ply,
                        after,
                        glyphs,
                        annotation,
                    });
                }
            }
            game
        },
    )
}

fn choose(position: &Position, pick: prop::sample::Index) -> Option<Ply> {
    let actions = position.actions();
    if actions.is_empty() {
        return None;
    }
    let action = actions[pick.index(actions.len())];
    let reveals: Vec<Reveal> = position.reveals().collect();
    let reveal = action
        .is_flip()
        .then(|| reveals[pick.index(reveals.len())].piece);
    Some(Ply { action, reveal })
}

/// The lines from the start to every ply, with what is said there, in no order.
fn lines(game: &PgnGame) -> Vec<(Vec<String>, Vec<u8>, Annotation)> {
    let mut lines = vec![(Vec::new(), Vec::new(), game.annotation.clone())];
    for ply in &game.plies {
        let mut line: Vec<String> = lines[ply.after].0.clone();
        line.push(ply.ply.to_string());
        lines.push((line, ply.glyphs.clone(), ply.annotation.clone()));
    }
    lines.sort_by(|a, b| (&a.0, format!("{a:?}")).cmp(&(&b.0, format!("{b:?}"))));
    lines
}

proptest! {
    #[test]
    fn what_is_written_reads_the_same(game in trees()) {
        let text = write(&[game.clone(), game.clone()]);
        let games = read(text.as_bytes(), Rules::OLYMPIAD).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(games.len(), 2);
        prop_assert_eq!(write(&games), text.clone());
        prop_assert_eq!(&games[0], &games[1]);
        let again = PgnGame { plies: game.plies.clone(), ..games[0].clone() };
        prop_assert_eq!(&again, &game);
        prop_assert_eq!(lines(&games[0]), lines(&game));
        let main = |game: &PgnGame| game.main_line().iter().map(|p| p.ply).collect::<Vec<_>>();
        prop_assert_eq!(main(&games[0]), main(&game));
        for line in text.lines().filter(|line| !line.starts_with('[')) {
            let breakable = line.chars().count() > 79 && !line.contains("[%") && !line.contains('%');
            prop_assert!(!breakable, "{}", line);
            prop_assert!(!line.starts_with('%'), "{}", line);
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "([\\[\\](){};\"$%.*!?\\\\ \n\u{feff}ab12KkxX=\\-]|b3=K|b4=p|1-0|\\[First \"a\"\\]|\\[Result \"1-0\"\\]){0,60}") {
        if let Ok(games) = read(text.as_bytes(), Rules::MISTBOARD) {
            let written = write(&games);
            prop_assert_eq!(write(&read(written.as_bytes(), Rules::MISTBOARD).expect("what we wrote")), written);
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = read(&bytes, Rules::OLYMPIAD);
    }
}

#[test]
fn a_damaged_record_is_refused_by_place_or_read_but_never_a_panic() {
    let (mut refused, mut reread) = (0, 0);
    for at in (0..WHOLE.len()).step_by(3) {
        let mut texts = vec![WHOLE.as_bytes()[..at].to_vec()];
        for sign in b"\n[{}(\"\\%;1-\0\xff" {
            let mut text = WHOLE.as_bytes().to_vec();
            text[at] = *sign;
            texts.push(text.clone());
            text.insert(at, *sign);
            texts.push(text);
        }
        for text in texts {
            match read(&text, Rules::OLYMPIAD) {
                Err(error) => {
                    let lines = text.split(|&byte| byte == b'\n').count();
                    assert!((1..=lines).contains(&error.line), "{error}");
                    refused += 1;
                }
                Ok(games) => {
                    let written = write(&games);
                    let again = read(written.as_bytes(), Rules::OLYMPIAD).expect("our own");
                    assert_eq!(write(&again), written);
                    for (again, game) in again.iter().zip(&games) {
                        assert_eq!((&again.tags, lines(again)), (&game.tags, lines(game)));
                    }
                    reread += 1;
                }
            }
        }
    }
    assert!(refused > 1_500 && reread > 1_500, "{refused} {reread}");
}

#[test]
fn the_first_square_of_a_layout_is_a8() {
    let first: Option<Square> = crate::board::reading_order().next();
    assert_eq!(
        first.map(|square| square.to_string()).as_deref(),
        Some("a8")
    );
}
