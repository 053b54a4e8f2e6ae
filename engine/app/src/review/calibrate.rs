//! What error rates the levels have: games of each level against itself, reviewed.

use super::decision::Grade;
use super::run::review;
use super::selfplay::{SelfPlayError, play};
use crate::level::Level;
use anqi_rules::Rules;
use std::fmt;
use std::path::Path;

/// The error rate of a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevelRate {
    /// The level.
    pub level: u32,
    /// Mean loss in points per decision.
    pub rate: f64,
    /// Its standard error.
    pub error: f64,
    /// How many decisions it is the mean of.
    pub decisions: usize,
}

/// How to calibrate.
#[derive(Clone, Copy, Debug)]
pub struct Calibration<'a> {
    /// Games of each level.
    pub games: u64,
    /// Nodes for each decision of the analyst.
    pub nodes: u64,
    /// Threads of the analyst.
    pub threads: usize,
    /// The seed of the first game.
    pub seed: u64,
    /// A folder of endgame tables.
    pub tables: Option<&'a Path>,
}

impl Calibration<'_> {
    /// Plays and reviews the games of one level.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the tables.
    pub fn row(&self, level: Level) -> Result<LevelRate, SelfPlayError> {
        let mut losses = Vec::new();
        for game in 0..self.games {
            let seed = self.seed.wrapping_add(game);
            let played = play([level.number(); 2], Rules::OLYMPIAD, seed)?;
            let plies = review(&played, self.nodes, self.threads, self.tables, &|_| {})?;
            let decided = plies.iter().filter(|ply| ply.grade != Grade::Forced);
            losses.extend(decided.map(|ply| ply.loss));
        }
        let count = losses.len().max(1) as f64;
        let rate = losses.iter().sum::<f64>() / count;
        let squares: f64 = losses.iter().map(|loss| (loss - rate).powi(2)).sum();
        Ok(LevelRate {
            level: level.number(),
            rate,
            error: (squares / count / count).sqrt(),
            decisions: losses.len(),
        })
    }

    /// Returns the lines that say where a table comes from.
    pub fn head(&self) -> String {
        format!(
            "# Mean loss in points per decision of the built-in player against itself.\n\
             # Made by `anqi review --calibrate {} --nodes {} --seed {}`; olympiad rules.\n\
             # level, rate, standard error, decisions",
            self.games, self.nodes, self.seed
        )
    }
}

impl fmt::Display for LevelRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LevelRate {
            level,
            rate,
            error,
            decisions,
        } = self;
        write!(f, "{level} {rate:.4} {error:.4} {decisions}")
    }
}
