//! Training positions and weights fitted to them, by the whole program: the same
//! bytes for the same command, bad input refused, and nothing left behind.

use std::fs;
use std::path::Path;

use crate::common::{printed, refused, run, text};
use anqi_lab::training::census::Census;
use anqi_lab::training::file::DataFile;
use anqi_search::evaluation::{Curve, Weights};

/// A player with a small search that starts at once.
const PLAYER: [&str; 4] = ["--player", "champion:hash=1,tables=0", "--nodes", "40"];

/// Plays games into a file and returns its bytes.
fn data(out: &Path, more: &[&str]) -> Vec<u8> {
    let mut arguments = vec!["data", "--out", text(out)];
    arguments.extend(PLAYER);
    arguments.extend(more);
    printed(&arguments);
    fs::read(out).expect("the file is written")
}

#[test]
fn the_same_command_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    let one = data(&out, &["--games", "24", "--jobs", "1"]);
    assert_eq!(one, data(&out, &["--games", "24", "-j3"]));
    assert_ne!(one, data(&out, &["--games", "24", "--seed", "2"]));
    let fewer = data(&out, &["--games", "7"]);
    let [one, fewer] = [one, fewer].map(|bytes| DataFile::parse(&bytes).expect("a file"));
    assert_eq!(fewer.records(), &one.records()[..fewer.records().len()]);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn variety_is_as_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    let none = ["--opening-random", "0", "--random", "0"];
    let calm = data(&out, &[&["--games", "12"], &none[..]].concat());
    let calm = Census::new(&DataFile::parse(&calm).expect("a file")).expect("positions");
    let wild = data(
        &out,
        &[
            "--games",
            "12",
            "--opening-random",
            "1",
            "--opening-plies",
            "40",
        ],
    );
    let wild = DataFile::parse(&wild).expect("a file");
    for index in 0..wild.records().len() {
        let ply = wild.example(index).expect("a position").position.ply();
        assert!(ply >= 40, "a position before a random action, at ply {ply}");
    }
    assert!(calm.mean_ply < 400.0 && calm.recipe.contains("random actions: 0 before"));
}

#[test]
fn counts_agree_with_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("data");
    data(&out, &["--games", "20"]);
    let json = printed(&["data-info", text(&out), "--json"]);
    let all: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let sum = |key: &str| -> u64 {
        let parts = all[0][key].as_array().expect("a list");
        parts
            .iter()
            .map(|part| part.as_u64().expect("a count"))
            .sum()
    };
    let positions = all[0]["positions"].as_u64().expect("a count");
    assert!(positions > 500, "{positions}");
    assert_eq!(sum("results"), positions);
    assert_eq!(sum("best"), positions);
    assert_eq!(sum("values") + sum("proven"), positions);
    assert_eq!(all[0]["games"], 20);
    let table = printed(&["data-info", text(&out)]);
    assert!(table.contains("games        20\n"), "{table}");
}

#[test]
fn damaged_and_foreign_files_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, bad, weights] = ["data", "bad", "weights"].map(|name| folder.path().join(name));
    let whole = data(&out, &["--games", "4"]);
    let mut flipped = whole.clone();
    flipped[whole.len() - 3] ^= 1;
    let cases: [(&[u8], &str); 4] = [
        (&whole[..whole.len() - 5], "incomplete"),
        (b"half 900\n", "is not a file of positions"),
        (b"", "is not a file of positions"),
        (&flipped, "checksum"),
    ];
    for (content, fault) in cases {
        fs::write(&bad, content).expect("writable");
        refused(&run(&["data-info", text(&bad)]), &[text(&bad), fault]);
        let fit = [
            "fit",
            "--data",
            text(&out),
            text(&bad),
            "--out",
            text(&weights),
        ];
        refused(&run(&fit), &[text(&bad), fault]);
        assert!(!weights.exists());
    }
    refused(&run(&["data-info", "no-such-file"]), &["no-such-file"]);
}

