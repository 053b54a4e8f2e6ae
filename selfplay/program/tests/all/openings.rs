//! Matches from openings: who begins where, what lies face down, and what is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{mock, mock_uci, printed, run};
use anqi_match::record::PairRecord;
use anqi_rules::Position;
use serde_json::Value;

const MATCH: &str = "--a greedy --b random --games 12";

/// Makes a suite of five openings.
fn suite(folder: &Path) -> String {
    let path = folder.join("suite.txt").display().to_string();
    let make = "openings --count 5 --plies 10 --appraiser evaluation --seed 4 --out";
    printed(&[&words(make)[..], &[&path]].concat());
    path
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

fn records(folder: &str) -> Vec<PairRecord> {
    let text = fs::read_to_string(Path::new(folder).join("pairs.jsonl")).expect("pairs");
    let read = |line| serde_json::from_str(line).expect("a record");
    text.lines().map(read).collect()
}

fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn both_sides_begin_at_each_opening_and_the_pieces_differ_from_pair_to_pair() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = suite(folder.path());
    let out = folder.path().join("match").display().to_string();
    for deal in ["sequence", "squares"] {
        let out = format!("{out}-{deal}");
        let more = [
            "--openings",
            &suite,
            "--deal",
            deal,
            "--adjust",
            "--out",
            &out,
        ];
        let report = printed(&[&words(MATCH)[..], &more].concat());
        assert!(report.contains("openings: 5 positions"), "{report}");
        let text = fs::read_to_string(&suite).expect("a suite");
        let openings: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split("  #").next())
            .filter(|line| !line.starts_with('#'))
            .collect();
        let mut first_flips = BTreeMap::<u64, Vec<String>>::new();
        for pair in records(&out) {
            for game in &pair.games {
                let opening = game.opening.expect("an opening").0;
                assert_eq!(opening.to_string(), openings[pair.pair as usize % 5]);
                assert_eq!(game.starter_color, opening.turn());
            }
            let flip = pair.games[0].plies.split(' ').find(|ply| ply.contains('('));
            let flips = first_flips.entry(pair.pair % 5).or_default();
            flips.extend(flip.map(str::to_owned));
        }
        // Pairs 0 and 5 begin at the same opening with different deals.
        assert_eq!(first_flips[&0].len(), 2);
        assert!(printed(&["analyze", &out, "--adjust"]).contains("openings: 5 positions"));
        let other = refused(&[&words(MATCH)[..], &["--deal", deal, "--out", &out]].concat());
        assert!(other.contains("the set of openings"), "{other}");
    }
}

#[test]
fn a_bad_line_is_named_before_anything_is_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("suite.txt");
    let text = format!("# openings\n{}\nK3/4/4 r - 0 0\n", Position::start());
    fs::write(&path, text).expect("writable");
    let out = folder.path().join("match");
    let [path, out_text] = [&path, &out].map(|path| path.display().to_string());
    let arguments = ["--openings", &path, "--out", &out_text];
    let errors = refused(&[&words(MATCH)[..], &arguments].concat());
    assert!(
        errors.contains("suite.txt, line 3: 'K3/4/4 r - 0 0' is not a position"),
        "{errors}"
    );
    assert!(!out.exists());
    let record = ["--openings", &path, "--record", &out_text];
    let errors = refused(&[&words(MATCH)[..], &record].concat());
    assert!(errors.contains("--record"), "{errors}");
}

#[test]
fn endings_have_the_pieces_asked_for_and_games_begin_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("few.txt").display().to_string();
    let make = "openings --count 6 --pieces 5..6 --face-down 1..2 --balance 1 --appraiser evaluation --out";
    printed(&[&words(make)[..], &[&path]].concat());
    let text = fs::read_to_string(&path).expect("openings");
    assert!(
        text.contains("of 5 to 6 pieces, 1 to 2 of them face down"),
        "{text}"
    );
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let positions: Vec<Position> = lines
        .map(|line| line.split('#').next().expect("a position").trim().parse())
        .collect::<Result<_, _>>()
        .expect("positions");
    assert_eq!(positions.len(), 6);
    for position in positions {
        assert!((5..=6).contains(&position.occupied().len()), "{position}");
        assert!((1..=2).contains(&position.face_down().len()), "{position}");
    }
    let report = printed(&[&words(MATCH)[..], &["--openings", &path]].concat());
    assert!(report.contains("openings: 6 positions"), "{report}");
    for wrong in [
        "--face-down 1",
        "--pieces 1..3",
        "--pieces 8..6",
        "--pieces 6 --plies 3",
    ] {
        let made = format!("openings --count 5 {wrong} --out {path}");
        refused(&words(&made));
    }
}

