//! Runs checks and tells what they found, as lines or as JSON.

use serde::Serialize;

use super::dialect::Target;
use super::exam::{Exam, Settings};
use super::finding::{CheckStatus, concluded};
use super::list::{CHECKS, Check, Demand};

/// What one check found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    /// The check.
    pub name: &'static str,
    /// `must`, `should`, or nothing where the check does not apply.
    pub demand: Option<&'static str>,
    /// The result.
    pub outcome: CheckStatus,
    /// What was seen.
    pub reason: String,
}

impl Finding {
    /// Returns the line that is printed.
    pub fn line(&self) -> String {
        format!("{} {} {}", self.outcome.word(), self.name, self.reason)
    }
}

/// What all checks found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckReport {
    /// The engine, as it was given.
    pub engine: String,
    /// `cmd`, `uci` or `line`.
    pub dialect: &'static str,
    /// The seed of the games.
    pub seed: u64,
    /// How many checks the engine passed.
    pub passed: usize,
    /// How many it failed.
    pub failed: usize,
    /// How many did not apply.
    pub skipped: usize,
    /// Each check.
    pub checks: Vec<Finding>,
}

impl CheckReport {
    /// Adds up findings.
    pub fn new(engine: &str, target: &Target, seed: u64, checks: Vec<Finding>) -> CheckReport {
        let count = |outcome| checks.iter().filter(|c| c.outcome == outcome).count();
        CheckReport {
            engine: engine.to_owned(),
            dialect: target.dialect.prefix(),
            seed,
            passed: count(CheckStatus::Pass),
            failed: count(CheckStatus::Fail),
            skipped: count(CheckStatus::Skip),
            checks,
        }
    }
}

/// Makes one check of an engine.
pub fn run(check: &Check, target: &Target, settings: &Settings) -> Finding {
    let demand = match check.demand(target.dialect) {
        Demand::Must => "must",
        Demand::Should => "should",
        Demand::Not(reason) => {
            return Finding {
                name: check.name,
                demand: None,
                outcome: CheckStatus::Skip,
                reason: reason.to_owned(),
            };
        }
    };
    let (outcome, reason) = concluded((check.run)(&Exam::new(target, settings)));
    Finding {
        name: check.name,
        demand: Some(demand),
        outcome,
        reason,
    }
}

/// A check as `--list` tells it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Listed {
    /// The check.
    pub name: &'static str,
    /// What it looks at.
    pub sentence: &'static str,
}

/// Returns the names of all checks, each with its sentence.
pub fn listing() -> Vec<Listed> {
    let listed = |check: &Check| Listed {
        name: check.name,
        sentence: check.sentence,
    };
    CHECKS.iter().map(listed).collect()
}
