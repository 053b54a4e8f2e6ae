//! Every column of every table and the figures of every report against a computation of their own
//! from the raw records, for both sides as starters and both colours.

mod own;
mod reports;
mod tables;

use crate::common::{printed, text};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Games with luck, draws and wins of both sides, and limits that differ.
const MATCH: &str = "--a champion:hash=1,tables=0 --b basic:depth=1 --a-nodes 60 --b-nodes 90 \
                     --b-depth 2 --games 16 --seed 18446744073709551557 --rules paper --adjust";

/// Plays the match into a folder, and gives its records what a match seldom has: a game that a
/// fault broke off, one that was drawn from ahead, and times, nodes and values that all differ.
fn play(folder: &Path) {
    let arguments: Vec<&str> = MATCH.split_whitespace().collect();
    printed(&[&arguments[..], &["--out", text(folder)]].concat());
    let path = folder.join("pairs.jsonl");
    let mut lines: Vec<Value> = read(&path);
    for (number, pair) in lines.iter_mut().enumerate() {
        for game in 0..2 {
            let base = 1_000 * number as u64 + 100 * game as u64;
            pair["timing"][game] = json!({
                "thinking_us": {"a": base + 11, "b": base + 22}, "total_us": 3 * base + 155,
            });
            pair["games"][game]["nodes"] = json!({"a": base + 33, "b": base + 44});
            let value = 5_000 + 7 * base as i64;
            pair["games"][game]["last_values"] = json!({"a": value, "b": null});
        }
        pair["games"][1]["last_values"] = json!({"a": -77, "b": 4_999 + number as i64});
    }
    break_off(&mut lines[0], 0, "a", 7);
    break_off(&mut lines[1], 1, "b", 0);
    let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(path, lines.concat()).expect("a folder");
}

/// Ends a game of a pair after some plies, by a fault of the other side.
fn break_off(pair: &mut Value, game: usize, winner: &str, plies: usize) {
    let record = &mut pair["games"][game];
    let kept = own::plies(record)[..plies].join(" ");
    let flips = kept.matches('(').count();
    record["plies"] = kept.into();
    if plies == 0 {
        record["starter_color"] = Value::Null;
    }
    let detail = "it said \"no,\nnever\"";
    record["verdict"] = json!({"winner": winner, "reason": "bad_answer", "detail": detail});
    let luck = pair["luck"]["flips"][game].as_array_mut().expect("luck");
    luck.truncate(flips);
}

fn read(path: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(path).expect("pairs");
    let read = |line| serde_json::from_str(line).expect("JSON");
    let mut pairs: Vec<Value> = lines.lines().map(read).collect();
    pairs.sort_by_key(|pair: &Value| pair["pair"].as_u64());
    pairs
}

fn pairs_of(folder: &Path) -> Vec<Value> {
    read(&folder.join("pairs.jsonl"))
}
