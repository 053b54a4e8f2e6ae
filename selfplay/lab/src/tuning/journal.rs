//! The folder of a tuning run, from which a killed run resumes: see [`anqi_match::journal`].
//!
//! `tuning.json` says what run it is, `iterations.jsonl` has a line for every finished iteration.
//! Results are stored as integers, and the parameters are recomputed from them, so that a resumed
//! run has the same parameters to the last digit. A line that does not follow from those before it
//! is refused.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::games::IterationScores;
use super::plan::Plan;
use super::spsa::{Spsa, Trial};
use anqi_match::journal::{Journal, JournalError, JournalRun, first_difference};

/// What run a folder belongs to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningMeta {
    /// Name and version of the program.
    program: String,
    /// The plan.
    plan: Plan,
    /// The player with all settings spelled out.
    player: String,
}

/// A finished iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 0.
    pub iteration: u64,
    /// The first setting.
    pub plus: Vec<i64>,
    /// The second setting.
    pub minus: Vec<i64>,
    /// What they scored.
    pub scores: IterationScores,
    /// How much more the first scored, from -1 to 1.
    pub difference: f64,
    /// The parameters afterwards.
    pub values: Vec<f64>,
}

impl JournalRun for TuningMeta {
    const KIND: &str = "tuning run";
    const DESCRIPTION: &str = "tuning.json";
    const PARTS: &str = "iterations.jsonl";
    type Part = Iteration;

    /// Only the number of iterations and the test may differ.
    fn difference(&self, found: &TuningMeta) -> Option<&'static str> {
        let (ours, theirs) = (&self.plan, &found.plan);
        let same = [
            ("the program", self.program == found.program),
            (
                "the player",
                self.player == found.player && ours.player == theirs.player,
            ),
            ("the opponent", ours.opponent == theirs.opponent),
            ("[games]", ours.games == theirs.games),
            (
                "[schedule]",
                ours.schedule.gains() == theirs.schedule.gains(),
            ),
            (
                "schedule.pairs",
                ours.schedule.pairs == theirs.schedule.pairs,
            ),
            ("[objective]", ours.objective == theirs.objective),
            ("a [[parameter]]", ours.parameters == theirs.parameters),
        ];
        first_difference(same)
    }
}

/// Opens a folder and returns the iterations that are there, each checked.
///
/// # Errors
///
/// Fails as [`Journal::open`] does.
pub fn open(
    folder: &Path,
    plan: &Plan,
    player: &str,
    spsa: &Spsa,
) -> Result<(Journal<TuningMeta>, Vec<Iteration>), JournalError> {
    let meta = TuningMeta {
        program: concat!("selfplay ", env!("CARGO_PKG_VERSION")).to_owned(),
        plan: plan.clone(),
        player: player.to_owned(),
    };
    let mut iterations: Vec<Iteration> = Vec::new();
    let journal = Journal::open(folder, &meta, |line| {
        // A longer run may have been here before; lines beyond the plan are ignored.
        if (iterations.len() as u64) < plan.schedule.iterations {
            let next = checked(line, &iterations, plan, spsa)?;
            iterations.push(next);
        }
        Ok(())
    })?;
    Ok((journal, iterations))
}

/// Reads an iteration and checks it against those before; the error says what is wrong.
fn checked(
    line: &[u8],
    before: &[Iteration],
    plan: &Plan,
    spsa: &Spsa,
) -> Result<Iteration, String> {
    let read: Iteration = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let number = before.len() as u64;
    let values = before
        .last()
        .map_or_else(|| spsa.start(), |last| last.values.clone());
    let trial = spsa.trial(number, &values);
    if read.iteration != number || read.plus != trial.plus || read.minus != trial.minus {
        return Err("its settings do not follow from the lines before it".to_owned());
    }
    let pairs = plan.schedule.pairs;
    let against = if plan.opponent.is_some() { pairs } else { 0 };
    let played = [read.scores.plus.len(), read.scores.minus.len()];
    if played.map(|len| len as u64) != [pairs, against] {
        return Err("it does not have the pairs of the plan".to_owned());
    }
    Ok(finished(number, trial, read.scores, &values, plan, spsa))
}

/// Returns an iteration with everything computed from its scores.
pub fn finished(
    iteration: u64,
    trial: Trial,
    scores: IterationScores,
    values: &[f64],
    plan: &Plan,
    spsa: &Spsa,
) -> Iteration {
    let difference = scores.difference(&plan.objective);
    Iteration {
        iteration,
        plus: trial.plus,
        minus: trial.minus,
        values: spsa.step(iteration, values, difference),
        scores,
        difference,
    }
}
