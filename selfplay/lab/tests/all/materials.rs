//! `lab lattice`, `lab conflicts` and `lab duel`: what materials are worth, and how wins are kept.

use std::path::Path;

use anqi_lab::training::example::{BestAction, Example, GameResult};
use anqi_lab::training::writer::DataWriter;
use anqi_rules::random::{below, split_mix};
use anqi_rules::{Color, Game, Position, Rules};

use crate::common::{printed, refused};

#[test]
fn exact_worths_are_consistent_and_symmetric() {
    let lattice = printed(&["lattice", "--pieces", "3", "--json"]);
    let lattice: serde_json::Value = serde_json::from_str(&lattice).unwrap();
    assert_eq!(lattice["conflicts"], 0);
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
    for (set, swapped) in [("Kg", "Gk"), ("KGp", "Pkg"), ("KGg", "Gkg")] {
        assert!((worth(set) + worth(swapped)).abs() < 1e-9, "{set}");
        let score = |set: &str| of(set)["score"].as_u64().unwrap();
        assert_eq!(score(set) + score(swapped), 9, "{set}");
    }
    let text = printed(&["lattice", "--pieces", "2"]);
    assert!(
        text.lines().count() > 28 && text.contains("to red"),
        "{text}"
    );
}

/// Writes a file of games of random actions with random results.
fn games(file: &Path) {
    let mut state = 5;
    let mut draw = |limit: usize| below(limit as u64, || split_mix(&mut state)) as usize;
    let out = std::fs::File::create(file).unwrap();
    let mut writer = DataWriter::new(out, "random actions".to_owned(), 5).unwrap();
    for game in 0..24 {
        let mut play = Game::new(Position::start(), Rules::OLYMPIAD);
        let winner = [None, Some(Color::Red), Some(Color::Black)][draw(3)];
        let mut examples = Vec::new();
        while play.outcome().is_none() {
            let position = *play.position();
            let actions = play.actions();
            let action = actions[draw(actions.len())];
            if let Some(turn) = position.turn() {
                examples.push(Example {
                    position,
                    value: 0,
                    result: GameResult::new(winner, turn),
                    best: BestAction::new(&position, action),
                    depth: 1,
                    game,
                });
            }
            play.play_drawn(action, || draw(usize::MAX) as u64).unwrap();
        }
        writer.game(&examples).unwrap();
    }
    writer.finish().unwrap();
}

/// Returns the numbers of a line that begins with these words.
fn numbers(text: &str, words: &str) -> Vec<f64> {
    let line = text.lines().find(|line| line.starts_with(words));
    let line = line.unwrap_or_else(|| panic!("no line begins with '{words}': {text}"));
    let numbers = line[words.len()..].split_whitespace();
    numbers.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn scores_of_games_are_resolved_verified_and_compared() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.anqi");
    games(&file);
    let text = printed(&[
        "conflicts",
        file.to_str().unwrap(),
        "--pieces=32",
        "--exact=2",
        "--verified=3",
        "--sample=2",
        "--placements=2",
        "--play=1",
        "--play-positions=1",
        "--play-nodes=20",
        "--player=champion:hash=1,tables=0",
    ]);
    let occurred: f64 = text.split_whitespace().next().unwrap().parse().unwrap();
    for words in ["games        basic", "games        refined"] {
        let [
            nodes,
            fixed,
            pairs,
            inconsistent,
            left,
            iterations,
            changed,
            ..,
        ] = numbers(&text, words)[..]
        else {
            panic!("{text}");
        };
        assert!(
            nodes - 28.0 == occurred && nodes > fixed && fixed >= 28.0 && pairs > nodes / 2.0,
            "{text}"
        );
        assert!(
            left < inconsistent && iterations >= 1.0 && changed >= 1.0,
            "{text}"
        );
    }
    // Two rows for each of the two ways to verify and three scores, by games and by the evaluation.
    for words in ["games        no", "evaluation   refined"] {
        let rows = text.lines().filter(|line| line.starts_with(words));
        let expected = if words.ends_with("no") { 2 } else { 3 };
        assert_eq!(rows.count(), expected, "{text}");
    }
    assert_eq!(
        numbers(&text, "evaluation of the position").len(),
        4,
        "{text}"
    );
    // All games begin with all pieces.
    let held = text.lines().find(|line| line.contains("held out")).unwrap();
    assert!(held.contains(" of 6 games"), "{held}");
    // An uninformed chance of a half, whatever the results.
    let nothing = numbers(&text, "nothing");
    assert!((nothing[0] - 2_f64.ln()).abs() < 1e-4, "{text}");
    assert!(nothing[1].abs() < 1e-9, "{text}");
}

#[test]
fn all_materials_are_scored_by_the_evaluation_without_games() {
    let text = printed(&["conflicts", "--pieces=4", "--exact=3", "--placements=1"]);
    let refined = numbers(&text, "evaluation   refined");
    // 49 + 378 + 1737 materials, of which 7 + 27 are their own colour swaps: so many nodes; the
    // exact ones and the swaps are fixed.
    assert_eq!(refined[..2], [1099.0, 217.0 + 27.0], "{text}");
    assert!(refined[4] < refined[3], "{text}");
    refused(&["conflicts", "--pieces=9"], &["--pieces", "9"]);
    refused(&["conflicts", "--pieces=4", "--exact=4"], &["--exact 4"]);
    refused(&["conflicts", "--errors=5"], &["--verified 8"]);
    refused(&["conflicts", "no-such-file"], &["no-such-file"]);
    refused(&["conflicts", "--player=nobody"], &["--player"]);
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
