//! Error rates of the levels, from reviewed games of each level against itself.

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
    /// The number of decisions.
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

/// The losses of a level's decisions, summed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    sum: f64,
    squares: f64,
    decisions: usize,
}

impl Losses {
    /// Adds the loss of one decision.
    fn add(&mut self, loss: f64) {
        self.sum += loss;
        self.squares += loss * loss;
        self.decisions += 1;
    }

    /// Adds the losses of another game.
    pub fn join(&mut self, other: Losses) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.decisions += other.decisions;
    }

    /// Returns the level's error rate.
    pub fn rate(&self, level: Level) -> LevelRate {
        let count = self.decisions.max(1) as f64;
        let rate = self.sum / count;
        let variance = (self.squares / count - rate * rate).max(0.0);
        LevelRate {
            level: level.number(),
            rate,
            error: (variance / count).sqrt(),
            decisions: self.decisions,
        }
    }
}

impl Calibration<'_> {
    /// Plays and reviews one game of a level against itself.
    ///
    /// # Errors
    ///
    /// Returns an error if the level's player cannot be made or the tables cannot be used.
    pub fn game(&self, level: Level, index: u64) -> Result<Losses, SelfPlayError> {
        let seed = self.seed.wrapping_add(index);
        let played = play([level.number(); 2], Rules::OLYMPIAD, seed)?;
        let plies = review(&played, self.nodes, self.threads, self.tables, &|_| {})?;
        let mut losses = Losses::default();
        let decided = plies.iter().filter(|ply| ply.grade != Grade::Forced);
        decided.for_each(|ply| losses.add(ply.loss));
        Ok(losses)
    }

    /// Returns the comment lines at the head of the ratings file.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_joined_give_the_rate_of_all_their_decisions() {
        let (mut first, mut second) = (Losses::default(), Losses::default());
        first.add(0.1);
        first.add(0.0);
        second.add(0.2);
        second.add(0.1);
        first.join(second);
        let found = first.rate(Level::TOP);
        assert_eq!((found.level, found.decisions), (10, 4));
        assert!((found.rate - 0.1).abs() < 1e-12, "{found}");
        // The deviations are 0, 0.1, 0.1 and 0.
        assert!(
            (found.error - (0.005_f64 / 4.0).sqrt()).abs() < 1e-12,
            "{found}"
        );
    }
}
