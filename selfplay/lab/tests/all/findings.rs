//! `lab findings`, `sums` and `chart`, and the record of counts that they share with `lattice`.

use std::fs;

use serde_json::Value;

use crate::common::{printed, refused};

fn found(arguments: &[&str]) -> Vec<Value> {
    let all: Value = serde_json::from_str(&printed(arguments)).unwrap();
    all["findings"].as_array().unwrap().clone()
}

fn number(value: &Value) -> u128 {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn findings_have_the_published_totals() {
    let all = found(&["findings", "--pieces", "4", "--json"]);
    let wins: Vec<u128> = all.iter().map(|one| number(&one["wins"])).collect();
    // As published for three and four pieces.
    assert_eq!(wins[1..], [7_822_064, 920_001_532]);
    let sets: Vec<u64> = all
        .iter()
        .map(|one| one["sets"].as_u64().unwrap())
        .collect();
    assert_eq!(sets, [49, 378, 1737]);
    assert_eq!(all[1]["longest"][0][1], 24);
    assert_eq!(all[2]["longest"][0], serde_json::json!(["GCkc", 101]));
    assert_eq!(number(&all[2]["wins_beyond"][0]), 22_874_392);
    for one in &all {
        let placements = number(&one["positions"]) / 2;
        let both: u128 = ["both_win", "both_draw", "both_lose"]
            .map(|key| number(&one[key]))
            .iter()
            .sum();
        assert!(both > 0 && both < placements);
        let at: u128 = one["wins_at"].as_array().unwrap().iter().map(number).sum();
        assert_eq!(at, number(&one["wins"]));
        let balances = one["balances"].as_array().unwrap();
        let counted: u128 = balances.iter().map(|b| number(&b["placements"])).sum();
        assert_eq!(counted, placements);
    }
    // With two pieces 31 of 64 placements of equal pieces are mutual zugzwang: all at even distance.
    let share = all[0]["zugzwangs"][0]["value"].as_f64().unwrap();
    assert!((share - 48.387).abs() < 0.001, "{share}");
}

#[test]
fn a_record_is_used_resumed_and_shared() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("counts.jsonl");
    let record = place.to_str().unwrap();
    let plain = printed(&["findings", "--pieces", "3"]);
    assert_eq!(
        printed(&["findings", "--pieces", "3", "--record", record]),
        plain
    );
    let text = fs::read_to_string(&place).unwrap();
    assert_eq!(text.lines().count(), 25);

    // A killed run leaves the beginning of a line.
    let (half, _) = text.split_at(text.len() / 2);
    fs::write(&place, half).unwrap();
    assert_eq!(
        printed(&["findings", "--pieces", "3", "--record", record]),
        plain
    );
    assert_eq!(fs::read_to_string(&place).unwrap().lines().count(), 25);

    // What stands there is used, not counted again.
    let changed = text.replacen("\"longest\":24", "\"longest\":26", 1);
    fs::write(&place, &changed).unwrap();
    let other = printed(&["findings", "--pieces", "3", "--record", record]);
    assert!(other.contains(" 26") && other != plain);

    // Other commands use the same counts.
    fs::write(&place, &text).unwrap();
    let worths = printed(&["lattice", "--pieces", "3"]);
    assert_eq!(
        printed(&["lattice", "--pieces", "3", "--record", record]),
        worths
    );
    assert_eq!(fs::read_to_string(&place).unwrap(), text);
}

#[test]
fn a_bad_record_is_refused_by_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("counts.jsonl");
    let record = place.to_str().unwrap();
    printed(&["findings", "--pieces", "2", "--record", record]);
    let text = fs::read_to_string(&place).unwrap();
    // Units are recorded as they are counted, in any order.
    let kings = text.lines().position(|line| line.contains("\"Kk\""));
    let kings = format!("line {}", kings.unwrap() + 1);
    for (bad, words) in [
        (format!("{text}nonsense\n"), "line 6"),
        (
            text.replacen("\"win\":512", "\"win\":511", 1),
            "do not add up",
        ),
        (
            text.replacen("\"unit\":\"Kk\"", "\"unit\":\"KXk\"", 1),
            &*kings,
        ),
        (
            text.replacen("\"unit\":\"Kk\"", "\"unit\":\"Gg\"", 1),
            "not the name of a unit",
        ),
    ] {
        assert_ne!(bad, text);
        fs::write(&place, bad).unwrap();
        refused(
            &["findings", "--pieces", "2", "--record", record],
            &["--record", words],
        );
    }
    let nowhere = dir.path().join("none").join("counts.jsonl");
    refused(
        &["findings", "--record", nowhere.to_str().unwrap()],
        &["--record"],
    );
}

#[test]
fn the_picture_has_a_line_for_each_number_of_pieces() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("wins.svg");
    printed(&[
        "findings",
        "--pieces",
        "4",
        "--svg",
        place.to_str().unwrap(),
    ]);
    let svg = fs::read_to_string(&place).unwrap();
    assert_eq!(svg.matches("<polyline").count(), 3);
    assert!(svg.contains("limit 60") && !svg.contains("NaN"));
    // The command of its own draws the same.
    assert_eq!(printed(&["chart", "--pieces", "4"]), svg);
}

#[test]
fn sums_are_those_of_the_findings() {
    let all = found(&["findings", "--pieces", "3", "--json"]);
    let sums: Value = serde_json::from_str(&printed(&["sums", "--pieces", "3", "--json"])).unwrap();
    let rows = sums["sums"].as_array().unwrap();
    assert_eq!(rows.len(), all.len());
    let text = printed(&["sums", "--pieces", "3"]);
    for (row, one) in rows.iter().zip(&all) {
        for (key, value) in row.as_object().unwrap() {
            assert_eq!(*value, one[key], "{key}");
        }
        assert!(text.contains(row["wins"].as_str().unwrap()), "{text}");
    }
}
