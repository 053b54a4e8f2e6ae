//! Plies to the end from files, as every command and dialect tells them.

use crate::common::{anqi, json, out};
use anqi_tablebase::classes::{Fit, Unit};
use anqi_tablebase::file::{Metric, Order, Packing, build_unit};
use anqi_tablebase::solve::{Goal, UnitCache};
use std::path::Path;

fn build(unit: &'static Unit, order: &Order, cache: &UnitCache) {
    // The smaller ones first: a file is written from theirs.
    for child in unit.children() {
        build(child, order, cache);
    }
    build_unit(unit, order, cache).expect("a file");
}

/// Builds the files of a set of pieces and of all that its captures lead to.
fn built(set: &str, dir: &Path) {
    let cache = UnitCache::new(4, 1 << 30, Goal::ToEnd).expect("small distances");
    let order = Order {
        dir: dir.to_owned(),
        metrics: Metric::ALL.to_vec(),
        packing: Packing::default(),
        memory: 1 << 30,
    };
    let unit = Fit::of(&set.parse().expect("a set of pieces")).unit;
    build(unit, &order, &cache);
}

/// Writes an open position in the FEN of UCI, which lies on its side.
fn uci_fen(position: &str) -> String {
    let (board, rest) = position.split_once(' ').expect("a side to move");
    let rows: Vec<Vec<char>> = board
        .split('/')
        .rev()
        .map(|row| {
            let squares = row.chars().flat_map(|letter| match letter.to_digit(10) {
                Some(empty) => vec!['1'; empty as usize],
                None => vec![letter],
            });
            squares.collect()
        })
        .collect();
    let name = |letter: char| {
        let place = "KGMRNCPkgmrncp1".find(letter).expect("a piece");
        "GAERHCSgaerhcs1".as_bytes()[place] as char
    };
    let ranks = [3, 2, 1, 0].map(|column| rows.iter().map(|row| name(row[column])).collect());
    let ranks: Vec<String> = ranks.to_vec();
    let turn = rest.chars().next().expect("a side to move");
    format!("{} {turn} - 0 1", ranks.join("/"))
}

/// The moves to the end that UCI tells.
fn mate(tables: &str, position: &str) -> i64 {
    let fen = uci_fen(position);
    let input = format!("uci\nisready\nposition fen {fen}\ngo movetime 1000\nquit\n");
    let told = out(&anqi(&["--tables", tables, "protocol"], &input));
    let (_, mate) = told
        .split_once(" score mate ")
        .unwrap_or_else(|| panic!("{told}"));
    assert!(told.contains("\nbestmove "), "{told}");
    let word = mate.split(' ').next().expect("a number");
    word.parse().expect("a number")
}

#[test]
fn every_command_tells_the_same_plies_to_the_end() {
    let dir = tempfile::tempdir().expect("a folder");
    built("GCkc", dir.path());
    let tables = dir.path().to_str().expect("a plain name");
    let mut position = "3k/4/4/4/4/4/G3/C1c1 b - 0 0".to_owned();
    let mut told = Vec::new();
    for ply in 0..3 {
        let analysis = json(&["--tables", tables, "analyse", "--json", &position]);
        let best = &analysis["actions"][0];
        let plies = best["value"]["plies_to_end"].as_i64().expect("known");
        assert_eq!(best["value"]["plies"], plies);
        let probed = json(&["--tables", tables, "probe", "--json", &position]);
        assert_eq!(probed["plies_to_end"], plies, "{probed}");
        assert_eq!(probed["actions"][0]["action"], best["action"]);
        assert_eq!(probed["actions"][0]["plies_to_end"], plies);
        let is_won = ply % 2 == 0;
        let moves = (plies + 1) / 2 * if is_won { 1 } else { -1 };
        assert_eq!(mate(tables, &position), moves, "{position}: {plies}");
        let word = if is_won { "win" } else { "loss" };
        let input = format!("50 position {position}\n54 go movetime 1000\n5 quit\n");
        let answer = out(&anqi(&["--tables", tables, "protocol"], &input));
        let score = format!(
            "bestmove {} score {word} {plies} ",
            best["action"].as_str().expect("text")
        );
        assert!(answer.contains(&score), "{answer}");
        told.push(plies);
        let action = best["action"].as_str().expect("text");
        let next = format!("50 position {position} moves {action}\n53 get_position\n");
        let next = out(&anqi(&["protocol"], &next));
        position = next.lines().last().expect("a line")[4..].to_owned();
    }
    assert!(told[0] > 60, "{told:?}");
    assert_eq!((told[1], told[2]), (told[0] - 1, told[0] - 2), "{told:?}");
    // Without the files a capture is told, and no end.
    let start = "3k/4/4/4/4/4/G3/C1c1 b - 0 0";
    let without = json(&["analyse", "--json", start]);
    assert_eq!(without["actions"][0]["value"]["plies"], 101);
    assert!(without["actions"][0]["value"]["plies_to_end"].is_null());
}
