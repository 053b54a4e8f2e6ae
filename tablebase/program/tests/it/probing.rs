//! `tablebase probe`, `line` and `longest`: single positions.

use std::fs;

use crate::building::build;
use crate::common::tablebase;
use crate::text;

#[test]
fn lines_end_as_promised() {
    let output = tablebase(&["longest", "Kkg"]);
    let lines = text(&output.stdout);
    assert!(lines.lines().last().unwrap().contains("over"), "{lines}");
    let position = lines.lines().next().unwrap();
    let again = tablebase(&["line", position]);
    assert_eq!(text(&again.stdout), lines);
}

#[test]
fn the_longest_wins_in_the_documents_are_games_as_long_as_they_say() {
    let text = include_str!("../../../../docs/lab/longest-wins.txt");
    // By the rules crate alone, without any limit: this many plies to the capture that ends the phase.
    let rules = anqi_rules::Rules {
        quiet_limit: None,
        ..anqi_rules::Rules::PAPER
    };
    let first_captures = text.lines().map(|line| {
        let (position, plies) = line.split_once(" moves ").unwrap();
        let mut position: anqi_rules::Position = position.parse().unwrap();
        let captures: Vec<bool> = plies
            .split(' ')
            .map(|ply| {
                let game = anqi_rules::Game::new(position, rules);
                let action: anqi_rules::Action = ply.parse().unwrap();
                assert!(game.actions().contains(&action), "{ply} in {position}");
                position.step_unchecked(action).captured().is_some()
            })
            .collect();
        assert!(position.annihilated().is_some() || !position.has_action());
        1 + captures.iter().position(|is_capture| *is_capture).unwrap()
    });
    assert_eq!(first_captures.collect::<Vec<_>>(), [24, 101, 231, 332]);
    let again = tablebase(&["longest", "GCkc", "--moves"]);
    assert_eq!(
        self::text(&again.stdout).trim(),
        text.lines().nth(1).unwrap()
    );
    let position = text.lines().next().unwrap().split(" moves").next();
    let again = tablebase(&["line", position.unwrap(), "--moves"]);
    assert_eq!(
        self::text(&again.stdout).trim(),
        text.lines().next().unwrap()
    );
}

#[test]
fn the_longest_wins_and_losses_of_all_units_are_games_that_others_can_replay() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("tables").display().to_string();
    let build = [
        "build",
        "-q",
        "--pieces",
        "3",
        "--metric",
        "wdl,dtc,dtw",
        "--dir",
        &folder,
    ];
    assert!(tablebase(&build).status.success());
    let table = |more: &[&str]| {
        let file = dir.path().join("games.pgn").display().to_string();
        let output = tablebase(&[&["longest", "--out", &file], more].concat());
        assert!(output.status.success(), "{output:?}");
        (text(&output.stdout), fs::read(file).unwrap())
    };
    let (rows, games) = table(&["--pieces", "3"]);
    // The files give the same as solving again.
    assert_eq!(table(&["--dir", &folder]), (rows.clone(), games.clone()));
    assert_eq!(rows.lines().count(), 1 + 5 + 20, "{rows}");
    let unlimited = anqi_rules::Rules {
        quiet_limit: None,
        ..anqi_rules::Rules::PAPER
    };
    let games = anqi_protocol::record::pgn::read(&games, unlimited).unwrap();
    for record in &games {
        let event = record.tags.get("Event").unwrap();
        let promised: usize = event.split(' ').find_map(|word| word.parse().ok()).unwrap();
        let game = record.game(unlimited).unwrap();
        assert_eq!(game.plies().len(), promised, "{event}");
        let winner = game.outcome().unwrap().winner();
        let begins = winner == game.start().turn();
        assert_eq!(begins, event.contains("longest win"), "{event}");
        assert!(rows.contains(&game.start().to_string()), "{event}");
    }
    let kkg = rows.lines().find(|row| row.starts_with("Kkg ")).unwrap();
    assert!(kkg.contains(" 24 "), "{kkg}");
    let none = rows.matches("  none").count();
    assert_eq!(games.len() + none, 2 * 25);
}

#[test]
fn odd_but_right_sets_and_positions_are_answered() {
    let said = |arguments: &[&str], word: &str| {
        let output = tablebase(arguments);
        let told = text(&output.stdout) + &text(&output.stderr);
        assert!(!told.contains("panicked"), "{arguments:?}: {told}");
        assert!(told.contains(word), "{arguments:?}: {told}");
        output.status.code()
    };
    // Sets in which nobody ever wins, in either order of letters.
    for set in ["Cc", "cC", "Cp", "pC"] {
        assert_eq!(said(&["longest", set], "every position is a draw"), Some(0));
        assert_eq!(said(&["stats", set], "drawn (100.00%)"), Some(0));
        assert_eq!(said(&["class", set], "unit C"), Some(0));
    }
    for command in ["longest", "stats", "class"] {
        for (set, word) in [
            ("", "at least one piece"),
            ("CC", "each colour"),
            ("kkK", "too many"),
        ] {
            assert_eq!(said(&[command, set], word), Some(2));
        }
    }
    assert_eq!(said(&["longest", "pPpP"], "over"), Some(0));
    // A side without pieces has lost, however many the other has, no matter which is to move.
    for (position, value) in [
        ("4/4/4/4/4/4/4/C3 r - 0 0", "win"),
        ("4/4/4/4/4/4/4/C3 b - 0 0", "loss"),
        ("4/4/4/4/4/4/PP2/PPP1 r - 0 0", "win"),
        ("4/4/4/4/KGGM/4/PP2/PPP1 b - 0 0", "loss"),
    ] {
        assert_eq!(said(&["probe", position], value), Some(0));
        let end = if value == "win" {
            "has won"
        } else {
            "has lost"
        };
        assert_eq!(said(&["line", position], end), Some(0));
    }
}