#[test]
fn a_fit_is_the_same_from_a_file_and_in_one_command_and_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, first, second] = ["data", "first", "second"].map(|name| folder.path().join(name));
    data(&out, &["--games", "40", "--seed", "3"]);
    let from_file = ["fit", "--data", text(&out), "--seed", "3", "--json"];
    let one = printed(&[&from_file[..], &["-j1", "--out", text(&first)]].concat());
    let many = printed(&[&from_file[..], &["-j3", "--out", text(&second)]].concat());
    assert_eq!(one, many);
    let weights = |path: &Path| fs::read_to_string(path).expect("weights");
    assert_eq!(weights(&first), weights(&second));
    let at_once = [
        "fit",
        "--games",
        "40",
        "--seed",
        "3",
        "--out",
        text(&second),
    ];
    printed(&[&at_once[..], &PLAYER].concat());
    assert_eq!(weights(&first), weights(&second));

    let found = Weights::parse(&weights(&first)).expect("weights that the program reads");
    assert_ne!(found, Weights::default());
    let figures: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    let loss = |key: &str| figures["training"][key].as_f64().expect("a loss");
    assert!(loss("loss_floor") < loss("loss_new") && loss("loss_new") < loss("loss_old"));
    assert!(figures["held_out"]["games"].as_u64() > Some(0));

    let again = [
        "fit",
        "--data",
        text(&out),
        "--weights",
        text(&first),
        "--seed",
        "3",
    ];
    let again = printed(&[&again[..], &["--json", "--out", text(&second)]].concat());
    let again: serde_json::Value = serde_json::from_str(&again).expect("JSON");
    assert_eq!(
        again["training"]["loss_old"],
        figures["training"]["loss_new"]
    );
}

#[test]
fn a_fit_to_a_draw_is_the_same_on_any_number_of_threads_and_judged_on_the_same_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, weights] = ["data", "weights"].map(|name| folder.path().join(name));
    data(&out, &["--games", "40", "--seed", "3"]);
    let fit = |more: &[&str]| {
        let shared = ["fit", "--data", text(&out), "--out", text(&weights)];
        let all = [&shared[..], &["--held-out", "0.3", "--json"], more].concat();
        serde_json::from_str::<serde_json::Value>(&printed(&all)).expect("JSON")
    };
    let whole = fit(&[]);
    assert_eq!(whole.get("drawn_from"), None);
    let every = fit(&["--sample", "1"]);
    assert_eq!(every["training"], whole["training"]);
    for favour in ["none", "rare", "surprising"] {
        let draw = ["--sample", "0.2", "--favour", favour];
        let one = fit(&[&draw[..], &["-j1"]].concat());
        assert_eq!(one, fit(&[&draw[..], &["-j3"]].concat()));
        assert_eq!(one["drawn_from"], whole["training"]["positions"]);
        let [drawn, all] =
            [&one["training"]["positions"], &one["drawn_from"]].map(|n| n.as_f64().expect("many"));
        assert!((drawn / all - 0.2).abs() < 0.05, "{drawn} of {all}");
        for key in ["positions", "games", "loss_old"] {
            assert_eq!(one["held_out"][key], whole["held_out"][key]);
        }
    }
    for bad in [
        &["--sample", "0"][..],
        &["--sample", "2"],
        &["--favour", "rare"],
        &["--sample", "0.5", "--favour", "odd"],
    ] {
        let fit = ["fit", "--data", text(&out), "--out", text(&weights)];
        assert_eq!(run(&[&fit, bad].concat()).status.code(), Some(2), "{bad:?}");
    }
}

