//! Links and pictures of the documents lead to files of this repository.

use std::fs;
use std::path::{Path, PathBuf};

use anqi_architecture::root;

/// Folders whose documents are read.
const FOLDERS: [&str; 5] = ["", "docs", "tests", "selfplay", "engine/app/web"];

fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(root().join(folder)).expect("a folder of the repository");
        let files = entries.map(|entry| entry.expect("an entry").path());
        found.extend(files.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    found
}

/// The targets of links `[words](target)`, without the parts after `#`.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("](").skip(1);
    let target = after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    target.map(|target| target.split('#').next().unwrap_or_default())
}

#[test]
fn links_of_documents_lead_somewhere() {
    let mut followed = 0;
    let mut broken = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        let folder = document.parent().unwrap_or(Path::new(""));
        for target in targets(&text) {
            if target.is_empty() || target.contains("://") || target.contains(' ') {
                continue;
            }
            followed += 1;
            if !folder.join(target).exists() {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(followed > 50, "only {followed} links were found");
    assert_eq!(broken, [""; 0], "links that lead nowhere");
}