#[test]
fn records_from_another_opening_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = suite(folder.path());
    let out = folder.path().join("match").display().to_string();
    printed(&[&words(MATCH)[..], &["--openings", &suite, "--out", &out]].concat());
    let pairs = Path::new(&out).join("pairs.jsonl");
    let text = fs::read_to_string(&pairs).expect("pairs");
    let opening = records(&out)[0].games[0].opening.expect("an opening").0;
    let edited = text.replacen(&format!("\"opening\":\"{opening}\","), "", 1);
    assert_ne!(edited, text);
    fs::write(&pairs, edited).expect("writable");
    let errors = refused(&["analyze", &out]);
    assert!(
        errors.contains("it begins at the usual start (expected "),
        "{errors}"
    );
}

#[test]
fn outside_programs_are_told_where_a_game_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let suite = suite(folder.path());
    let play = |a: &str, b: &str, more: &[&str]| {
        let game = ["--a", a, "--b", b, "--games", "6", "--openings", &suite];
        run(&[&game[..], &["--seed", "1"], more].concat())
    };
    let (seeded, uci) = (mock("seeded"), mock_uci("polite"));
    let output = play(&seeded, "random", &["--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&document["faults"], &document["openings"]),
        (&0.into(), &5.into())
    );
    let output = play(&seeded, &uci, &["--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["faults"], 0, "{document:#}");
    let output = play("random", &mock("polite"), &[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(errors.contains("cannot begin at an opening"), "{errors}");
    assert!(
        errors.contains("neither position nor init_board"),
        "{errors}"
    );
}

#[test]
fn an_event_names_engines_with_limits_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    suite(folder.path());
    let event = folder.path().join("event.toml");
    let text = format!(
        "schedule = 'gauntlet'\ngames = 4\nseed = 1\nopenings = 'suite.txt'\nadjudicate-tables = '2'\n\
         [[engine]]\nname = 'hub'\nplayer = 'champion:hash=1,tables=0'\nlimits.nodes = 50\n\
         [[engine]]\nplayer = \"{}\"\n\
         [[engine]]\nname = 'deep'\nplayer = 'basic'\nlimits.depth = 1\n\
         [[engine]]\nname = 'uci'\nplayer = \"{}\"\n",
        mock("seeded"),
        mock_uci("polite"),
    );
    fs::write(&event, &text).expect("writable");
    let [path, out] = [event.clone(), folder.path().join("out")].map(|p| p.display().to_string());
    let arguments = ["tournament", "--event", &path, "--out", &out, "--json"];
    let document: Value = serde_json::from_str(&printed(&arguments)).expect("JSON");
    let encounters = document["encounters"].as_array().expect("a list");
    assert_eq!(encounters.len(), 3);
    assert!(
        encounters.iter().all(|met| met["faults"] == 0),
        "{document:#}"
    );
    assert_eq!(document["ratings"].as_array().expect("a list").len(), 4);
    let meta = fs::read_to_string(Path::new(&out).join("01-03/meta.json")).expect("meta");
    let meta: Value = serde_json::from_str(&meta).expect("JSON");
    assert_eq!(meta["identity"]["limits"]["a"]["nodes"], 50);
    assert_eq!(meta["identity"]["limits"]["b"]["depth"], 1);
    // Another event in the same folder is refused before any game.
    fs::write(&event, text.replace("limits.depth = 1", "limits.depth = 2")).expect("writable");
    let errors = refused(&arguments);
    assert!(
        errors.contains("01-03 holds another match: the limit of B"),
        "{errors}"
    );
    fs::write(&event, text.replace("'basic'", "'basick'")).expect("writable");
    let errors = refused(&arguments);
    assert!(
        errors.contains("deep") && errors.contains("basick"),
        "{errors}"
    );
    let errors = refused(&["tournament", "--event", &path, "--games", "8"]);
    assert!(errors.contains("--games"), "{errors}");
}
