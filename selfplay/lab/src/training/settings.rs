//! What a fit trains on, and how.

use anqi_search::evaluation::Curve;

use super::regression::RegressionSettings;
use super::sampling::Sampling;

/// What to train on, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitSettings {
    /// Which positions take part.
    pub positions: Positions,
    /// The weight of the search value in the target; the game result has the rest.
    pub label_mix: f64,
    /// The share of games held out for validation.
    pub held_out: f64,
    /// How the sum of the new weights becomes an expected result.
    pub curve: Curve,
    /// Decides which games are held out.
    pub seed: u64,
    /// How the positions trained on are drawn; `None` for all.
    pub sampling: Option<Sampling>,
    /// How to find the weights.
    pub regression: RegressionSettings,
}

/// Which positions take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Positions {
    /// All of them.
    #[default]
    All,
    /// Those in which the best action is not a capture.
    Quiet,
}
