//! What is tuned, on which games, and how: a TOML file.
//!
//! [`super::checks`] reads one and refuses what cannot be carried out.

use std::fmt::Display;

use anqi_rules::Rules;
use serde::{Deserialize, Serialize};

use super::spsa::{Axis, Gains, Spsa};
use anqi_match::deal::DealKind;
use anqi_match::limits::{Limits, TimeControl};
use anqi_match::luck::AppraiserSpec;
use anqi_match::statistics::adjusted::Coefficient;
use anqi_match::statistics::sprt::{EloModel, Scores, Sprt};

/// A tuning run as its file describes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The player whose parameters are tuned, with the settings that stay as they are.
    pub player: String,
    /// The opponent of both perturbed players; without one they play each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
    /// How the games are played.
    #[serde(default)]
    pub games: Games,
    /// The number of iterations and the gains.
    pub schedule: GainSchedule,
    /// How results are scored.
    #[serde(default)]
    pub objective: Objective,
    /// What is tuned.
    #[serde(default, rename = "parameter")]
    pub parameters: Vec<Tuned>,
    /// The final test.
    #[serde(default)]
    pub test: Test,
}

/// How the games are played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Games {
    /// Nodes a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds a move; runs are then not reproducible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// The rules.
    pub rules: String,
    /// How the deal is bound to flips.
    pub deal: DealKind,
    /// The seed of everything random.
    pub seed: u64,
}

impl Default for Games {
    fn default() -> Games {
        Games {
            nodes: None,
            depth: None,
            movetime: None,
            rules: "olympiad".to_owned(),
            deal: DealKind::Sequence,
            seed: 1,
        }
    }
}

/// The number of iterations and the gains.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GainSchedule {
    /// Iterations.
    pub iterations: u64,
    /// Pairs of games in an iteration, each deal played twice with sides swapped.
    pub pairs: u64,
    /// The length of the steps.
    pub a: f64,
    /// The reach of the perturbations, in steps of each parameter.
    pub c: f64,
    /// Spall's stability constant, in iterations: it shortens the first steps.
    #[serde(rename = "A")]
    pub stability: f64,
    /// How fast the steps shrink.
    #[serde(default = "alpha")]
    pub alpha: f64,
    /// How fast the perturbations shrink.
    #[serde(default = "gamma")]
    pub gamma: f64,
}

/// Spall's practical value.
const fn alpha() -> f64 {
    0.602
}

/// Spall's practical value.
const fn gamma() -> f64 {
    0.101
}

/// How results are scored.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Objective {
    /// Whether the luck of flips is taken out.
    pub results: Scores,
    /// The appraiser: `moves=N` (without one, `moves=2`), `evaluation`, a number of nodes, or `depth=N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appraiser: Option<String>,
    /// The coefficient of luck; without one it is estimated in each iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coefficient: Option<f64>,
}

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    /// Its name.
    pub name: String,
    /// Where it starts; by default at the player's own value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    /// The least value that is tried.
    pub min: i64,
    /// The greatest value that is tried.
    pub max: i64,
    /// The unit of its perturbations.
    pub step: i64,
}

/// The final test.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Test {
    /// The most games; 0 for no test.
    pub games: u64,
    /// The difference in normalised Elo under the null hypothesis.
    pub elo0: f64,
    /// The difference in normalised Elo under the alternative hypothesis.
    pub elo1: f64,
    /// The chance to accept `elo1` where `elo0` is true.
    pub alpha: f64,
    /// The chance to accept `elo0` where `elo1` is true.
    pub beta: f64,
}

impl Default for Test {
    fn default() -> Test {
        Test {
            games: 2_000,
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
        }
    }
}

impl Plan {
    /// Returns the arithmetic of the run; the plan must have been checked.
    pub fn spsa(&self, defaults: &[i64]) -> Spsa {
        let axes = self.parameters.iter().zip(defaults);
        Spsa {
            axes: axes
                .map(|(tuned, &default)| Axis {
                    start: tuned.start.unwrap_or(default),
                    min: tuned.min,
                    max: tuned.max,
                    step: tuned.step,
                })
                .collect(),
            gains: self.schedule.gains(),
            seed: self.games.seed,
        }
    }

    /// Returns the player with these values of its tuned parameters.
    pub fn spec(&self, values: &[i64]) -> String {
        let names = self.parameters.iter().map(|tuned| tuned.name.as_str());
        spec_with(&self.player, names.zip(values))
    }
}

/// Returns a spec with more settings.
pub fn spec_with<'a, V: Display>(
    player: &str,
    settings: impl Iterator<Item = (&'a str, V)>,
) -> String {
    let mut spec = player.to_owned();
    for (name, value) in settings {
        let sign = if spec.contains(':') { ',' } else { ':' };
        spec.push_str(&format!("{sign}{name}={value}"));
    }
    spec
}

impl Games {
    /// Returns the limits of both sides.
    pub fn limits(&self) -> Limits {
        let limits = Limits {
            nodes: self.nodes,
            depth: self.depth,
            time: self
                .movetime
                .map(|move_ms| TimeControl::PerMove { move_ms }),
        };
        if limits.is_empty() {
            Limits::DEFAULT
        } else {
            limits
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> Option<Rules> {
        Rules::preset(&self.rules)
    }
}

impl GainSchedule {
    /// Returns the gains.
    pub fn gains(&self) -> Gains {
        Gains {
            a: self.a,
            c: self.c,
            stability: self.stability,
            alpha: self.alpha,
            gamma: self.gamma,
        }
    }
}

impl Objective {
    /// Returns the appraiser, if luck is measured; the plan must have been checked.
    pub fn appraiser(&self) -> Option<AppraiserSpec> {
        let named = self.appraiser.as_deref();
        let parsed = || named.and_then(|text| text.parse().ok());
        (self.results == Scores::Adjusted).then(|| parsed().unwrap_or_default())
    }

    /// Returns where the coefficient of luck comes from.
    pub fn coefficient(&self) -> Coefficient {
        self.coefficient
            .map_or(Coefficient::Estimated, Coefficient::Fixed)
    }
}

impl Test {
    /// Returns the sequential test.
    pub fn sprt(&self, scores: Scores) -> Sprt {
        Sprt {
            elo0: self.elo0,
            elo1: self.elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: EloModel::Normalized,
            scores,
        }
    }
}
