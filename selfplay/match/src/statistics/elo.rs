//! Elo differences, logistic and normalised, and the likelihood of superiority.
//!
//! *Logistic* Elo is the usual scale: the difference of ratings that predicts this
//! mean score. *Normalised* Elo divides by the spread of the results instead, so
//! that it gives the number of games needed to see the difference, whatever the
//! share of draws.

use std::f64::consts::{LN_10, SQRT_2};

use serde::Serialize;

use super::moments::Estimate;
use super::normal::{self, Z_95};
use super::pentanomial::Pentanomial;

/// Normalised Elo per standard deviation of a single game's score.
pub const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// A difference in Elo with a 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloEstimate {
    /// The difference, positive if A is the stronger.
    pub elo: f64,
    /// Half the width of the 95 % interval; unknown where an end is infinite.
    pub error: Option<f64>,
}

/// The ends of a 95 % interval of a difference in Elo; `None` where it has no end.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct EloInterval {
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// Returns the logistic Elo difference that predicts this score; infinite at 0 and 1.
pub fn from_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the score that a logistic Elo difference predicts.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Estimates the logistic Elo difference; `None` where it would be infinite.
pub fn logistic(pairs: &Pentanomial) -> Option<EloEstimate> {
    let elo = from_score(pairs.mean()?);
    let error = interval(pairs)
        .and_then(|interval| interval.low.zip(interval.high))
        .map(|(low, high)| (high - low) / 2.0);
    elo.is_finite().then_some(EloEstimate { elo, error })
}

/// Estimates the logistic Elo difference from a mean score and its standard error.
pub fn from_estimate(score: &Estimate) -> Option<EloEstimate> {
    let elo = from_score(score.mean);
    let ends = score.standard_error.map(|error| {
        let half = Z_95 * error;
        [score.mean - half, score.mean + half].map(from_score)
    });
    let error = ends.map(|[low, high]| (high - low) / 2.0);
    elo.is_finite().then_some(EloEstimate {
        elo,
        error: error.filter(|error| error.is_finite()),
    })
}

/// Returns the 95 % interval of the logistic Elo difference.
///
/// Where all pairs ended alike it comes from their number alone
/// ([`Pentanomial::interval_without_spread`]).
pub fn interval(pairs: &Pentanomial) -> Option<EloInterval> {
    let score = pairs.mean()?;
    let [low, high] = match pairs.interval_without_spread() {
        Some(ends) => ends,
        None => {
            let half = Z_95 * pairs.standard_error()?;
            [score - half, score + half]
        }
    };
    let end = |score: f64| (0.0 < score && score < 1.0).then(|| from_score(score));
    Some(EloInterval {
        low: end(low),
        high: end(high),
    })
}

/// Estimates the normalised Elo difference; `None` where all pairs end alike.
pub fn normalized(pairs: &Pentanomial) -> Option<EloEstimate> {
    // The variance of a pair's mean is half that of a game, were games independent.
    let sigma = pairs.variance()?.sqrt() * SQRT_2;
    let games = 2.0 * pairs.pairs() as f64;
    (sigma > 0.0).then_some(())?;
    Some(EloEstimate {
        elo: (pairs.mean()? - 0.5) / sigma * NORMALIZED_ELO_PER_SIGMA,
        error: Some(Z_95 / games.sqrt() * NORMALIZED_ELO_PER_SIGMA),
    })
}

/// Returns how likely A is the stronger, given these results and a flat prior.
pub fn likelihood_of_superiority(pairs: &Pentanomial) -> Option<f64> {
    let lead = pairs.mean()? - 0.5;
    let standard_error = pairs.standard_error()?;
    // Without any spread the quotient is infinite, or 0/0 in a match of draws.
    let z = if lead == 0.0 {
        0.0
    } else {
        lead / standard_error
    };
    Some(normal::cumulative(z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-700.0, -10.0, 0.0, 3.5, 200.0] {
            assert!((from_score(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert!((from_score(0.75) - 190.848_501_887_864_97).abs() < 1e-9);
    }

    #[test]
    fn normalized_elo_meets_the_reference() {
        let pairs = Pentanomial([379, 10_170, 21_828, 10_640, 343]);
        let estimate = normalized(&pairs).expect("results vary");
        assert_eq!(format!("{:.2}", estimate.elo), "3.05");
        assert_eq!(format!("{:.2}", estimate.error.expect("pairs")), "2.31");
    }

    #[test]
    fn hopeless_matches_have_no_finite_elo() {
        assert_eq!(logistic(&Pentanomial([0, 0, 0, 0, 9])), None);
        assert_eq!(normalized(&Pentanomial([0, 0, 0, 0, 9])), None);
        let nearly = logistic(&Pentanomial([0, 0, 0, 1, 9])).expect("one half point");
        assert_eq!(nearly.error, None, "the interval reaches a perfect score");
        let ends = interval(&Pentanomial([0, 0, 0, 1, 9])).expect("an interval");
        assert!(ends.high.is_none() && ends.low < Some(nearly.elo));
    }

    #[test]
    fn a_perfect_score_has_a_bound_that_grows_with_the_match() {
        let low = |pairs| interval(&Pentanomial([0, 0, 0, 0, pairs])).and_then(|i| i.low);
        // The tenth root of 5 % is 0.741.
        let ten = low(10).expect("a bound");
        assert!((ten - from_score(0.741_134_449)).abs() < 1e-5, "{ten}");
        assert!(low(1) < low(10) && low(10) < low(100));
        let lost = interval(&Pentanomial([10, 0, 0, 0, 0])).expect("an interval");
        assert_eq!(lost.low, None);
        assert!((lost.high.expect("a bound") + ten).abs() < 1e-9);
        // A player at the bound wins ten pairs in a row once in twenty matches.
        assert!((expected_score(ten).powi(10) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn a_match_of_draws_is_no_proof_of_equality() {
        let error = |pairs| {
            let drawn = logistic(&Pentanomial([0, 0, pairs, 0, 0])).expect("finite");
            assert_eq!(drawn.elo, 0.0);
            drawn.error.expect("both ends")
        };
        assert!(error(1) > error(10) && error(10) > error(1_000) && error(1_000) > 0.1);
    }

    #[test]
    fn superiority_is_certain_or_open_at_the_ends() {
        let los = likelihood_of_superiority;
        assert_eq!(los(&Pentanomial([0, 0, 0, 0, 9])), Some(1.0));
        assert_eq!(los(&Pentanomial([9, 0, 0, 0, 0])), Some(0.0));
        assert_eq!(los(&Pentanomial([0, 0, 9, 0, 0])), Some(0.5));
        let slight = los(&Pentanomial([1, 5, 10, 7, 2])).expect("results vary");
        assert!((0.5..0.9).contains(&slight), "{slight}");
    }

    #[test]
    fn an_estimate_says_what_the_pairs_that_it_comes_from_say() {
        for counts in [[5, 20, 40, 30, 10], [30, 20, 40, 5, 3], [1, 2, 3, 4, 50]] {
            let pairs = Pentanomial(counts);
            let estimate = Estimate {
                mean: pairs.mean().expect("pairs"),
                standard_error: pairs.standard_error(),
            };
            assert_eq!(from_estimate(&estimate), logistic(&pairs));
        }
    }
}
