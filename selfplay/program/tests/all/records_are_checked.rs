//! Files of pairs are believed only if they are consistent: edited, damaged and
//! contradictory ones are refused by file and line.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{printed, run, text};
use serde_json::{Value, json};

const MATCH: [&str; 8] = [
    "--a", "greedy", "--b", "random", "--games", "8", "--seed", "3",
];

/// Plays the match into a folder and returns the place of its pairs.
fn played(folder: &Path) -> PathBuf {
    printed(&[&MATCH[..], &["--jobs", "1", "--out", text(folder)]].concat());
    folder.join("pairs.jsonl")
}

fn lines(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("pairs");
    text.lines().map(str::to_owned).collect()
}

fn write(file: &Path, lines: &[String]) {
    fs::write(file, lines.join("\n") + "\n").expect("writable");
}

/// Changes the record in a line.
fn edit(line: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut record = serde_json::from_str(line).expect("a record");
    change(&mut record);
    record.to_string()
}

/// Returns the words of a game's plies.
fn plies(record: &Value, game: usize) -> Vec<String> {
    let text = record["games"][game]["plies"].as_str().expect("plies");
    text.split(' ').map(str::to_owned).collect()
}

fn refused(arguments: &[&str], words: &[&str]) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?} prints figures");
    for word in words {
        assert!(errors.contains(word), "'{word}' is missing in: {errors}");
    }
}

/// Checks that an edited second line is refused by every command that reads it, for this reason.
fn edited_line_is_refused(change: impl FnOnce(&mut Value), reason: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = played(folder.path());
    let mut records = lines(&file);
    records[1] = edit(&records[1], change);
    write(&file, &records);
    let merged = folder.path().join("merged");
    let place = [text(&file), "line 2", reason];
    refused(&["analyze", text(folder.path())], &place);
    refused(
        &["merge", text(folder.path()), "--out", text(&merged)],
        &place,
    );
    assert!(!merged.exists(), "nothing is left behind");
    refused(
        &[&MATCH[..], &["--out", text(folder.path())]].concat(),
        &place,
    );
}

#[test]
fn a_result_that_the_plies_do_not_lead_to_is_refused() {
    let flip = |record: &mut Value| {
        let verdict = &mut record["games"][0]["verdict"];
        let won_by_a = verdict["winner"] == "a";
        verdict["winner"] = json!(if won_by_a { "b" } else { "a" });
    };
    edited_line_is_refused(flip, "but the plies lead to");
    let cut = |record: &mut Value| {
        let kept = plies(record, 1)[..9].join(" ");
        record["games"][1]["plies"] = json!(kept);
    };
    edited_line_is_refused(cut, "a game that is not over");
}

#[test]
fn illegal_and_garbled_plies_are_refused() {
    let garbled = |record: &mut Value| record["games"][0]["plies"] = json!("a1(K) what b2(P)");
    edited_line_is_refused(garbled, "'what' is no ply");
    let illegal = |record: &mut Value| {
        let mut plies = plies(record, 0);
        plies[1] = plies[0].clone();
        record["games"][0]["plies"] = json!(plies.join(" "));
    };
    edited_line_is_refused(illegal, "game 1 of pair 1: ply 2");
    let longer = |record: &mut Value| {
        let mut plies = plies(record, 0);
        plies.push(plies[plies.len() - 1].clone());
        record["games"][0]["plies"] = json!(plies.join(" "));
    };
    edited_line_is_refused(longer, "comes after the end of the game");
}

#[test]
fn pieces_that_the_deal_does_not_have_there_are_refused() {
    let exchange = |record: &mut Value| {
        let recolored = |letter: char| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        };
        let other_colors = |ply: &String| match ply.split_once('(') {
            Some((square, piece)) => {
                let piece: String = piece.chars().map(recolored).collect();
                format!("{square}({piece}")
            }
            None => ply.clone(),
        };
        let plies: Vec<String> = plies(record, 0).iter().map(other_colors).collect();
        record["games"][0]["plies"] = json!(plies.join(" "));
    };
    edited_line_is_refused(exchange, "but the deal of this pair has");
}

#[test]
fn impossible_pairs_starters_and_colors_are_refused() {
    edited_line_is_refused(
        |record| record["pair"] = json!(4),
        "no pair 4 in a match of 4",
    );
    edited_line_is_refused(
        |record| record["pair"] = json!(u64::MAX),
        "no pair 18446744073709551615",
    );
    let swap = |record: &mut Value| {
        let games = record["games"].as_array_mut().expect("two games");
        games.swap(0, 1);
    };
    edited_line_is_refused(swap, "game 1 of pair 1: B starts");
    let color = |record: &mut Value| {
        let color = &mut record["games"][1]["starter_color"];
        *color = json!(if *color == "red" { "black" } else { "red" });
    };
    edited_line_is_refused(color, "the colour of the starter");
}

