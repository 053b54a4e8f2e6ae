//! The games of an iteration.
//!
//! The two perturbed players play each other on the deals of the iteration, each deal
//! twice with sides swapped; if there is an opponent, both play it on the same deals
//! with the same seeds, and their scores are compared deal by deal. Either way both
//! have the same luck of the deals.

use anqi_rules::Rules;
use serde::{Deserialize, Serialize};

use super::plan::{Objective, Plan};
use anqi_match::engines::participant::{Participant, ParticipantError};
use anqi_match::interrupt::Interrupt;
use anqi_match::luck::{AppraiserSpec, WIN};
use anqi_match::record::PairRecord;
use anqi_match::runner::{self, Flow, MatchSetup};
use anqi_match::seed;
use anqi_match::side::BySide;
use anqi_match::statistics::adjusted::{self, PairResult};

/// A's score in a pair, in integers, which a file stores exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairScore {
    /// Half points, from 0 to 4.
    pub half_points: u64,
    /// Luck, in ten-thousandths of a win over both games; 0 if it was not measured.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub luck: i64,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

impl PairScore {
    fn of(record: &PairRecord) -> PairScore {
        let flips = record.luck.iter().flat_map(|luck| &luck.flips).flatten();
        PairScore {
            half_points: record.half_points_a(),
            luck: flips.map(|&luck| i64::from(luck)).sum(),
        }
    }

    /// Returns score and luck per game.
    fn result(self) -> PairResult {
        // Half a point for the way from a draw to a win, and two games in a pair.
        let per_game = 1.0 / (4.0 * f64::from(WIN));
        PairResult {
            score: self.half_points as f64 / 4.0,
            luck: self.luck as f64 * per_game,
        }
    }
}

/// What the two perturbed players scored in an iteration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IterationScores {
    /// The first against the second, or against the opponent.
    pub plus: Vec<PairScore>,
    /// The second against the opponent on the same deals; empty without an opponent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub minus: Vec<PairScore>,
}

impl IterationScores {
    /// Returns how much more the first scored per game than the second, from -1 to 1.
    pub fn difference(&self, objective: &Objective) -> f64 {
        let results: Vec<PairResult> = if self.minus.is_empty() {
            self.plus.iter().map(|score| score.result()).collect()
        } else {
            let both = self.plus.iter().zip(&self.minus);
            both.map(|(plus, minus)| compared(plus.result(), minus.result()))
                .collect()
        };
        let Some(scores) = adjusted::adjust(results.iter().copied(), objective.coefficient())
        else {
            return 0.0;
        };
        let mean = match objective.appraiser() {
            Some(_) => scores.adjusted.mean,
            None => scores.raw.mean,
        };
        (2.0 * mean - 1.0).clamp(-1.0, 1.0)
    }
}

/// Returns the result of a pair between two players inferred from their pairs against a
/// third.
fn compared(plus: PairResult, minus: PairResult) -> PairResult {
    PairResult {
        score: 0.5 + (plus.score - minus.score) / 2.0,
        luck: (plus.luck - minus.luck) / 2.0,
    }
}

/// Plays the games of iterations.
#[derive(Debug)]
pub struct TuningGames<'a> {
    plan: &'a Plan,
    rules: Rules,
    opponent: Option<Participant>,
    appraiser: Option<AppraiserSpec>,
    jobs: usize,
    interrupt: &'a Interrupt,
}

