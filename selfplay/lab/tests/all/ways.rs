//! `lab ways`: games from the longest wins, resumed where they stopped.

use std::fs;

use anqi_tablebase::classes::Units;
use anqi_tablebase::file::{Metric, Order, Packing, build_unit};
use anqi_tablebase::solve::{Goal, UnitCache};

use crate::common::{printed, refused};

#[test]
fn plies_to_the_end_win_by_the_shortest_way_and_a_stopped_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (tables, out) = (path("tables"), path("out"));
    let order = Order {
        dir: tables.clone().into(),
        metrics: Metric::ALL.to_vec(),
        packing: Packing::default(),
        memory: 1 << 30,
    };
    fs::create_dir(&tables).unwrap();
    let cache = UnitCache::new(3, 1 << 30, Goal::ToEnd).unwrap();
    for unit in (2..=3).flat_map(|pieces| Units::of(pieces).list()) {
        build_unit(unit, &order, &cache).unwrap();
    }
    let ways = |more: &[&str]| {
        let usual = "ways --pieces 3 --units 2 --nodes 100 --player champion:hash=1 --tables";
        let usual: Vec<&str> = usual
            .split(' ')
            .chain([tables.as_str(), "--out", &out])
            .collect();
        printed(&[&usual, more].concat())
    };
    let table = ways(&[]);
    let games = path("out/games.jsonl");
    let whole = fs::read_to_string(&games).unwrap();
    assert_eq!(whole.lines().count(), 2 * 3 * 3, "{whole}");
    for line in whole.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        if game["way"] == "dtw" && game["rules"] == "none" {
            assert_eq!(game["end"], "won", "{line}");
            assert_eq!(game["played"], game["needed"], "{line}");
        }
        assert!(game["played"].as_u64() >= game["needed"].as_u64() || game["end"] != "won");
    }
    // A killed run leaves half a line.
    let half = whole.len() / 2;
    fs::write(&games, &whole[..half]).unwrap();
    assert_eq!(ways(&[]), table);
    assert_eq!(fs::read_to_string(&games).unwrap(), whole);
    let picture = path("ways.svg");
    assert_eq!(ways(&["--report", "--picture", &picture]), table);
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("plies needed"), "{svg}");
    let other = ["ways", "--nodes", "9", "--tables", &tables, "--out", &out];
    refused(&other, &["another contest", "differs"]);
}
