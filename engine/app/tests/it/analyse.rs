//! `anqi analyse` and `anqi probe`: what they print for a position, as text and as JSON.

use crate::common::{anqi, assert_refused, err, json, out};
#[cfg(unix)]
use std::process::{Command, Output, Stdio};

#[test]
fn endings_are_looked_up_with_what_every_move_comes_to() {
    let won = "4/4/4/4/4/4/g3/K3 r - 0 0";
    let expected = "\
win for the side to move, next capture or end in 1 plies
  a1-a2 win, next capture or end in 1 plies
  a1-b1 win, next capture or end in 15 plies
";
    assert_eq!(out(&anqi(&["probe", won], "")), expected);
    let unlimited = out(&anqi(&["probe", "--rules", "none", won], ""));
    assert_eq!(
        unlimited.lines().nth(1),
        Some("end of the game in 1 plies if both sides aim at that")
    );
    let far = "3k/4/4/4/4/4/G3/C1c1 b - 0 0";
    let first = |rules| {
        let shown = out(&anqi(&["probe", "--rules", rules, far], ""));
        shown.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        first("olympiad"),
        "win for the side to move, next capture or end in 101 plies"
    );
    assert_eq!(first("platform"), "draw for the side to move");
    let over = out(&anqi(&["probe", "4/4/4/4/4/4/P3/kP2 b - 0 0"], ""));
    assert!(over.starts_with("loss for the side to move"), "{over}");
    assert!(over.contains("  the game is over\n"), "{over}");
    let object = json(&["probe", "--json", "--rules", "none", won]);
    let expected = serde_json::json!({
        "position": won, "wdl": "win", "dtc": 1, "dtw": 1, "plies_to_end": 1,
        "expected": "1",
        "actions": [
            {"action": "a1-a2", "wdl": "win", "dtc": 1, "plies_to_end": 1, "expected": "1"},
            {"action": "a1-b1", "wdl": "win", "dtc": 15, "plies_to_end": 15, "expected": "1"},
        ],
    });
    assert_eq!(object, expected);
    assert_refused(&["probe", "start"], 1, &["no table has this position"]);
    assert_refused(
        &["probe", "KGGM/MRRN/4/4/4/4/4/g3 r - 0 0"],
        1,
        &["more than 6 pieces", "--tables"],
    );
    assert_refused(
        &["--tables", "no/such/folder", "probe", won],
        2,
        &["--tables"],
    );
}

#[test]
fn the_best_actions_of_an_ending_come_from_the_tables() {
    let won = "3k/4/4/4/4/4/G3/C1c1 b - 0 0";
    let shown = out(&anqi(&["analyse", "--best", "4", won], ""));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "black to move, known from the endgame tables");
    assert!(lines[1].starts_with("  1. win 101  "), "{shown}");
    assert_eq!(lines.len(), 5, "{shown}");
    let object = json(&["analyse", "--json", "--best", "64", won]);
    let probed = json(&["probe", "--json", won]);
    let actions = object["actions"].as_array().expect("a list");
    let rated = probed["actions"].as_array().expect("a list");
    assert_eq!(actions.len(), rated.len());
    for (action, rated) in actions.iter().zip(rated) {
        assert_eq!(action["action"], rated["action"]);
        assert_eq!(action["value"]["verdict"], rated["wdl"]);
        assert_eq!(action["value"]["plies"], rated["dtc"]);
    }
    // Nobody can win: every action is a proven draw, not a value near zero.
    let drawn = out(&anqi(&["analyse", "K3/4/4/4/4/4/4/3g r - 0 0"], ""));
    assert!(drawn.contains("  1. draw "), "{drawn}");
    assert!(!drawn.contains("0.000"), "{drawn}");
}

/// Every value in an analysis, at any depth of the object.
fn values<'a>(object: &'a serde_json::Value, found: &mut Vec<&'a serde_json::Value>) {
    if let Some(fields) = object.as_object() {
        if fields.contains_key("expected") {
            found.push(object);
        }
        fields.values().for_each(|field| values(field, found));
    }
    for part in object.as_array().into_iter().flatten() {
        values(part, found);
    }
}

