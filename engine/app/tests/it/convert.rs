//! `anqi convert`, and other commands that read records.

use crate::common::{anqi, assert_refused, err, out};
use std::fs;

const PGN: &str = "[First \"Anna B\"]
[Second \"greedy\"]
[Result \"0-1\"]
[Rules \"olympiad\"]
[Termination \"resignation\"]

1. b3=K $1 {good} (1. b3=p) 1... b4=g 2. b3xb4 0-1
";

/// Converts standard input and returns what comes out, and what is told.
fn convert(to: &str, input: &str) -> (String, String) {
    let output = anqi(&["convert", "-", "--to", to], input);
    assert!(output.status.success(), "{}", err(&output));
    (out(&output), err(&output))
}

#[test]
fn records_become_each_other_and_what_is_lost_is_told() {
    let (pgn, told) = convert("pgn", PGN);
    assert!(pgn.starts_with("[Event \"?\"]\n"), "{pgn}");
    assert_eq!(told, "");
    assert_eq!(convert("pgn", &pgn).0, pgn);
    let (platform, told) = convert("platform", &pgn);
    assert!(platform.contains("* Anna_B vs greedy\n"), "{platform}");
    assert!(platform.contains("* Resign greedy Wins 0.000000,1.000000\n"));
    for lost in [
        "variations (1 game)",
        "comments (1 game)",
        "annotation glyphs (1 game)",
    ] {
        let line = format!("anqi: not in the platform's record: {lost}\n");
        assert!(told.contains(&line), "{told}");
    }
    let (json, told) = convert("json", &pgn);
    assert!(told.contains("not in JSON: annotation glyphs"), "{told}");
    assert!(json.contains("\"reason\":\"resignation\""), "{json}");
    for other in [&platform, &json] {
        let (again, _) = convert("pgn", other);
        assert!(again.contains("[Result \"0-1\"]\n"), "{again}");
        assert!(again.contains("[Termination \"resignation\"]\n"), "{again}");
        assert!(again.contains("b3xb4"), "{again}");
    }
    let (position, _) = convert("pgn", "start moves b2(G) b3(k)");
    assert!(position.ends_with("1. b2=G b3=k *\n"), "{position}");
}

#[test]
fn several_games_go_through_every_format() {
    let two = format!("{PGN}\n{}", PGN.replace("Anna B", "Berta"));
    let (platform, told) = convert("platform", &two);
    assert!(told.contains("variations (2 games)"), "{told}");
    let (json, _) = convert("json", &platform);
    assert_eq!(json.lines().count(), 2);
    let (pgn, _) = convert("pgn", &json);
    assert!(pgn.contains("[First \"Anna_B\"]") && pgn.contains("[First \"Berta\"]"));
}

#[test]
fn files_are_written_whole_and_faults_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (input, output) = (path("in.pgn"), path("out.json"));
    fs::write(&input, PGN).expect("a file");
    fs::write(&output, "old").expect("a file");
    let done = anqi(&["convert", &input, "--to", "json", "--out", &output], "");
    assert!(done.status.success() && out(&done).is_empty());
    assert!(
        fs::read_to_string(&output)
            .expect("text")
            .starts_with("{\"format\":\"anqi 1\"")
    );
    let wrong = path("wrong.pgn");
    fs::write(&wrong, PGN.replace("b3xb4", "b3xc4")).expect("a file");
    let place = "wrong.pgn: line 7, column 42: 'b3xc4' cannot be played: ";
    assert_refused(
        &["convert", &wrong, "--to", "pgn", "--out", &output],
        2,
        &[place],
    );
    assert!(
        fs::read_to_string(&output).expect("text").starts_with("{"),
        "it stays"
    );
    fs::write(&wrong, "Dear Anna").expect("a file");
    let tried = [
        "tried PGN (line 1, column 1: ",
        "the platform's record (",
        "JSON (",
        "a position",
    ];
    assert_refused(&["convert", &wrong, "--to", "pgn"], 2, &tried);
    assert_refused(&["review", &wrong], 2, &tried);
    assert_refused(&["play", "--load", &wrong], 1, &tried);
    assert_refused(&["convert", &path("none"), "--to", "pgn"], 1, &["none"]);
    assert_refused(&["convert", &input], 2, &["--to"]);
    assert_refused(
        &["convert", &input, "--to", "chess"],
        2,
        &["pgn", "platform", "json"],
    );
    assert_refused(
        &["convert", &input, "--to", "pgn", "--rules", "x"],
        2,
        &["olympiad", "course"],
    );
    let nowhere = path("no/where.pgn");
    assert_refused(
        &["convert", &input, "--to", "pgn", "--out", &nowhere],
        1,
        &["--out"],
    );
}

#[test]
fn a_false_proof_of_a_deal_is_told() {
    let layout = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp";
    let proof = format!("[DealCommitment \"00ff\"]\n[Deal \"7 {layout}\"]\n");
    let (text, told) = convert("pgn", &format!("{proof}{PGN}"));
    assert!(text.contains("[Deal \"7 "), "{text}");
    let expected = "-: game 1: the deal does not prove its commitment: the hash of the deal is ";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn a_review_and_a_loaded_game_read_pgn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let short = PGN
        .replace("(1. b3=p) 1... b4=g 2. b3xb4 ", "")
        .replace("Anna B", "Berta");
    fs::write(&path, format!("{PGN}\n{short}")).expect("a file");
    let path = path.display().to_string();
    let reviewed = anqi(
        &["review", "--nodes", "100", "--game", "2", "--json", &path],
        "",
    );
    assert!(reviewed.status.success(), "{}", err(&reviewed));
    assert!(err(&reviewed).contains("has 2 games; this is number 2"));
    let report: serde_json::Value = serde_json::from_str(&out(&reviewed)).expect("JSON");
    assert_eq!(report["plies"].as_array().map(Vec::len), Some(1));
    assert_refused(
        &["review", "--game", "3", &path],
        2,
        &["no game 3 (expected 1 to 2)"],
    );
    let loaded = anqi(
        &["play", "--load", &path, "--opponent", "greedy"],
        "position\n",
    );
    let shown = out(&loaded);
    assert!(
        shown.contains("Loaded 3 plies of Anna B against greedy from"),
        "{shown}"
    );
    assert!(shown.contains("the first of 2 games."), "{shown}");
    assert!(shown.contains("Black wins (greedy)"), "{shown}");
}
