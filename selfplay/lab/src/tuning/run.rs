//! A tuning run: one iteration after another, each saved before the next begins.

use std::time::Duration;

use super::games::TuningGames;
use super::journal::{self, Iteration, TuningMeta};
use super::plan::Plan;
use super::spsa::Spsa;
use anqi_match::engines::participant::ParticipantError;
use anqi_match::journal::{Journal, JournalError};
use anqi_match::live::{LiveLine, Status, clock_face, time_left};
use anqi_match::report::text::fixed;

/// What can go wrong while tuning.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The folder.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A player.
    #[error("player: {0}")]
    Participant(#[from] ParticipantError),
}

/// Whether all iterations have been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TuningProgress {
    /// All of them.
    Complete,
    /// An interrupt came first.
    Interrupted,
}

/// Plays the missing iterations.
///
/// # Errors
///
/// Fails if a player cannot be made or the journal cannot be written.
pub fn play_missing(
    plan: &Plan,
    spsa: &Spsa,
    games: &TuningGames<'_>,
    journal: &mut Journal<TuningMeta>,
    iterations: &mut Vec<Iteration>,
) -> Result<TuningProgress, TuneError> {
    let mut values = iterations
        .last()
        .map_or_else(|| spsa.start(), |last| last.values.clone());
    let line = LiveLine::start(Live::new(plan, iterations.len() as u64, &values));
    for number in iterations.len() as u64..plan.schedule.iterations {
        let trial = spsa.trial(number, &values);
        let played = games.play(number, &trial, &mut || line.update(|live| live.pairs += 1))?;
        let Some(scores) = played else {
            return Ok(TuningProgress::Interrupted);
        };
        let iteration = journal::finished(number, trial, scores, &values, plan, spsa);
        journal.append(&iteration)?;
        values.clone_from(&iteration.values);
        line.update(|live| live.add(&iteration));
        iterations.push(iteration);
    }
    Ok(TuningProgress::Complete)
}

/// The live line of a run.
#[derive(Debug)]
struct Live {
    names: Vec<String>,
    values: Vec<f64>,
    total: u64,
    resumed: u64,
    done: u64,
    /// Finished pairs of the current iteration, which has `pairs_each`.
    pairs: u64,
    pairs_each: u64,
    last: Option<f64>,
}

impl Live {
    fn new(plan: &Plan, done: u64, values: &[f64]) -> Live {
        let meetings = if plan.opponent.is_some() { 2 } else { 1 };
        Live {
            names: plan.parameters.iter().map(|t| t.name.clone()).collect(),
            values: values.to_vec(),
            total: plan.schedule.iterations,
            resumed: done,
            done,
            pairs: 0,
            pairs_each: meetings * plan.schedule.pairs,
            last: None,
        }
    }

    fn add(&mut self, iteration: &Iteration) {
        self.done = iteration.iteration + 1;
        self.pairs = 0;
        self.values.clone_from(&iteration.values);
        self.last = Some(iteration.difference);
    }
}

impl Status for Live {
    fn parts(&self, elapsed: Duration) -> Vec<String> {
        let Live {
            total, done, pairs, ..
        } = self;
        let mut parts = vec![format!("iteration {done}/{total}")];
        let played = (done - self.resumed) * self.pairs_each + pairs;
        let left = (total - done) * self.pairs_each - pairs.min(&self.pairs_each);
        parts.push(match time_left(elapsed, played, left) {
            Some(rest) => format!("left {}", clock_face(rest)),
            None => format!("{} so far", clock_face(elapsed)),
        });
        let named = self.names.iter().zip(&self.values);
        parts.extend(named.map(|(name, value)| format!("{name} {}", fixed(*value, 1))));
        parts.extend(self.last.map(|last| format!("last {}", fixed(last, 2))));
        parts.push(format!("{pairs}/{} pairs", self.pairs_each));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_and_where_the_parameters_are() {
        let live = Live {
            names: vec!["null-margin".to_owned()],
            values: vec![-12.34],
            total: 20,
            resumed: 0,
            done: 5,
            pairs: 2,
            pairs_each: 4,
            last: Some(0.25),
        };
        assert_eq!(
            live.parts(Duration::from_secs(22)).join("  "),
            "iteration 5/20  left 0:58  null-margin −12.3  last 0.25  2/4 pairs"
        );
    }
}
