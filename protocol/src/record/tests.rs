//! Records that are read, written, and refused.

use super::*;
use anqi_rules::Position;

/// A game in the platform's format: black begins, red is left without a legal action.
const SHORT: &str = "INITIAL
* 0:53pm Jan 13, 2022
* left vs right
* 0 0 0 0 0 0 1 1 1 0 0 0 0 0
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* - - - -
* P - g X
* first 1
* time 900
* 1. d1(k) a1-a2
* 2. c1-b1 a2-a1
* 3. b1-a1
* NoMove left Wins 1.000000,0.000000
* Comment 0 0
0. 1642049618121
1. 1642049618122
2. 1642049618123

# what the engine printed
* 99. not a part of it
";

fn read(text: &str) -> Result<Record, RecordError> {
    Record::read(text.as_bytes())
}

#[test]
fn a_record_reads_replays_and_writes_itself() {
    let record = read(SHORT).expect("a record");
    assert_eq!(record.players[1].as_str(), "right");
    assert_eq!(record.first, Some(Color::Black));
    assert_eq!(record.seconds, Some(900));
    assert_eq!(record.stamps.len(), 3);
    assert_eq!(record.plies.len(), 5);
    let game = record.game(Rules::PLATFORM).expect("a game");
    let outcome = game.outcome().expect("over");
    assert_eq!(outcome.winner(), Some(Color::Black));
    let written = record.to_string();
    assert_eq!(
        written,
        SHORT.split("\n\n").next().expect("a record").to_owned() + "\n"
    );
    assert_eq!(read(&written), Ok(record));
}

#[test]
fn a_file_may_have_several_records() {
    let record = read(SHORT).expect("a record");
    let all = |text: &str| Record::read_all(text.as_bytes());
    assert_eq!(all(SHORT), Ok(vec![record.clone()]));
    let three = format!("{SHORT}\n{SHORT}{record}");
    assert_eq!(
        all(&three),
        Ok(vec![record.clone(), record.clone(), record])
    );
    let headless = SHORT.replace("INITIAL\n", "");
    assert_eq!(
        all(&format!("{headless}{SHORT}")).map(|all| all.len()),
        Ok(2)
    );
    let wrong = format!("{SHORT}{}", SHORT.replace("first 1", "first 2"));
    let line = SHORT.lines().count() + 13;
    let error = all(&wrong).expect_err("a fault").to_string();
    assert!(error.starts_with(&format!("line {line}: ")), "{error}");
}

#[test]
fn windows_line_ends_and_short_points_read_the_same() {
    let other = SHORT
        .replace("Wins 1.000000,0.000000", "wins 1,0")
        .replace("* 3. b1-a1", "* 3. b1-a1 ")
        .replace('\n', "\r\n");
    assert_eq!(read(&other), read(SHORT));
}

#[test]
fn records_of_games_name_winner_or_first_player() {
    let players = ["one word", ""].map(PlayerName::new);
    assert_eq!(
        players.each_ref().map(PlayerName::as_str),
        ["one_word", "?"]
    );
    let game = |text: &str| Game::from_text(text, Rules::PLATFORM).expect("a game");
    let result = |text: &str| {
        let record = Record::of_game(&game(text), players.clone());
        let again = read(&record.to_string()).expect("a record");
        assert_eq!(again, record);
        record.verdict.map(|verdict| verdict.to_string())
    };
    assert_eq!(result("start"), None);
    assert_eq!(result("start moves a1(k) a2(G)"), None);
    let blocked = "4/4/4/4/4/4/P3/k1P1 r - 0 0 moves c1-b1";
    assert_eq!(
        result(blocked).as_deref(),
        Some("NoMove one_word Wins 1.000000,0.000000")
    );
    let won_by_second = "4/4/4/4/4/4/P3/kP2 b - 0 0";
    assert_eq!(
        result(won_by_second).as_deref(),
        Some("NoMove ? Wins 0.000000,1.000000")
    );
    let cycle = "a8-a7 d1-d2 a7-a8 d2-d1 ".repeat(3);
    let repeated = format!("K3/4/4/4/4/4/4/3g r - 0 0 moves {cycle}");
    assert_eq!(
        result(&repeated).as_deref(),
        Some("PositionRepetitionDraw,3,4 one_word Draw 0.500000,0.500000")
    );
}

