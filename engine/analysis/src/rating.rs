//! From an error rate to a level of play.
//!
//! `ratings.txt` holds the error rates of the built-in player's levels, printed by
//! `anqi review --calibrate`. A rate belongs to the level with the nearest rate.

use serde::Serialize;
use std::sync::LazyLock;

/// Output of `anqi review --calibrate`.
const TABLE: &str = include_str!("ratings.txt");
/// Fewer decisions give no rating.
const LEAST_DECISIONS: usize = 10;

/// The level of the built-in player that an error rate corresponds to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Rating {
    /// The level with the nearest rate.
    pub level: u32,
    /// The lowest level of the band.
    pub from: u32,
    /// The highest level of the band.
    pub to: u32,
}

/// The error rates of levels, level 1 first, falling.
static RATES: LazyLock<Vec<f64>> = LazyLock::new(|| falling(read(TABLE)));

/// Reads lines of `<level> <rate> …`; lines that begin with `#` are comments.
fn read(table: &str) -> Vec<f64> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let rate = |line: &str| decimal(line.split_whitespace().nth(1)?);
    lines.filter_map(rate).collect()
}

/// Reads a number with a few digits after its point.
///
/// The standard library's tables for any number would be a seventieth of what a browser loads.
fn decimal(text: &str) -> Option<f64> {
    let (whole, part) = text.split_once('.')?;
    let digits: u32 = format!("{whole}{part}").parse().ok()?;
    Some(f64::from(digits) / 10_f64.powi(part.len() as i32))
}

/// Makes the rates fall where the noise of the calibration has reversed their order.
fn falling(mut rates: Vec<f64>) -> Vec<f64> {
    for place in 1..rates.len() {
        let mut first = place;
        // Pool adjacent violators: levels in the wrong order share their mean.
        while first > 0 && mean(&rates[first..=place]) > rates[first - 1] {
            first -= 1;
        }
        let pooled = mean(&rates[first..=place]);
        rates[first..=place].fill(pooled);
    }
    rates
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the level for an error rate and its interval, `None` for too few decisions.
pub fn rating(rate: f64, interval: [f64; 2], decisions: usize) -> Option<Rating> {
    if decisions < LEAST_DECISIONS || RATES.len() < 2 {
        return None;
    }
    let [low, high] = interval;
    let (first, last) = levels_at(&RATES, rate);
    Some(Rating {
        level: first.midpoint(last),
        from: levels_at(&RATES, high).0,
        to: levels_at(&RATES, low).1,
    })
}

/// Returns the first and the last of the levels whose rate is nearest: some share theirs.
fn levels_at(rates: &[f64], rate: f64) -> (u32, u32) {
    let distance = |known: &f64| (known - rate).abs();
    let least = rates.iter().map(distance).fold(f64::INFINITY, f64::min);
    let is_nearest = |known: &f64| distance(known) <= least;
    let first = rates.iter().position(is_nearest).unwrap_or(0);
    let last = rates.iter().rposition(is_nearest).unwrap_or(0);
    (first as u32 + 1, last as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_level_and_falls() {
        assert_eq!(RATES.len(), 10);
        assert!(RATES.windows(2).all(|pair| pair[0] >= pair[1]), "{RATES:?}");
        assert!(RATES[0] > RATES[9]);
    }

    #[test]
    fn a_rate_is_the_nearest_level_with_a_band_around_it() {
        let rate = RATES[4];
        let found = rating(rate, [RATES[8], RATES[1]], 40).unwrap();
        assert!(found.from <= found.level && found.level <= found.to);
        assert_eq!(rating(rate, [0.0, 1.0], LEAST_DECISIONS - 1), None);
        assert_eq!(levels_at(&[0.3, 0.2, 0.1], 9.0), (1, 1));
        assert_eq!(levels_at(&[0.3, 0.2, 0.1], 0.0), (3, 3));
        assert_eq!(levels_at(&[0.3, 0.2, 0.2, 0.1], 0.22), (2, 3));
        assert_eq!(
            falling(vec![0.5, 0.125, 0.375, 0.0]),
            [0.5, 0.25, 0.25, 0.0]
        );
    }
}
