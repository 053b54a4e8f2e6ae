//! `tablebase verify` of some units, and the counts that it records.

use std::fs;
use std::path::Path;

use crate::common::tablebase;
use anqi_tablebase::classes::Units;
use anqi_tablebase::counts::KeptCounts;
use anqi_tablebase::solve::{Goal, UnitCache};

fn good(arguments: &[&str]) -> String {
    let output = tablebase(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn verifying_records_the_counts_of_the_units() {
    let dir = tempfile::tempdir().unwrap();
    let counted = dir.path().join("counted.jsonl");
    let counts = KeptCounts::open(Some(&counted)).unwrap();
    let cache = UnitCache::new(3, 1 << 30, Goal::Values).unwrap();
    for pieces in 2..=3 {
        for unit in Units::of(pieces).list() {
            counts.counted(unit, &cache).unwrap();
        }
    }
    let lines = |place: &Path| {
        let text = fs::read_to_string(place).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let place = dir.path().join("verified.jsonl");
    let record = place.to_str().unwrap();
    let tables = dir.path().join("tables");
    let tables = tables.to_str().unwrap();
    good(&["build", "--pieces", "3", "--dir", tables, "--quiet"]);
    good(&["verify", tables, "--unit", "Kk,Kgp", "--record", record]);
    let (two, all) = (lines(&place), lines(&counted));
    assert_eq!((two.len(), all.len()), (2, 25));
    assert!(two.iter().all(|line| all.contains(line)), "{two:?}");
    good(&["verify", tables, "--record", record]);
    assert_eq!(lines(&place), all);
}

#[test]
fn only_units_with_tables_can_be_verified_alone() {
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().to_str().unwrap();
    good(&["build", "--pieces", "2", "--dir", tables, "--quiet"]);
    assert!(good(&["verify", tables, "--unit", "Kk"]).starts_with("2 files"));
    let output = tablebase(&["verify", tables, "--unit", "Kgp"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("--unit Kgp"), "{error}");
}