#[test]
fn values_are_expected_results_or_verdicts() {
    for position in [
        "start moves b2(G) b3(k)",
        // The last face-down piece decides between endings that the tables know.
        "?2k/4/4/4/4/4/G3/C3 b c 0 9",
        "?3/4/4/4/4/4/4/Kg2 r g 0 9",
    ] {
        let arguments = [
            "analyse", "--json", "--nodes", "1000", "--best", "64", position,
        ];
        let object = json(&arguments);
        let mut found = Vec::new();
        values(&object, &mut found);
        assert!(found.len() > 3, "{object}");
        for value in found {
            let expected = value["expected"].as_f64().expect("a number");
            assert!(expected.abs() <= 1.0, "{value}");
            let certain = match value["verdict"].as_str() {
                None => continue,
                Some("win") => 1.0,
                Some("draw") => 0.0,
                Some("loss") => -1.0,
                Some(other) => panic!("{other}"),
            };
            assert_eq!(expected, certain, "{value}");
        }
        let shown = out(&anqi(
            &["analyse", "--nodes", "1000", "--best", "64", position],
            "",
        ));
        for beyond in ["+1.0", "-1.0"] {
            for (at, _) in shown.match_indices(beyond) {
                assert!(shown[at..].starts_with(&format!("{beyond}00")), "{shown}");
            }
        }
    }
}

#[test]
fn a_flip_is_a_proven_draw_if_all_that_it_may_reveal_is() {
    let position = "?2k/4/4/4/4/4/G3/C3 b c 0 9";
    let object = json(&[
        "analyse", "--json", "--nodes", "1000", "--best", "64", position,
    ]);
    let actions = object["actions"].as_array().expect("a list");
    let flip = actions.iter().find(|action| action["action"] == "a8-a8");
    let flip = flip.expect("the flip is rated");
    assert_eq!(flip["value"]["verdict"], "draw", "{flip}");
    assert_eq!(flip["outcomes"][0]["value"]["verdict"], "draw", "{flip}");
}

#[test]
fn all_that_a_flip_may_reveal_is_listed_with_its_chance() {
    let position = "m?pr/1?c1/1g2/1n?g/C?p?/??G?/1p1N/KC?? b GMRPPkmcpp 0 30";
    let object = json(&[
        "analyse", "--json", "--nodes", "3000", "--best", "64", position,
    ]);
    let actions = object["actions"].as_array().expect("a list");
    let is_flip = |action: &&serde_json::Value| {
        let text = action["action"].as_str().expect("text");
        text.split_once('-').is_some_and(|(from, to)| from == to)
    };
    let flips: Vec<_> = actions.iter().filter(is_flip).collect();
    assert_eq!(flips.len(), 10);
    for flip in flips {
        let outcomes = flip["outcomes"].as_array().expect("a list");
        let mut pieces: Vec<&str> = outcomes
            .iter()
            .filter_map(|o| o["piece"].as_str())
            .collect();
        pieces.sort_unstable();
        assert_eq!(pieces, ["G", "M", "P", "R", "c", "k", "m", "p"]);
        let chances: f64 = outcomes.iter().filter_map(|o| o["chance"].as_f64()).sum();
        assert!((chances - 1.0).abs() < 1e-9, "{flip}");
        let worth = |o: &serde_json::Value| o["value"]["expected"].as_f64().expect("a value");
        assert!(
            outcomes.iter().map(worth).is_sorted_by(|a, b| a >= b),
            "{flip}"
        );
    }
    assert_eq!(object["turn"], "black");
    assert_eq!(object["source"], "search");
    assert_eq!(object["interrupted"], false);
}

/// A value as it is printed, and how many words it takes.
fn printed_value(words: &[&str]) -> (f64, usize) {
    let has_plies = words.get(1).is_some_and(|word| word.parse::<u32>().is_ok());
    match words[0] {
        "win" => (1.0, 1 + usize::from(has_plies)),
        "loss" => (-1.0, 1 + usize::from(has_plies)),
        "draw" => (0.0, 1),
        "exact" => {
            let (above, below) = words[1].split_once('/').unwrap_or((words[1], "1"));
            let [above, below] = [above, below].map(|part| part.parse::<f64>().expect("a number"));
            (above / below, 2)
        }
        number => (number.parse().expect("a number"), 1),
    }
}

