//! Matches whose results are known beforehand.

use crate::common::printed;

fn json(arguments: &[&str]) -> serde_json::Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    serde_json::from_str(&printed(&arguments)).expect("JSON")
}

#[test]
fn a_player_against_itself_draws_every_pair() {
    // Both games of a pair are the same game with the names exchanged.
    for player in ["basic", "enhance", "random", "var3"] {
        let limits = ["--nodes", "300", "--games", "40"];
        let document = json(&[&["--a", player, "--b", player][..], &limits].concat());
        assert_eq!(document["advantage_ratio_a"], 2.0, "{player}");
        // Pairs that all ended alike have no spread to measure an error by.
        assert!(document["standard_error"].is_null(), "{player}");
        assert_eq!(document["pentanomial"]["DD_WL"], 20, "{player}");
    }
}

#[test]
fn random_players_see_no_colour_and_no_seat() {
    let match_ = [
        "--a", "random", "--b", "random", "--games", "2000", "--deal", "squares",
    ];
    let document = json(&match_);
    for seat in ["starter_score", "red_score"] {
        let (mean, error) = (&document[seat]["mean"], &document[seat]["standard_error"]);
        let (mean, error) = (
            mean.as_f64().expect("a mean"),
            error.as_f64().expect("an error"),
        );
        assert!((mean - 0.5).abs() < 3.5 * error, "{seat}: {mean} ± {error}");
    }
}

#[test]
fn the_stronger_player_wins_from_either_side_of_the_command() {
    let games = ["--games", "40", "--nodes", "300"];
    let there = json(&[&["--a", "greedy", "--b", "random"][..], &games].concat());
    let back = json(&[&["--a", "random", "--b", "greedy"][..], &games].concat());
    assert!(there["advantage_ratio_a"].as_f64() > Some(3.5), "{there:#}");
    assert_eq!(there["advantage_ratio_a"], back["advantage_ratio_b"]);
    assert_eq!(
        there["by_starter"]["a"]["win"],
        back["by_starter"]["b"]["win"]
    );
}

#[test]
fn a_tournament_agrees_with_the_match_of_two_of_its_players() {
    let conditions = ["--games", "20", "--nodes", "200", "--seed", "4"];
    let players = [
        "tournament",
        "--players",
        "greedy,basic:depth=2,eval=static,random",
    ];
    let tournament = json(&[&players[..], &conditions].concat());
    let rated: Vec<&str> = tournament["ratings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["player"].as_str())
        .collect();
    assert_eq!(rated, ["greedy", "basic:depth=2,eval=static", "random"]);
    let alone = json(&[&["--a", "greedy", "--b", "random"][..], &conditions].concat());
    let together = &tournament["encounters"][1];
    assert_eq!(together["advantage_ratio_a"], alone["advantage_ratio_a"]);
    assert!(tournament["ratings"][1]["elo"].as_f64() > tournament["ratings"][2]["elo"].as_f64());
}

#[test]
fn platform_records_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.txt");
    let path = file.to_str().expect("a plain name");
    let conditions = ["--games", "4", "--rules", "platform", "--record", path];
    let document = json(&[&["--a", "greedy", "--b", "random"][..], &conditions].concat());
    let text = std::fs::read_to_string(&file).expect("records");
    let records: Vec<&str> = text
        .split("\n\n")
        .filter(|part| !part.trim().is_empty())
        .collect();
    assert_eq!(records.len(), 4);
    let mut plies = 0;
    for record in records {
        let record = anqi_protocol::Record::read(record.as_bytes()).expect("a record");
        let game = record
            .game(anqi_rules::Rules::PLATFORM)
            .expect("legal plies");
        assert!(game.outcome().is_some());
        assert!(record.verdict.is_some());
        plies += game.plies().len();
    }
    let mean = document["plies"]["mean"].as_f64().expect("a mean");
    assert_eq!(plies as f64, 4.0 * mean);
}
