//! The summary of a match: every figure that any report shows, from its records.
//!
//! The figures follow from the records and nothing else, in the order of the
//! pairs, so that the same pairs give the same bytes however they were played.
//! Times are the exception; they differ from run to run and stand apart in
//! [`Times`].

use std::collections::BTreeMap;

use anqi_rules::Color;
use serde::Serialize;

use crate::record::{GameRecord, PairRecord, Reason};
use crate::sequential::{Analysis, Tally};
use crate::side::{BySide, Side};
use crate::statistics::adjusted::{self, Adjustment, Coefficient, PairResult};
use crate::statistics::elo::{self, EloEstimate, EloInterval};
use crate::statistics::moments::{Estimate, Pairing, Sample};
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
    /// Computes all figures. The records must be sorted by pair.
    pub fn new(records: &[PairRecord], analysis: &Analysis) -> Summary {
        let pentanomial: Pentanomial = records.iter().map(PairRecord::half_points_a).collect();
        let scores: Vec<[f64; 2]> = records.iter().map(scores_of_a).collect();
        let mut table = ScoreTable::default();
        let mut reasons = BTreeMap::<Reason, ReasonCount>::new();
        for game in games(records) {
            table.add(game.starter, game.verdict.winner);
            let count = reasons.entry(game.verdict.reason).or_default();
            match game.verdict.winner {
                Some(Side::A) => count.a_wins += 1,
                Some(Side::B) => count.b_wins += 1,
                None => count.draws += 1,
            }
        }
        Summary {
            table,
            pentanomial,
            elo: elo::logistic(&pentanomial),
            elo_interval: elo::interval(&pentanomial),
            normalized_elo: elo::normalized(&pentanomial),
            superiority: elo::likelihood_of_superiority(&pentanomial),
            pairing: Pairing::of(&scores),
            starter_score: seat_score(records, |game| Some(game.starter)),
            red_score: seat_score(records, |game| {
                Side::ALL
                    .into_iter()
                    .find(|&side| game.color(side) == Some(Color::Red))
            }),
            lengths: lengths(records),
            reasons,
            drawn_ahead: BySide::from_fn(|side| drawn_ahead(records, side)),
            nodes_per_move: BySide::from_fn(|side| nodes_per_move(records, side)),
            without_luck: WithoutLuck::new(records, analysis.coefficient),
            sprt: sprt_state(records, analysis),
        }
    }

    /// Returns the standard error of the advantage ratio, the same for both views.
    pub fn standard_error(&self) -> Option<f64> {
        // A ratio goes from 0 to 4 where a mean score goes from 0 to 1.
        Some(4.0 * self.pentanomial.standard_error()?)
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
    /// Takes the luck out of the scores of all pairs; `None` unless one appraiser measured it.
    fn new(records: &[PairRecord], coefficient: Coefficient) -> Option<WithoutLuck> {
        let appraiser = &records.first()?.luck.as_ref()?.appraiser;
        let measured = |record: &PairRecord| {
            let luck = record.luck.as_ref();
            luck.is_some_and(|luck| luck.appraiser == *appraiser)
        };
        if !records.iter().all(measured) {
            return None;
        }
        let results: Vec<PairResult> = records.iter().map(PairRecord::result).collect();
        let scores = adjusted::adjust(&results, coefficient)?;
        let games: Vec<[f64; 2]> = records.iter().map(scores_of_a).collect();
        let by_pairing = Pairing::of(&games).variance_ratio;
        Some(WithoutLuck {
            appraiser: appraiser.clone(),
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

fn sprt_state(records: &[PairRecord], analysis: &Analysis) -> Option<SprtState> {
    let sprt = analysis.sprt?;
    let mut tally = Tally::new(analysis.coefficient);
    for record in records {
        tally.add(record.half_points_a(), record.result());
    }
    Some(tally.state(&sprt))
}

/// The games of all pairs.
pub fn games(records: &[PairRecord]) -> impl Iterator<Item = &GameRecord> {
    records.iter().flat_map(|record| &record.games)
}

fn score(game: &GameRecord, side: Side) -> f64 {
    game.verdict.half_points(side) as f64 / 2.0
}

fn scores_of_a(record: &PairRecord) -> [f64; 2] {
    [0, 1].map(|i| score(&record.games[i], Side::A))
}

/// Returns the mean score of a seat, such as red, with its error from pairs; `who` finds its side.
fn seat_score(
    records: &[PairRecord],
    who: impl Fn(&GameRecord) -> Option<Side>,
) -> Option<Estimate> {
    let pair_mean = |record: &PairRecord| {
        let scores = record
            .games
            .iter()
            .filter_map(|game| Some(score(game, who(game)?)));
        let seen: Sample = scores.collect();
        Some(seen.estimate()?.mean)
    };
    records
        .iter()
        .filter_map(pair_mean)
        .collect::<Sample>()
        .estimate()
}

fn lengths(records: &[PairRecord]) -> Option<Lengths> {
    let lengths: Vec<usize> = games(records).map(GameRecord::length).collect();
    Some(Lengths {
        mean: lengths.iter().sum::<usize>() as f64 / lengths.len() as f64,
        shortest: *lengths.iter().min()?,
        longest: *lengths.iter().max()?,
    })
}

fn drawn_ahead(records: &[PairRecord], side: Side) -> u64 {
    let ahead = |game: &&GameRecord| {
        let value = game.last_values[side];
        game.verdict.winner.is_none() && value.is_some_and(|value| value > AHEAD)
    };
    games(records).filter(ahead).count() as u64
}

fn nodes_per_move(records: &[PairRecord], side: Side) -> Option<f64> {
    let nodes: u64 = games(records).map(|game| game.nodes[side]).sum();
    let moves: usize = games(records).map(|game| game.moves(side)).sum();
    (moves > 0).then(|| nodes as f64 / moves as f64)
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

impl Times {
    /// Adds up the times of all games.
    pub fn new(records: &[PairRecord]) -> Times {
        let total: u64 = timings(records).map(|t| t.total_us).sum();
        let thinking = |side: Side| -> u64 { timings(records).map(|t| t.thinking_us[side]).sum() };
        let idle = total.saturating_sub(thinking(Side::A) + thinking(Side::B));
        Times {
            ms_per_move: BySide::from_fn(|side| {
                let moves: usize = games(records).map(|game| game.moves(side)).sum();
                (moves > 0).then(|| thinking(side) as f64 / 1e3 / moves as f64)
            }),
            game_seconds: total as f64 / 1e6,
            overhead: (total > 0).then(|| idle as f64 / total as f64),
        }
    }
}

fn timings(records: &[PairRecord]) -> impl Iterator<Item = &crate::record::Timing> {
    records.iter().flat_map(|record| &record.timing)
}
