//! Error rates of the levels, from reviewed games of each level against itself.

use crate::decision::{Grade, ReviewedPly};
use anqi_play::Level;
use std::fmt;

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
pub struct Calibration {
    /// Games of each level.
    pub games: u64,
    /// Nodes for each decision of the analyst.
    pub nodes: u64,
    /// The seed of the first game.
    pub seed: u64,
}

/// The losses of a level's decisions, game by game.
///
/// The decisions of a game are not independent: some games are quiet, others full of errors. So
/// the error counts games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Losses {
    /// Each game's loss and its number of decisions.
    games: Vec<(f64, usize)>,
}

impl Losses {
    /// Adds a reviewed game.
    pub fn add_game(&mut self, plies: &[ReviewedPly]) {
        let decided = plies.iter().filter(|ply| ply.grade != Grade::Forced);
        self.add(&decided.map(|ply| ply.loss).collect::<Vec<f64>>());
    }

    /// Adds the losses of a game's decisions.
    fn add(&mut self, losses: &[f64]) {
        self.games.push((losses.iter().sum(), losses.len()));
    }

    /// Returns the level's error rate: all losses over all decisions, and the standard error of
    /// such a ratio of sums.
    pub fn rate(&self, level: Level) -> LevelRate {
        let decisions: usize = self.games.iter().map(|(_, decisions)| decisions).sum();
        let all = decisions.max(1) as f64;
        let rate = self.games.iter().map(|(loss, _)| loss).sum::<f64>() / all;
        let deviation = |&(loss, decisions): &(f64, usize)| loss - rate * decisions as f64;
        let squares: f64 = self.games.iter().map(|game| deviation(game).powi(2)).sum();
        let count = self.games.len() as f64;
        LevelRate {
            level: level.number(),
            rate,
            error: (squares * count / (count - 1.0).max(1.0)).sqrt() / all,
            decisions,
        }
    }
}

impl Calibration {
    /// Returns the seed of a game, by its number from 0.
    pub fn seed_of(&self, game: u64) -> u64 {
        self.seed.wrapping_add(game)
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
    fn games_added_give_the_rate_of_all_their_decisions() {
        let mut losses = Losses::default();
        losses.add(&[0.1, 0.0]);
        losses.add(&[0.2, 0.1]);
        let found = losses.rate(Level::TOP);
        assert_eq!((found.level, found.decisions), (10, 4));
        assert!((found.rate - 0.1).abs() < 1e-12, "{found}");
        // Each game's loss is 0.1 from what the rate expects of its two decisions.
        let error = (2.0 * (0.1_f64.powi(2) + 0.1_f64.powi(2))).sqrt() / 4.0;
        assert!((found.error - error).abs() < 1e-12, "{found}");
    }

    #[test]
    fn decisions_of_the_same_game_are_no_new_evidence() {
        let error = |decisions: usize| {
            let mut losses = Losses::default();
            for rate in [0.0, 0.1, 0.05] {
                losses.add(&vec![rate; decisions]);
            }
            losses.rate(Level::TOP).error
        };
        assert!((error(10) - 0.05 / 3_f64.sqrt()).abs() < 1e-12);
        assert!((error(10) - error(1_000)).abs() < 1e-12);
    }
}
