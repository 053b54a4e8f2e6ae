//! The program as it is started: arguments, exit codes, pipes.

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

fn anqi(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that does not read its input may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends by itself")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

#[track_caller]
fn assert_refused(arguments: &[&str], code: i32, parts: &[&str]) {
    let output = anqi(arguments, "");
    let message = err(&output);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(out(&output), "");
    for part in parts {
        assert!(message.contains(part), "'{part}' is not in: {message}");
    }
}

#[test]
fn wrong_arguments_name_the_flag_and_what_was_expected() {
    assert_refused(&["play", "--rules", "x"], 2, &["--rules", "olympiad"]);
    assert_refused(&["play", "--opponent", "x"], 2, &["--opponent", "greedy"]);
    assert_refused(&["play", "--first", "greedy", "--red"], 2, &["--red"]);
    assert_refused(
        &["play", "--level", "11"],
        2,
        &["--level", "1 to 10, or beginner, novice"],
    );
    assert_refused(&["play", "--color", "blue"], 2, &["--color", "never"]);
    assert_refused(&["play", "--depth", "0"], 2, &["--depth"]);
    assert_refused(&["play", "--deal", "KK"], 2, &["--deal", "8"]);
    let two_kings = "KK??/????/????/????/????/????/????/????";
    assert_refused(&["play", "--deal", two_kings], 2, &["--deal", "more K"]);
    assert_refused(
        &["play", "--load", "/nowhere/game.txt"],
        1,
        &["--load", "cannot read"],
    );
    assert_refused(&["perft"], 2, &["<DEPTH>"]);
    assert_refused(&["perft", "x"], 2, &["DEPTH"]);
    assert_refused(
        &["perft", "1", "--position", "K3 r"],
        2,
        &["--position", "fields"],
    );
    assert_refused(&["bench", "--player", "nobody"], 2, &["--player", "nobody"]);
    assert_refused(
        &["protocol", "--player", "nobody"],
        2,
        &["--player", "nobody"],
    );
    assert_refused(&["man", "nobody"], 2, &["'nobody'", "play"]);
    assert_refused(&["completions", "x"], 2, &["bash"]);
    assert_refused(&["chess"], 2, &["chess"]);
}

#[test]
fn every_fault_of_a_position_is_named() {
    let position = "KK2/4/4/4/4/4/4/?2? r p 5 3";
    let faults = ["2 of K", "2 squares are face down", "5 quiet plies"];
    assert_refused(&["play", "--position", position], 2, &faults);
}

#[test]
fn without_a_terminal_the_program_speaks_the_protocol() {
    let output = anqi(&[], "1 name\n4 boardsize 4\n5 quit\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(out(&output).starts_with("=1 "), "{}", out(&output));
    assert_eq!(
        out(&output),
        out(&anqi(&["protocol"], "1 name\n4 boardsize 4\n5 quit\n"))
    );
}

#[test]
fn a_game_in_a_pipe_is_plain_text_and_ends_with_the_input() {
    let output = anqi(&["play", "--opponent", "greedy", "--seed", "5"], "b2\n");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let shown = out(&output);
    assert!(shown.contains("first flip> b2\n"), "{shown}");
    assert!(
        shown.ends_with("End of input after 2 plies. Goodbye.\n"),
        "{shown}"
    );
    assert!(!shown.contains('\x1b'));
}

#[test]
fn colours_are_used_when_they_are_asked_for() {
    let shown = out(&anqi(
        &["play", "--color", "always", "--opponent", "random"],
        "quit\n",
    ));
    assert!(shown.contains("\x1b["));
    assert!(shown.matches("\x1b[0m").count() > 32);
}

#[test]
fn seats_by_colour_are_kept_whatever_the_deal() {
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let shown = out(&anqi(
            &["play", "--black", "--opponent", "greedy", "--seed", seed],
            "quit\n",
        ));
        assert!(shown.contains("black   you  ← to move"), "{shown}");
        assert!(shown.contains("red     greedy"), "{shown}");
    }
}

#[test]
fn two_players_play_to_the_end() {
    let game = [
        "play", "--red", "greedy", "--black", "random", "--seed", "7",
    ];
    let output = anqi(&game, "");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let shown = out(&output);
    let last = shown.lines().last().unwrap_or_default();
    let ends = ["Red wins (greedy)", "Black wins (random)", "Draw: "];
    assert!(ends.iter().any(|end| last.starts_with(end)), "{last}");
    assert_eq!(shown, out(&anqi(&game, "")));
}

#[test]
fn a_saved_game_is_loaded_with_everybody_on_the_old_seat() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let path = path.to_str().unwrap();
    let script = format!("b2\nc2\nsave {path}\nposition\n");
    let first = out(&anqi(
        &["play", "--opponent", "random", "--second"],
        &script,
    ));
    let second = out(&anqi(
        &["play", "--opponent", "random", "--load", path],
        "position\n",
    ));
    let position = |shown: &str| {
        let line = shown.lines().find(|l| l.matches('/').count() == 7);
        line.map(str::to_owned)
    };
    assert!(position(&first).is_some());
    assert_eq!(position(&first), position(&second));
    assert!(second.starts_with("Chinese dark chess: random begins against you."));
    let taken = out(&anqi(
        &["play", "--load", path, "--first", "--opponent", "random"],
        "",
    ));
    assert!(taken.starts_with("Chinese dark chess: you begin against random."));
}

