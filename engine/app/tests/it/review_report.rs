//! Whether reports rank players correctly, and luck averages zero.
//!
//! The full sizes take an hour; a small sample runs with the other tests. To run
//! the full ones: `cargo test --release -p anqi-app --test it review_report -- --ignored --nocapture`.
//! `ANQI_SEEDS=128..200` plays only these games, so that a run can be split or continued;
//! `ANQI_THREADS=1` leaves the other cores alone. Neither changes a game or its report.

use anqi_analysis::default_nodes;
use anqi_analysis::games::between_levels;
use anqi_app::reviewing::report;
use anqi_play::Level;
use anqi_rules::Rules;
use std::env;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Returns the seeds of all games, or of those named in the environment.
fn seeds(games: u64) -> Range<u64> {
    let Ok(text) = env::var("ANQI_SEEDS") else {
        return 0..games;
    };
    let bounds = text.split_once("..").expect("ANQI_SEEDS is FROM..TO");
    let number = |text: &str| text.parse().expect("ANQI_SEEDS is two numbers");
    number(bounds.0)..number(bounds.1).min(games)
}

fn level(number: u32) -> Level {
    number.to_string().parse().expect("a level")
}

fn threads() -> usize {
    let text = env::var("ANQI_THREADS").unwrap_or_else(|_| "2".to_owned());
    text.parse().expect("ANQI_THREADS is a number")
}

/// Plays and reviews games between two levels, which begin in turn; returns the number of games
/// in which the stronger has the smaller error rate, and the first seat's luck in each.
fn sample(seeds: Range<u64>, [weak, strong]: [u32; 2], nodes: u64) -> (u64, Vec<f64>) {
    let mut right = 0;
    let mut luck = Vec::new();
    for seed in seeds {
        let better = (seed % 2) as usize;
        let mut levels = [weak; 2];
        levels[better] = strong;
        let game = between_levels(levels.map(level), Rules::OLYMPIAD, seed).expect("a game");
        let report = report(&game, None, nodes, threads(), None, &|_| {}).expect("a report");
        let rates = report.sides.each_ref().map(|side| side.error_rate);
        right += u64::from(rates[better] < rates[1 - better]);
        luck.push(report.luck_graph.last().copied().unwrap_or_default());
        println!(
            "game {seed}: level {strong} {:.4}, level {weak} {:.4}, luck of the first {:+.3}",
            rates[better],
            rates[1 - better],
            luck[luck.len() - 1]
        );
    }
    (right, luck)
}

/// Returns the mean and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0) / count).sqrt())
}

#[test]
fn error_rates_rank_a_strong_and_a_weak_player_right() {
    let (right, luck) = sample(0..2, [3, 8], 1_500);
    assert!(right >= 1, "{right} of 2");
    assert!(luck.iter().all(|luck| luck.is_finite()));
}

#[test]
#[ignore = "takes an hour"]
fn error_rates_rank_two_hundred_games_right() {
    let (right, luck) = sample(seeds(200), [3, 8], 30_000);
    let games = luck.len() as u64;
    println!("{right} of {games} games ranked right");
    assert!(right * 20 >= games * 19, "{right} of {games}");
}

#[test]
#[ignore = "takes ten minutes"]
fn luck_sums_to_nothing_over_a_thousand_games() {
    // Luck averages zero for any players and any depth: the cheapest games will do.
    let (_, luck) = sample(seeds(1_000), [3, 5], 400);
    let (mean, error) = mean(&luck);
    println!("luck of the first seat: {mean:+.4} ± {error:.4} a game");
    assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
}

#[test]
#[ignore = "measures time"]
fn a_game_is_reviewed_in_twenty_seconds_at_default_depth() {
    let game = between_levels([level(5); 2], Rules::PLATFORM, 7).expect("a game");
    let nodes = default_nodes(&game);
    let begun = Instant::now();
    report(&game, None, nodes, 2, None, &|_| {}).expect("a report");
    let elapsed = begun.elapsed();
    println!(
        "{} plies, {nodes} nodes a decision: {elapsed:.1?}",
        game.plies().len()
    );
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
}
