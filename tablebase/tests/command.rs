//! The `tablebase` command from outside: what it prints, its exit codes, and that killing a build
//! loses nothing.

// Tests and their helpers may panic.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

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
fn lines_end_as_promised() {
    let output = tablebase(&["longest", "Kkg"]);
    let lines = text(&output.stdout);
    assert!(lines.lines().last().unwrap().contains("over"), "{lines}");
    let position = lines.lines().next().unwrap();
    let again = tablebase(&["line", position]);
    assert_eq!(text(&again.stdout), lines);
}

#[test]
fn the_longest_wins_in_the_documents_are_games_as_long_as_they_say() {
    let text = include_str!("../../docs/longest-wins.txt");
    // By the rules crate alone, without any limit: so many plies to the capture that ends the phase.
    let rules = anqi_rules::Rules {
        quiet_limit: None,
        ..anqi_rules::Rules::PAPER
    };
    let first_captures = text.lines().map(|line| {
        let (position, plies) = line.split_once(" moves ").unwrap();
        let mut position: anqi_rules::Position = position.parse().unwrap();
        let captures: Vec<bool> = plies
            .split(' ')
            .map(|ply| {
                let game = anqi_rules::Game::new(position, rules);
                let action: anqi_rules::Action = ply.parse().unwrap();
                assert!(game.actions().contains(&action), "{ply} in {position}");
                position.step_unchecked(action).captured().is_some()
            })
            .collect();
        assert!(position.annihilated().is_some() || !position.has_action());
        1 + captures.iter().position(|is_capture| *is_capture).unwrap()
    });
    assert_eq!(first_captures.collect::<Vec<_>>(), [24, 101, 231, 332]);
    let again = tablebase(&["longest", "GCkc", "--moves"]);
    assert_eq!(
        self::text(&again.stdout).trim(),
        text.lines().nth(1).unwrap()
    );
    let position = text.lines().next().unwrap().split(" moves").next();
    let again = tablebase(&["line", position.unwrap(), "--moves"]);
    assert_eq!(
        self::text(&again.stdout).trim(),
        text.lines().next().unwrap()
    );
}

fn names(dir: &Path) -> Vec<String> {
    files(dir).into_iter().map(|(name, _)| name).collect()
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

/// Builds all units of two pieces and returns what was written to standard error.
fn build_two(dir: &Path) -> String {
    let path = dir.to_str().unwrap();
    let output = tablebase(&["build", "--quiet", "--pieces", "2", "--dir", path]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stderr)
}

#[test]
fn damage_anywhere_in_a_file_is_noticed_and_built_again() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(build_two(dir.path()), "");
    let before = files(dir.path());
    for (name, bytes) in before.iter().filter(|(name, _)| name != ".lock") {
        // The header, the frames, the hash at the end.
        for at in [20, bytes.len() - 60, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            fs::write(dir.path().join(name), damaged).unwrap();
            let told = build_two(dir.path());
            assert!(
                told.contains(name) && told.contains("written again"),
                "{told}"
            );
            assert_eq!(files(dir.path()), before, "{name} {at}");
        }
    }
    assert_eq!(build_two(dir.path()), "");
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
    build_two(dir.path());
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
fn sound_folders_of_values_alone_are_verified() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let build = [
        "build", "--quiet", "--pieces", "3", "--metric", "wdl", "--dir", path,
    ];
    assert!(tablebase(&build).status.success());
    let verified = tablebase(&["verify", path]);
    assert!(verified.status.success(), "{}", text(&verified.stderr));
    // A unit without its table of distances is still sound.
    let build = ["build", "--quiet", "--pieces", "3", "--dir", path];
    assert!(tablebase(&build).status.success());
    fs::remove_file(dir.path().join("Kgp.dtc")).unwrap();
    let verified = tablebase(&["verify", path]);
    assert!(verified.status.success(), "{}", text(&verified.stderr));
}

