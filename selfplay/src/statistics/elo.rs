//! Elo differences, logistic and normalised, and the likelihood of superiority.
//!
//! *Logistic* Elo is the usual scale: what difference of ratings predicts this
//! mean score. *Normalised* Elo divides by the spread of the results instead,
//! so that it says how many games are needed to see the difference, whatever
//! the share of draws.

use std::f64::consts::{LN_10, SQRT_2};

use serde::Serialize;

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

/// Returns the logistic Elo difference that predicts this score; infinite at 0 and 1.
pub fn from_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the score that a logistic Elo difference predicts.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Estimates the logistic Elo difference; nothing where it would be infinite.
pub fn logistic(pairs: &Pentanomial) -> Option<EloEstimate> {
    let score = pairs.mean()?;
    let elo = from_score(score);
    let error = pairs.standard_error().and_then(|standard_error| {
        let low = from_score((score - Z_95 * standard_error).max(0.0));
        let high = from_score((score + Z_95 * standard_error).min(1.0));
        let half = (high - low) / 2.0;
        half.is_finite().then_some(half)
    });
    elo.is_finite().then_some(EloEstimate { elo, error })
}

/// Estimates the normalised Elo difference; nothing where all pairs end alike.
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

/// Returns how likely A is the stronger, given these results and no opinion before.
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
}
