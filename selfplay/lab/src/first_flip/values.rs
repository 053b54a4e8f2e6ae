//! Values of the first flip, from scores with the luck taken out.
//!
//! Games are counted by outcome of the first flip: eight orbits times seven pieces. Every value is a
//! weighted sum of the means of these 56 cells, with the true chances of the pieces as weights, and
//! its variance the sum of theirs, each times its weight squared (a stratified sample). The luck of
//! later flips is taken out of each score, with a coefficient from the other games.

use anqi_rules::{ROLES, Role};
use serde::Serialize;

use super::games::PlayedGame;
use super::plan::{FirstFlip, ORBITS, Orbit, chance};
use anqi_match::statistics::adjusted::{Coefficient, coefficients};
use anqi_match::statistics::moments::{Estimate, Sample};
use anqi_match::statistics::normal;

/// The games that began with one outcome, raw and with the luck taken out.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Cell {
    raw: Sample,
    adjusted: Sample,
}

/// The value of something for the side that flips first, from 0 for a loss to 1 for a win.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Value {
    /// The games it comes from.
    pub games: u64,
    /// The mean score.
    pub raw: Option<Estimate>,
    /// The mean score with the luck taken out.
    pub value: Option<Estimate>,
    /// How much more it is worth than a flip of any square.
    pub advantage: Option<Estimate>,
}

/// Whether several values may be one and the same.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Equality {
    /// The sum of the squared deviations from the mean, in standard errors.
    pub chi_square: f64,
    /// Its degrees of freedom.
    pub degrees: u32,
    /// The chance that equal values scatter as much.
    pub chance: f64,
}

/// All values of the first flip.
#[derive(Clone, PartialEq, Debug)]
pub struct Values {
    /// To flip any square, each equally likely.
    pub any: Value,
    /// To flip a square of each orbit.
    pub orbits: Vec<(Orbit, Value)>,
    /// To see each piece appear.
    pub pieces: Vec<(Role, Value)>,
    /// Each piece on each orbit.
    pub cells: Vec<(Orbit, Role, Value)>,
    /// Whether it may not matter which square is flipped.
    pub equal_squares: Option<Equality>,
    /// The mean luck of later flips, whose expectation is zero.
    pub luck: Option<Estimate>,
    /// The coefficient of luck, on average over the games.
    pub coefficient: Option<f64>,
    /// The variance of a game's score with the luck taken out over that of the raw one.
    pub variance_ratio: Option<f64>,
    /// Drawn games over all.
    pub draws: f64,
    /// Games that a fault ended.
    pub faults: u64,
    /// Mean plies of a game.
    pub plies: f64,
}

/// Games counted by orbit and piece.
type Cells = [[Cell; ROLES]; ORBITS];

/// How much the mean of a cell counts.
type Weight<'a> = &'a dyn Fn(Orbit, Role) -> f64;

impl Values {
    /// Computes all values from games sorted by number.
    pub fn new(games: &[PlayedGame]) -> Values {
        let results = games.iter().map(PlayedGame::result);
        let coefficients: Vec<f64> =
            coefficients(results.clone(), Coefficient::Estimated).collect();
        let mut cells = Cells::default();
        for ((game, result), coefficient) in games.iter().zip(results.clone()).zip(&coefficients) {
            let flip = FirstFlip::of_game(game.game);
            let cell = &mut cells[flip.orbit().index()][flip.piece.role().index()];
            cell.raw.add(result.score);
            cell.adjusted.add(result.score - coefficient * result.luck);
        }
        let sample = |of: &dyn Fn(&PlayedGame) -> f64| games.iter().map(of).collect::<Sample>();
        let mean = |of: &dyn Fn(&PlayedGame) -> f64| sample(of).estimate().map_or(0.0, |e| e.mean);
        let orbits: Vec<(Orbit, Value)> = Orbit::all()
            .map(|orbit| (orbit, value(&cells, &|o, r| is(o == orbit) * chance(r))))
            .collect();
        Values {
            any: value(&cells, &any),
            pieces: Role::ALL
                .map(|role| (role, value(&cells, &|_, r| is(r == role) / ORBITS as f64)))
                .to_vec(),
            cells: Orbit::all()
                .flat_map(|orbit| Role::ALL.map(|role| (orbit, role)))
                .map(|(orbit, role)| {
                    (
                        orbit,
                        role,
                        value(&cells, &|o, r| is((o, r) == (orbit, role))),
                    )
                })
                .collect(),
            equal_squares: equality(orbits.iter().map(|(_, value)| value.value)),
            orbits,
            luck: results.map(|r| r.luck).collect::<Sample>().estimate(),
            coefficient: coefficients
                .into_iter()
                .collect::<Sample>()
                .estimate()
                .map(|c| c.mean),
            variance_ratio: variance_ratio(&cells),
            draws: mean(&|game| is(game.record.verdict.winner.is_none())),
            faults: games
                .iter()
                .filter(|game| game.record.verdict.reason.is_fault())
                .count() as u64,
            plies: 1.0 + mean(&|game| game.record.length() as f64),
        }
    }
}