#[test]
fn every_level_is_an_opponent_of_its_own() {
    for level in 1..=10 {
        let level = level.to_string();
        let shown = out(&anqi(
            &["play", "--level", &level, "--nodes", "500"],
            "b2\n",
        ));
        assert!(
            shown.contains(&format!("against champion:level={level}.\n")),
            "{shown}"
        );
        assert!(
            shown.ends_with("End of input after 2 plies. Goodbye.\n"),
            "{shown}"
        );
    }
}

#[test]
fn levels_have_names() {
    for (name, level) in [("beginner", 1), ("Master", 9), ("champion", 10)] {
        let arguments = ["play", "--level", name, "--nodes", "100"];
        let shown = out(&anqi(&arguments, "b2\n"));
        assert!(
            shown.contains(&format!("against champion:level={level}.\n")),
            "{shown}"
        );
    }
    let list = out(&anqi(&["players"], ""));
    assert!(list.contains("1 beginner, 2 novice, "), "{list}");
    assert!(out(&anqi(&["play", "--help"], "")).contains("beginner"));
}

#[test]
fn the_players_are_listed_and_every_one_of_them_plays() {
    let list = out(&anqi(&["players"], ""));
    let names: Vec<&str> = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"greedy") && names.len() >= 7, "{list}");
    for name in names {
        let game = ["play", "--opponent", name, "--depth", "1", "--seed", "3"];
        let shown = out(&anqi(&game, "b2\n"));
        assert!(
            shown.ends_with("End of input after 2 plies. Goodbye.\n"),
            "{name}: {shown}"
        );
    }
}

#[test]
fn perft_counts_by_depth_and_by_action() {
    let shown = out(&anqi(&["perft", "2"], ""));
    let leaves: Vec<&str> = shown
        .lines()
        .skip(1)
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    assert_eq!(leaves, ["448", "192448"]);
    let divided = out(&anqi(&["perft", "--divide", "2"], ""));
    assert_eq!(divided.lines().count(), 33);
    assert!(divided.ends_with("total 192448\n"), "{divided}");
}

#[test]
fn bench_has_a_signature_in_text_and_in_json() {
    let text = out(&anqi(&["bench", "--depth", "1"], ""));
    let nodes = text
        .lines()
        .find_map(|line| line.strip_prefix("Nodes searched:"))
        .expect("the signature")
        .trim();
    let json = out(&anqi(&["bench", "--depth", "1", "--json"], ""));
    let json: serde_json::Value = serde_json::from_str(&json).expect("one object");
    assert_eq!(json["nodes"].to_string(), nodes);
    let parts = json["positions"].as_array().expect("a list");
    let sum: u64 = parts.iter().filter_map(|part| part["nodes"].as_u64()).sum();
    assert_eq!(sum.to_string(), nodes);
}

#[test]
fn the_ablation_compares_every_technique_with_the_whole() {
    let signature = |json: &serde_json::Value| json["nodes"].as_u64().expect("a count");
    let read = |output: Output| -> serde_json::Value {
        serde_json::from_str(&out(&output)).expect("one object")
    };
    let whole = read(anqi(&["bench", "--depth", "2", "--json"], ""));
    let command = ["bench", "--ablation", "--depth", "2"];
    let json = read(anqi(&[&command[..], &["--json"]].concat(), ""));
    let rows = json["rows"].as_array().expect("a list");
    assert_eq!(signature(&rows[0]), signature(&whole));
    assert_eq!(rows[0]["setting"], "");
    for row in rows {
        let parts = row["positions"].as_array().expect("a list");
        let sum: u64 = parts.iter().map(signature).sum();
        assert_eq!(sum, signature(row));
        let ratio = sum as f64 / signature(&whole) as f64;
        let told = row["nodes_of_sum"].as_f64().expect("a number");
        assert!((told - ratio).abs() < 1e-9, "{row}");
    }
    let text = out(&anqi(&command, ""));
    for row in rows {
        let setting = row["setting"].as_str().expect("text");
        let what = row["what"].as_str().expect("text");
        let line = text.lines().find(|line| line.starts_with(what));
        let line = line.unwrap_or_else(|| panic!("{what} is not in {text}"));
        assert!(line.contains(setting), "{line}");
        // Two threads visit what they visit.
        let nodes = format!(" {} ", row["nodes"]);
        let known = line.contains(&nodes) || line.contains(&nodes.replacen(' ', " >", 1));
        assert!(known || setting == "threads=2", "{line}: {nodes}");
    }
    assert_refused(
        &["bench", "--ablation", "--player", "greedy"],
        2,
        &["--ablation", "--player"],
    );
    assert_refused(&["bench", "--patience", "3"], 2, &["--ablation"]);
}

