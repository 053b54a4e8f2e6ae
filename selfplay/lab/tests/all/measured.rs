//! `lab induction`, `sampling` and `branching`: the tables that the notebook prints.

use crate::common::{printed, refused};

#[test]
fn critical_positions_are_counted_and_checked_by_the_search_itself() {
    let text = printed(&["induction", "Kgp", "--depths", "2", "--check", "40"]);
    let row = text.lines().nth(1).unwrap();
    assert!(row.starts_with("Kgp          14880      2"), "{text}");
    assert!(
        text.contains("40 positions searched by NegaScout"),
        "{text}"
    );
    refused(&["induction"], &["SETS"]);
    refused(&["induction", "Kgx"], &["'x'"]);
}

#[test]
fn draws_of_subsets_are_timed_for_both_shapes() {
    let few = ["sampling", "--elements", "100,200", "--means", "0.001,0.1"];
    let text = printed(&few);
    let rows = text
        .lines()
        .filter(|line| line.trim_start().starts_with("200 "));
    assert_eq!(rows.count(), 4, "{text}");
    refused(
        &["sampling", "--elements", "9", "--means", "0.7"],
        &["is not a probability"],
    );
}

#[test]
fn branching_is_counted_over_games() {
    let games = [
        "branching",
        "greedy",
        "random",
        "--games",
        "2",
        "--nodes",
        "10",
    ];
    let text = printed(&games);
    assert!(text.contains("of 2 games, greedy against random"), "{text}");
    assert_eq!(text, printed(&games));
    refused(&["branching", "nobody", "random"], &["nobody"]);
}
