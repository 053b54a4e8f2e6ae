//! `lab growth`: what a player gains by more nodes.

use std::fs;

use crate::common::{printed, refused};
use crate::errors::save;

#[test]
fn each_match_is_a_line_and_more_nodes_gain() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (few, many, svg) = (path("few"), path("many"), path("growth.svg"));
    let player = "champion:hash=1";
    save(&many, [player, player], [Some(400), Some(100)], 3);
    save(&few, [player, player], [Some(50), Some(120)], 40);
    let text = printed(&["growth", &many, &few, "--picture", &svg]);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    // The least spent first, whichever side has it, and what it costs to have less.
    assert_eq!(
        lines[1][..5],
        ["50", "nodes", "120", "nodes", "80"],
        "{text}"
    );
    assert_eq!(
        lines[2][..5],
        ["100", "nodes", "400", "nodes", "6"],
        "{text}"
    );
    let [elo, doubling] = [5, 8].map(|column| lines[1][column].parse::<f64>().unwrap());
    assert!(elo > 100.0, "{text}");
    // Both are rounded.
    assert!((doubling - elo / 2.4_f64.log2()).abs() < 1.3, "{text}");
    assert!(fs::read_to_string(svg).unwrap().contains(">100<"));
}

#[test]
fn other_matches_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (two, equal) = (path("two"), path("equal"));
    save(&two, ["random", "greedy"], [Some(10), Some(20)], 3);
    save(&equal, ["random", "random"], [Some(10), Some(10)], 3);
    refused(&["growth", &two], &["random plays greedy, not itself"]);
    refused(
        &["growth", &equal],
        &["A has 10 nodes a move, B 10 nodes a move"],
    );
}
