//! The `tablebase` command from outside: what it prints, its exit codes, and that killing a build
//! loses nothing.

// A test that cannot go on may say so by panicking, in its helpers too.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn tablebase(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tablebase"))
        .args(arguments)
        .output()
        .unwrap()
}

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
            "face-down",
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
fn too_little_memory_is_refused_with_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let output = tablebase(&["build", "--pieces", "2", "--dir", path, "--memory", "1M"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stderr).contains("MiB"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn lines_end_as_promised() {
    let output = tablebase(&["longest", "Kkg"]);
    let lines = text(&output.stdout);
    assert!(lines.lines().last().unwrap().contains("over"), "{lines}");
    let position = lines.lines().next().unwrap();
    let again = tablebase(&["line", position]);
    assert_eq!(text(&again.stdout), lines);
}

fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), fs::read(&path).unwrap()))
        .map(|(path, bytes)| (path.rsplit('/').next().unwrap().to_owned(), bytes))
        .collect();
    files.sort();
    files
}

#[test]
fn a_build_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let arguments = |dir: &Path| {
        ["build", "--quiet", "--pieces", "4", "--jobs", "2", "--dir"]
            .iter()
            .map(ToString::to_string)
            .chain([dir.display().to_string()])
            .collect::<Vec<_>>()
    };
    let run = |dir: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tablebase"));
        command.args(arguments(dir)).stderr(Stdio::null());
        command
    };
    assert!(run(dirs[0].path()).status().unwrap().success());
    for delay in [0, 60, 130, 30, 210, 90, 170, 20, 250, 110] {
        let mut child = run(dirs[1].path()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(run(dirs[1].path()).status().unwrap().success());
    assert_eq!(files(dirs[0].path()), files(dirs[1].path()));
    let before = files(dirs[1].path());
    assert!(
        run(dirs[1].path()).status().unwrap().success(),
        "a finished build does nothing"
    );
    assert_eq!(files(dirs[1].path()), before);
    let path = dirs[1].path().to_str().unwrap();
    let verified = tablebase(&["verify", path]);
    assert!(verified.status.success(), "{}", text(&verified.stderr));
}