/// The printed value of each action, with the average of its printed outcomes.
fn printed_rows(shown: &str) -> Vec<(f64, Option<f64>)> {
    let mut rows: Vec<(f64, Vec<(f64, f64)>)> = Vec::new();
    for line in shown.lines().skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words[0].ends_with('.') {
            rows.push((printed_value(&words[1..]).0, Vec::new()));
            continue;
        }
        let mut rest = &words[..];
        while let [_, percent, "%", after @ ..] = rest {
            let (value, taken) = printed_value(after);
            let percent: f64 = percent.parse().expect("a number");
            rows.last_mut().expect("a row").1.push((percent, value));
            rest = &after[taken..];
        }
        assert!(rest.is_empty(), "{line}");
    }
    let average = |outcomes: Vec<(f64, f64)>| {
        let all: f64 = outcomes.iter().map(|(percent, _)| percent).sum();
        let sum: f64 = outcomes
            .iter()
            .map(|(percent, value)| percent * value)
            .sum();
        (!outcomes.is_empty()).then(|| sum / all)
    };
    rows.into_iter()
        .map(|(value, outcomes)| (value, average(outcomes)))
        .collect()
}

/// A game of random plies, every second one a flip while there are any.
fn random_line(plies: usize, mut seed: u64) -> String {
    let mut game =
        anqi_rules::Game::from_text("start", anqi_rules::Rules::OLYMPIAD).expect("a legal line");
    let mut draw = |among: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % among
    };
    for number in 0..plies {
        let mut actions = game.actions().to_vec();
        let wanted = |action: &anqi_rules::Action| action.is_flip() == (number % 2 == 0);
        if actions.iter().any(wanted) {
            actions.retain(wanted);
        }
        let action = actions[draw(actions.len())];
        let reveals: Vec<_> = game
            .position()
            .reveals()
            .map(|reveal| reveal.piece)
            .collect();
        let reveal = action.is_flip().then(|| reveals[draw(reveals.len())]);
        game.play(anqi_rules::Ply { action, reveal })
            .expect("a legal ply");
        if game.outcome().is_some() {
            game.undo();
            break;
        }
    }
    game.position().to_string()
}

#[test]
fn a_flip_is_worth_the_average_of_its_outcomes_and_actions_are_in_the_order_printed() {
    let mut flips = 0;
    for (plies, player, best) in [
        (1, "champion:hash=4", "6"),
        (9, "champion:evaluation=linear,hash=4", "64"),
        (20, "champion:hash=4", "64"),
        (31, "champion:hash=4", "5"),
        (44, "enhance", "4"),
        (55, "champion:hash=4", "64"),
        (60, "greedy", "3"),
        (70, "var3", "8"),
    ] {
        let position = random_line(plies, plies as u64);
        let limits = [
            "analyse", "--nodes", "2000", "--player", player, "--best", best,
        ];
        let shown = out(&anqi(&[&limits[..], &[&position]].concat(), ""));
        let rows = printed_rows(&shown);
        assert!(
            rows.windows(2).all(|pair| pair[0].0 >= pair[1].0),
            "{shown}"
        );
        for (value, average) in rows {
            let gap = average.map_or(0.0, |average| (value - average).abs());
            // One unit of the last digit.
            assert!(gap <= 0.001 + 1e-9, "{gap} for {value}\n{shown}");
        }
        let object = json(&[&limits[..], &["--json", &position]].concat());
        let actions = object["actions"].as_array().expect("a list");
        let expected = |value: &serde_json::Value| value["expected"].as_f64().expect("a value");
        let values: Vec<f64> = actions
            .iter()
            .map(|action| expected(&action["value"]))
            .collect();
        assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
        for action in actions {
            let outcomes = action["outcomes"].as_array().expect("a list");
            if outcomes.is_empty() || outcomes[0]["value"].is_null() {
                continue;
            }
            let shares = outcomes.iter();
            let average: f64 = shares
                .map(|o| o["chance"].as_f64().expect("a chance") * expected(&o["value"]))
                .sum();
            let value = expected(&action["value"]);
            assert!((value - average).abs() < 1e-9, "{action}");
            assert_eq!(action["line"][0]["value"], action["value"], "{action}");
            flips += 1;
        }
    }
    assert!(flips > 10, "{flips}");
}

