//! Outside programs that misbehave in every way: each way is a result of its
//! own kind, the match continues, and nothing hangs.

use std::time::{Duration, Instant};

use crate::common::{mock, mock_uci, printed, run};

/// Plays a match of the mock (A) against a built-in player and returns its JSON.
fn play(deed: &str, games: u32, more: &[&str]) -> serde_json::Value {
    play_player(&mock(deed), games, more)
}

fn play_player(player: &str, games: u32, more: &[&str]) -> serde_json::Value {
    let games = games.to_string();
    let mut arguments = vec!["--a", player, "--b", "greedy", "--games", &games];
    arguments.extend(["--seed", "1", "--json"]);
    arguments.extend(more);
    serde_json::from_str(&printed(&arguments)).expect("JSON")
}

/// Returns the player for the engine of all dialects, in the one-line dialect.
fn faulty_line(fault: &str) -> String {
    format!(
        "line:'{}' {fault}",
        crate::common::example_path("faulty_engine")
    )
}

/// Checks that all games ended for one reason and were scored for the other side.
fn all_lost_by(document: &serde_json::Value, reason: &str) {
    let games = document["games"].as_u64().expect("a count");
    assert_eq!(document["reasons"][reason]["b_wins"], games, "{document:#}");
    assert_eq!(document["faults"], games);
    assert_eq!(document["advantage_ratio_b"], 4.0);
}

#[test]
fn a_polite_program_plays_whole_games_and_the_same_ones_again() {
    let document = play("polite", 6, &["--jobs", "1"]);
    assert_eq!(document["faults"], 0, "{document:#}");
    assert!(document["plies"]["shortest"].as_u64() > Some(30));
    assert_eq!(document, play("polite", 6, &["--jobs", "2"]));
}

#[test]
fn a_crash_is_a_crash() {
    let document = play("crash 3", 6, &[]);
    all_lost_by(&document, "crash");
    assert_eq!(
        document["plies"]["longest"], 5,
        "it starts half of the games"
    );
}

#[test]
fn an_early_exit_is_a_crash_too() {
    all_lost_by(&play("exit 1", 4, &[]), "crash");
}

#[test]
fn garbage_is_a_bad_answer() {
    all_lost_by(&play("garbage 2", 4, &[]), "bad_answer");
}

#[test]
fn an_illegal_action_is_named() {
    all_lost_by(&play("illegal 2", 4, &[]), "illegal_action");
}

#[test]
fn silence_is_a_stall() {
    let begun = Instant::now();
    all_lost_by(&play("stall 2", 4, &["--stall-after", "1"]), "stall");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_flood_is_dammed() {
    let begun = Instant::now();
    all_lost_by(&play("flood 1", 2, &[]), "flood");
    assert!(begun.elapsed() < Duration::from_secs(40));
}

#[test]
fn a_late_answer_loses_on_time_and_is_not_a_stall() {
    let clock = [
        "--a-movetime",
        "100",
        "--b-nodes",
        "1",
        "--time-margin",
        "50",
    ];
    let document = play("slow 2", 2, &clock);
    all_lost_by(&document, "time_forfeit");
    assert_eq!(document["clock"], true);
}

#[test]
fn a_total_runs_out_over_many_moves_of_which_none_is_late() {
    let clock = ["--a-tc", "0.6+0", "--b-nodes", "1", "--time-margin", "20"];
    let document = play("drowsy", 2, &clock);
    all_lost_by(&document, "time_forfeit");
    // Ten moves of 60 ms are the whole time; a busy machine makes them fewer.
    let shortest = document["plies"]["shortest"].as_u64().expect("a length");
    let longest = document["plies"]["longest"].as_u64().expect("a length");
    assert!(
        (4..=21).contains(&shortest) && longest <= 21,
        "{document:#}"
    );
}

/// What a `time_left` line says: a colour and milliseconds.
fn time_left(line: &str) -> Option<(&str, i64)> {
    let (color, left) = line.strip_prefix("16 time_left ")?.split_once(' ')?;
    Some((color, left.parse().ok()?))
}

#[test]
fn a_program_is_told_the_clock_of_the_side_that_has_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let program = crate::common::example_path("mock_engine");
    // Its third move takes 700 ms.
    let player = format!("cmd:sh -c \"tee {} | {program} slow 3\"", log.display());
    let clock = ["--tc", "60+0.5", "--jobs", "1", "--restart"];
    let document = play_player(&player, 2, &clock);
    assert_eq!(document["faults"], 0, "{document:#}");
    // Every process overwrites the log: this is the second game, which B starts.
    let log = std::fs::read_to_string(log).expect("a log");
    assert!(log.contains("15 time_settings 60000\n"), "{log}");
    let lines: Vec<&str> = log.lines().collect();
    let is_ply = |line: &str| line.starts_with("10 move") || line.starts_with("11 flip");
    let told: Vec<(&str, i64)> = lines
        .windows(2)
        .filter(|two| is_ply(two[0]))
        .map(|two| time_left(two[1]).expect("the clock follows the ply"))
        .collect();
    let first_flip = lines.iter().find(|line| line.starts_with("11 flip"));
    let piece = first_flip.and_then(|line| line.chars().last());
    let begins = if piece.expect("a piece").is_ascii_uppercase() {
        "red"
    } else {
        "black"
    };
    let mut left = [60_000; 2];
    for (ply, &(color, now)) in told.iter().enumerate() {
        let side = ply % 2;
        assert_eq!(color == begins, side == 0, "ply {ply}");
        let spent = left[side] + 500 - now;
        // The sixth ply is the program's third.
        let expected = if ply == 5 { 700..1_500 } else { 0..600 };
        assert!(expected.contains(&spent), "ply {ply} took {spent} ms");
        left[side] = now;
    }
    assert!(told.len() > 30);
}

