//! Networks trained by the whole program: from nothing to a file that plays, the same bytes
//! for the same command, and bad input refused.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{printed, refused, run, selfplay, text};
use anqi_search::evaluation::{Curve, Network};

/// Games of a player with a small search, and a short training.
const SMALL: [&str; 14] = [
    "--games",
    "40",
    "--player",
    "champion:hash=1,tables=0",
    "--nodes",
    "40",
    "--width",
    "16",
    "--epochs",
    "2",
    "--batch",
    "256",
    "--held-out",
    "0.2",
];

#[test]
fn a_network_from_nothing_loads_and_plays() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("network");
    let train = [
        &["train", "--out", text(&out), "--generations", "2"],
        &SMALL[..],
    ]
    .concat();
    let told = printed(&[&train[..], &["--json", "--jobs", "1"]].concat());
    let rows: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let loss = |row: usize, key: &str| rows[row][key].as_f64().expect("a loss");
    for row in 0..2 {
        assert!(loss(row, "loss_floor") < loss(row, "loss_network"));
        // Quantization hardly adds to the loss.
        let rounding = loss(row, "loss_network") - loss(row, "loss_model");
        assert!(rounding.abs() < 0.002, "{rounding}");
    }
    let network = Network::parse(&fs::read(&out).expect("written")).expect("a network");
    let origin = &network.parameters().origin;
    assert!(origin.contains("evaluation=network,network="), "{origin}");
    assert!(origin.contains("--curve logistic"), "{origin}");
    assert_eq!(network.weights().curve, Curve::Logistic);
    assert!(!folder.path().join("network.checkpoint").exists());
    let player = format!(
        "champion:hash=1,tables=0,evaluation=network,network={}",
        text(&out)
    );
    let played = printed(&[
        "--a", &player, "--b", "random", "--games", "2", "--nodes", "100",
    ]);
    assert!(played.contains("2 games"), "{played}");
    // The games are reused; the numbers are the same on any number of threads.
    let first = fs::read(&out).expect("written");
    fs::remove_file(&out).expect("there");
    printed(&[&train[..], &["--jobs", "3"]].concat());
    assert_eq!(fs::read(&out).expect("written"), first);
}

#[test]
fn killed_training_resumes_and_gives_the_same_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, out, other] = ["data", "network", "other"].map(|name| folder.path().join(name));
    printed(&[&["data", "--out", text(&data)], &SMALL[..6]].concat());
    let settings = ["--width", "16", "--epochs", "12", "--data", text(&data)];
    let train = |out| [&["train", "--out", out], &settings[..]].concat();
    printed(&train(text(&other)));

    let mut child = selfplay(&train(text(&out)))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is built with its tests");
    let errors = BufReader::new(child.stderr.take().expect("piped"));
    let third = errors
        .lines()
        .map(|line| line.expect("text"))
        .find(|line| line.starts_with("epoch 3 of 12"));
    assert!(third.is_some());
    child.kill().expect("still training");
    child.wait().expect("ended");
    assert!(!out.exists());

    let resumed = run(&train(text(&out)));
    let errors = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(resumed.status.success(), "{errors}");
    // Whatever was finished before is not trained again.
    for epoch in 1..=3 {
        assert!(
            !errors.contains(&format!("epoch {epoch} of 12")),
            "{errors}"
        );
    }
    assert!(errors.contains("epoch 12 of 12"), "{errors}");
    let [resumed, whole] = [out, other].map(|path| fs::read(path).expect("written"));
    assert_eq!(resumed, whole);
}

#[test]
fn hindsight_corrects_labels_and_is_named_in_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, plain, corrected] =
        ["data", "plain", "corrected"].map(|name| folder.path().join(name));
    printed(&[&["data", "--out", text(&data)], &SMALL[..6]].concat());
    let train = ["train", "--data", text(&data), "--json", "--out"];
    let losses = |out, more: &[&str]| -> serde_json::Value {
        let told = printed(&[&train[..], &[text(out)], &SMALL[6..], more].concat());
        serde_json::from_str(&told).expect("JSON")
    };
    let [without, with] = [
        losses(&plain, &["--hindsight", "0"]),
        losses(&corrected, &["--hindsight", "0.7"]),
    ];
    // The same positions with other labels.
    assert_eq!(
        without[0]["training_positions"],
        with[0]["training_positions"]
    );
    assert_ne!(without[0]["loss_floor"], with[0]["loss_floor"]);
    let origin = |path| {
        let network = Network::parse(&fs::read(path).expect("written")).expect("a network");
        network.parameters().origin.clone()
    };
    assert!(origin(&corrected).contains("--hindsight 0.7"));
    assert!(!origin(&plain).contains("--hindsight"));
    let output = run(&[&train[..], &[text(&plain), "--hindsight", "1.5"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("between 0 and 1"), "{errors}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, out, checkpoint] =
        ["data", "network", "network.checkpoint"].map(|name| folder.path().join(name));
    printed(&[&["data", "--out", text(&data)], &SMALL[..6]].concat());
    let train = ["train", "--data", text(&data), "--out", text(&out)];
    let train = [&train[..], &SMALL[6..]].concat();
    printed(&train);
    let whole = fs::read(&out).expect("written");
    // A damaged checkpoint is refused.
    fs::write(&checkpoint, "anqi-trn").expect("writable");
    refused(&run(&train), &["network.checkpoint", "damaged"]);
    assert_eq!(fs::read(&out).expect("still there"), whole);
}

#[test]
fn bad_input_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, out, bad] = ["data", "network", "bad"].map(|name| folder.path().join(name));
    let other = ["data", "--rules", "platform", "--out", text(&data)];
    printed(&[&other[..], &SMALL[..6]].concat());
    let train = ["train", "--data", text(&data), "--out", text(&out)];
    refused(
        &run(&train),
        &["data", "not played by olympiad rules", "platform rules"],
    );
    refused(
        &run(&[&train[..], &["--data", text(&data), "--rules", "platform"]].concat()),
        &["same games"],
    );
    let whole = Network::built_in().to_bytes();
    fs::write(&bad, &whole[..whole.len() - 10]).expect("writable");
    let player = format!("champion:evaluation=network,network={}", text(&bad));
    let refused_player = ["--a", &player, "--b", "random", "--games", "2"];
    let output = run(&refused_player);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(
        errors.contains("bad") && errors.contains("incomplete"),
        "{errors}"
    );
    refused(
        &run(&[&train[..], &["--tables", "9"]].concat()),
        &["--tables 9"],
    );
    assert!(!out.exists());
}
