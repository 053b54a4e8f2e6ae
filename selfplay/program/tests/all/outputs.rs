//! Results are not lost: unwritable paths are refused before the first game, and
//! whatever fails at the end, the table is printed.

use std::fs;
use std::path::Path;

use crate::common::{run, text};

/// A match that takes far longer than a test may.
const ENDLESS: [&str; 8] = [
    "--a",
    "champion",
    "--b",
    "champion",
    "--games",
    "2000000",
    "--movetime",
    "60000",
];

/// Commands that would work for a long time, and the options that name their results.
fn endless<'a>(folder: &'a Path, names: &'a mut Vec<String>) -> Vec<(Vec<&'a str>, &'a str)> {
    names.push(folder.join("kept").display().to_string());
    let kept: &'a str = &names[0];
    let tournament = [
        &["tournament", "--players", "champion,basic"][..],
        &ENDLESS[4..],
    ]
    .concat();
    let data = vec!["data", "--games", "1000000", "--out", kept];
    let fit = vec!["fit", "--games", "1000000", "--out", kept];
    vec![
        (ENDLESS.to_vec(), "--html"),
        (ENDLESS.to_vec(), "--json"),
        (ENDLESS.to_vec(), "--record"),
        (ENDLESS.to_vec(), "--out"),
        (tournament.clone(), "--json"),
        (tournament, "--out"),
        (data, "--json"),
        (fit, "--json"),
    ]
}

#[test]
fn places_that_cannot_be_written_are_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writable");
    // Below a file there is no folder: nobody, not even root, can write there.
    let nowhere = file.join("result");
    let mut names = Vec::new();
    for (mut arguments, option) in endless(folder.path(), &mut names) {
        arguments.extend([option, text(&nowhere)]);
        let output = run(&arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains(text(&file)), "{arguments:?}: {errors}");
    }
    for arguments in [["data", "--out"], ["fit", "--out"]] {
        let output = run(&[&arguments[..], &[text(&nowhere)]].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    }
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "nothing is left behind: {left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_in_the_end_costs_a_file_and_not_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept.json");
    let short = ["--a", "greedy", "--b", "random", "--games", "4"];
    let places = [
        "--html",
        "/dev/full",
        "--record",
        "/dev/full",
        "--json",
        text(&kept),
    ];
    let output = run(&[&short[..], &places].concat());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("--html /dev/full") && errors.contains("--record /dev/full"));
    assert!(String::from_utf8_lossy(&output.stdout).contains("advantage ratio"));
    assert!(
        fs::read_to_string(&kept)
            .expect("the other file")
            .starts_with('{')
    );
}

#[cfg(unix)]
#[test]
fn temporary_files_of_killed_runs_go_with_the_next_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let mut arguments = ENDLESS.to_vec();
    arguments.extend(["--html", text(&page)]);
    let mut child = crate::common::selfplay(&arguments)
        .spawn()
        .expect("a process");
    while fs::read_dir(folder.path()).expect("a folder").count() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    let short = ["--a", "greedy", "--b", "random", "--games", "2", "--html"];
    crate::common::printed(&[&short[..], &[text(&page)]].concat());
    let names = fs::read_dir(folder.path()).expect("a folder");
    let names: Vec<_> = names
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["page.html"]);
}
