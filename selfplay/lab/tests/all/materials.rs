//! `lab lattice` and `lab duel`: what materials are worth, and how wins are kept.

use crate::common::{printed, refused};

#[test]
fn the_lattice_is_consistent_and_symmetric() {
    let lattice = printed(&["lattice", "--pieces", "3", "--json"]);
    let lattice: serde_json::Value = serde_json::from_str(&lattice).unwrap();
    assert_eq!(lattice["conflicts_left"], 0, "{}", lattice["conflicts"]);
    assert!(
        lattice["hurts_most"].as_f64().unwrap() < 0.1,
        "{}",
        lattice["hurts_most"]
    );
    let materials = lattice["materials"].as_array().unwrap();
    assert_eq!(materials.len(), 49 + 378);
    let of = |set: &str| materials.iter().find(|one| one["set"] == set).unwrap();
    let worth = |set: &str| of(set)["worth"].as_f64().unwrap();
    assert!(worth("Kg") > 0.3, "{}", worth("Kg"));
    for (set, swapped) in [("Kg", "Gk"), ("KGp", "Pkg"), ("Ccp", "CPc")] {
        assert!((worth(set) + worth(swapped)).abs() < 1e-9, "{set}");
        let level = |set: &str| of(set)["level"].as_u64().unwrap();
        assert_eq!(level(set) + level(swapped), 10, "{set}");
    }
    let text = printed(&["lattice", "--pieces", "2"]);
    assert!(
        text.lines().count() > 28 && text.contains("to red"),
        "{text}"
    );
}

#[test]
fn odd_but_right_sets_are_answered_in_a_duel() {
    // Sets in which nobody ever wins, in either order of letters.
    for set in ["Cc", "cC", "Cp", "pC"] {
        refused(&["duel", set], &["no win takes nine plies"]);
    }
    for (set, word) in [
        ("", "at least one piece"),
        ("CC", "each colour"),
        ("kkK", "too many"),
    ] {
        refused(&["duel", set], &[word]);
    }
    refused(&["duel", "Kk", "--games", "0"], &["--games"]);
    refused(&["duel", "Kk", "--games", "999999999999"], &["--games"]);
    refused(
        &["duel", "Kk", "--rules", "chess"],
        &["--rules", "olympiad"],
    );
}

#[test]
fn distances_win_what_values_alone_may_draw() {
    let text = printed(&["duel", "GCkc", "--games", "20"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("values only: "), "{text}");
    assert!(
        lines[1].starts_with("distances: 20 won, 0 drawn of 20"),
        "{text}"
    );
}