impl<'a> TuningGames<'a> {
    /// Gets ready to play on this many threads; the plan must have been checked.
    ///
    /// # Errors
    ///
    /// Returns an error if the opponent cannot be made.
    pub fn new(
        plan: &'a Plan,
        jobs: usize,
        interrupt: &'a Interrupt,
    ) -> Result<TuningGames<'a>, ParticipantError> {
        let opponent = plan.opponent.as_deref();
        let opponent = opponent.map(|text| Participant::new(text, interrupt));
        Ok(TuningGames {
            plan,
            rules: plan.games.rules().unwrap_or_default(),
            opponent: opponent.transpose()?,
            appraiser: plan.objective.appraiser(),
            jobs,
            interrupt,
        })
    }

    /// Returns the player as the plan gives it, with all settings spelled out.
    ///
    /// # Errors
    ///
    /// Returns an error if the player cannot be made.
    pub fn player_name(&self) -> Result<String, ParticipantError> {
        let player = Participant::new(&self.plan.player, self.interrupt)?;
        Ok(player.name().to_owned())
    }

    /// Plays an iteration, and calls `finished` after every pair; `None` if interrupted.
    ///
    /// # Errors
    ///
    /// Returns an error if the player rejects a setting.
    pub fn play(
        &self,
        iteration: u64,
        trial: &super::spsa::Trial,
        finished: &mut dyn FnMut(),
    ) -> Result<Option<IterationScores>, ParticipantError> {
        let player = |values| Participant::new(&self.plan.spec(values), self.interrupt);
        let (plus, minus) = (player(&trial.plus)?, player(&trial.minus)?);
        let seed = seed::iteration_seed(self.plan.games.seed, iteration);
        let mut meet = |a: Participant, b: Participant| self.meet(BySide { a, b }, seed, finished);
        let Some(opponent) = &self.opponent else {
            let scores = meet(plus, minus);
            let minus = Vec::new();
            return Ok(scores.map(|plus| IterationScores { plus, minus }));
        };
        let plus = meet(plus, opponent.clone());
        let minus = plus.is_some().then(|| meet(minus, opponent.clone()));
        let both = plus.zip(minus.flatten());
        Ok(both.map(|(plus, minus)| IterationScores { plus, minus }))
    }

    /// Plays the pairs of two players; returns them in order, `None` unless all were played.
    fn meet(
        &self,
        players: BySide<Participant>,
        seed: u64,
        finished: &mut dyn FnMut(),
    ) -> Option<Vec<PairScore>> {
        let limits = self.plan.games.limits();
        let setup = MatchSetup {
            limits: BySide::from_fn(|_| limits),
            rules: self.rules,
            deal: self.plan.games.deal,
            seed,
            appraiser: self.appraiser,
            ..MatchSetup::new(players)
        };
        let pairs = self.plan.schedule.pairs;
        let mut records = Vec::new();
        let run = runner::run(&setup, 0..pairs, self.jobs, self.interrupt, |record| {
            records.push(record);
            finished();
            Ok::<Flow, std::convert::Infallible>(Flow::Continue)
        });
        match run {
            Ok(()) => {}
            Err(never) => match never {},
        }
        records.sort_by_key(|record| record.pair);
        let is_whole = records.len() as u64 == pairs;
        is_whole.then(|| records.iter().map(PairScore::of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_match::statistics::sprt::Scores as Kind;

    fn pair(half_points: u64, luck: i64) -> PairScore {
        PairScore { half_points, luck }
    }

    #[test]
    fn a_difference_is_that_of_the_scores() {
        let raw = Objective::default();
        let plus = vec![pair(4, 0), pair(3, 0)];
        let minus = Vec::new();
        // 7 of 8 half points: 0.875 against 0.125.
        let duel = IterationScores { plus, minus };
        assert!((duel.difference(&raw) - 0.75).abs() < 1e-12);
        let same = IterationScores {
            minus: duel.plus.clone(),
            ..duel.clone()
        };
        assert_eq!(same.difference(&raw), 0.0);
        let minus = vec![pair(0, 0), pair(1, 0)];
        let apart = IterationScores { minus, ..duel };
        assert!((apart.difference(&raw) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn luck_is_taken_out_only_if_that_is_wanted() {
        let adjusted = Objective {
            results: Kind::Adjusted,
            coefficient: Some(1.0),
            ..Objective::default()
        };
        // A full point of luck in a pair that was won: 0.75 without it, and the rest is even.
        let scores = IterationScores {
            plus: vec![pair(4, 10_000), pair(2, 0)],
            minus: Vec::new(),
        };
        assert!((scores.difference(&Objective::default()) - 0.5).abs() < 1e-12);
        assert!((scores.difference(&adjusted) - 0.25).abs() < 1e-12);
    }
}
