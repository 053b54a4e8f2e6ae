//! The report on a whole game.

use crate::analyst::over;
use crate::decision::{Grade, ReviewedPly};
use crate::rating::{Rating, rating};
use crate::value::{rounded, rounded_all};
use anqi_rules::order::{sort_few_by, sort_few_by_key};
use anqi_rules::{Color, Game};
use serde::{Serialize, Serializer};

/// Half the width of a 95 % interval in standard errors.
const SIGMAS: f64 = 1.96;
/// The most turning points to list.
const TURNING_POINTS: usize = 5;
/// The least change that makes a turning point, in points.
const LEAST_CHANGE: f64 = 0.1;

/// The report on a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Report {
    /// The players, in order of play.
    pub players: Option<[String; 2]>,
    /// Every ply.
    pub plies: Vec<ReviewedPly>,
    /// Expected result for seat 0 before each ply and after the last.
    #[serde(serialize_with = "rounded_all")]
    pub graph: Vec<f64>,
    /// Cumulative luck of seat 0 less luck of seat 1, after each ply.
    #[serde(serialize_with = "rounded_all")]
    pub luck_graph: Vec<f64>,
    /// Both sides, in order of play.
    pub sides: [SideReport; 2],
    /// Indices of plies, the largest loss first.
    pub mistakes: Vec<usize>,
    /// The plies that turned the game.
    pub turning_points: Vec<TurningPoint>,
    /// The analyst's nodes for each decision.
    pub nodes_per_decision: u64,
}

/// One side of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SideReport {
    /// The seat.
    #[cfg_attr(feature = "typescript", ts(type = "0 | 1"))]
    pub seat: usize,
    /// Its colour.
    #[serde(serialize_with = "color_name")]
    #[cfg_attr(feature = "typescript", ts(type = "\"red\" | \"black\" | null"))]
    pub color: Option<Color>,
    /// Plies with a choice.
    pub decisions: usize,
    /// Mean loss in points per decision.
    #[serde(serialize_with = "rounded")]
    pub error_rate: f64,
    /// Its 95 % interval.
    #[serde(serialize_with = "rounded_pair")]
    pub error_interval: [f64; 2],
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
    /// The level of play.
    pub rating: Option<Rating>,
    /// Luck of this side's own flips, in points.
    #[serde(serialize_with = "rounded")]
    pub luck: f64,
    /// The 95 % interval of luck over games with the same flips.
    #[serde(serialize_with = "rounded_pair")]
    pub luck_interval: [f64; 2],
    /// How many pieces it flipped.
    pub flips: usize,
}

/// A ply that turned the game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TurningPoint {
    /// The index of the ply.
    pub ply: usize,
    /// The change of the expected result for seat 0.
    #[serde(serialize_with = "rounded")]
    pub change: f64,
    /// What changed it.
    pub cause: Cause,
}

/// What turned a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Cause {
    /// The decision.
    Decision,
    /// The reveal.
    Luck,
}

fn color_name<S: Serializer>(color: &Option<Color>, to: S) -> Result<S::Ok, S::Error> {
    color.map(|color| color.to_string()).serialize(to)
}

fn rounded_pair<S: Serializer>(pair: &[f64; 2], to: S) -> Result<S::Ok, S::Error> {
    rounded_all(pair, to)
}

impl Report {
    /// Summarises a reviewed game.
    pub fn of(
        game: &Game,
        players: Option<[String; 2]>,
        plies: Vec<ReviewedPly>,
        nodes_per_decision: u64,
    ) -> Report {
        let graph = graph(game, &plies);
        let mut mistakes: Vec<usize> = (0..plies.len())
            .filter(|&i| matches!(plies[i].grade, Grade::Mistake | Grade::Blunder))
            .collect();
        sort_few_by(&mut mistakes, |&a, &b| {
            plies[b].loss.total_cmp(&plies[a].loss)
        });
        Report {
            players,
            luck_graph: luck_graph(&plies),
            sides: [0, 1].map(|seat| SideReport::of(seat, &plies)),
            mistakes,
            turning_points: turning_points(&graph, &plies),
            graph,
            plies,
            nodes_per_decision,
        }
    }
}

/// Converts a seat's value to seat 0's point of view.
fn for_first(seat: usize, value: f64) -> f64 {
    if seat == 0 { value } else { -value }
}

fn graph(game: &Game, plies: &[ReviewedPly]) -> Vec<f64> {
    let before = |ply: &ReviewedPly| for_first(ply.seat, ply.best_value.expected);
    let mut graph: Vec<f64> = plies.iter().map(before).collect();
    let last = match (over(game), plies.last()) {
        (Some(value), _) => for_first(plies.len() % 2, value.expected),
        (None, Some(ply)) => for_first(ply.seat, ply.value_after()),
        (None, None) => 0.0,
    };
    graph.push(last);
    graph
}

fn luck_graph(plies: &[ReviewedPly]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut graph = vec![0.0];
    for ply in plies {
        let luck = ply.flip.as_ref().map_or(0.0, |flip| flip.luck);
        sum += for_first(ply.seat, luck);
        graph.push(sum);
    }
    graph
}

