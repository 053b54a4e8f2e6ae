//! The figures of a match's JSON against plain sums over its records.

use super::own::{plies, points_a, side_at};
use super::{pairs_of, play};
use crate::common::{printed, text};
use serde_json::{Value, json};
use std::path::Path;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard error of the mean.
fn error(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (values.len() - 1) as f64 / values.len() as f64).sqrt()
}

fn products([first, second]: &[Vec<f64>; 2]) -> Vec<f64> {
    first.iter().zip(second).map(|(a, b)| a * b).collect()
}

fn close(found: &Value, wanted: f64, what: &str) {
    let number = found.as_f64().unwrap_or_else(|| panic!("{what}: {found}"));
    assert!(
        (number - wanted).abs() < 1e-9,
        "{what}: {number}, not {wanted}"
    );
}

fn games(pairs: &[Value]) -> Vec<&Value> {
    pairs
        .iter()
        .flat_map(|pair| [&pair["games"][0], &pair["games"][1]])
        .collect()
}

/// A side's mean score of each pair, over those of its games in which it is `who`.
fn scores(pairs: &[Value], who: impl Fn(&Value) -> Option<&'static str>) -> Vec<f64> {
    let of_pair = |pair: &Value| {
        let scores: Vec<f64> = games(std::slice::from_ref(pair))
            .into_iter()
            .filter_map(|game| {
                let points = points_a(game);
                Some(if who(game)? == "a" {
                    points
                } else {
                    1.0 - points
                })
            })
            .collect();
        (!scores.is_empty()).then(|| mean(&scores))
    };
    pairs.iter().filter_map(of_pair).collect()
}

/// The side that plays red.
fn red(game: &Value) -> Option<&'static str> {
    let starts_red = game["starter_color"].as_str()? == "red";
    Some(if starts_red {
        side_at(game, 0)
    } else {
        side_at(game, 1)
    })
}

fn document(folder: &Path, more: &[&str]) -> Value {
    let analyze = ["analyze", text(folder), "--json=-"];
    let printed = printed(&[&analyze[..], more].concat());
    serde_json::from_str(&printed).expect("JSON")
}

#[test]
fn every_figure_of_a_report_is_what_the_records_sum_up_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play(folder);
    let pairs = pairs_of(folder);
    let all = games(&pairs);
    let report = document(folder, &["--times"]);
    assert_eq!(
        (&report["games"], &report["pairs"]),
        (&json!(16), &json!(8))
    );
    assert_eq!(
        (&report["clock"], &report["faults"]),
        (&json!(false), &json!(2))
    );

    let of_a = scores(&pairs, |_| Some("a"));
    let ratio = 4.0 * mean(&of_a);
    close(&report["advantage_ratio_a"], ratio, "ratio of A");
    close(&report["advantage_ratio_b"], 4.0 - ratio, "ratio of B");
    close(&report["standard_error"], 4.0 * error(&of_a), "its error");
    let elo = -400.0 * (1.0 / mean(&of_a) - 1.0).log10();
    close(&report["elo"], elo, "Elo");
    assert_eq!(report["elo"].as_f64() > Some(0.0), ratio > 2.0);
    let of_games = [0, 1].map(|game| {
        let points = pairs.iter().map(|pair| points_a(&pair["games"][game]));
        points.collect::<Vec<f64>>()
    });
    let [first, second] = [0, 1].map(|game| error(&of_games[game]).powi(2));
    let shared = mean(&products(&of_games)) - mean(&of_games[0]) * mean(&of_games[1]);
    let shared = shared / (pairs.len() - 1) as f64;
    let correlation = shared / (first * second).sqrt();
    close(&report["pair_correlation"], correlation, "correlation");
    let variance = 4.0 * error(&of_a).powi(2) / (first + second);
    close(&report["variance_ratio"], variance, "variance of pairs");

    for (key, sum) in [
        ("ll", 0.0),
        ("ld", 0.25),
        ("dd_wl", 0.5),
        ("wd", 0.75),
        ("ww", 1.0),
    ] {
        let count = of_a.iter().filter(|score| **score == sum).count();
        let key = key.to_uppercase();
        assert_eq!(report["pentanomial"][&key], json!(count), "{key}");
    }
    for (index, starter) in ["a", "b"].into_iter().enumerate() {
        let row = &report["by_starter"][starter];
        let own = pairs.iter().map(|pair| &pair["games"][index]);
        let points: Vec<f64> = own
            .map(points_a)
            .map(|points| if starter == "a" { points } else { 1.0 - points })
            .collect();
        for (key, worth) in [("win", 1.0), ("draw", 0.5), ("loss", 0.0)] {
            let count = points.iter().filter(|points| **points == worth).count();
            assert_eq!(row[key], json!(count), "{starter} {key}");
        }
        // Two points for a win: this row's part of the ratio.
        let (own, other) = if starter == "a" {
            ("score_a", "score_b")
        } else {
            ("score_b", "score_a")
        };
        close(&row[own], 2.0 * mean(&points), "a row's score");
        close(&row[other], 2.0 - 2.0 * mean(&points), "the other's");
    }
    for (key, scores) in [
        (
            "starter_score",
            scores(&pairs, |game| Some(side_at(game, 0))),
        ),
        ("red_score", scores(&pairs, red)),
    ] {
        close(&report[key]["mean"], mean(&scores), key);
        close(&report[key]["standard_error"], error(&scores), key);
    }

    let lengths: Vec<f64> = all.iter().map(|game| plies(game).len() as f64).collect();
    close(&report["plies"]["mean"], mean(&lengths), "length");
    let [least, most] = [f64::min, f64::max].map(|of| lengths.iter().copied().reduce(of));
    close(
        &report["plies"]["shortest"],
        least.expect("games"),
        "shortest",
    );
    close(&report["plies"]["longest"], most.expect("games"), "longest");
    let reasons = report["reasons"].as_object().expect("reasons");
    let counted: u64 = reasons
        .iter()
        .map(|(reason, counts)| {
            for (key, winner) in [
                ("a_wins", Some("a")),
                ("b_wins", Some("b")),
                ("draws", None),
            ] {
                let is_so = |game: &&&Value| {
                    let verdict = &game["verdict"];
                    verdict["reason"] == *reason && verdict["winner"].as_str() == winner
                };
                let count = all.iter().filter(is_so).count();
                assert_eq!(counts[key], json!(count), "{reason} {key}");
            }
            ["a_wins", "b_wins", "draws"]
                .iter()
                .filter_map(|key| counts[key].as_u64())
                .sum::<u64>()
        })
        .sum();
    assert_eq!(counted, 16);

    for side in ["a", "b"] {
        let ahead = |game: &&&Value| {
            let value = game["last_values"][side].as_i64();
            game["verdict"]["winner"].is_null() && value.is_some_and(|value| value > 5_000)
        };
        let ahead = all.iter().filter(ahead).count();
        assert_eq!(report["drawn_ahead"][side], json!(ahead), "{side}");
        let moves = |game: &Value| {
            let length = plies(game).len();
            (0..length)
                .filter(|index| side_at(game, *index) == side)
                .count()
        };
        let moves: usize = all.iter().map(|game| moves(game)).sum();
        let nodes: u64 = all
            .iter()
            .filter_map(|game| game["nodes"][side].as_u64())
            .sum();
        close(
            &report["nodes_per_move"][side],
            nodes as f64 / moves as f64,
            "nodes",
        );
        let spent = |pair: &Value, game: usize| pair["timing"][game]["thinking_us"][side].as_u64();
        let spent: u64 = pairs
            .iter()
            .flat_map(|pair| [spent(pair, 0), spent(pair, 1)])
            .flatten()
            .sum();
        let wanted = spent as f64 / 1_000.0 / moves as f64;
        close(&report["times"]["ms_per_move"][side], wanted, "time");
    }
    let total = |pair: &Value, game: usize| pair["timing"][game]["total_us"].as_u64();
    let total: u64 = pairs
        .iter()
        .flat_map(|pair| [total(pair, 0), total(pair, 1)])
        .flatten()
        .sum();
    close(
        &report["times"]["game_seconds"],
        total as f64 / 1e6,
        "seconds",
    );
    let thought: u64 = pairs
        .iter()
        .flat_map(|pair| [&pair["timing"][0], &pair["timing"][1]])
        .flat_map(|timing| [&timing["thinking_us"]["a"], &timing["thinking_us"]["b"]])
        .filter_map(Value::as_u64)
        .sum();
    let idle = (total - thought) as f64 / total as f64;
    close(&report["times"]["overhead"], idle, "overhead");
}