#[test]
fn a_fault_in_one_game_leaves_the_next_one_alone() {
    // 60 moves last for some games, or for most of one: whichever process gets
    // there crashes, and the games after it are played by a new one.
    let document = play("crash 60", 8, &["--jobs", "1"]);
    let faults = document["faults"].as_u64().expect("a count");
    assert!((1..8).contains(&faults), "{document:#}");
}

#[test]
fn a_program_may_be_started_anew_for_every_game() {
    // No process that plays one game only reaches its 400th move.
    let document = play("crash 400", 12, &["--jobs", "1", "--restart"]);
    assert_eq!(document["faults"], 0, "{document:#}");
    let document = play("crash 400", 12, &["--jobs", "1"]);
    assert_eq!(document["faults"], 1, "{document:#}");
}

#[test]
fn programs_that_cannot_be_started_end_the_match_before_it_begins() {
    let output = run(&["--a", "cmd:/nowhere/engine", "--b", "greedy"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors.contains("player A") && errors.contains("/nowhere/engine"),
        "{errors}"
    );
    let output = run(&["--a", "greedy", "--b", "cmd:"]);
    assert_eq!(output.status.code(), Some(1));
    let output = run(&["--a", "gredy", "--b", "greedy"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("gredy") && errors.contains("greedy"),
        "{errors}"
    );
}

#[test]
fn the_other_dialect_plays_and_fails_in_the_same_ways() {
    let document = play_player(&mock_uci(""), 6, &[]);
    assert_eq!(document["faults"], 0, "{document:#}");
    assert!(document["plies"]["shortest"].as_u64() > Some(30));
    assert_eq!(document["nodes_per_move"]["a"], 7.0);
    all_lost_by(&play_player(&mock_uci("garbage"), 4, &[]), "bad_answer");
    all_lost_by(&play_player(&mock_uci("exit"), 4, &[]), "crash");
    let hasty = ["--stall-after", "1"];
    all_lost_by(&play_player(&mock_uci("stall"), 2, &hasty), "stall");
}

#[test]
fn the_one_line_dialect_plays_and_fails_in_the_same_ways() {
    let document = play_player(&faulty_line("none"), 6, &["--rules", "course"]);
    assert_eq!(document["faults"], 0, "{document:#}");
    assert!(document["plies"]["shortest"].as_u64() > Some(30));
    all_lost_by(&play_player(&faulty_line("garbage"), 4, &[]), "bad_answer");
    all_lost_by(
        &play_player(&faulty_line("middle-game"), 4, &[]),
        "illegal_action",
    );
    all_lost_by(&play_player(&faulty_line("exit"), 4, &[]), "crash");
    let hasty = ["--stall-after", "1"];
    all_lost_by(&play_player(&faulty_line("stall"), 2, &hasty), "stall");
}

#[test]
fn a_program_of_the_one_line_dialect_is_shown_what_its_server_would_show() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let program = crate::common::example_path("faulty_engine");
    let player = format!("line:sh -c \"tee {} | {program} none\"", log.display());
    let clock = ["--tc", "60+0", "--jobs", "1", "--rules", "course"];
    let document = play_player(&player, 2, &clock);
    assert_eq!(document["faults"], 0, "{document:#}");
    // A process for each game, and each overwrites the log: this is the game that B starts.
    let log = std::fs::read_to_string(log).expect("a log");
    let lines: Vec<&str> = log.lines().collect();
    let start = "????????/????????/????????/???????? r -9999 -9999";
    assert_eq!(lines[0], start, "{log}");
    let is_asked = |line: &&str| !line.ends_with("-9999 -9999");
    for (number, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(is_asked(line), number % 2 == 1, "{line}");
        assert_eq!(words.len(), 4, "{line}");
        assert_eq!(
            words[1],
            if number % 2 == 1 { lines[1] } else { lines[2] }
                .split(' ')
                .nth(1)
                .expect("a turn")
        );
    }
    let asked: Vec<&&str> = lines.iter().filter(|line| is_asked(line)).collect();
    assert!(asked.len() > 10, "{log}");
    let fraction = |line: &str| line.split(' ').skip(2).any(|time| time.contains('.'));
    assert!(asked.iter().skip(1).all(|line| fraction(line)), "{log}");
}

#[test]
fn matches_by_rules_that_a_program_cannot_be_told_warn_once() {
    let warnings = |rules: &str| {
        let arguments = [
            "--a",
            &faulty_line("none"),
            "--b",
            "greedy",
            "--games",
            "2",
            "--tc",
            "60+0",
        ];
        let output = run(&[&arguments[..], &["--rules", rules]].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (errors.matches("warning").count(), errors)
    };
    let (count, errors) = warnings("platform");
    assert!(count == 1 && errors.contains("rules course"), "{errors}");
    let (count, errors) = warnings("course");
    assert_eq!(count, 0, "{errors}");
}

#[test]
fn no_process_is_left_behind() {
    let marker = format!("stall 1 marker{}", std::process::id());
    play(&marker, 2, &["--stall-after", "1"]);
    let left = std::fs::read_dir("/proc").map_or(0, |entries| {
        let command_lines =
            entries.filter_map(|e| std::fs::read(e.ok()?.path().join("cmdline")).ok());
        let marked = marker.replace(' ', "\0");
        command_lines
            .filter(|line| String::from_utf8_lossy(line).contains(&marked))
            .count()
    });
    assert_eq!(left, 0);
}
