//! Checks of a plan: all of it, before the first game.
//!
//! An error names what is wrong: a parameter that the player does not have, a value out of
//! its range, a schedule that cannot work.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use anqi_rules::Rules;
use anqi_search::parameters::{Description, Kind, Value};
use anqi_search::players::settings_of;
use anqi_search::spec::SpecError;

use super::plan::{GainSchedule, Games, Objective, Plan, Test, Tuned};
use anqi_match::engines::participant::names_program;
use anqi_match::luck::{AppraiserSpec, ParseAppraiserError};

/// Size limit of a plan in bytes; real ones have a few thousand.
const MOST_BYTES: u64 = 1 << 20;
/// The most iterations, and the most games of an iteration or a test.
const MOST: u64 = 10_000_000;
/// The least distance between the two perturbed values of a parameter.
const LEAST_DISTANCE: f64 = 1.0;

/// Why a plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is not TOML, or has a field that a plan does not have.
    #[error("{}: {error}", path.display())]
    Toml {
        /// Which file.
        path: PathBuf,
        /// What is wrong, and where.
        error: Box<toml::de::Error>,
    },
    /// The player or its settings.
    #[error("player: {0}")]
    Player(SpecError),
    /// Only built-in players have parameters that are known here.
    #[error("player: '{0}' is an outside program (expected a built-in player)")]
    Outside(String),
    /// Nothing is tuned.
    #[error("there is no [[parameter]] (expected at least one)")]
    NoParameter,
    /// The player has no such parameter.
    #[error("parameter '{name}': player '{player}' has none of this name (it has: {known})")]
    UnknownParameter {
        /// The name.
        name: String,
        /// The player.
        player: String,
        /// The parameters that can be tuned.
        known: String,
    },
    /// A parameter cannot be tuned as the plan says.
    #[error("parameter '{name}': {fault}")]
    Parameter {
        /// Its name.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// A value cannot be used.
    #[error("{place}: {value} is not possible (expected {expected})")]
    Value {
        /// What it is the value of.
        place: &'static str,
        /// The value.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// There is no such appraiser.
    #[error("objective.appraiser: {0}")]
    Appraiser(#[from] ParseAppraiserError),
}

impl Plan {
    /// Reads a plan and checks all of it.
    ///
    /// # Errors
    ///
    /// Returns an error that names what is wrong, and where.
    pub fn read(path: &Path) -> Result<Plan, PlanError> {
        let file = |error| PlanError::File {
            path: path.to_owned(),
            error,
        };
        let text = anqi_files::read_text_limited(path, MOST_BYTES).map_err(file)?;
        let plan: Plan = toml::from_str(&text).map_err(|error| PlanError::Toml {
            path: path.to_owned(),
            error: Box::new(error),
        })?;
        plan.check()?;
        Ok(plan)
    }

    /// Checks all of a plan.
    ///
    /// # Errors
    ///
    /// Returns an error that names what is wrong.
    pub fn check(&self) -> Result<(), PlanError> {
        let defaults = self.defaults()?;
        self.games.check()?;
        self.schedule.check()?;
        self.objective.check()?;
        self.test.check()?;
        for (index, (tuned, default)) in self.parameters.iter().zip(&defaults).enumerate() {
            if self.parameters[..index]
                .iter()
                .any(|t| t.name == tuned.name)
            {
                let fault = "is there twice".to_owned();
                return Err(tuned.refuse(fault));
            }
            tuned.check(*default, &self.schedule)?;
        }
        Ok(())
    }

    /// Returns the values of the tuned parameters in the player as given.
    ///
    /// # Errors
    ///
    /// Returns an error that names the parameter if the player lacks it or it cannot be tuned.
    pub fn defaults(&self) -> Result<Vec<i64>, PlanError> {
        if names_program(&self.player) {
            return Err(PlanError::Outside(self.player.clone()));
        }
        let settings = settings_of(&self.player).map_err(PlanError::Player)?;
        if self.parameters.is_empty() {
            return Err(PlanError::NoParameter);
        }
        let of = |tuned: &Tuned| {
            let found = settings.iter().find(|(known, _)| known.name == tuned.name);
            let (known, value) = found.ok_or_else(|| self.unknown(&tuned.name, &settings))?;
            tuned.fits(known)?;
            Ok(value.number())
        };
        self.parameters.iter().map(of).collect()
    }

    fn unknown(&self, name: &str, settings: &[(Description, Value)]) -> PlanError {
        let numbers = settings.iter().map(|(known, _)| known);
        let numbers = numbers.filter(|known| matches!(known.kind, Kind::Integer { .. }));
        let known: Vec<&str> = numbers.map(|known| known.name).collect();
        PlanError::UnknownParameter {
            name: name.to_owned(),
            player: self.player.clone(),
            known: known.join(", "),
        }
    }
}

fn value_error(place: &'static str, value: &dyn Display, expected: &dyn Display) -> PlanError {
    PlanError::Value {
        place,
        value: value.to_string(),
        expected: expected.to_string(),
    }
}

/// Refuses a number outside of a range.
fn within(place: &'static str, value: f64, least: f64, most: f64) -> Result<(), PlanError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(value_error(place, &value, &format!("{least} to {most}")))
    }
}

impl Games {
    fn check(&self) -> Result<(), PlanError> {
        if self.rules().is_none() {
            let known = Rules::PRESETS.map(|(name, _)| name).join(", ");
            let rules = format!("'{}'", self.rules);
            return Err(value_error("games.rules", &rules, &known));
        }
        let zero = |place| value_error(place, &0, &"at least 1");
        match (self.nodes, self.depth, self.movetime) {
            (Some(0), ..) => Err(zero("games.nodes")),
            (_, Some(0), _) => Err(zero("games.depth")),
            (.., Some(0)) => Err(zero("games.movetime")),
            _ => Ok(()),
        }
    }
}

impl GainSchedule {
    fn check(&self) -> Result<(), PlanError> {
        const TINY: f64 = 1e-9;
        within(
            "schedule.iterations",
            self.iterations as f64,
            1.0,
            MOST as f64,
        )?;
        within("schedule.pairs", self.pairs as f64, 1.0, MOST as f64)?;
        within("schedule.a", self.a, TINY, 1e9)?;
        within("schedule.c", self.c, TINY, 1e9)?;
        within("schedule.A", self.stability, 0.0, 1e9)?;
        within("schedule.alpha", self.alpha, 0.0, 1.0)?;
        within("schedule.gamma", self.gamma, 0.0, 0.5)
    }
}

impl Objective {
    fn check(&self) -> Result<(), PlanError> {
        if let Some(appraiser) = &self.appraiser {
            appraiser.parse::<AppraiserSpec>()?;
        }
        self.coefficient.map_or(Ok(()), |coefficient| {
            within("objective.coefficient", coefficient, 0.0, 10.0)
        })
    }
}

impl Test {
    fn check(&self) -> Result<(), PlanError> {
        const RATES: [f64; 2] = [1e-6, 0.499];
        within("test.games", self.games as f64, 0.0, MOST as f64)?;
        if self.games % 2 == 1 {
            return Err(value_error("test.games", &self.games, &"an even number"));
        }
        within("test.elo0", self.elo0, -1_000.0, 1_000.0)?;
        within("test.elo1", self.elo1, -1_000.0, 1_000.0)?;
        within("test.alpha", self.alpha, RATES[0], RATES[1])?;
        within("test.beta", self.beta, RATES[0], RATES[1])?;
        if self.elo0 < self.elo1 {
            Ok(())
        } else {
            Err(value_error(
                "test.elo1",
                &self.elo1,
                &format!("more than elo0, {}", self.elo0),
            ))
        }
    }
}

impl Tuned {
    fn refuse(&self, fault: String) -> PlanError {
        PlanError::Parameter {
            name: self.name.clone(),
            fault,
        }
    }

    /// Refuses parameters that are no numbers, and ranges beyond the parameter's own.
    fn fits(&self, known: &Description) -> Result<(), PlanError> {
        let Kind::Integer { least, most, .. } = known.kind else {
            let fault = "is no number (selfplay sweep compares words and switches)";
            return Err(self.refuse(fault.to_owned()));
        };
        for (word, value) in [("min", self.min), ("max", self.max)] {
            if !(least..=most).contains(&value) {
                let fault =
                    format!("{word} = {value} is out of range (expected {least} to {most})");
                return Err(self.refuse(fault));
            }
        }
        Ok(())
    }

    fn check(&self, default: i64, schedule: &GainSchedule) -> Result<(), PlanError> {
        let (min, max) = (self.min, self.max);
        if min >= max {
            return Err(self.refuse(format!("min = {min} is not below max = {max}")));
        }
        let start = self.start.unwrap_or(default);
        if !(min..=max).contains(&start) {
            let fault = format!("start = {start} is out of range (expected {min} to {max})");
            return Err(self.refuse(fault));
        }
        if self.step < 1 {
            let fault = format!("step = {} is too small (expected at least 1)", self.step);
            return Err(self.refuse(fault));
        }
        self.check_reach(schedule)
    }

    /// Refuses perturbations that are wider than the range, or too small to matter.
    fn check_reach(&self, schedule: &GainSchedule) -> Result<(), PlanError> {
        let distance = |iteration| 2.0 * schedule.gains().reach(iteration) * self.step as f64;
        let range = (self.max - self.min) as f64;
        if distance(0) > range {
            return Err(self.refuse(format!(
                "the first perturbations are {:.1} apart, more than its whole range of {range} \
                 (expected a smaller step or schedule.c)",
                distance(0)
            )));
        }
        let last = schedule.iterations - 1;
        if distance(last) < LEAST_DISTANCE {
            return Err(self.refuse(format!(
                "the perturbations of iteration {} are only {:.2} apart, less than a whole number \
                 (expected a larger step or schedule.c)",
                last + 1,
                distance(last)
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_match::limits::Limits;

    fn plan(text: &str) -> Result<Plan, String> {
        let plan: Plan = toml::from_str(text).map_err(|error| error.to_string())?;
        plan.check().map_err(|error| error.to_string())?;
        Ok(plan)
    }

    const GOOD: &str = "player = 'basic:depth=2'\n\
         [schedule]\niterations = 10\npairs = 2\na = 2\nc = 1\nA = 1\n\
         [[parameter]]\nname = 'null-margin'\nstart = 500\nmin = -100\nmax = 900\nstep = 50\n";

    #[test]
    fn a_plan_knows_its_players() {
        let plan = plan(GOOD).expect("a plan");
        assert_eq!(plan.defaults().expect("a parameter"), [0]);
        assert_eq!(plan.spsa(&[0]).start(), [500.0]);
        assert_eq!(plan.spec(&[250]), "basic:depth=2,null-margin=250");
        assert_eq!(plan.schedule.alpha, 0.602);
        assert_eq!(plan.games.limits(), Limits::DEFAULT);
    }

    #[test]
    fn every_fault_is_refused_by_its_name() {
        let cases = [
            (
                "'basic:depth=2'",
                "'nobody'",
                "no player is called 'nobody'",
            ),
            ("'basic:depth=2'", "'cmd:./x'", "outside program"),
            (
                "null-margin",
                "margin",
                "player 'basic:depth=2' has none of this name (it has: null-margin,",
            ),
            ("null-margin", "policy", "'policy': is no number"),
            (
                "max = 900",
                "max = 99999",
                "max = 99999 is out of range (expected -22000 to 22000)",
            ),
            (
                "start = 500",
                "start = 901",
                "start = 901 is out of range (expected -100 to 900)",
            ),
            (
                "min = -100",
                "min = 900",
                "min = 900 is not below max = 900",
            ),
            ("step = 50", "step = 0", "step = 0"),
            ("step = 50", "step = 501", "more than its whole range"),
            ("c = 1", "c = 0.001", "iteration 10 are only 0.08 apart"),
            ("c = 1", "c = 0", "schedule.c: 0 is not possible"),
            ("a = 2", "a = nan", "schedule.a: NaN"),
            ("A = 1", "A = -1", "schedule.A: -1"),
            ("pairs = 2", "pairs = 0", "schedule.pairs: 0"),
            (
                "iterations = 10",
                "iterations = 0",
                "schedule.iterations: 0",
            ),
            ("pairs = 2", "pears = 2", "unknown field `pears`"),
            ("a = 2", "a = 2\nalpha = 3", "schedule.alpha: 3"),
            (
                "[schedule]",
                "[games]\nrules = 'chess'\n[schedule]",
                "games.rules: 'chess'",
            ),
            (
                "[schedule]",
                "[games]\nnodes = 0\n[schedule]",
                "games.nodes: 0",
            ),
            (
                "[schedule]",
                "[test]\ngames = 3\n[schedule]",
                "test.games: 3",
            ),
            (
                "[schedule]",
                "[test]\nelo0 = 30.0\n[schedule]",
                "test.elo1: 20",
            ),
            (
                "[schedule]",
                "[objective]\nappraiser = 'me'\n[schedule]",
                "objective.appraiser: 'me'",
            ),
        ];
        for (good, bad, reason) in cases {
            let text = GOOD.replace(good, bad);
            let error = plan(&text).expect_err(bad);
            assert!(error.contains(reason), "{bad}: {error}");
        }
        let twice = GOOD.to_owned() + &GOOD[GOOD.find("[[").expect("a parameter")..];
        assert!(plan(&twice).expect_err("twice").contains("is there twice"));
    }
}
