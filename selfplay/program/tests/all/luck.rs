//! Matches with the luck taken out, by the whole program.

use std::fs;
use std::path::Path;

use crate::common::{printed, run};
use serde_json::Value;

const MATCH: [&str; 10] = [
    "--a",
    "basic:depth=2,eval=dynamic",
    "--b",
    "basic:depth=2",
    "--nodes",
    "300",
    "--games",
    "60",
    "--seed",
    "5",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&MATCH[..], more].concat()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("JSON")
}

#[test]
fn played_resumed_and_old_records_give_the_same_adjusted_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
    let adjusted = printed(&with(&["--adjust", "--json", "--jobs", "1"]));
    assert_eq!(
        adjusted,
        printed(&with(&["--adjust", "--json", "--jobs", "3"]))
    );
    assert_eq!(
        adjusted,
        printed(&with(&["--adjust", "--json", "--out", text(&new)]))
    );
    // Records without luck are adjusted afterwards, or when the match resumes.
    let raw = printed(&with(&["--json", "--out", text(&old)]));
    assert!(!raw.contains("without_luck"));
    assert_eq!(printed(&["analyze", text(&old), "--json"]), raw);
    assert_eq!(
        adjusted,
        printed(&["analyze", text(&old), "--adjust", "--json=-"])
    );
    assert_eq!(
        adjusted,
        printed(&with(&["--adjust", "--json", "--out", text(&old)]))
    );
    assert_eq!(adjusted, printed(&["analyze", text(&new), "--json"]));
    // Apart from what is new, the figures are the raw ones.
    let mut document: Value = serde_json::from_str(&adjusted).expect("JSON");
    let found = document
        .as_object_mut()
        .expect("an object")
        .remove("without_luck");
    assert_eq!(document, serde_json::from_str::<Value>(&raw).expect("JSON"));
    let found = found.expect("adjusted figures");
    let sum = ["advantage_ratio_a", "advantage_ratio_b"].map(|key| found[key].as_f64());
    assert_eq!(sum[0].zip(sum[1]).map(|(a, b)| a + b), Some(4.0));
    let ratio = found["variance_ratio"].as_f64().expect("scores vary");
    let worth = found["worth_games"].as_f64().expect("scores vary");
    assert!((worth * ratio - 60.0).abs() < 1e-9, "{found:#}");
    let games = found["variance_of_games"].as_f64().expect("scores vary");
    let pairing = document["variance_ratio"].as_f64();
    let pairing = pairing.expect("scores vary");
    assert!((games - pairing * ratio).abs() < 1e-9, "{found:#}");
}

#[test]
fn a_player_against_itself_has_no_luck_left_over() {
    let same = [
        "--a", "greedy", "--b", "greedy", "--games", "20", "--adjust", "--json",
    ];
    let found = &json(&same)["without_luck"];
    assert_eq!(found["luck"]["mean"], 0.0);
    assert_eq!(found["advantage_ratio_a"], 2.0);
}

#[test]
fn the_appraiser_and_the_coefficient_are_those_asked_for() {
    let short = ["--a", "greedy", "--b", "random", "--games", "4"];
    let search = [&short[..], &["--appraiser", "50", "--json"]].concat();
    let document = json(&search);
    assert_eq!(document["without_luck"]["appraiser"], "50 nodes");
    assert_eq!(document["without_luck"]["coefficient_is_fixed"], false);
    let fixed = [&short[..], &["--luck-coefficient", "0", "--json"]].concat();
    let document = json(&fixed);
    let found = &document["without_luck"];
    assert_eq!(found["appraiser"], "moves 2");
    assert_eq!(found["coefficient"], 0.0);
    assert_eq!(found["advantage_ratio_a"], document["advantage_ratio_a"]);
    let table = printed(&[&short[..], &["--adjust"]].concat());
    assert!(
        table.contains("luck taken out") && table.contains("raw games"),
        "{table}"
    );
    for bad in [
        ["--appraiser", "0"],
        ["--appraiser", "oracle"],
        ["--luck-coefficient", "x"],
    ] {
        assert_eq!(run(&[&short[..], &bad].concat()).status.code(), Some(2));
    }
}

#[test]
fn a_test_on_adjusted_results_decides_the_same_on_any_number_of_threads() {
    let test = ["--sprt", "elo0=0,elo1=200,adjusted", "--json"];
    let one = printed(&with(&[&test[..], &["--jobs", "1"]].concat()));
    assert_eq!(one, printed(&with(&[&test[..], &["--jobs", "4"]].concat())));
    let document: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(document["sprt"]["scores"], "adjusted");
    assert!(document["without_luck"].is_object());
}

#[test]
fn luck_that_does_not_fit_the_flips_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = ["--a", "greedy", "--b", "random", "--games", "4"];
    printed(
        &[
            &short[..],
            &["--adjust", "--jobs", "1", "--out", text(folder.path())],
        ]
        .concat(),
    );
    let file = folder.path().join("pairs.jsonl");
    let content = fs::read_to_string(&file).expect("pairs");
    let (first, rest) = content.split_once('\n').expect("lines");
    let edited = |change: fn(&mut Vec<Value>)| {
        let mut record: Value = serde_json::from_str(first).expect("a record");
        let flips = record["luck"]["flips"][0].as_array_mut();
        change(flips.expect("a list"));
        format!("{record}\n{rest}")
    };
    let longer = edited(|flips| flips.push(Value::from(0)));
    let larger = edited(|flips| flips[0] = Value::from(20_001));
    for damaged in [longer, larger] {
        fs::write(&file, damaged).expect("writable");
        let output = run(&["analyze", text(folder.path())]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(
            errors.contains("line 1") && errors.contains("luck"),
            "{errors}"
        );
    }
}
