//! `tablebase lessons`: a file that other programs can read.

use serde_json::Value;

use crate::common::tablebase;
use crate::text;

#[test]
fn lessons_are_a_list_of_positions_with_goals_lines_and_refutations() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made/lessons");
    let out = out.display().to_string();
    let written = tablebase(&[
        "lessons", "Kgp", "--out", &out, "--wins", "3", "--draws", "2",
    ]);
    assert!(written.status.success(), "{}", text(&written.stderr));
    assert!(text(&written.stdout).contains("Kgp.json: 5 lessons"));
    let file = std::fs::read_to_string(format!("{out}/Kgp.json")).unwrap();
    let lessons: Vec<Value> = serde_json::from_str(&file).unwrap();
    assert_eq!(lessons.len(), 5);
    for lesson in &lessons {
        let keys: Vec<&str> = lesson
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            keys,
            ["goal", "idea", "line", "position", "refutations", "side"]
        );
        let position: anqi_rules::Position = lesson["position"].as_str().unwrap().parse().unwrap();
        let side = position.turn().unwrap().to_string();
        assert_eq!(lesson["side"], side);
        // By the rules alone: the line is a game, and a won one ends with the side's win.
        let mut game = anqi_rules::Game::new(position, anqi_rules::Rules::UNLIMITED);
        for action in lesson["line"].as_array().unwrap() {
            game.play(action.as_str().unwrap().parse().unwrap())
                .unwrap();
        }
        let winner = game.outcome().and_then(anqi_rules::Outcome::winner);
        match lesson["goal"].as_str().unwrap() {
            "win" => assert_eq!(winner, position.turn()),
            goal => assert_eq!((goal, winner), ("draw", None)),
        }
        let refutations = lesson["refutations"].as_array().unwrap();
        assert!(!refutations.is_empty());
        for refutation in refutations {
            let value = refutation["value"].as_str().unwrap();
            assert!(value == "loss" || value == "draw" && lesson["goal"] == "win");
            assert_ne!(refutation["action"], lesson["line"][0]);
            assert!(!refutation["line"].as_array().unwrap().is_empty());
        }
    }
}

#[test]
fn a_set_without_lessons_is_refused_with_the_reason() {
    for (set, reason) in [("KGMRgp", "at most 5"), ("Cp", "no lessons")] {
        let output = tablebase(&["lessons", set, "--out", "/no/such/place"]);
        assert_eq!(output.status.code(), Some(1), "{set}");
        assert!(
            text(&output.stderr).contains(reason),
            "{}",
            text(&output.stderr)
        );
    }
}
