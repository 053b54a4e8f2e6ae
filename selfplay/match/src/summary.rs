//! The summary of a match: every figure that any report shows, from its records.
//!
//! The figures follow from the records and nothing else, in the order of the
//! pairs, so that the same pairs give the same bytes however they were played.
//! Times are the exception; they differ from run to run and stand apart in
//! [`Times`].

pub mod tally;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::record::Reason;
use crate::side::{BySide, Side};
use crate::statistics::adjusted::{self, Adjustment, Coefficient, PairResult};
use crate::statistics::elo::{self, EloEstimate, EloInterval};
use crate::statistics::moments::{Estimate, Pairing};
use crate::statistics::pentanomial::Pentanomial;
use crate::statistics::score_table::ScoreTable;
use crate::statistics::sprt::SprtState;

/// How many games ended for one reason, by winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ReasonCount {
    /// Games A won.
    pub a_wins: u64,
    /// Games B won.
    pub b_wins: u64,
    /// Drawn games.
    pub draws: u64,
}

impl ReasonCount {
    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.a_wins + self.b_wins + self.draws
    }
}

/// Lengths of games in plies.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Lengths {
    /// The mean over all games.
    pub mean: f64,
    /// The shortest game.
    pub shortest: usize,
    /// The longest game.
    pub longest: usize,
}

/// An advantage ratio goes from 0 to 4 where a mean score goes from 0 to 1.
const RATIO_PER_SCORE: f64 = 4.0;

/// Half of a win, in ten-thousandths: a side that draws from above it has lost an advantage.
pub const AHEAD: i32 = 5_000;

/// Every figure of a match that does not depend on time.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// Results by the starting player.
    pub table: ScoreTable,
    /// Results by pair.
    pub pentanomial: Pentanomial,
    /// Logistic Elo of A over B.
    pub elo: Option<EloEstimate>,
    /// Its 95 % interval.
    pub elo_interval: Option<EloInterval>,
    /// Normalised Elo of A over B.
    pub normalized_elo: Option<EloEstimate>,
    /// The likelihood of superiority of A.
    pub superiority: Option<f64>,
    /// How the games of a pair are correlated.
    pub pairing: Pairing,
    /// Mean score of the side that starts, with its error.
    pub starter_score: Option<Estimate>,
    /// Mean score of the red side, with its error.
    pub red_score: Option<Estimate>,
    /// Lengths of games.
    pub lengths: Option<Lengths>,
    /// Why games ended.
    pub reasons: BTreeMap<Reason, ReasonCount>,
    /// Drawn games in which a side's last value was above [`AHEAD`].
    pub drawn_ahead: BySide<u64>,
    /// Mean nodes per move.
    pub nodes_per_move: BySide<Option<f64>>,
    /// The results with the luck taken out, if the luck of all pairs was measured.
    pub without_luck: Option<WithoutLuck>,
    /// The sequential test, if one was asked for.
    pub sprt: Option<SprtState>,
}

impl Summary {
    /// Returns the standard error of the advantage ratio, the same for both views; `None` where
    /// all pairs ended alike and show no spread.
    pub fn standard_error(&self) -> Option<f64> {
        let error = self.pentanomial.standard_error()?;
        (error > 0.0).then_some(RATIO_PER_SCORE * error)
    }

    /// Returns the 95 % bounds of A's advantage ratio where all pairs ended alike.
    pub fn ratio_bounds(&self) -> Option<[f64; 2]> {
        let ends = self.pentanomial.interval_without_spread()?;
        Some(ends.map(|score| RATIO_PER_SCORE * score))
    }

    /// Returns how many games a player's fault ended.
    pub fn faults(&self) -> u64 {
        let faulty = self.reasons.iter().filter(|(reason, _)| reason.is_fault());
        faulty.map(|(_, count)| count.games()).sum()
    }
}

/// Results with the luck taken out.
#[derive(Clone, PartialEq, Debug)]
pub struct WithoutLuck {
    /// The name of the appraiser.
    pub appraiser: String,
    /// Where the coefficient comes from.
    pub coefficient: Coefficient,
    /// Scores before and after.
    pub scores: Adjustment,
    /// Variance of an adjusted pair over what two independent raw games would have: what
    /// pairing and taking the luck out save together.
    pub variance_of_games: Option<f64>,
    /// Logistic Elo of A over B.
    pub elo: Option<EloEstimate>,
}

impl WithoutLuck {
    /// Takes the luck out of the scores of all pairs, as this appraiser measured it.
    fn new(
        appraiser: String,
        results: impl Iterator<Item = PairResult> + Clone,
        coefficient: Coefficient,
        pairing: &Pairing,
    ) -> Option<WithoutLuck> {
        let scores = adjusted::adjust(results, coefficient)?;
        let by_pairing = pairing.variance_ratio;
        Some(WithoutLuck {
            appraiser,
            coefficient,
            elo: elo::from_estimate(&scores.adjusted),
            variance_of_games: by_pairing.zip(scores.variance_ratio).map(|(a, b)| a * b),
            scores,
        })
    }

    /// Returns the advantage ratio of a side.
    pub fn advantage_ratio(&self, side: Side) -> f64 {
        let of_a = 4.0 * self.scores.adjusted.mean;
        if side == Side::A { of_a } else { 4.0 - of_a }
    }

    /// Returns the standard error of the advantage ratio.
    pub fn standard_error(&self) -> Option<f64> {
        Some(4.0 * self.scores.adjusted.standard_error?)
    }

    /// Returns how many raw games carry as much information as this many adjusted ones.
    pub fn worth(&self, games: u64) -> Option<f64> {
        let ratio = self.scores.variance_ratio.filter(|ratio| *ratio > 0.0)?;
        Some(games as f64 / ratio)
    }
}

/// Times of a match, which differ from run to run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Times {
    /// Mean milliseconds per move of each side.
    pub ms_per_move: BySide<Option<f64>>,
    /// Seconds all games took together, as if played one after the other.
    pub game_seconds: f64,
    /// Share of that time outside the players.
    pub overhead: Option<f64>,
}