#[test]
fn help_pages_and_scripts_come_whole() {
    for arguments in [
        vec!["--help"],
        vec!["play", "--help"],
        vec!["perft", "--help"],
        vec!["bench", "--help"],
        vec!["protocol", "--help"],
    ] {
        let output = anqi(&arguments, "");
        assert_eq!(output.status.code(), Some(0));
        assert!(out(&output).contains("Examples:"), "{arguments:?}");
    }
    assert!(out(&anqi(&["completions", "bash"], "")).contains("--opponent"));
    assert!(out(&anqi(&["man"], "")).starts_with(".ie"));
    assert!(out(&anqi(&["man", "play"], "")).contains("\\-\\-opponent"));
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    for arguments in [
        vec!["perft", "3", "--divide"],
        vec!["play", "--first", "random", "--second", "random"],
        vec!["man", "play"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
            .args(&arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program was built for this test");
        drop(child.stdout.take());
        let mut complaint = String::new();
        let mut stderr = child.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut complaint).expect("text");
        let status = child.wait().expect("it ends by itself");
        assert_eq!(
            (status.code(), complaint.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

/// What the program prints as JSON.
fn json(arguments: &[&str]) -> serde_json::Value {
    let output = anqi(arguments, "");
    serde_json::from_str(&out(&output)).unwrap_or_else(|_| panic!("{}", err(&output)))
}

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
        "position": won, "wdl": "win", "dtc": 1, "dtw": 1,
        "actions": [
            {"action": "a1-a2", "wdl": "win", "dtc": 1},
            {"action": "a1-b1", "wdl": "win", "dtc": 15},
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

/// Every value in an analysis, at whatever depth of the object.
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
            "analyse", "--json", "--nodes", "4000", "--best", "64", position,
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
            &["analyse", "--nodes", "4000", "--best", "64", position],
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
        "analyse", "--json", "--nodes", "4000", "--best", "64", position,
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
    // No line that is written over and over where nobody watches.
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

/// What is printed by an analysis that is interrupted after a while.
#[cfg(unix)]
fn interrupted(form: &str, after: std::time::Duration) -> Output {
    let position = "start moves b2(G) b3(k)";
    let child = Command::new(env!("CARGO_BIN_EXE_anqi"))
        .args(["analyse", "--movetime", "600000", form, position])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built for this test");
    std::thread::sleep(after);
    let pid = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &pid]).status();
    assert!(killed.expect("there is a kill").success());
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

#[test]
fn completions_and_manual_pages_are_in_the_help() {
    let help = out(&anqi(&["--help"], ""));
    for command in ["completions", "man", "analyse", "probe"] {
        let listed = help
            .lines()
            .any(|line| line.trim_start().starts_with(command));
        assert!(listed, "{command} is not in {help}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&anqi(&["completions", shell], ""));
        assert!(script.contains("opponent"), "{shell}");
    }
}

#[test]
fn damage_in_a_table_is_told_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("KMkgp.wdl"), "junk").expect("it can be written");
    let tables = folder.path().to_str().expect("a plain name");
    let position = "4/4/2g1/K3/1M2/3k/4/3p r - 0 0";
    let analysis = ["--tables", tables, "analyse", "--nodes", "500", position];
    let orders = format!("50 position {position}\n54 go nodes 50\n54 go nodes 50\n");
    for (arguments, input) in [
        (&analysis[..], ""),
        (&["--tables", tables, "protocol"], &orders),
    ] {
        let told = err(&anqi(arguments, input));
        assert_eq!(told.matches("not an anqi table").count(), 1, "{told}");
        assert!(told.contains("KMkgp.wdl"), "{told}");
    }
}
