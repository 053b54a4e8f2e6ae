//! `tablebase verify`, `info` and `manifest`: sound files pass, and all else is named.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::building::build;
use crate::common::tablebase;
use crate::text;

#[test]
fn sound_folders_of_values_alone_are_verified() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let values = [
        "build", "--quiet", "--pieces", "3", "--metric", "wdl", "--dir", path,
    ];
    assert!(tablebase(&values).status.success());
    let verified = tablebase(&["verify", path]);
    assert!(verified.status.success(), "{}", text(&verified.stderr));
    // A unit without its table of distances is still sound.
    build(dir.path(), "3");
    fs::remove_file(dir.path().join("Kgp.dtc")).unwrap();
    let verified = tablebase(&["verify", path]);
    assert!(verified.status.success(), "{}", text(&verified.stderr));
}

#[test]
fn verification_looks_at_every_table_file() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), "2");
    let path = dir.path().to_str().unwrap();
    fs::copy(dir.path().join("Kk.wdl"), dir.path().join("KGMgp.wdl")).unwrap();
    let output = tablebase(&["verify", path]);
    assert_eq!(
        output.status.code(),
        Some(1),
        "no unit of three or four pieces is there"
    );
    assert!(text(&output.stderr).contains("KGMgp.wdl"));
    fs::rename(dir.path().join("KGMgp.wdl"), dir.path().join("copy.wdl")).unwrap();
    let output = tablebase(&["verify", path]);
    assert!(text(&output.stderr).contains("no unit has this name"));
}

/// Runs the program and fails if it is not done in a few seconds.
#[cfg(unix)]
fn soon(arguments: &[&str]) -> Output {
    let child = Command::new(env!("CARGO_BIN_EXE_tablebase"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    receiver
        .recv_timeout(Duration::from_secs(20))
        .unwrap_or_else(|_| {
            // Another thread waits for the child, so only its id is left to end it by.
            let _ = Command::new("kill").arg(id.to_string()).status();
            panic!("{arguments:?} hangs")
        })
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_in_the_place_of_tables_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), "2");
    let path = dir.path().to_str().unwrap();
    let pipe = dir.path().join("Kk.wdl");
    fs::remove_file(&pipe).unwrap();
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let position = "4/4/4/4/4/4/4/KGg1 r - 0 0";
    let cases: [&[&str]; 4] = [
        &["info", pipe.to_str().unwrap()],
        &["verify", path],
        &["build", "--quiet", "--pieces", "2", "--dir", path],
        &["build", "--quiet", "--unit", "Kkg", "--dir", path],
    ];
    for arguments in cases {
        let output = soon(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.contains("Kk.wdl") && told.contains("pipe"), "{told}");
    }
    let whole = tempfile::tempdir().unwrap();
    build(whole.path(), "2");
    let folder = whole.path().to_str().unwrap();
    let output = soon(&["verify", folder, "--manifest", pipe.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("pipe"));
    let larger = dir.path().join("Kgp.wdl");
    assert!(
        Command::new("mkfifo")
            .arg(&larger)
            .status()
            .unwrap()
            .success()
    );
    assert!(soon(&["probe", position, "--dir", path]).status.success());
    assert_eq!(soon(&["info", "/dev/zero"]).status.code(), Some(1));
}

#[test]
fn files_of_sets_without_a_decided_position_describe_themselves() {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), "2");
    let output = tablebase(&["info", dir.path().join("Cc.dtc").to_str().unwrap()]);
    assert!(
        text(&output.stdout).contains("longest: none"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_manifest_names_what_differs() {
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().join("tables").display().to_string();
    build(Path::new(&tables), "3");
    let output = tablebase(&["manifest", &tables]);
    let manifest = text(&output.stdout);
    assert_eq!(manifest.lines().count(), 50);
    for line in manifest.lines() {
        let (hash, name) = line.split_once("  ").unwrap();
        let bytes = fs::read(Path::new(&tables).join(name)).unwrap();
        assert_eq!(hash, blake3::hash(&bytes).to_hex().as_str(), "{name}");
    }
    let place = dir.path().join("manifest.txt").display().to_string();
    let check = |text: &str| {
        fs::write(&place, text).unwrap();
        tablebase(&["verify", &tables, "--manifest", &place])
    };
    let output = check(&manifest);
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output.stdout).contains("50 of 50 files"));

    // One hash changed, one line that is no hash, one twice, one that names no table.
    let (first, rest) = manifest.split_once('\n').unwrap();
    let (hash, name) = first.split_once("  ").unwrap();
    let other = if hash.starts_with('0') { '1' } else { '0' };
    let changed = check(&format!("{other}{}  {name}\n{rest}", &hash[1..]));
    assert_eq!(changed.status.code(), Some(1));
    assert!(text(&changed.stderr).contains(name) && text(&changed.stderr).contains(hash));
    for (bad, word) in [
        (format!("{rest}{first}\nnonsense\n"), "line 51"),
        (format!("{manifest}{first}\n"), "twice"),
        (format!("{hash}  notes.txt\n"), "notes.txt"),
        (format!("{}  {name}\n", &hash[1..]), "no BLAKE3 hash"),
    ] {
        let output = check(&bad);
        assert_eq!(output.status.code(), Some(1), "{word}");
        assert!(text(&output.stderr).contains(word), "{output:?}");
    }
}
