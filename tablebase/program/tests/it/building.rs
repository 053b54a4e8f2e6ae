//! `tablebase build`: killing it loses nothing, and damage is repaired.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::tablebase;
use crate::text;

fn names(dir: &Path) -> Vec<String> {
    files(dir).into_iter().map(|(name, _)| name).collect()
}

pub fn files(dir: &Path) -> Vec<(String, Vec<u8>)> {
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
        "build --quiet --pieces 3 --jobs 2 --metric wdl,dtc,dtw --dir"
            .split(' ')
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

#[test]
#[cfg(unix)]
fn a_build_that_can_write_no_more_names_the_file_and_leaves_only_whole_ones() {
    let dirs = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let run = |dir: &Path, limit: &str| {
        // A file that grows too large is refused like one on a full disk.
        let script = format!(
            "trap '' XFSZ; {limit} exec \"$0\" build -q --pieces 3 --metric wdl,dtc,dtw --dir \"$1\""
        );
        Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_tablebase")])
            .arg(dir)
            .output()
            .unwrap()
    };
    assert!(run(dirs[0].path(), "").status.success());
    let whole = files(dirs[0].path());
    let output = run(dirs[1].path(), "ulimit -f 1;");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = text(&output.stderr);
    assert!(
        told.contains("too large") && told.contains(".part"),
        "{told}"
    );
    let left = files(dirs[1].path());
    assert!(left.len() > 15 && left.len() < whole.len(), "{left:?}");
    for file in left {
        assert!(whole.contains(&file), "{}", file.0);
    }
    assert!(run(dirs[1].path(), "").status.success());
    assert_eq!(files(dirs[1].path()), whole);
}

/// Builds all units of up to this many pieces and returns what was written to standard error.
pub fn build(dir: &Path, pieces: &str) -> String {
    let path = dir.to_str().unwrap();
    let output = tablebase(&["build", "--quiet", "--pieces", pieces, "--dir", path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stderr)
}

#[test]
fn damage_anywhere_in_a_file_is_noticed_and_built_again() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(build(dir.path(), "2"), "");
    let before = files(dir.path());
    for (name, bytes) in before.iter().filter(|(name, _)| name != ".lock") {
        // The header, the frames, the hash at the end.
        for at in [20, bytes.len() - 60, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            fs::write(dir.path().join(name), damaged).unwrap();
            let told = build(dir.path(), "2");
            assert!(
                told.contains(name) && told.contains("written again"),
                "{told}"
            );
            assert_eq!(files(dir.path()), before, "{name} {at}");
        }
    }
    assert_eq!(build(dir.path(), "2"), "");
}

#[test]
fn a_folder_has_one_build_of_everything_or_several_of_single_units() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let whole = ["build", "--quiet", "--pieces", "2", "--dir", path];
    let unit = ["build", "--quiet", "--unit", "Kk", "--dir", path];
    let lock = anqi_files::FolderLock::acquire(dir.path()).unwrap();
    for arguments in [whole, unit] {
        let output = tablebase(&arguments);
        assert_eq!(output.status.code(), Some(4));
        let told = text(&output.stderr);
        assert_eq!(
            told.matches("in use by another process").count(),
            1,
            "{told}"
        );
    }
    assert_eq!(names(dir.path()), [".lock"]);
    drop(lock);
    // A child that another test is just starting may hold a copy of the lock for a moment.
    let ends_well = |arguments: &[&str]| {
        (0..50).any(|_| {
            let status = tablebase(arguments).status;
            assert!(matches!(status.code(), Some(0 | 4)), "{status}");
            status.success()
        })
    };
    let lock = (0..50)
        .find_map(|_| anqi_files::FolderLock::share(dir.path()).ok())
        .unwrap();
    assert_eq!(tablebase(&whole).status.code(), Some(4));
    assert!(ends_well(&unit));
    drop(lock);
    assert!(ends_well(&whole));
}

#[test]
fn what_killed_builds_left_is_gone_after_the_next_one() {
    let dir = tempfile::tempdir().unwrap();
    let ours = ["KGgp.dtc.tmp", ".KGgp.wdl.Ab3xYz.part"];
    let others = [
        "notes.tmp",
        ".KGgp.wdl.draft.part",
        "KGgp.wdl.bak",
        ".film.Ab3xYz.part",
    ];
    for name in ours.iter().chain(&others) {
        fs::write(dir.path().join(name), "left").unwrap();
    }
    fs::create_dir(dir.path().join("Kgp.planes.tmp")).unwrap();
    fs::write(dir.path().join("Kgp.planes.tmp/red-open"), "left").unwrap();
    build(dir.path(), "2");
    let left: Vec<String> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in ours.iter().chain(&["Kgp.planes.tmp"]) {
        assert!(!left.iter().any(|other| other == name), "{name}");
    }
    for name in others {
        assert!(left.iter().any(|other| other == name), "{name}");
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
    assert_eq!(names(dir.path()), [".lock"]);
}

#[test]
fn level_and_frames_change_sizes_and_no_value() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |name: &str| dir.path().join(name).display().to_string();
    let build = |name: &str, more: &[&str]| {
        let order = ["build", "--pieces", "3", "-q", "--dir", &folder(name)];
        let output = tablebase(&[&order, more].concat());
        assert!(output.status.success(), "{output:?}");
        let files = files(Path::new(&folder(name)));
        files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    };
    let usual = build("usual", &[]);
    assert!(build("tight", &["--level", "19"]) < usual);
    assert!(build("short", &["--frame", "512"]) > usual);
    for name in ["tight", "short"] {
        let output = tablebase(&["verify", &folder(name)]);
        assert!(output.status.success(), "{output:?}");
    }
    let refused = [
        ("--level", ["0", "23", "x"]),
        ("--frame", ["256", "131072", "1000"]),
    ];
    for (option, values) in refused {
        for value in values {
            let place = folder("none");
            let output = tablebase(&["build", "--pieces", "2", "--dir", &place, option, value]);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
        }
    }
}