#[test]
fn a_fit_keeps_the_curve_of_its_weights_or_takes_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, first, second] = ["data", "first", "second"].map(|name| folder.path().join(name));
    data(&out, &["--games", "20"]);
    let curve = |more: &[&str], place: &Path| {
        printed(&[&["fit", "--data", text(&out), "--out", text(place)], more].concat());
        let weights = fs::read_to_string(place).expect("weights");
        Weights::parse(&weights)
            .expect("weights that the program reads")
            .curve
    };
    assert_eq!(curve(&[], &first), Curve::Ratio);
    assert_eq!(curve(&["--curve", "logistic"], &first), Curve::Logistic);
    assert_eq!(
        curve(&["--weights", text(&first)], &second),
        Curve::Logistic
    );
    let player = format!("champion:hash=1,tables=0,weights={}", text(&first));
    let game = [
        "--a", &player, "--b", "random", "--games", "2", "--nodes", "100",
    ];
    assert!(printed(&game).contains("2 games"));
    let unknown = [
        "fit",
        "--data",
        text(&out),
        "--out",
        text(&second),
        "--curve",
        "steep",
    ];
    let told = run(&unknown);
    assert_eq!(told.status.code(), Some(2));
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    assert!(
        told.contains("steep") && told.contains("ratio or logistic"),
        "{told}"
    );
}

#[test]
fn poor_data_and_bad_arguments_are_said_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, weights] = ["data", "weights"].map(|name| folder.path().join(name));
    let shared = ["--out", text(&out), "--games", "2"];
    refused(
        &run(&[&["data", "--player", "random"], &shared[..]].concat()),
        &["random", "no value"],
    );
    refused(
        &run(&[&["data", "--player", "nobody"], &shared[..]].concat()),
        &["nobody"],
    );
    assert!(!out.exists(), "nothing is left behind");
    data(&out, &["--games", "1"]);
    let fit = ["fit", "--data", text(&out), "--out", text(&weights)];
    let table = printed(&[&fit[..], &["--held-out", "0"]].concat());
    assert!(
        !table.contains("NaN") && table.contains("held out"),
        "{table}"
    );
    fs::remove_file(&weights).expect("weights");
    refused(
        &run(&[&fit[..], &["--held-out", "1"]].concat()),
        &["no position is left"],
    );
    refused(
        &run(&[&fit[..], &["--weights", text(&out)]].concat()),
        &[text(&out)],
    );
    let twice = [
        "fit",
        "--data",
        text(&out),
        text(&out),
        "--out",
        text(&weights),
    ];
    refused(&run(&twice), &["the same games"]);
    assert!(!weights.exists());
    let nowhere = folder.path().join("missing").join("weights");
    let games = ["fit", "--games", "1000000000", "--out"];
    for place in [&nowhere, folder.path()] {
        refused(&run(&[&games[..], &[text(place)]].concat()), &[text(place)]);
    }
    refused(
        &run(&["data", "--out", text(folder.path()), "--games", "1"]),
        &["is a folder"],
    );
    let both = [
        "fit",
        "--data",
        text(&out),
        "--games",
        "3",
        "--out",
        text(&weights),
    ];
    assert_eq!(run(&both).status.code(), Some(2), "one or the other");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_first_games() {
    use std::process::{Command, Stdio};
    use std::{thread, time::Duration};

    let folder = tempfile::tempdir().expect("a folder");
    let [out, other] = ["data", "other"].map(|name| folder.path().join(name));
    let mut arguments = vec!["data", "--games", "1000000", "-j2", "--out", text(&out)];
    arguments.extend(PLAYER);
    let mut command = crate::common::selfplay(&arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    // Records on the disk mean finished games.
    let written = || {
        let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
        let sizes = entries.map(|entry| entry.metadata().map_or(0, |file| file.len()));
        sizes.max().unwrap_or(0)
    };
    while written() < 20_000 {
        thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill exists").success());
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    let kept = fs::read(&out).expect("the first games are kept");
    let games = DataFile::parse(&kept).expect("a whole file").header().games;
    assert!(
        games > 0 && errors.contains(&format!("--games {games}")),
        "{errors}"
    );
    assert_eq!(kept, data(&other, &["--games", &games.to_string()]));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
}
