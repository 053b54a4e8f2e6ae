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

/// The losses of a level's decisions, summed by game.
///
/// The decisions of a game are not independent: some games are quiet, others full of errors. So
/// the error counts games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Losses {
    games: f64,
    loss: f64,
    decisions: f64,
    /// Sums over games, of products of a game's loss and its decisions.
    loss_squared: f64,
    loss_by_decisions: f64,
    decisions_squared: f64,
}

impl Losses {
    /// Returns the losses of the decisions of one game.
    fn of_game(losses: &[f64]) -> Losses {
        let (loss, decisions) = (losses.iter().sum::<f64>(), losses.len() as f64);
        Losses {
            games: 1.0,
            loss,
            decisions,
            loss_squared: loss * loss,
            loss_by_decisions: loss * decisions,
            decisions_squared: decisions * decisions,
        }
    }

    /// Adds the losses of other games.
    pub fn join(&mut self, other: Losses) {
        self.games += other.games;
        self.loss += other.loss;
        self.decisions += other.decisions;
        self.loss_squared += other.loss_squared;
        self.loss_by_decisions += other.loss_by_decisions;
        self.decisions_squared += other.decisions_squared;
    }

    /// Returns the level's error rate: all losses over all decisions, and the standard error of
    /// such a ratio of sums.
    pub fn rate(&self, level: Level) -> LevelRate {
        let decisions = self.decisions.max(1.0);
        let rate = self.loss / decisions;
        let squares = self.loss_squared - 2.0 * rate * self.loss_by_decisions
            + rate * rate * self.decisions_squared;
        let freedom = (self.games - 1.0).max(1.0);
        LevelRate {
            level: level.number(),
            rate,
            error: (squares.max(0.0) * self.games / freedom).sqrt() / decisions,
            decisions: self.decisions as usize,
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
        let decided = plies.iter().filter(|ply| ply.grade != Grade::Forced);
        let losses: Vec<f64> = decided.map(|ply| ply.loss).collect();
        Ok(Losses::of_game(&losses))
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
        let mut losses = Losses::of_game(&[0.1, 0.0]);
        losses.join(Losses::of_game(&[0.2, 0.1]));
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
                losses.join(Losses::of_game(&vec![rate; decisions]));
            }
            losses.rate(Level::TOP).error
        };
        assert!((error(10) - 0.05 / 3_f64.sqrt()).abs() < 1e-12);
        assert!((error(10) - error(1_000)).abs() < 1e-12);
    }
}
