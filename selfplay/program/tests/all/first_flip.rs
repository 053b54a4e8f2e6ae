//! The values of the first flip by the whole program: the same on one thread, on many and from a
//! folder, counted again from the kept games, and folders that are not believed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{printed, refused, run, text};
use serde_json::Value;

/// Enough games for two of every piece on every square, of a player that takes no time.
const RUN: [&str; 9] = [
    "first-flip",
    "--player",
    "greedy",
    "--games",
    "256",
    "--seed",
    "5",
    "--appraiser",
    "evaluation",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    RUN.iter().copied().chain(more.iter().copied()).collect()
}

fn lines(folder: &Path) -> Vec<String> {
    let games = fs::read_to_string(folder.join("games.jsonl")).expect("games");
    games.lines().map(str::to_owned).collect()
}

#[test]
fn threads_folders_and_kills_do_not_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let one = printed(&with(&["--json", "--jobs", "1"]));
    assert_eq!(one, printed(&with(&["--json", "--jobs", "3"])));
    let kept = with(&["--out", text(folder), "--json", "--jobs", "2"]);
    assert_eq!(one, printed(&kept));
    // A killed process has left some of the games, and part of one.
    let all = lines(folder);
    let some = all[..100].join("\n") + "\n" + &all[100][..40];
    fs::write(folder.join("games.jsonl"), some).expect("a file");
    assert_eq!(one, printed(&kept));
    assert_eq!(lines(folder).len(), 256);
    // A shorter run counts the first games only, whatever else is there.
    let fewer = |more: &[&str]| {
        let mut arguments = with(more);
        arguments[4] = "128";
        printed(&arguments)
    };
    assert_eq!(fewer(&["--out", text(folder)]), fewer(&[]));
}

/// The name of the square of columns a and b, rows 1 to 4 that mirrors turn this one into.
fn quarter(square: &str) -> String {
    let letters: Vec<char> = square.chars().collect();
    let column = if "ad".contains(letters[0]) { 'a' } else { 'b' };
    let row = letters[1].to_digit(10).expect("a row");
    format!("{column}{}", row.min(9 - row))
}

/// The square and the letter of the one piece that lies open.
fn open_piece(position: &str) -> (String, char) {
    let board = position.split(' ').next().expect("a board");
    for (row, line) in board.split('/').enumerate() {
        for (column, letter) in line.chars().enumerate() {
            if letter != '?' {
                let square = format!("{}{}", ["a", "b", "c", "d"][column], 8 - row);
                return (square, letter.to_ascii_uppercase());
            }
        }
    }
    panic!("'{position}' has no open piece");
}

#[test]
fn raw_values_are_the_scores_of_the_kept_games_weighted_by_the_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let printed = printed(&with(&["--out", text(folder.path()), "--json"]));
    let found: Value = serde_json::from_str(&printed).expect("JSON");
    let mut scores = BTreeMap::<(String, char), Vec<f64>>::new();
    for line in lines(folder.path()) {
        let game: Value = serde_json::from_str(&line).expect("a game");
        let record = &game["record"];
        let opening = record["opening"].as_str().expect("a position");
        let (square, piece) = open_piece(opening);
        // The side to move is not the one that has flipped.
        let other = if opening.contains(" r ") {
            "red"
        } else {
            "black"
        };
        assert_eq!(
            (&record["starter"], &record["starter_color"]),
            (&"b".into(), &other.into())
        );
        let score = match record["verdict"]["winner"].as_str() {
            Some("a") => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        scores
            .entry((quarter(&square), piece))
            .or_default()
            .push(score);
    }
    let set = [
        ('K', 1.0),
        ('G', 2.0),
        ('M', 2.0),
        ('R', 2.0),
        ('N', 2.0),
        ('C', 2.0),
        ('P', 5.0),
    ];
    let mean = |square: &str, piece: char| {
        let all = &scores[&(square.to_owned(), piece)];
        all.iter().sum::<f64>() / all.len() as f64
    };
    let mut any = 0.0;
    for square in found["squares"].as_array().expect("squares") {
        let name = square["square"].as_str().expect("a name");
        let expected: f64 = set
            .iter()
            .map(|(piece, count)| count / 16.0 * mean(name, *piece))
            .sum();
        let raw = square["raw"]["mean"].as_f64().expect("a value");
        assert!((raw - expected).abs() < 1e-9, "{name}: {raw} {expected}");
        any += expected / 8.0;
    }
    let raw = found["any_square"]["raw"]["mean"]
        .as_f64()
        .expect("a value");
    assert!((raw - any).abs() < 1e-9, "{raw} {any}");
}

#[test]
fn the_table_names_every_square_and_piece_and_pictures_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let [squares, pieces] = ["squares.svg", "pieces.svg"].map(|name| folder.path().join(name));
    let table = printed(&with(&[
        "--squares-svg",
        text(&squares),
        "--pieces-svg",
        text(&pieces),
    ]));
    for name in [
        "any square",
        "square a1",
        "square b4",
        "king",
        "pawn",
        "chi-square",
    ] {
        assert!(table.contains(name), "'{name}' is missing in\n{table}");
    }
    for path in [squares, pieces] {
        let svg = fs::read_to_string(path).expect("a picture");
        assert!(
            svg.starts_with("<svg xmlns=") && !svg.contains("NaN"),
            "{svg}"
        );
    }
}

#[test]
fn folders_of_other_runs_and_edited_games_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = text(folder.path());
    let small = |seed: &'static str| {
        vec![
            "first-flip",
            "--player",
            "greedy",
            "--games",
            "8",
            "--seed",
            seed,
            "--out",
            out,
        ]
    };
    printed(&small("5"));
    refused(&run(&small("6")), &["the seed differs"]);
    let games = fs::read_to_string(folder.path().join("games.jsonl")).expect("games");
    let edited = |from: &str, to: &str| {
        assert!(games.contains(from), "{from}");
        fs::write(
            folder.path().join("games.jsonl"),
            games.replacen(from, to, 1),
        )
        .expect("a file");
        run(&small("5"))
    };
    refused(
        &edited("\"winner\":\"b\"", "\"winner\":\"a\""),
        &["games.jsonl, line "],
    );
    refused(
        &edited("\"game\":3", "\"game\":2"),
        &["games.jsonl, line ", "game 2"],
    );
    refused(
        &edited("\"luck\":[", "\"luck\":[0,"),
        &["games.jsonl, line "],
    );
    let unknown = run(&["first-flip", "--player", "nobody"]);
    refused(&unknown, &["--player", "nobody"]);
}