#[test]
fn positions_are_analysed_and_finished_games_told() {
    assert_refused(&["analyse", "4/4 r - 0 0"], 2, &["2 rows"]);
    let arguments = [
        "analyse",
        "--nodes",
        "3000",
        "--best",
        "3",
        "start moves b2(G) b3(k)",
    ];
    let analysed = anqi(&arguments, "");
    let shown = out(&analysed);
    assert!(shown.starts_with("red to move, depth "), "{shown}");
    assert!(shown.contains("  3. "), "{shown}");
    assert!(shown.contains(" % "), "{shown}");
    // No live line without a terminal.
    assert_eq!(err(&analysed), "");
    let over = "4/4/4/4/4/4/P3/kP2 b - 0 0";
    assert_eq!(
        out(&anqi(&["analyse", over], "")),
        "the game is over: red wins\n"
    );
    let object = json(&["analyse", "--json", over]);
    assert_eq!(object["result"], "red wins");
    assert_eq!(object["actions"], serde_json::json!([]));
}

/// The output of an analysis that is interrupted after a while.
#[cfg(unix)]
fn interrupted(form: &str, after: std::time::Duration) -> Output {
    let position = "start moves b2(G) b3(k)";
    let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
        .args(["analyse", "--movetime", "600000", form, position])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    std::thread::sleep(after);
    let pid = child.id().to_string();
    // Repeated, because an interrupt before the program listens may be lost.
    for tenths in 0.. {
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        if tenths % 50 == 0 {
            let killed = Command::new("kill").args(["-INT", &pid]).status();
            assert!(killed.expect("there is a kill").success());
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    child.wait_with_output().expect("it ends")
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_prints_the_best_so_far() {
    // On a busy machine the first iteration may take a while to end.
    let patience = [1, 2, 4, 8, 16].map(std::time::Duration::from_secs);
    for (form, unfinished) in [("--best=3", "depth 0"), ("--json", "\"depth\":0")] {
        let output = patience
            .into_iter()
            .map(|after| interrupted(form, after))
            .find(|output| output.status.code() == Some(130) && !out(output).contains(unfinished))
            .expect("an interrupted analysis");
        let complaint = err(&output);
        assert!(complaint.starts_with("anqi: interrupted"), "{complaint}");
        let shown = out(&output);
        if form == "--json" {
            let object: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
            assert_eq!(object["interrupted"], true);
            assert!(!object["actions"].as_array().expect("a list").is_empty());
        } else {
            assert!(shown.contains("  1. "), "{shown}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_live_line_fits_the_terminal_and_ctrl_c_leaves_the_best_so_far() {
    use crate::common::terminal::{CTRL_C, Terminal};
    let columns = 24;
    let position = "start moves b2(G) b3(k)";
    let mut terminal = Terminal::open(columns, &["analyse", "--movetime", "600000", position]);
    terminal.see("depth 3  ");
    terminal.press(CTRL_C);
    assert_eq!(terminal.exit_code(), Some(130));
    terminal.see("anqi: interrupted");
    let shown = terminal.shown();
    let (live, answer) = shown.split_once("red to move").expect("an answer");
    let lines: Vec<&str> = live.split("\r\x1b[K").collect();
    assert!(lines.len() > 3, "{shown:?}");
    for line in lines {
        assert!(
            line.chars().count() < columns.into(),
            "{line:?} is too long"
        );
    }
    assert!(answer.contains("  1. "), "{shown:?}");
}

#[test]
fn small_endings_with_face_down_pieces_are_exact() {
    let position = "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40";
    let shown = out(&anqi(&["analyse", position], ""));
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with("black to move, exact"), "{shown}");
    assert!(lines[1].starts_with("  1. exact 2/3 a3?"), "{shown}");
    let probed = json(&["probe", "--json", position]);
    assert_eq!(
        (&probed["expected"], &probed["exact"]),
        (&"2/3".into(), &true.into())
    );
    // A capture may be 101 plies away, but these rules draw after 60 quiet plies: a search answers.
    let limited = [
        "analyse", "--json", "--nodes", "2000", "--rules", "platform", position,
    ];
    assert_eq!(json(&limited)["source"], "search");
    let limited = json(&["probe", "--json", "--rules", "platform", position]);
    assert_eq!(
        (&limited["expected"], &limited["exact"]),
        (&"2/3".into(), &false.into())
    );
}
