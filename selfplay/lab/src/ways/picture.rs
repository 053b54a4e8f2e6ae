//! A picture of the contest: how much longer than necessary the wins take.

use anqi_match::report::plot::standalone;

use super::play::{End, Way};
use super::run::WonGame;
use crate::tuning::plot::{Axes, Point, Series, scores};

/// Plies needed that share a point.
const STEP: u16 = 25;

/// Draws plies played over plies needed in the games won under these rules, by the plies needed: one line
/// for each kind of tables that a player searched with. The tables' own shortest win is the line at 1.
pub fn picture(games: &[WonGame], rules: &str) -> String {
    let won: Vec<&WonGame> = games
        .iter()
        .filter(|game| game.rules == rules && game.end == End::Won)
        .collect();
    let bins: Vec<u16> =
        (0..=won.iter().map(|game| game.needed / STEP).max().unwrap_or(0)).collect();
    let series = [
        (Way::Values, "values alone"),
        (Way::Dtc, "plies to the next capture"),
    ];
    let series = series.map(|(way, name)| {
        let of_bin = |&bin: &u16| {
            let these = won
                .iter()
                .filter(|game| game.way == way && game.needed / STEP == bin);
            mean(these.map(|game| game.played as f64 / f64::from(game.needed)))
        };
        let points = bins.iter().filter_map(|bin| {
            let (y, error) = of_bin(bin)?;
            Some(Point {
                x: f64::from(*bin),
                y,
                error,
            })
        });
        Series {
            name: name.to_owned(),
            points: points.collect(),
        }
    });
    let label = |&bin: &u16| {
        let first = (bin * STEP).max(1);
        (
            f64::from(bin),
            format!("{first} to {}", bin * STEP + STEP - 1),
        )
    };
    let labels: Vec<(f64, String)> = bins.iter().map(label).collect();
    standalone(&scores(
        &series,
        &Axes {
            labels: &labels,
            x: "plies needed",
            y: "plies played over plies needed",
            equal: 1.0,
        },
    ))
}

/// The mean with its standard error, 0 for one number.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let numbers: Vec<f64> = numbers.collect();
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers
        .iter()
        .map(|number| (number - mean).powi(2))
        .sum::<f64>();
    let error = (squares / (count - 1.0).max(1.0) / count).sqrt();
    (count > 0.0).then_some((mean, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(way: Way, needed: u16, played: usize) -> WonGame {
        WonGame {
            unit: "Kk".to_owned(),
            rules: "none".to_owned(),
            way,
            needed,
            played,
            end: End::Won,
            game: String::new(),
        }
    }

    #[test]
    fn a_point_is_the_mean_of_the_games_won_in_its_bin() {
        let mut games = vec![
            won(Way::Values, 30, 60),
            won(Way::Values, 40, 120),
            won(Way::Dtc, 30, 30),
            won(Way::Dtw, 30, 30),
        ];
        games.push(WonGame {
            end: End::Wandered,
            ..won(Way::Values, 30, 1000)
        });
        let svg = picture(&games, "none");
        assert!(
            svg.contains("2.500 ± 0.500") && svg.contains("1.000 ± 0.000"),
            "{svg}"
        );
        assert!(
            svg.contains("25 to 49") && svg.matches("<circle").count() == 4,
            "{svg}"
        );
        assert!(!picture(&[], "none").contains("NaN"));
    }
}