/// Makes another valid record of the same pair: its first game ends by a crash.
fn broken_off(line: &str) -> String {
    edit(line, |record| {
        let kept = plies(record, 0)[..5].join(" ");
        let game = &mut record["games"][0];
        game["plies"] = json!(kept);
        game["verdict"] = json!({"winner": "b", "reason": "crash", "detail": "out of ideas"});
    })
}

#[test]
fn contradictory_copies_of_a_pair_are_refused_and_equal_ones_count_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two, merged] = ["one", "two", "merged"].map(|name| folder.path().join(name));
    let (first, second) = (played(&one), played(&two));
    let both = ["analyze", text(&one), text(&two), "--json"];
    let whole = printed(&["analyze", text(&one), "--json"]);
    assert_eq!(printed(&both), whole);
    let mut records = lines(&second);
    records[2] = broken_off(&records[2]);
    write(&second, &records);
    printed(&["analyze", text(&two)]);
    let places = [
        format!("{}, line 3", first.display()),
        format!("{}, line 3", second.display()),
    ];
    let words = [&places[0], &places[1], "pair 2 contradicts"];
    refused(&both, &words);
    let merge = ["merge", text(&one), text(&two), "--out", text(&merged)];
    refused(&merge, &words);
    assert!(!merged.exists());
    let mut twice = lines(&first);
    twice.push(broken_off(&twice[0]));
    write(&first, &twice);
    refused(&["analyze", text(&one)], &["line 1", "line 5", "pair 0"]);
}

/// Shards are merged only if they agree in everything that decides how games go.
#[test]
fn shards_of_other_versions_rules_and_openings_are_not_merged() {
    let folder = tempfile::tempdir().expect("a folder");
    let [one, two, merged] = ["one", "two", "merged"].map(|name| folder.path().join(name));
    played(&one);
    played(&two);
    let meta = fs::read_to_string(two.join("meta.json")).expect("meta data");
    let opening = "K3/4/4/4/4/4/4/2k? r p 0 0";
    for (field, other, difference) in [
        (
            "program",
            json!("selfplay 0.0.1"),
            "the program is selfplay 0.0.1",
        ),
        ("rules", json!("paper"), "the set of rules is paper"),
        ("deal", json!("squares"), "the kind of deal is squares"),
        ("seed", json!(4), "the seed is 4"),
        (
            "openings",
            json!([opening]),
            "the set of openings is 1 position",
        ),
        (
            "adjudication",
            json!({"tables": {"pieces": 3}}),
            "the adjudication is tables",
        ),
        ("openings", json!(["tea"]), "'tea' is not a position"),
    ] {
        let edited = edit(&meta, |meta| meta["identity"][field] = other);
        fs::write(two.join("meta.json"), edited).expect("writable");
        let merge = ["merge", text(&one), text(&two), "--out", text(&merged)];
        refused(&merge, &[text(&two), difference]);
        assert!(!merged.exists(), "{field}");
    }
}

#[test]
fn lines_without_an_end_are_reported_and_do_not_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = played(folder.path());
    let content = fs::read_to_string(&file).expect("pairs");
    fs::write(&file, &content[..content.len() - 50]).expect("writable");
    let output = run(&["analyze", text(folder.path()), "--json"]);
    let warning = format!("{}, line 4 is incomplete", file.display());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains(&warning), "{errors}");
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["pairs"], 3);
    // Resuming the match cuts the line off: what follows stands on lines of its own.
    let output = run(&[&MATCH[..], &["--out", text(folder.path())]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains(&warning));
    let pairs: Vec<u64> = lines(&file)
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record"))
        .map(|record| record["pair"].as_u64().expect("a number"))
        .collect();
    assert_eq!(pairs, [0, 1, 2, 3]);
    assert!(run(&["analyze", text(folder.path())]).stderr.is_empty());
}

#[cfg(unix)]
#[test]
fn pipes_are_refused_instead_of_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["meta.json", "pairs.jsonl", "pairs-1-of-2.jsonl"] {
        let match_folder = folder.path().join(name.replace('.', "-"));
        played(&match_folder);
        let pipe = match_folder.join(name);
        let _ = fs::remove_file(&pipe);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo exists").success());
        refused(&["analyze", text(&match_folder)], &[text(&pipe), "regular"]);
        let again = [&MATCH[..], &["--out", text(&match_folder)]].concat();
        refused(&again, &[text(&pipe), "regular"]);
    }
}
