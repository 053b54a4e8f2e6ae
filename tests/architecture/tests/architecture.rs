//! The sources against docs/architecture.md.
//!
//! After a restructuring `ARCHITECTURE=write cargo test -p anqi-architecture` rewrites the list of exceptions; it keeps
//! known reasons and marks the others, and the tests fail until those are given.

use std::collections::BTreeSet;
use std::fs;

use anqi_architecture::circles::turning_back;
use anqi_architecture::exceptions::Exceptions;
use anqi_architecture::functions::{functions, script_functions};
use anqi_architecture::imports::arrows;
use anqi_architecture::manifest::{Package, packages};
use anqi_architecture::root;
use anqi_architecture::source::{SourceFile, scripts_of, sources_of};

/// A longer function needs a reason in the list.
const LONG_FUNCTION: usize = 60;

/// A longer file, tests left out, needs a reason in the list.
const LONG_FILE: usize = 500;

/// The sources of the page.
const SCRIPTS: &str = "engine/app/web/src";

/// What each library may see of the workspace. Programs and checks that are not named may see everything but `anqi-tests`.
const MAY_SEE: [(&str, &[&str]); 7] = [
    ("anqi-files", &[]),
    ("anqi-naive", &[]),
    ("anqi-rules", &[]),
    ("anqi-rulebooks", &["anqi-naive", "anqi-rules"]),
    ("anqi-protocol", &["anqi-rules"]),
    ("anqi-tablebase", &["anqi-files", "anqi-rules"]),
    (
        "anqi-search",
        &["anqi-files", "anqi-rules", "anqi-tablebase"],
    ),
];

/// What the code of a crate must not mention.
const MUST_NOT_KNOW: [(&str, &[&str]); 3] = [
    (
        "anqi-rules",
        &[
            "std::fs",
            "std::thread",
            "std::time",
            "std::env",
            "std::process",
            "println!",
        ],
    ),
    ("anqi-search", &["std::process", "println!"]),
    ("anqi-protocol", &["println!"]),
];

fn code() -> Vec<(Package, Vec<SourceFile>)> {
    let root = root();
    let packages = packages(&root).into_iter();
    packages
        .map(|package| {
            let sources = sources_of(&root, &package.folder);
            assert!(!sources.is_empty(), "{} has no sources", package.name);
            (package, sources)
        })
        .collect()
}

#[test]
fn arrows_between_crates_never_turn() {
    let mut wrong = Vec::new();
    for package in packages(&root()) {
        let listed = MAY_SEE.iter().find(|(name, _)| *name == package.name);
        for seen in &package.sees {
            let may = listed.map_or(seen != "anqi-tests", |(_, may)| {
                may.contains(&seen.as_str())
            });
            if !may {
                wrong.push(format!("{} sees {seen}", package.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn crates_do_not_mention_what_they_must_not_know() {
    let mut wrong = Vec::new();
    for (package, sources) in code() {
        let listed = MUST_NOT_KNOW.iter().find(|(name, _)| *name == package.name);
        for word in listed.map_or(&[][..], |(_, words)| words) {
            let of_these = sources.iter().filter(|source| source.code.contains(word));
            wrong.extend(of_these.map(|source| format!("{}: {word}", source.path)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_unwrap_outside_tests() {
    let mut wrong = Vec::new();
    for source in code().iter().flat_map(|(_, sources)| sources) {
        for (line, code) in source.code.lines().enumerate() {
            if code.contains(".unwrap()") || code.contains("clippy::unwrap_used") {
                wrong.push(format!("{}:{}", source.path, line + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "unwrap() outside tests: {wrong:#?}");
}

#[test]
fn long_functions_long_files_and_arrows_that_turn_back_are_listed() {
    let path = root().join("tests/architecture/exceptions.txt");
    let text = fs::read_to_string(&path).expect("the list of exceptions");
    let (list, found) = (Exceptions::read(&text), exceptions());
    if std::env::var_os("ARCHITECTURE").is_some_and(|what| what == "write") {
        let head: String = text
            .lines()
            .take_while(|line| line.starts_with('#'))
            .map(|line| format!("{line}\n"))
            .collect();
        fs::write(&path, list.rewritten(&head, &found)).expect("the list can be written");
    }
    let faults = list.faults(&found);
    assert!(
        faults.is_empty(),
        "{faults:#?}\n`ARCHITECTURE=write cargo test -p anqi-architecture` writes {} anew",
        path.display()
    );
}

/// The keys of what needs a reason.
fn exceptions() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, sources) in code() {
        for source in &sources {
            if source.lines > LONG_FILE {
                found.insert(format!("file {}", source.path));
            }
            let long = functions(&source.code)
                .into_iter()
                .filter(|one| one.lines > LONG_FUNCTION);
            found.extend(long.map(|one| format!("function {} {}", source.path, one.name)));
        }
        let back = turning_back(&arrows(&sources));
        found.extend(
            back.into_iter()
                .map(|(from, to)| format!("arrow {from} > {to}")),
        );
    }
    found.extend(exceptions_of_scripts());
    found
}

/// The same for the page's TypeScript: long files and functions.
fn exceptions_of_scripts() -> Vec<String> {
    let scripts = scripts_of(&root(), SCRIPTS);
    assert!(!scripts.is_empty(), "{SCRIPTS} has no sources");
    let mut found = Vec::new();
    for (path, text) in scripts {
        if text.trim_end().lines().count() > LONG_FILE {
            found.push(format!("file {path}"));
        }
        let long = script_functions(&text).into_iter();
        let long = long.filter(|one| one.lines > LONG_FUNCTION);
        found.extend(long.map(|one| format!("function {path} {}", one.name)));
    }
    found
}
