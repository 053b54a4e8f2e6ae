//! Ratings of several players from all their encounters.
//!
//! The most likely ratings under the logistic model: a player's expected score
//! against another follows from the difference of their ratings, and a draw is
//! half a win. Newton's method finds them; the log-likelihood is concave, so
//! there is one maximum. One drawn pair against an average player is added for
//! each, which keeps the rating of a player without a loss finite and hardly moves
//! the others.
//!
//! Error bars come from pairs, as everywhere: the spread of pair results around
//! their expectation is pushed through the linearised solution (the "sandwich"
//! `H^-1 V H^-1`), so that they include the gain from pairing. A player that lost every game
//! shows no spread, yet its rating is not known exactly: the more one-sided an encounter,
//! the larger the share of the model's own variance that is its lower bound. Pairs that all ended
//! alike without being one-sided have the spread that their number leaves open.

use std::f64::consts::LN_10;

use super::normal::Z_95;
use super::pentanomial::{Pentanomial, SCORES};

/// One Elo point on the natural logistic scale.
const PER_ELO: f64 = LN_10 / 400.0;
/// Weight of the assumed draws against an average player, in games.
const PRIOR_GAMES: f64 = 2.0;

/// All pairs of one player against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The player whose score is counted.
    pub player: usize,
    /// The other player.
    pub opponent: usize,
    /// The results.
    pub pairs: Pentanomial,
}

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo, with zero for the mean of all players.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// Returns the rating of each of `players` players.
///
/// # Panics
///
/// Panics if an encounter names a player that is not below `players`.
pub fn rate(players: usize, encounters: &[Encounter]) -> Vec<Rating> {
    const ROUNDS: usize = 60;
    let mut strengths = vec![0.0; players];
    for _ in 0..ROUNDS {
        let step = solve(
            &curvature(&strengths, encounters),
            slope(&strengths, encounters),
        );
        let largest = step.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        // Far from the maximum a full step may overshoot; one unit is 174 Elo.
        let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
        for (strength, step) in strengths.iter_mut().zip(&step) {
            *strength += scale * step;
        }
        if largest < 1e-12 {
            break;
        }
    }
    let errors = standard_errors(&strengths, encounters);
    let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
    strengths
        .iter()
        .zip(errors)
        .map(|(strength, error)| Rating {
            elo: (strength - mean) / PER_ELO,
            error: Z_95 * error / PER_ELO,
        })
        .collect()
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Returns the derivative of the log-likelihood by each strength.
fn slope(strengths: &[f64], encounters: &[Encounter]) -> Vec<f64> {
    let mut slope: Vec<f64> = strengths
        .iter()
        .map(|&s| PRIOR_GAMES * (0.5 - expected(s)))
        .collect();
    for encounter in encounters {
        let games = 2.0 * encounter.pairs.pairs() as f64;
        let score = encounter.pairs.half_points() as f64 / 2.0;
        let surplus = score - games * expected(difference(strengths, encounter));
        slope[encounter.player] += surplus;
        slope[encounter.opponent] -= surplus;
    }
    slope
}

/// Returns the negated second derivatives: positive definite thanks to the prior.
fn curvature(strengths: &[f64], encounters: &[Encounter]) -> Vec<Vec<f64>> {
    let players = strengths.len();
    let mut matrix = vec![vec![0.0; players]; players];
    let bend = |difference: f64| expected(difference) * (1.0 - expected(difference));
    for (player, &strength) in strengths.iter().enumerate() {
        matrix[player][player] += PRIOR_GAMES * bend(strength);
    }
    for encounter in encounters {
        let games = 2.0 * encounter.pairs.pairs() as f64;
        add_difference(
            &mut matrix,
            encounter,
            games * bend(difference(strengths, encounter)),
        );
    }
    matrix
}

/// Adds `weight * d d^T`, where `d` is +1 for the player and -1 for the opponent.
fn add_difference(matrix: &mut [Vec<f64>], encounter: &Encounter, weight: f64) {
    let (i, j) = (encounter.player, encounter.opponent);
    matrix[i][i] += weight;
    matrix[j][j] += weight;
    matrix[i][j] -= weight;
    matrix[j][i] -= weight;
}

fn difference(strengths: &[f64], encounter: &Encounter) -> f64 {
    strengths[encounter.player] - strengths[encounter.opponent]
}

/// Returns the standard error of each strength, relative to the mean of all.
fn standard_errors(strengths: &[f64], encounters: &[Encounter]) -> Vec<f64> {
    let players = strengths.len();
    let matrix = curvature(strengths, encounters);
    let mut spread = vec![vec![0.0; players]; players];
    for encounter in encounters {
        let weight = spread_of(encounter, expected(difference(strengths, encounter)));
        add_difference(&mut spread, encounter, weight);
    }
    (0..players)
        .map(|player| {
            // The direction "this player against the mean of all".
            let share = 1.0 / players as f64;
            let direction = (0..players)
                .map(|i| f64::from(i == player) - share)
                .collect();
            let lever = solve(&matrix, direction);
            let variance: f64 = (0..players)
                .flat_map(|i| (0..players).map(move |j| (i, j)))
                .map(|(i, j)| lever[i] * spread[i][j] * lever[j])
                .sum();
            variance.max(0.0).sqrt()
        })
        .collect()
}

/// Returns the variance of an encounter's points.
fn spread_of(encounter: &Encounter, expected: f64) -> f64 {
    let games = 2.0 * encounter.pairs.pairs() as f64;
    let one_sidedness = (2.0 * expected - 1.0).abs();
    let least = one_sidedness * games * expected * (1.0 - expected);
    squared_surprise(encounter, expected)
        .max(least)
        .max(open_spread(&encounter.pairs))
}

/// Returns the variance of the points of pairs that all ended alike, but not one-sidedly.
fn open_spread(pairs: &Pentanomial) -> f64 {
    let ends = pairs.interval_without_spread();
    match ends.filter(|[low, high]| *low > 0.0 && *high < 1.0) {
        Some([low, high]) => {
            let games = 2.0 * pairs.pairs() as f64;
            (games * (high - low) / 2.0 / Z_95).powi(2)
        }
        None => 0.0,
    }
}

/// Returns the summed squares of (points of a pair - points expected).
fn squared_surprise(encounter: &Encounter, expected: f64) -> f64 {
    SCORES
        .iter()
        .zip(encounter.pairs.0)
        .map(|(score, count)| count as f64 * (2.0 * (score - expected)).powi(2))
        .sum()
}

/// Solves `matrix x = right` by elimination with pivoting.
fn solve(matrix: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    let mut rows = matrix.to_vec();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()))
            .expect("the range holds at least the diagonal");
        rows.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..size {
            let factor = rows[row][column] / rows[column][column];
            let above = rows[column].clone();
            for (entry, above) in rows[row].iter_mut().zip(above) {
                *entry -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| rows[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / rows[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo;

    fn encounter(player: usize, opponent: usize, pairs: [u64; 5]) -> Encounter {
        Encounter {
            player,
            opponent,
            pairs: Pentanomial(pairs),
        }
    }

    #[test]
    fn two_players_get_the_elo_of_their_match() {
        let pairs = Pentanomial([300, 900, 2600, 1900, 800]);
        let ratings = rate(2, &[encounter(0, 1, pairs.0)]);
        let expected = elo::logistic(&pairs).expect("finite");
        let measured = ratings[0].elo - ratings[1].elo;
        assert!(
            (measured - expected.elo).abs() < 0.1,
            "{measured} {}",
            expected.elo
        );
        // Relative to the mean of two, a rating has half the error of the difference.
        let error = 2.0 * ratings[0].error;
        let from_match = expected.error.expect("finite");
        assert!(
            (error / from_match - 1.0).abs() < 0.01,
            "{error} {from_match}"
        );
    }

    #[test]
    fn scores_that_follow_the_model_give_back_the_strengths() {
        let elos = [120.0, 10.0, -40.0, -90.0];
        let pairs = 1_000_000;
        let mut encounters = Vec::new();
        for i in 0..4 {
            for j in i + 1..4 {
                let score = elo::expected_score(elos[i] - elos[j]);
                let won = (score * pairs as f64).round() as u64;
                encounters.push(encounter(i, j, [pairs - won, 0, 0, 0, won]));
            }
        }
        for (rating, elo) in rate(4, &encounters).iter().zip(elos) {
            assert!((rating.elo - elo).abs() < 0.01, "{rating:?} {elo}");
        }
    }

    #[test]
    fn a_player_who_always_wins_keeps_a_finite_rating() {
        let ratings = rate(
            3,
            &[
                encounter(0, 1, [0, 0, 0, 0, 50]),
                encounter(1, 2, [0, 0, 50, 0, 0]),
            ],
        );
        assert!(
            ratings
                .iter()
                .all(|r| r.elo.is_finite() && r.error.is_finite())
        );
        assert!(ratings[0].elo > ratings[1].elo + 200.0);
        assert!(
            ratings[0].error > 100.0,
            "nobody knows how much better: {ratings:?}"
        );
        assert!(rate(2, &[]).iter().all(|r| r.elo == 0.0));
    }

    #[test]
    fn players_who_draw_every_pair_are_not_known_to_be_equal() {
        let error = |pairs| rate(2, &[encounter(0, 1, [0, 0, pairs, 0, 0])])[0].error;
        assert!(error(4) > error(400) && error(400) > 0.1, "{}", error(400));
    }
}
