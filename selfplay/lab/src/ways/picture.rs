//! A picture of the contest: which wins are won.

use anqi_match::report::plot::standalone;

use super::play::{End, Way};
use super::run::WonGame;
use crate::tuning::plot::{Axes, Point, Series, scores};

/// Plies needed that share a point.
const STEP: u16 = 25;

/// The lines: what the winner knows, and the rules.
const LINES: [(Way, &str, &str); 4] = [
    (Way::Values, "none", "values alone"),
    (Way::Dtc, "none", "plies to capture"),
    (Way::Values, "olympiad", "values, olympiad"),
    (Way::Dtc, "olympiad", "plies to capture, olympiad"),
];

/// Draws the share of the longest wins that are won, by the plies needed, without a limit and under `olympiad`.
pub fn picture(games: &[WonGame]) -> String {
    let last = games.iter().map(|game| game.needed / STEP).max();
    let bins: Vec<u16> = (0..=last.unwrap_or(0)).collect();
    let series = LINES.map(|(way, rules, name)| {
        let points = bins.iter().filter_map(|&bin| {
            let these = games
                .iter()
                .filter(|game| game.way == way && game.rules == rules && game.needed / STEP == bin);
            let (y, error) = share_won(these)?;
            let x = f64::from(bin);
            Some(Point { x, y, error })
        });
        Series {
            name: name.to_owned(),
            points: points.collect(),
        }
    });
    let label = |&bin: &u16| {
        let first = bin * STEP;
        (f64::from(bin), format!("{first} to {}", first + STEP - 1))
    };
    let labels: Vec<(f64, String)> = bins.iter().map(label).collect();
    standalone(&scores(
        &series,
        &Axes {
            labels: &labels,
            x: "plies needed",
            y: "share won",
            equal: 1.0,
        },
    ))
}

/// The share of games that are won, with its standard error; `None` without games.
fn share_won<'a>(games: impl Iterator<Item = &'a WonGame>) -> Option<(f64, f64)> {
    let ends: Vec<End> = games.map(|game| game.end).collect();
    let won = ends.iter().filter(|&&end| end == End::Won).count();
    let share = won as f64 / ends.len() as f64;
    let error = (share * (1.0 - share) / ends.len() as f64).sqrt();
    (!ends.is_empty()).then_some((share, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_the_share_won_of_the_games_in_its_bin() {
        let game = |way, needed, end| WonGame {
            unit: "Kk".to_owned(),
            rules: "none".to_owned(),
            way,
            needed,
            played: 1,
            end,
            game: String::new(),
        };
        let svg = picture(&[
            game(Way::Values, 30, End::Won),
            game(Way::Values, 49, End::Wandered),
            game(Way::Dtc, 50, End::Won),
            game(Way::Dtw, 50, End::Drawn),
        ]);
        assert!(
            svg.contains("0.500 ± 0.354") && svg.contains("1.000 ± 0.000"),
            "{svg}"
        );
        // Two points, and a sign for each of the four lines.
        assert!(
            svg.contains("25 to 49") && svg.matches("<circle").count() == 2 + 4,
            "{svg}"
        );
        assert!(!picture(&[]).contains("NaN"));
    }
}