fn turning_points(graph: &[f64], plies: &[ReviewedPly]) -> Vec<TurningPoint> {
    let mut points: Vec<TurningPoint> = plies
        .iter()
        .enumerate()
        .map(|(index, ply)| {
            let luck = ply.flip.as_ref().map_or(0.0, |flip| flip.luck.abs());
            TurningPoint {
                ply: index,
                change: graph[index + 1] - graph[index],
                cause: if luck > ply.loss {
                    Cause::Luck
                } else {
                    Cause::Decision
                },
            }
        })
        .filter(|point| point.change.abs() >= LEAST_CHANGE)
        .collect();
    sort_few_by(&mut points, |a, b| {
        b.change.abs().total_cmp(&a.change.abs())
    });
    points.truncate(TURNING_POINTS);
    sort_few_by_key(&mut points, |point| point.ply);
    points
}

impl SideReport {
    fn of(seat: usize, plies: &[ReviewedPly]) -> SideReport {
        let own: Vec<&ReviewedPly> = plies.iter().filter(|ply| ply.seat == seat).collect();
        let decided = own.iter().filter(|ply| ply.grade != Grade::Forced);
        let losses: Vec<f64> = decided.map(|ply| ply.loss).collect();
        let count = |grade| own.iter().filter(|ply| ply.grade == grade).count();
        let flips: Vec<_> = own.iter().filter_map(|ply| ply.flip.as_ref()).collect();
        // Not `sum`, which is −0 without flips.
        let spread = flips.iter().fold(0.0, |sum, flip| sum + flip.variance());
        let width = SIGMAS * spread.sqrt();
        let (error_rate, error_interval) = mean(&losses);
        SideReport {
            seat,
            color: own.iter().find_map(|ply| ply.color),
            decisions: losses.len(),
            error_rate,
            error_interval,
            inaccuracies: count(Grade::Inaccuracy),
            mistakes: count(Grade::Mistake),
            blunders: count(Grade::Blunder),
            rating: rating(error_rate, error_interval, losses.len()),
            luck: flips.iter().fold(0.0, |sum, flip| sum + flip.luck),
            luck_interval: [0.0 - width, width],
            flips: flips.len(),
        }
    }
}

/// Returns the mean and its 95 % interval, never below zero.
fn mean(losses: &[f64]) -> (f64, [f64; 2]) {
    let count = losses.len() as f64;
    if losses.is_empty() {
        return (0.0, [0.0, 0.0]);
    }
    let mean = losses.iter().sum::<f64>() / count;
    let squares: f64 = losses.iter().map(|loss| (loss - mean).powi(2)).sum();
    let error = (squares / (count - 1.0).max(1.0) / count).sqrt();
    let low = (mean - SIGMAS * error).max(0.0);
    (mean, [low, mean + SIGMAS * error])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Appearance;
    use crate::decision::Luck;
    use crate::value::Value;
    use anqi_rules::Rules;

    fn ply(seat: usize, best: f64, played: f64, luck: Option<f64>) -> ReviewedPly {
        let loss = best - played;
        ReviewedPly {
            ply: String::new(),
            seat,
            color: None,
            best: String::new(),
            best_value: Value::estimate(best),
            played_value: Value::estimate(played),
            loss,
            grade: if loss > 0.15 {
                Grade::Blunder
            } else {
                Grade::Good
            },
            exact: false,
            better: Vec::new(),
            refutation: Vec::new(),
            flip: luck.map(|luck| Luck {
                luck,
                appearances: [luck, -luck]
                    .map(|value| Appearance {
                        piece: 'K',
                        count: 1,
                        chance: 0.5,
                        value,
                    })
                    .to_vec(),
            }),
        }
    }

    #[test]
    fn errors_and_luck_are_summed_by_side() {
        let game = Game::from_text("start", Rules::OLYMPIAD).unwrap();
        let plies = vec![
            ply(0, 0.0, 0.0, Some(0.3)),
            ply(1, -0.3, -0.6, None),
            ply(0, 0.6, 0.5, Some(-0.2)),
        ];
        let report = Report::of(&game, None, plies, 1_000);
        assert_eq!(report.graph.len(), 4);
        assert!((report.graph[3] - 0.3).abs() < 1e-9);
        assert!((report.luck_graph[3] - 0.1).abs() < 1e-9);
        let [first, second] = &report.sides;
        assert!((first.error_rate - 0.05).abs() < 1e-9 && (first.luck - 0.1).abs() < 1e-9);
        assert!((second.error_rate - 0.3).abs() < 1e-9 && second.flips == 0);
        assert_eq!(
            (report.mistakes.as_slice(), second.blunders),
            ([1].as_slice(), 1)
        );
        let width = SIGMAS * (0.3f64.powi(2) + 0.2f64.powi(2)).sqrt();
        assert!((first.luck_interval[1] - width).abs() < 1e-9);
    }

    #[test]
    fn turning_points_name_their_cause() {
        let game = Game::from_text("start", Rules::OLYMPIAD).unwrap();
        let plies = vec![ply(0, 0.0, 0.0, Some(0.5)), ply(1, -0.5, -0.9, None)];
        let report = Report::of(&game, None, plies, 1);
        let causes: Vec<_> = report
            .turning_points
            .iter()
            .map(|p| (p.ply, p.cause))
            .collect();
        assert_eq!(causes, [(0, Cause::Luck), (1, Cause::Decision)]);
    }
}