fn is(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

/// The weights of a flip of any square.
fn any(_: Orbit, role: Role) -> f64 {
    chance(role) / ORBITS as f64
}

fn value(cells: &Cells, weight: Weight<'_>) -> Value {
    let used = Orbit::all().flat_map(|orbit| Role::ALL.map(|role| (orbit, role)));
    let used = used.filter(|&(orbit, role)| weight(orbit, role) != 0.0);
    Value {
        games: used
            .map(|(orbit, role)| cells[orbit.index()][role.index()].raw.count())
            .sum(),
        raw: weighted(cells, |cell| cell.raw, weight),
        value: weighted(cells, |cell| cell.adjusted, weight),
        advantage: weighted(cells, |cell| cell.adjusted, &|o, r| {
            weight(o, r) - any(o, r)
        }),
    }
}

/// Returns the weighted sum of the means of cells; `None` if one that counts is empty.
fn weighted(cells: &Cells, of: impl Fn(&Cell) -> Sample, weight: Weight<'_>) -> Option<Estimate> {
    let (mut mean, mut variance) = (0.0, Some(0.0));
    for orbit in Orbit::all() {
        for role in Role::ALL {
            let weight = weight(orbit, role);
            if weight == 0.0 {
                continue;
            }
            let found = of(&cells[orbit.index()][role.index()]).estimate()?;
            mean += weight * found.mean;
            let error = found.standard_error;
            variance = variance
                .zip(error)
                .map(|(sum, error)| sum + (weight * error).powi(2));
        }
    }
    Some(Estimate {
        mean,
        standard_error: variance.map(f64::sqrt),
    })
}

/// Compares variances within cells, each weighted by its chance.
fn variance_ratio(cells: &Cells) -> Option<f64> {
    let sum = |of: &dyn Fn(&Cell) -> Sample| -> Option<f64> {
        let mut sum = 0.0;
        for orbit in cells {
            for role in Role::ALL {
                sum += chance(role) * of(&orbit[role.index()]).variance()?;
            }
        }
        Some(sum)
    };
    let (raw, adjusted) = (sum(&|cell| cell.raw)?, sum(&|cell| cell.adjusted)?);
    (raw > 0.0).then(|| adjusted / raw)
}

/// Tests whether independent estimates may have one true value.
fn equality(values: impl Iterator<Item = Option<Estimate>>) -> Option<Equality> {
    let known: Option<Vec<(f64, f64)>> = values
        .map(|value| value.and_then(|v| Some((v.mean, v.standard_error.filter(|e| *e > 0.0)?))))
        .collect();
    let known = known?;
    let weights: f64 = known.iter().map(|(_, error)| error.powi(-2)).sum();
    let mean = known
        .iter()
        .map(|(value, error)| value * error.powi(-2))
        .sum::<f64>()
        / weights;
    let chi_square = known
        .iter()
        .map(|(value, error)| ((value - mean) / error).powi(2))
        .sum();
    let degrees = known.len().checked_sub(1).filter(|degrees| *degrees > 0)? as u32;
    Some(Equality {
        chi_square,
        degrees,
        chance: upper_chi_square(chi_square, degrees),
    })
}

/// Returns the chance of a larger chi-square, by the cube root of Wilson and Hilferty.
fn upper_chi_square(chi_square: f64, degrees: u32) -> f64 {
    let spread = 2.0 / (9.0 * f64::from(degrees));
    let root = (chi_square / f64::from(degrees)).cbrt();
    1.0 - normal::cumulative((root - (1.0 - spread)) / spread.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_flip::plan::ROUND;
    use anqi_match::record::{Reason, Verdict};
    use anqi_match::referee::no_show;
    use anqi_match::side::{BySide, Side};

    /// A game with this winner, and luck in points.
    fn game(number: u64, winner: Option<Side>, luck: f64) -> PlayedGame {
        let mut record = no_show(None, Side::B, Side::B, "");
        record.verdict = Verdict {
            winner,
            reason: Reason::Annihilation,
            detail: None,
        };
        record.nodes = BySide::default();
        PlayedGame {
            game: number,
            record,
            luck: vec![(2.0 * luck * 10_000.0) as i32],
        }
    }

    /// Numbers between 0 and 1 that look random.
    fn unit(state: &mut u64) -> f64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as f64 / f64::from(1_u32 << 31)
    }

    /// Games whose chance of a win is `truth` and half of the luck.
    fn simulated(rounds: u64, seed: u64, truth: impl Fn(FirstFlip) -> f64) -> Vec<PlayedGame> {
        let mut state = seed;
        let mut next = |number| {
            let luck = 0.4 * (unit(&mut state) - 0.5);
            let wins = unit(&mut state) < truth(FirstFlip::of_game(number)) + luck;
            game(number, Some(if wins { Side::A } else { Side::B }), luck)
        };
        (0..rounds * ROUND).map(&mut next).collect()
    }

    #[test]
    fn values_weigh_the_pieces_by_their_chances_and_not_by_their_games() {
        // Certain results: only a king wins.
        let games: Vec<PlayedGame> = (0..2 * ROUND)
            .map(|number| {
                let is_king = FirstFlip::of_game(number).piece.role() == Role::King;
                game(number, Some(if is_king { Side::A } else { Side::B }), 0.0)
            })
            .collect();
        let values = Values::new(&games);
        let mean = |value: &Value| value.value.expect("games").mean;
        assert!((mean(&values.any) - 1.0 / 16.0).abs() < 1e-12);
        assert!(
            values
                .orbits
                .iter()
                .all(|(_, v)| (mean(v) - 1.0 / 16.0).abs() < 1e-12)
        );
        let of_pieces: Vec<f64> = values.pieces.iter().map(|(_, v)| mean(v)).collect();
        assert_eq!(of_pieces, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(values.any.games, 2 * ROUND);
        assert_eq!(values.orbits[3].1.games, 32);
        assert_eq!(
            values.pieces.iter().map(|(_, v)| v.games).sum::<u64>(),
            2 * ROUND
        );
        let king = values.pieces[0].1.advantage.expect("games").mean;
        assert!((king - 15.0 / 16.0).abs() < 1e-12);
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_should() {
        const RUNS: u64 = 300;
        let truth = |flip: FirstFlip| {
            0.4 + 0.02 * flip.orbit().index() as f64 + 0.03 * is(flip.piece.role() == Role::Pawn)
        };
        let b4 = 0.4 + 0.14 + 0.03 * 5.0 / 16.0;
        let pawn = 0.43 + 0.07;
        let [mut in_square, mut in_piece, mut unequal] = [0; 3];
        for seed in 0..RUNS {
            let values = Values::new(&simulated(
                4,
                seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                truth,
            ));
            let holds = |value: &Value, truth: f64| {
                let found = value.value.expect("games");
                let error = found.standard_error.expect("games");
                u64::from((found.mean - truth).abs() < normal::Z_95 * error)
            };
            in_square += holds(&values.orbits[7].1, b4);
            in_piece += holds(&values.pieces[6].1, pawn);
            unequal += u64::from(values.equal_squares.expect("games").chance < 0.05);
        }
        // 95 % of 300 are 285, with a standard deviation of 3.8; small cells widen it a little.
        assert!((265..=298).contains(&in_square), "{in_square}");
        assert!((265..=298).contains(&in_piece), "{in_piece}");
        assert!(unequal > 60, "{unequal}");
    }

    #[test]
    fn luck_that_decides_games_is_taken_out() {
        let values = Values::new(&simulated(40, 7, |_| 0.5));
        let ratio = values.variance_ratio.expect("games");
        // Luck is uniform over 0.4, its variance 0.16 / 12, of 0.25 in all.
        assert!((ratio - (1.0 - 0.16 / 12.0 / 0.25)).abs() < 0.02, "{ratio}");
        let any = values.any.value.expect("games");
        assert!((any.mean - 0.5).abs() < 3.5 * any.standard_error.expect("games"));
        assert!(values.equal_squares.expect("games").chance > 0.001);
    }

    #[test]
    fn a_large_chi_square_is_unlikely() {
        // The 5 % and 0.1 % points for seven degrees of freedom.
        assert!((upper_chi_square(14.067, 7) - 0.05).abs() < 0.001);
        assert!((upper_chi_square(24.322, 7) - 0.001).abs() < 0.0002);
    }

    #[test]
    fn few_games_give_no_value() {
        let values = Values::new(&[game(0, None, 0.0)]);
        assert_eq!(values.any.value, None);
        assert_eq!(values.pieces[6].1.value, None);
        let (_, _, first) = values.cells[0];
        assert_eq!(
            first.value.map(|v| (v.mean, v.standard_error)),
            Some((0.5, None))
        );
    }
}
