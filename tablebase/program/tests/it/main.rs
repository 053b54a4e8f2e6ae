//! Tables from outside: their files, the small distilled file, the rules of a course, and the command
//! `tablebase`: what it prints, its exit codes, and that killing a build loses nothing.

// Tests and their helpers may panic.
#![allow(clippy::unwrap_used)]

mod building;
mod common;
mod course;
mod distil;
mod face_down;
mod files;
mod lessons;
mod probing;
mod service;
mod verified_counts;
mod verifying;

use common::tablebase;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn classes_are_those_of_the_paper() {
    let output = tablebase(&["classes", "--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    let column = |name: &str| {
        rows.iter()
            .map(|row| row[name].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(column("sets"), [49, 378, 1737, 5946, 16524, 39022, 80551]);
    assert_eq!(column("classes"), [8, 46, 186, 672, 2240, 6694, 17662]);
    assert_eq!(column("twin_classes"), [8, 40, 144, 466, 1406, 3996, 10672]);
    assert_eq!(column("units")[..6], [5, 20, 75, 233, 709, 1998]);
}

#[test]
fn statistics_have_the_agreed_form() {
    let output = tablebase(&["stats", "KGp", "--json"]);
    let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let side = |name: &str| ["win", "draw", "loss"].map(|key| stats[name][key].as_u64().unwrap());
    let placements = 32 * 31 * 30;
    assert_eq!(side("red_to_move").iter().sum::<u64>(), placements);
    assert_eq!(side("black_to_move").iter().sum::<u64>(), placements);
    for key in ["max_dtc", "max_dtw", "sum_dtc", "sum_dtw"] {
        assert!(stats[key].is_u64(), "{key}");
    }
    // Exchanging the colours exchanges the sides.
    let output = tablebase(&["stats", "Pkg", "--json"]);
    let other: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(other["red_to_move"], stats["black_to_move"]);
    assert_eq!(other["sum_dtw"], stats["sum_dtw"]);
}

#[test]
fn wrong_input_is_named_and_has_its_exit_code() {
    let cases: [(&[&str], i32, &str); 7] = [
        (&["stats", "KXg"], 2, "'X'"),
        (&["build", "--dir", "x"], 2, "--pieces"),
        (&["build", "--pieces", "9", "--dir", "x"], 2, "9"),
        (
            &["build", "--pieces", "3", "--dir", "x", "--memory", "lots"],
            2,
            "lots",
        ),
        (&["probe", "nonsense"], 1, "nonsense"),
        (
            &[
                "probe",
                "????/????/????/????/????/????/????/???? - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 0",
            ],
            1,
            "first flip",
        ),
        (&["verify", "/no/such/place"], 1, "/no/such/place"),
    ];
    for (arguments, code, word) in cases {
        let output = tablebase(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(
            text(&output.stderr).contains(word),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn completions_and_manual_pages_are_printed_and_shown_in_help() {
    let said = |arguments: &[&str]| text(&tablebase(arguments).stdout);
    let help = said(&["--help"]);
    assert!(
        help.contains("completions") && help.contains("man "),
        "{help}"
    );
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(said(&["completions", shell]).contains("verify"), "{shell}");
    }
    assert!(said(&["man"]).starts_with(".ie"), "roff");
    let page = said(&["man", "build"]);
    assert!(
        page.contains("memory") && page.contains("tablebase"),
        "{page}"
    );
    let output = tablebase(&["man", "nonsense"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("verify"));
    assert_eq!(
        tablebase(&["completions", "nonsense"]).status.code(),
        Some(2)
    );
}
