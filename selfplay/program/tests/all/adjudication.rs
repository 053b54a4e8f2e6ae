//! Games that end early, by the values of both players or by tables.

use crate::common::{printed, run, text};
use anqi_match::record::{PairRecord, Reason};
use anqi_match::replay;
use anqi_rules::Rules;
use anqi_tablebase::{Endgames, Tables, Wdl};
use serde_json::Value;

const MATCH: [&str; 8] = [
    "--a",
    "champion:hash=1,tables=0",
    "--b",
    "champion:hash=1,tables=0",
    "--nodes",
    "200",
    "--games",
    "12",
];

fn json(more: &[&str]) -> Value {
    let arguments = [&MATCH[..], more, &["--json"]].concat();
    serde_json::from_str(&printed(&arguments)).expect("JSON")
}

#[test]
fn decided_games_end_early_and_the_records_are_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let rules = ["--resign", "0.5:2", "--draw", "0.05:2:60"];
    let whole = json(&[]);
    let early = json(&[&rules[..], &["--out", out]].concat());
    assert!(early["reasons"]["adjudicated_win"].is_object(), "{early:#}");
    assert_eq!(early["faults"], 0);
    let length = |document: &Value| document["plies"]["mean"].as_f64().expect("a mean");
    assert!(length(&early) < length(&whole));
    let again: Value = serde_json::from_str(&printed(&["analyze", out, "--json"])).expect("JSON");
    assert_eq!(again, early);
    let records = folder.path().join("games.txt");
    printed(&["analyze", out, "--record", text(&records)]);
    assert!(
        std::fs::read_to_string(records)
            .expect("records")
            .contains("Resign")
    );
    // Without the rules it is another match, and the folder is refused.
    let output = run(&[&MATCH[..], &["--out", out]].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("adjudication"), "{errors}");
}

#[test]
fn a_record_that_ends_early_without_a_rule_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    json(&["--resign", "0.5:2", "--out", out]);
    let meta = folder.path().join("meta.json");
    let text = std::fs::read_to_string(&meta).expect("meta data");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    let identity = document["identity"].as_object_mut().expect("an object");
    assert!(identity.remove("adjudication").is_some());
    std::fs::write(&meta, document.to_string()).expect("writable");
    let output = run(&["analyze", out]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains("adjudicated win"), "{errors}");
}

#[test]
fn tables_end_games_with_their_value_and_the_value_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    // Five pieces, one of which can be taken at once, so that games reach the tables, and
    // three, of which the side to move has only the face-down one.
    let suite = tempfile::NamedTempFile::new().expect("a file");
    let positions = "4/4/2Rp/4/k3/4/4/K2p r - 0 1\n4/1k2/4/Nc2/4/3P/4/2K1 b - 0 1\n\
                     4/4/2R1/4/4/4/?3/K3 b p 0 1\n";
    std::fs::write(&suite, positions).expect("writable");
    let rules = ["--adjudicate-tables", "4", "--openings", text(suite.path())];
    let document = json(&[&rules[..], &["--out", out]].concat());
    assert!(document["reasons"]["tables"].is_object(), "{document:#}");
    let tables = Tables::solved(4, Rules::OLYMPIAD).expect("small tables");
    let pairs = folder.path().join("pairs.jsonl");
    let text = std::fs::read_to_string(&pairs).expect("pairs");
    let (mut ended, mut by_flips) = (0, 0);
    for line in text.lines() {
        let pair: PairRecord = serde_json::from_str(line).expect("a record");
        for game in pair
            .games
            .iter()
            .filter(|game| game.verdict.reason == Reason::Tables)
        {
            ended += 1;
            by_flips += u32::from(game.plies.ends_with(')'));
            let replayed = replay::replayed(game, Rules::OLYMPIAD, None).expect("a game");
            let position = replayed.position();
            assert_eq!(
                position.quiet_counter(),
                0,
                "right after a capture or a flip"
            );
            let winner = game.verdict.winner.and_then(|side| game.color(side));
            let expected = match tables.wdl(position).expect("a table") {
                Wdl::Draw => None,
                Wdl::Win => position.turn(),
                Wdl::Loss => position.turn().map(|turn| !turn),
            };
            assert_eq!(winner, expected, "{position}");
        }
    }
    assert!(by_flips > 0 && ended > by_flips);
    let again: Value = serde_json::from_str(&printed(&["analyze", out, "--json"])).expect("JSON");
    assert_eq!(again, document);
    // A result that tables contradict, and one that no rule allows.
    let place = text.find("\"reason\":\"tables\"").expect("a game");
    let start = text[..place].rfind("\"winner\":").expect("a winner");
    let winner = &text[start..place];
    let other = if winner.contains("\"a\"") {
        "\"winner\":\"b\","
    } else {
        "\"winner\":\"a\","
    };
    let edited = format!("{}{other}{}", &text[..start], &text[place..]);
    std::fs::write(&pairs, edited).expect("writable");
    let output = run(&["analyze", out]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("but by tables it is"), "{errors}");
}