#[test]
fn a_record_of_a_random_game_round_trips() {
    let mut game = Game::new(Position::start(), Rules::PLATFORM);
    let mut state = 7usize;
    let mut pick = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % bound
    };
    while game.outcome().is_none() {
        let actions = game.position().actions();
        let action = actions[pick(actions.len())];
        let kinds: Vec<_> = game.position().reveals().collect();
        let reveal = action.is_flip().then(|| kinds[pick(kinds.len())].piece);
        game.play(Ply { action, reveal }).expect("a legal ply");
    }
    let record = Record {
        seconds: Some(900),
        date: Some(Date::from_unix_seconds(1_700_000_000)),
        comment: Some([0, 0]),
        ..Record::of_game(&game, ["a", "b"].map(PlayerName::new))
    };
    let again = read(&record.to_string()).expect("a record");
    assert_eq!(again, record);
    let replayed = again.game(Rules::PLATFORM).expect("a game");
    assert_eq!(replayed.position(), game.position());
    assert_eq!(replayed.outcome(), game.outcome());
}

#[test]
fn faults_name_line_and_expectation() {
    let cases = [
        (
            "left vs right",
            "left against right",
            "line 3",
            "the two players",
        ),
        ("* - - - -\n", "", "line 12", "row of four"),
        ("1 1 1 0", "1 1 2 0", "the board", "2 pieces left for 1"),
        ("P - g X", "P - Q X", "the board", "'Q' on c1"),
        ("2. c1-b1 a2-a1", "2. c1-b1 a2-a9", "line 16", "a round"),
        ("2. c1-b1 a2-a1", "2. c1-b1", "line 17", "a round"),
        ("2. c1-b1", "3. c1-b1", "line 16", "the next round"),
        ("Wins 1.000000,0.000000", "Wins 2,0", "line 18", "a result"),
        ("Wins 1.000000,0.000000", "Draw 1,0", "line 18", "a result"),
        ("first 1", "first 2", "line 13", "a result"),
    ];
    for (from, to, place, expected) in cases {
        assert!(SHORT.contains(from), "{from}");
        let error = read(&SHORT.replacen(from, to, 1))
            .expect_err(from)
            .to_string();
        assert!(
            error.contains(place) && error.contains(expected),
            "{from}: {error}"
        );
    }
    assert!(matches!(read(""), Err(RecordError::End { .. })));
    assert!(Record::read(b"\xff\xfe\n* \xff vs b\n").is_err());
}

#[test]
fn replay_faults_name_the_round() {
    let replay = |from: &str, to: &str| {
        let record = read(&SHORT.replacen(from, to, 1)).expect("a record");
        record
            .game(Rules::PLATFORM)
            .expect_err("a fault")
            .to_string()
    };
    let illegal = replay("c1-b1", "c1-a1");
    assert!(illegal.starts_with("round 2, c1-a1"), "{illegal}");
    let hidden = replay("d1(k)", "d1(m)");
    assert!(hidden.contains("round 1, d1(m)"), "{hidden}");
    assert!(replay("* first 1\n", "").contains("first"));
    let start = Record::of_game(
        &Game::from_text("start moves a1(k)", Rules::PLATFORM).expect("a game"),
        ["a", "b"].map(PlayerName::new),
    );
    let wrong = Record {
        first: Some(Color::Red),
        ..start
    };
    let error = wrong
        .game(Rules::PLATFORM)
        .expect_err("a fault")
        .to_string();
    assert_eq!(
        error,
        "the first player is red, but the first flip is a1(k)"
    );
}
