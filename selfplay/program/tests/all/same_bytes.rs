//! The same match gives the same bytes, however it was played: on one thread or
//! two, in one run or in shards, killed and resumed or not.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::{printed, run, selfplay};

/// A match that takes long enough to be interrupted.
const MATCH: [&str; 10] = [
    "--a",
    "basic:depth=2",
    "--b",
    "greedy",
    "--nodes",
    "400",
    "--games",
    "120",
    "--seed",
    "11",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    MATCH.iter().copied().chain(more.iter().copied()).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
fn threads_do_not_matter() {
    let one = printed(&with(&["--json", "--jobs", "1"]));
    let two = printed(&with(&["--json", "--jobs", "2"]));
    let many = printed(&with(&["--json", "--jobs", "7"]));
    assert_eq!(one, two);
    assert_eq!(one, many);
    let other_seed = printed(&with(&["--json"])).replace("\"seed\": 11", "");
    let seed = |seed| {
        let mut arguments = with(&["--json"]);
        arguments[9] = seed;
        printed(&arguments)
    };
    assert_ne!(other_seed, seed("12").replace("\"seed\": 12", ""));
}

#[test]
fn shards_put_together_are_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = printed(&with(&["--json"]));
    let parts: Vec<String> = (1..=3)
        .map(|i| text(&folder.path().join(format!("part{i}"))).to_owned())
        .collect();
    for (i, part) in parts.iter().enumerate() {
        let shard = format!("{}/3", i + 1);
        printed(&with(&["--shard", &shard, "--out", part]));
    }
    let merged = folder.path().join("merged");
    let mut arguments = vec!["merge", "--out", text(&merged)];
    arguments.extend(parts.iter().map(String::as_str));
    printed(&arguments);
    assert_eq!(printed(&["analyze", text(&merged), "--json"]), whole);
    let mut arguments = vec!["analyze"];
    arguments.extend(parts.iter().map(String::as_str));
    arguments.push("--json");
    assert_eq!(printed(&arguments), whole, "analysis merges by itself");
    assert_eq!(
        printed(&with(&["--json", "--out", text(&merged)])),
        whole,
        "nothing is missing"
    );
}

#[test]
fn shards_may_share_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    printed(&with(&["--shard", "1/2", "--out", out]));
    let output = printed(&with(&["--shard", "2/2", "--out", out, "--json"]));
    assert_eq!(output, printed(&with(&["--json"])));
}

#[test]
fn a_longer_match_goes_on_from_a_shorter_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let mut shorter = with(&["--out", out]);
    shorter[7] = "30";
    printed(&shorter);
    assert_eq!(
        printed(&with(&["--out", out, "--json"])),
        printed(&with(&["--json"]))
    );
}

/// Starts a match too long to end, which begins with the usual one.
fn start(out: &str) -> Child {
    let mut arguments = with(&["--out", out, "--jobs", "2"]);
    arguments[7] = "40000";
    let mut command = selfplay(&arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

fn finished_pairs(out: &Path) -> usize {
    let text = std::fs::read_to_string(out.join("pairs.jsonl")).unwrap_or_default();
    text.lines().count()
}

/// Returns the first pairs of a folder in order, without their times, and checks that each is there once.
fn first_pairs(out: &Path, count: u64) -> Vec<String> {
    let text = std::fs::read_to_string(out.join("pairs.jsonl")).expect("pairs");
    assert!(text.ends_with('\n'), "every line has an end");
    let mut pairs = BTreeMap::new();
    for line in text.lines() {
        let mut record: serde_json::Value = serde_json::from_str(line).expect("a whole line");
        record["timing"] = serde_json::Value::Null;
        let number = record["pair"].as_u64().expect("a number");
        let before = pairs.insert(number, record.to_string());
        assert_eq!(before, None, "pair {number} was played twice");
    }
    let first = (0..count).map(|number| pairs.remove(&number));
    first.map(|pair| pair.expect("none is missing")).collect()
}

#[test]
fn killed_ten_times_and_gone_on_with_it_is_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let [killed, whole] = ["killed", "whole"].map(|name| folder.path().join(name));
    for round in 0..10_u64 {
        let before = finished_pairs(&killed);
        let mut child = start(text(&killed));
        // The later half is killed in the middle of play, the earlier one perhaps before.
        while round >= 5 && finished_pairs(&killed) <= before {
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_millis(round * 7 % 20));
        let running = child.try_wait().expect("a child").is_none();
        assert!(running, "the match ended before it was killed");
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    assert!(finished_pairs(&killed) >= 5);
    let output = printed(&with(&["--out", text(&killed), "--json"]));
    assert_eq!(output, printed(&with(&["--out", text(&whole), "--json"])));
    assert_eq!(first_pairs(&killed, 60), first_pairs(&whole, 60));
}

#[test]
fn half_a_line_is_cut_off_and_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, file) = (text(folder.path()), folder.path().join("pairs.jsonl"));
    let whole = printed(&with(&["--out", out, "--json"]));
    let content = std::fs::read(&file).expect("pairs");
    std::fs::write(&file, &content[..content.len() - 100]).expect("writable");
    assert_eq!(printed(&with(&["--out", out, "--json"])), whole);
    assert_eq!(first_pairs(folder.path(), 60).len(), 60);
    assert_eq!(printed(&["analyze", out, "--json"]), whole);
}

#[test]
fn another_match_in_the_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let mut short = with(&["--out", out]);
    short[7] = "2";
    printed(&short);
    for (place, other, named) in [
        (9, "12", "seed"),
        (3, "random", "player B"),
        (5, "500", "limit"),
    ] {
        let mut arguments = short.clone();
        arguments[place] = other;
        let output = run(&arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(named) && errors.contains(other), "{errors}");
    }
}

#[test]
fn damaged_files_are_named_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, file) = (text(folder.path()), folder.path().join("pairs.jsonl"));
    let mut short = with(&["--out", out]);
    short[7] = "4";
    printed(&short);
    let content = std::fs::read_to_string(&file).expect("pairs");
    std::fs::write(&file, content.replacen("\"pair\"", "\"peer\"", 1)).expect("writable");
    let output = run(&short);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors.contains("pairs.jsonl") && errors.contains("line 1"),
        "{errors}"
    );
}

#[test]
fn a_sequential_test_decides_the_same_on_any_number_of_threads() {
    let test = ["--sprt", "elo0=0,elo1=60", "--json"];
    let one = printed(&with(&[&test[..], &["--jobs", "1"]].concat()));
    assert_eq!(one, printed(&with(&[&test[..], &["--jobs", "5"]].concat())));
    let document: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(document["sprt"]["decision"], "elo1", "{document:#}");
    assert!(document["pairs"].as_u64() < Some(60), "it stops early");
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_written_to_and_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    std::fs::write(&file, "").expect("writable");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let mut short = with(&["--json", text(&link)]);
    short[7] = "2";
    printed(&short);
    assert!(link.is_symlink());
    assert!(
        std::fs::read_to_string(&file)
            .expect("text")
            .starts_with('{')
    );
    short[11] = "/dev/full";
    let output = run(&short);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("/dev/full"), "{errors}");
}

/// Sends a signal with the `kill` command.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = std::process::Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill exists").success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_the_pairs_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    // Long enough to be caught in the middle.
    let mut long = with(&["--out", out, "--json"]);
    long[7] = "40000";
    let mut command = selfplay(&long);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    while finished_pairs(folder.path()) < 5 {
        thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(
        errors.contains("to resume:") && errors.contains("--games 40000"),
        "{errors}"
    );
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        document["pairs"],
        finished_pairs(folder.path()),
        "no pair is lost or halved"
    );
}
