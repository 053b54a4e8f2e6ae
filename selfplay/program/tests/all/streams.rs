//! What streams by says the same as what is in memory.

use crate::common::{printed, text};
use anqi_match::report::{Detail, Report, html, json, table};
use anqi_match::sequential::Analysis;
use anqi_match::store;

/// Plays both shards of a match into folders of their own, the second shard twice.
fn shards(folder: &std::path::Path) -> [std::path::PathBuf; 3] {
    let arguments = [
        "--a", "greedy", "--b", "random", "--games", "24", "--seed", "3", "--jobs", "1",
    ];
    let luck = ["--appraiser", "evaluation"];
    ["1/2", "2/2", "2/2"].map(|shard| {
        let number = std::fs::read_dir(folder).expect("a folder").count();
        let out = folder.join(number.to_string());
        printed(
            &[
                &arguments[..],
                &luck,
                &["--shard", shard, "--out", text(&out)],
            ]
            .concat(),
        );
        out
    })
}

#[test]
fn a_report_of_folders_is_that_of_their_records_in_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let folders = shards(folder.path());
    let names: Vec<&str> = folders.iter().map(|folder| text(folder)).collect();
    for sprt in [None, Some("elo0=0,elo1=300")] {
        let (meta, loaded) = store::load(&folders).expect("pairs");
        assert_eq!(loaded.records.len(), 12);
        let analysis = Analysis {
            sprt: sprt.map(|sprt| sprt.parse().expect("a test")),
            ..Analysis::default()
        };
        let report = Report::new(&meta.identity, &loaded.records, &analysis);
        let test: Vec<&str> = sprt.iter().flat_map(|sprt| ["--sprt", sprt]).collect();
        let analyzed = |more: &[&str]| printed(&[&["analyze"], &names[..], &test, more].concat());
        assert_eq!(analyzed(&[]), table::write(&report, Detail::Reproducible));
        let whole = json::write(&report, Detail::Reproducible);
        assert_eq!(analyzed(&["--json=-"]), whole);
        let page = folder.path().join("page.html");
        analyzed(&["--html", text(&page)]);
        let page = std::fs::read_to_string(page).expect("a page");
        // Only the line that says how and when the page was made differs.
        let expected = html::write(&report);
        let (_, body) = expected.split_once("</h1>").expect("a heading");
        let (_, after) = body.split_once("<section>").expect("sections");
        let figures = after.split("All figures").next().expect("figures");
        assert!(page.contains(figures), "{page}");
    }
}

#[test]
fn merged_pairs_are_in_order_and_each_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let folders = shards(folder.path());
    let names: Vec<&str> = folders.iter().map(|folder| text(folder)).collect();
    let out = folder.path().join("all");
    printed(&[&["merge"], &names[..], &["--out", text(&out)]].concat());
    let (_, loaded) = store::load(&folders).expect("pairs");
    let (_, merged) = store::load(std::slice::from_ref(&out)).expect("pairs");
    assert_eq!(merged.records, loaded.records);
    let lines = std::fs::read_to_string(out.join("pairs.jsonl")).expect("pairs");
    let starts: Vec<&str> = lines
        .lines()
        .filter_map(|line| line.split(',').next())
        .collect();
    let expected: Vec<String> = (0..12).map(|pair| format!("{{\"pair\":{pair}")).collect();
    assert_eq!(starts, expected);
}
