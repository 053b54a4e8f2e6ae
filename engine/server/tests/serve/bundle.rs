//! Checks without Node that the committed page was built from its sources.
//!
//! `npm run build` writes into `engine/web/dist/sources.json` the length and checksum of every file that
//! it read or wrote. Here both lists are compared with the files.
//! `engine/web/test.sh`, which needs Node, checks that building again gives the same bytes.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ADVICE: &str = "run `npm run build` in engine/web and commit dist/";

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web")
}

fn manifest() -> Value {
    let text = fs::read_to_string(web().join("dist/sources.json")).expect("a manifest");
    serde_json::from_str(&text).expect("a manifest in JSON")
}

/// Returns the paths listed under `key`, each checked against the file below `folder`.
fn checked(manifest: &Value, key: &str, folder: &Path) -> BTreeSet<String> {
    let rows = manifest[key].as_array().expect("rows");
    let check = |row: &Value| {
        let path = row["path"].as_str().expect("a text");
        let bytes = fs::read(folder.join(path))
            .unwrap_or_else(|error| panic!("{path} is listed in sources.json: {error}; {ADVICE}"));
        assert_eq!(
            row["bytes"],
            bytes.len(),
            "{path} has another length; {ADVICE}"
        );
        let sum = format!("{:08x}", crc32fast::hash(&bytes));
        assert_eq!(row["crc32"], sum.as_str(), "{path} has changed; {ADVICE}");
        path.to_owned()
    };
    rows.iter().map(check).collect()
}

/// Returns the paths of all files below `folder`, relative to `root`.
fn files_below(root: &Path, folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(root.join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a source file");
        let path = match folder {
            "" => name,
            _ => format!("{folder}/{name}"),
        };
        if entry.file_type().expect("a source file").is_dir() {
            found.extend(files_below(root, &path));
        } else {
            found.insert(path);
        }
    }
    found
}

#[test]
fn every_source_of_the_page_is_the_one_it_was_built_from() {
    let listed = checked(&manifest(), "sources", &web());
    for folder in ["src", "static"] {
        for path in files_below(&web(), folder) {
            assert!(
                listed.contains(&path),
                "{path} is not in sources.json; {ADVICE}"
            );
        }
    }
}

#[test]
fn the_committed_page_is_the_one_that_was_built() {
    let dist = web().join("dist");
    let mut listed = checked(&manifest(), "built", &dist);
    listed.insert("sources.json".to_owned());
    assert_eq!(listed, files_below(&dist, ""), "{ADVICE}");
}

#[test]
fn the_page_begins_with_the_default_level() {
    let page = fs::read_to_string(web().join("src/views/home.tsx")).expect("the page's form");
    let line = format!("level: {},", anqi_play::Level::DEFAULT);
    assert!(page.contains(&line), "the page's form has another level");
}