#[test]
fn the_luck_of_a_report_is_the_mean_of_that_of_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    play(folder);
    let pairs = pairs_of(folder);
    let report = document(folder, &[]);
    let found = &report["without_luck"];
    assert_eq!(found["appraiser"], "moves 2");
    let luck: Vec<f64> = pairs
        .iter()
        .map(|pair| {
            let flips = [0, 1].map(|game| pair["luck"]["flips"][game].as_array().expect("luck"));
            let sum: i64 = flips.into_iter().flatten().filter_map(Value::as_i64).sum();
            // A win is half a point from a draw, and a pair is two games.
            sum as f64 / 10_000.0 / 2.0 / 2.0
        })
        .collect();
    close(&found["luck"]["mean"], mean(&luck), "luck");
    close(&found["luck"]["standard_error"], error(&luck), "its error");
    let scores = scores(&pairs, |_| Some("a"));
    // Each pair's coefficient comes from the others, with a prior of 1 that weighs 0.1.
    let coefficients: Vec<f64> = (0..pairs.len())
        .map(|left_out| {
            let others = || (0..pairs.len()).filter(|other| *other != left_out);
            let mean = others().map(|i| scores[i]).sum::<f64>() / (pairs.len() - 1) as f64;
            let product: f64 = others().map(|i| (scores[i] - mean) * luck[i]).sum();
            let square: f64 = others().map(|i| luck[i] * luck[i]).sum();
            (product + 0.1) / (square + 0.1)
        })
        .collect();
    close(&found["coefficient"], mean(&coefficients), "coefficient");
    assert_eq!(found["coefficient_is_fixed"], false);
    let each: Vec<f64> = (0..pairs.len())
        .map(|i| scores[i] - coefficients[i] * luck[i])
        .collect();
    close(
        &found["advantage_ratio_a"],
        4.0 * mean(&each),
        "adjusted ratio",
    );
    close(
        &found["advantage_ratio_b"],
        4.0 - 4.0 * mean(&each),
        "adjusted ratio",
    );
    close(&found["standard_error"], 4.0 * error(&each), "its error");
    let ratio = (error(&each) / error(&scores)).powi(2);
    close(&found["variance_ratio"], ratio, "variance ratio");
    let fixed = document(folder, &["--adjust", "--luck-coefficient", "1"]);
    let fixed = &fixed["without_luck"];
    assert_eq!(fixed["coefficient_is_fixed"], true, "{fixed}");
    let adjusted = mean(&scores) - mean(&luck);
    close(
        &fixed["advantage_ratio_a"],
        4.0 * adjusted,
        "adjusted ratio",
    );
}