#[test]
fn verification_looks_at_every_table_file() {
    let dir = tempfile::tempdir().unwrap();
    build_two(dir.path());
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
    build_two(dir.path());
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
    build_two(whole.path());
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
fn odd_but_right_sets_and_positions_are_answered() {
    let said = |arguments: &[&str], word: &str| {
        let output = tablebase(arguments);
        let told = text(&output.stdout) + &text(&output.stderr);
        assert!(!told.contains("panicked"), "{arguments:?}: {told}");
        assert!(told.contains(word), "{arguments:?}: {told}");
        output.status.code()
    };
    // Sets in which nobody ever wins, in either order of letters.
    for set in ["Cc", "cC", "Cp", "pC"] {
        assert_eq!(said(&["longest", set], "every position is a draw"), Some(0));
        assert_eq!(said(&["stats", set], "drawn (100.00%)"), Some(0));
        assert_eq!(said(&["class", set], "unit C"), Some(0));
        assert_eq!(said(&["duel", set], "no win takes nine plies"), Some(1));
    }
    for command in ["longest", "stats", "class", "duel"] {
        for (set, word) in [
            ("", "at least one piece"),
            ("CC", "each colour"),
            ("kkK", "too many"),
        ] {
            assert_eq!(said(&[command, set], word), Some(2));
        }
    }
    assert_eq!(said(&["longest", "pPpP"], "over"), Some(0));
    assert_eq!(said(&["duel", "Kk", "--games", "0"], "--games"), Some(2));
    assert_eq!(
        said(&["duel", "Kk", "--games", "999999999999"], "--games"),
        Some(2)
    );
    // A side without pieces has lost, however many the other has, no matter which is to move.
    for (position, value) in [
        ("4/4/4/4/4/4/4/C3 r - 0 0", "win"),
        ("4/4/4/4/4/4/4/C3 b - 0 0", "loss"),
        ("4/4/4/4/4/4/PP2/PPP1 r - 0 0", "win"),
        ("4/4/4/4/KGGM/4/PP2/PPP1 b - 0 0", "loss"),
    ] {
        assert_eq!(said(&["probe", position], value), Some(0));
        let end = if value == "win" {
            "has won"
        } else {
            "has lost"
        };
        assert_eq!(said(&["line", position], end), Some(0));
    }
}

#[test]
fn files_of_sets_without_a_decided_position_describe_themselves() {
    let dir = tempfile::tempdir().unwrap();
    build_two(dir.path());
    let output = tablebase(&["info", dir.path().join("Cc.dtc").to_str().unwrap()]);
    assert!(
        text(&output.stdout).contains("longest: none"),
        "{}",
        text(&output.stdout)
    );
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

#[test]
fn a_probe_with_face_down_pieces_names_every_expectation() {
    let position = "4/3?/2?G/4/4/?3/4/4 b Ckc 0 40";
    let output = tablebase(&["probe", position, "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&answer["expected"], &answer["exact"]),
        (&"2/3".into(), &true.into())
    );
    let actions = answer["actions"].as_array().unwrap();
    let rated = actions
        .iter()
        .map(|a| [&a["action"], &a["expected"]].map(|v| v.as_str().unwrap()));
    assert_eq!(
        rated.collect::<Vec<_>>(),
        [["a3-a3", "2/3"], ["c6-c6", "1/2"], ["d7-d7", "1/2"]]
    );
    let output = tablebase(&["probe", position, "--rules", "platform"]);
    assert!(
        text(&output.stdout).contains("draw after 60"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn a_probe_without_face_down_pieces_has_the_expectation_of_unlimited_play() {
    // Far from the next capture: a win that comes too late under a limit of 40 plies.
    let position = "3k/4/4/4/4/4/G3/C1c1 b - 30 99";
    let expected = |rules: &str| {
        let output = tablebase(&["probe", position, "--json", "--rules", rules]);
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (answer["wdl"].clone(), answer["expected"].clone())
    };
    assert_eq!(expected("none").1, expected("paper").1);
    assert_ne!(expected("none").0, expected("paper").0);
}

#[test]
fn more_pieces_than_are_solved_are_refused() {
    let output = tablebase(&["probe", "4/3?/2?G/4/4/?3/4/?R2 b Ckcp 0 40"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("6 pieces") && said.contains("at most 5"),
        "{said}"
    );
}

#[test]
fn the_lattice_is_consistent_and_symmetric() {
    let output = tablebase(&["lattice", "--pieces", "3", "--json"]);
    let lattice: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(lattice["conflicts_left"], 0, "{}", lattice["conflicts"]);
    assert!(
        lattice["hurts_most"].as_f64().unwrap() < 0.1,
        "{}",
        lattice["hurts_most"]
    );
    let materials = lattice["materials"].as_array().unwrap();
    assert_eq!(materials.len(), 49 + 378);
    let of = |set: &str| materials.iter().find(|one| one["set"] == set).unwrap();
    let worth = |set: &str| of(set)["worth"].as_f64().unwrap();
    assert!(worth("Kg") > 0.3, "{}", worth("Kg"));
    for (set, swapped) in [("Kg", "Gk"), ("KGp", "Pkg"), ("Ccp", "CPc")] {
        assert!((worth(set) + worth(swapped)).abs() < 1e-9, "{set}");
        let level = |set: &str| of(set)["level"].as_u64().unwrap();
        assert_eq!(level(set) + level(swapped), 10, "{set}");
    }
    let text = text(&tablebase(&["lattice", "--pieces", "2"]).stdout);
    assert!(
        text.lines().count() > 28 && text.contains("to red"),
        "{text}"
    );
}

#[test]
fn a_manifest_names_what_differs() {
    let dir = tempfile::tempdir().unwrap();
    let tables = dir.path().join("tables").display().to_string();
    assert!(
        tablebase(&["build", "--pieces", "3", "--dir", &tables, "-q"])
            .status
            .success()
    );
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

#[test]
fn a_higher_level_makes_smaller_files_of_the_same_values() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |name: &str| dir.path().join(name).display().to_string();
    let build = |name: &str, more: &[&str]| {
        let order = ["build", "--pieces", "3", "-q", "--dir", &folder(name)];
        let output = tablebase(&[&order, more].concat());
        assert!(output.status.success(), "{output:?}");
        let files = files(Path::new(&folder(name)));
        files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    };
    assert!(build("tight", &["--level", "19"]) < build("usual", &[]));
    let output = tablebase(&["verify", &folder("tight")]);
    assert!(output.status.success(), "{output:?}");
    for level in ["0", "23", "x"] {
        let place = folder("none");
        let output = tablebase(&["build", "--pieces", "2", "--dir", &place, "--level", level]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
