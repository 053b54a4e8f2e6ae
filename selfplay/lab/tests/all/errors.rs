//! `lab errors`: what the decisions of saved games gave away, resumed where it stopped.

use std::fs;

use anqi_match::limits::Limits;
use anqi_match::{BySide, Interrupt, MatchPlan, MatchSetup, Participant, play};

use crate::common::{printed, refused};

/// Plays these pairs of two players, and saves them as `selfplay --out` does, with these nodes a move.
pub fn save(dir: &str, [a, b]: [&str; 2], nodes: [Option<u64>; 2], pairs: u64) {
    let interrupt = Interrupt::new();
    let players = BySide {
        a: Participant::new(a, &interrupt).unwrap(),
        b: Participant::new(b, &interrupt).unwrap(),
    };
    let mut setup = MatchSetup::new(players);
    let own = nodes.map(|nodes| Limits {
        nodes,
        ..Limits::default()
    });
    [setup.limits.a, setup.limits.b] = own;
    let plan = MatchPlan::new(setup, pairs);
    let played = play(&plan, Vec::new(), None, &interrupt).unwrap();
    let records = played.records.iter();
    let lines: Vec<String> = records
        .map(|record| serde_json::to_string(record).unwrap() + "\n")
        .collect();
    let limits = |nodes| {
        serde_json::to_value(Limits {
            nodes,
            ..Limits::default()
        })
        .unwrap()
    };
    let both = serde_json::json!({"a": a, "b": b});
    let meta = serde_json::json!({
        "identity": {
            "program": "selfplay", "players": both, "names": both,
            "limits": {"a": limits(nodes[0]), "b": limits(nodes[1])}, "rules": "olympiad", "deal": "sequence", "seed": 1,
        },
        "games": 2 * pairs,
    });
    fs::create_dir(dir).unwrap();
    fs::write(format!("{dir}/meta.json"), meta.to_string()).unwrap();
    fs::write(format!("{dir}/pairs.jsonl"), lines.concat()).unwrap();
}

/// The means of both sides' last rows called `all`.
fn given_away(text: &str) -> [f64; 2] {
    let rows = text.lines().filter(|line| line.starts_with("all "));
    let last = |row: &str| {
        let words: Vec<&str> = row.split_whitespace().collect();
        words[words.len() - 3].parse().unwrap()
    };
    let all: Vec<f64> = rows.map(last).collect();
    [all[0], all[1]]
}

#[test]
fn a_random_player_gives_far_more_away_and_a_stopped_inquiry_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (games, out) = (path("games"), path("out"));
    // A weak player against one that looks a little ahead.
    save(&games, ["random", "champion:hash=1,depth=2"], [None; 2], 40);
    let errors = |more: &[&str]| {
        let usual = "--judge champion:hash=1 --judge-nodes 2000 --share 0.9 --jobs 1";
        let usual: Vec<&str> = ["errors", &games, "--out", &out]
            .into_iter()
            .chain(usual.split(' '))
            .collect();
        printed(&[&usual, more].concat())
    };
    let table = errors(&[]);
    let [random, champion] = given_away(&table);
    // All games are lost from an even start: half a point each, but for luck.
    assert!((35.0..65.0).contains(&(random - champion)), "{table}");
    assert!(champion.abs() < 15.0, "{table}");
    let file = path("out/decisions.jsonl");
    let whole = fs::read_to_string(&file).unwrap();
    let mut phases = [false; 5];
    for line in whole.lines() {
        let decision: anqi_lab::decisions::Decision = serde_json::from_str(line).unwrap();
        phases[decision.phase()] = true;
    }
    assert!(phases[0] && phases[3], "{phases:?}");
    let svg = path("picture.svg");
    let of_a = errors(&["--report", "--side", "a", "--picture", &svg]);
    // Five phases, and the sign beside the name of the side.
    let svg = fs::read_to_string(svg).unwrap();
    assert_eq!(svg.matches("<circle").count(), 6, "{svg}");
    assert!(
        table.starts_with(&of_a) && !of_a.contains("\nB: "),
        "{of_a}"
    );
    // A killed run leaves half a line.
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert!(errors(&["--report"]).contains("are not judged yet"));
    assert_eq!(errors(&[]), table);
    assert_eq!(errors(&["--report"]), table);
    let other = ["errors", &games, "--out", &out, "--seed", "2"];
    refused(&other, &["another inquiry", "the judge"]);
}

#[test]
fn a_folder_without_a_match_and_a_share_of_nothing_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (empty, out) = (
        dir.path().display().to_string(),
        dir.path().join("out").display().to_string(),
    );
    refused(&["errors", &empty, "--out", &out], &["no match"]);
    refused(
        &["errors", &empty, "--out", &out, "--share", "0"],
        &["--share is 0"],
    );
}