#[test]
fn a_probe_with_face_down_pieces_names_every_expectation() {
    let position = "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40";
    let output = tablebase(&["probe", position, "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["expected"], &answer["exact"]),
        (&"2/3".into(), &true.into())
    );
    let actions = answer["actions"].as_array().unwrap();
    let rated = actions
        .iter()
        .map(|a| [&a["action"], &a["expected"]].map(|v| v.as_str().unwrap()));
    assert_eq!(
        rated.collect::<Vec<_>>(),
        [["a3-a3", "2/3"], ["c6-c6", "1/2"], ["d7-d7", "1/2"]]
    );
    let output = tablebase(&["probe", position, "--rules", "platform"]);
    assert!(
        text(&output.stdout).contains("draw after 60"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_probe_without_face_down_pieces_has_the_expectation_of_unlimited_play() {
    // Far from the next capture: a win that comes too late under a limit of 40 plies.
    let position = "3k/4/4/4/4/4/G3/C1c1 b - 30 99";
    let expected = |rules: &str| {
        let output = tablebase(&["probe", position, "--json", "--rules", rules]);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (answer["wdl"].clone(), answer["expected"].clone())
    };
    assert_eq!(expected("none").1, expected("paper").1);
    assert_ne!(expected("none").0, expected("paper").0);
}

#[test]
fn more_pieces_than_are_solved_are_refused() {
    let output = tablebase(&["probe", "4/3?/2?G/4/4/?3/4/?R2 b Ckcp 0 40"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("6 pieces") && said.contains("at most 5"),
        "{said}"
    );
}

#[test]
fn a_folder_with_all_of_four_pieces_is_read_for_them_and_any_other_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    build(dir.path(), "4");
    let position = "3k/4/4/4/4/4/G3/C1c1 b - 0 0";
    let probe = |rules: &str| {
        let output = tablebase(&["probe", position, "--dir", path, "--rules", rules]);
        (text(&output.stdout), text(&output.stderr))
    };
    let alone = text(&tablebase(&["probe", position]).stdout);
    // Only units in memory have the plies to the end.
    let (_, both) = alone.split_once("end of the game in ").unwrap();
    let same = alone.lines().next().unwrap().to_owned() + "\n" + both.split_once('\n').unwrap().1;
    assert_eq!(probe("none"), (same, String::new()));
    let limited = probe("paper");
    // Memory is asked under a limit, and where the folder lacks a file.
    fs::write(dir.path().join("GCkc.dtc"), "damaged").unwrap();
    assert!(probe("none").1.contains("GCkc.dtc"));
    assert_eq!(probe("paper"), limited);
    fs::remove_file(dir.path().join("GCkc.dtc")).unwrap();
    assert!(probe("none").0.starts_with(alone.lines().next().unwrap()));
}

#[test]
fn a_cache_beyond_all_memory_is_refused() {
    for size in ["2T", "0", "x"] {
        let output = tablebase(&["bench", "--probe-only", "--dir", ".", "--cache", size]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[test]
fn the_example_ending_of_the_paper_is_lost_in_six_plies_and_drawn_with_the_other_side_to_move() {
    // Saffidine, Jouandeau, Buron and Cazenave: a black minister on b2, a white king on c3.
    let position = "4/4/4/4/4/2K1/1m2/4 b - 0 0";
    let said = |arguments: &[&str]| text(&tablebase(arguments).stdout);
    let lost = said(&["probe", position]);
    assert!(
        lost.contains("loss for the side to move, next capture or end in 6 plies"),
        "{lost}"
    );
    let drawn = said(&["probe", &position.replace(" b ", " r ")]);
    assert!(drawn.contains("draw for the side to move"), "{drawn}");
    // Its line, each ply among the best: `b2-b1 c3-c2`, `b1-a1 c2-b2`, `a1-a2 b2xa2`.
    let mut game = anqi_rules::Game::from_text(position, anqi_rules::Rules::PAPER).unwrap();
    let plies = ["b2-b1", "c3-c2", "b1-a1", "c2-b2", "a1-a2", "b2-a2"];
    for (left, ply) in (1..=6).rev().zip(plies) {
        let before = said(&["probe", &game.position().to_string()]);
        let best = format!("next capture or end in {left} plies\n");
        let own = before
            .lines()
            .filter(|line| line.contains(ply))
            .collect::<Vec<_>>();
        assert!(
            own.len() == 1 && format!("{}\n", own[0]).contains(&best),
            "{before}"
        );
        game.play(ply.parse().unwrap()).unwrap();
    }
    assert_eq!(
        game.outcome().unwrap().winner(),
        Some(anqi_rules::Color::Red)
    );
}
