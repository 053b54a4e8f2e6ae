//! The command line: arguments, exit codes, pipes.

mod common;

use common::{anqi, assert_refused, err, out};
use std::io::Read;
use std::process::{Command, Stdio};

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
fn parameters_are_listed_for_programs_and_people() {
    let listed = |arguments: &[&str]| out(&anqi(arguments, ""));
    let json: serde_json::Value =
        serde_json::from_str(&listed(&["options", "--json"])).expect("JSON");
    let all = json.as_array().expect("an array");
    let margin = all
        .iter()
        .find(|entry| entry["player"] == "basic" && entry["name"] == "null-margin");
    let margin = margin.expect("a parameter of basic");
    assert_eq!(margin["kind"], "integer");
    assert_eq!(
        (&margin["min"], &margin["max"]),
        (&(-22_000).into(), &22_000.into())
    );
    assert_eq!(
        (&margin["default"], &margin["step"]),
        (&0.into(), &20.into())
    );
    assert!(
        margin["meaning"]
            .as_str()
            .is_some_and(|meaning| !meaning.is_empty())
    );
    let table = listed(&["options", "--player", "var2"]);
    assert!(
        table.contains("1 to 14") && !table.contains("champion"),
        "{table}"
    );
    assert_refused(
        &["options", "--player", "nobody"],
        2,
        &["'nobody'", "champion"],
    );
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
fn the_default_opponent_is_the_pages_and_the_strongest_is_a_line_away() {
    let shown = out(&anqi(&["play", "--seed", "5"], "flip b2\n"));
    assert!(shown.contains("you begin against level 3."), "{shown}");
    assert!(
        shown.contains("For the strongest opponent: anqi play --level 10.\n"),
        "{shown}"
    );
    assert!(shown.contains("Level 3 "), "{shown}");
    let shown = out(&anqi(&["play", "--level", "10"], "quit\n"));
    assert!(shown.contains("you begin against level 10."), "{shown}");
    assert!(!shown.contains("strongest"), "{shown}");
    let shown = out(&anqi(&["players"], ""));
    assert!(shown.contains("for anqi play level 3 of it"), "{shown}");
}

#[test]
fn perft_gives_no_rate_of_a_time_that_is_shown_as_zero() {
    let shown = out(&anqi(&["perft", "1"], ""));
    let row: Vec<&str> = shown
        .lines()
        .nth(1)
        .expect("a row")
        .split_whitespace()
        .collect();
    assert_eq!(row[..2], ["1", "448"], "{shown}");
    assert_eq!(row[2] == "0.000", row[4] == "-", "{shown}");
}

#[test]
fn a_file_that_is_no_game_is_told_the_formats_that_were_tried() {
    let output = anqi(&["review", "-"], "Dear Anna\n");
    assert_eq!(output.status.code(), Some(2));
    let told = err(&output);
    for part in [
        "tried PGN (line 1, column 1",
        "the platform's record (",
        "JSON (",
        "a position string (",
    ] {
        assert!(told.contains(part), "{told}");
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
            shown.contains(&format!("against level {level}.\n")),
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
            shown.contains(&format!("against level {level}.\n")),
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
fn perft_counts_the_flips_of_a_side_without_pieces_by_a_courses_rules_alone() {
    let position = "?3/4/4/4/4/4/4/1K2 b G 0 9";
    for (rules, total) in [("course", "total 1\n"), ("olympiad", "total 0\n")] {
        let args = [
            "perft",
            "--divide",
            "1",
            "--rules",
            rules,
            "--position",
            position,
        ];
        let counted = out(&anqi(&args, ""));
        assert!(counted.ends_with(total), "{rules}: {counted}");
    }
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

/// A file for a log in a folder of its own.
fn log_file() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.log");
    let name = file.to_str().expect("text").to_owned();
    (folder, name)
}

#[test]
fn the_log_of_a_conversation_has_every_line_with_its_time() {
    let (_folder, name) = log_file();
    let arguments = ["protocol", "--player", "random", "--log", &name];
    let output = anqi(&arguments, "1 name\n12 nonsense\n4 list_commands\nquit\n");
    assert!(output.status.success(), "{}", err(&output));
    let log = std::fs::read_to_string(&name).expect("a log");
    let mut lines = log.lines();
    assert!(
        lines.next().is_some_and(|line| line.starts_with("# anqi ")),
        "{log}"
    );
    let mut last = 0;
    let said: Vec<&str> = lines
        .map(|line| {
            let (time, rest) = line.split_once(' ').expect("a time");
            let time: u64 = time.parse().expect("milliseconds");
            assert!(time >= last, "{log}");
            last = time;
            rest
        })
        .collect();
    assert!(said.starts_with(&["> 1 name"]), "{log}");
    for expected in ["< =1 anqi", "> 12 nonsense", "<  name", "> quit", "< = "] {
        assert!(said.contains(&expected), "{expected}: {log}");
    }
    let refusals = said
        .iter()
        .filter(|line| line.starts_with("< ?12 "))
        .count();
    assert_eq!(refusals, 1, "{log}");
    // Another conversation is appended.
    anqi(&arguments, "1 name\n");
    let both = std::fs::read_to_string(&name).expect("a log");
    assert!(
        both.starts_with(&log) && both.matches("# anqi ").count() == 2,
        "{both}"
    );
}

#[test]
fn a_log_that_cannot_be_written_is_told_once_and_stops_nothing() {
    let mut files = vec!["/nowhere/game.log"];
    if cfg!(target_os = "linux") {
        files.push("/dev/full");
    }
    for file in files {
        let output = anqi(&["protocol", "--log", file], "1 name\n1 name\nquit\n");
        assert!(output.status.success());
        assert_eq!(out(&output), "=1 anqi\n=1 anqi\n= \n");
        let told = err(&output);
        assert!(
            told.contains(&format!("cannot write the log '{file}'")),
            "{told}"
        );
        assert_eq!(told.lines().count(), 1, "{told}");
    }
}

#[test]
fn the_rules_of_a_conversation_can_be_chosen() {
    let options = |arguments: &[&str]| {
        let arguments = [&["protocol", "--player", "random"], arguments].concat();
        out(&anqi(&arguments, "options\n"))
    };
    assert!(options(&[]).contains("\n rules olympiad\n no_progress 180\n"));
    let course = options(&["--rules", "course"]);
    assert!(course.contains("\n rules course\n"), "{course}");
    let longer = options(&["--rules", "platform", "--no-progress", "77"]);
    assert!(
        longer.contains("\n rules custom\n no_progress 77\n repetition sequence 3\n"),
        "{longer}"
    );
    for none in ["none", "0"] {
        let endless = options(&["--no-progress", none]);
        assert!(
            endless.contains("\n no_progress none\n repetition position 3\n"),
            "{endless}"
        );
    }
    assert_refused(
        &["protocol", "--rules", "x"],
        2,
        &["--rules", "olympiad", "course"],
    );
    assert_refused(
        &["protocol", "--no-progress", "soon"],
        2,
        &["--no-progress", "plies"],
    );
}
