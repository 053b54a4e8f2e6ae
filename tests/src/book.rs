//! A rule book as the checks see it: text in, text out.
//!
//! The naive and the fast rule book stand behind the same small door, so that every check that replays whole games can
//! be made with either and a check that fails with one of them says at once which of the two is wrong.

use crate::naive::{Naive, NaiveRules, Outcome};

/// How a game stands, in the words of the platform's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The game goes on.
    Playing,
    /// One side (`r` or `b`) has won, for the other cannot act or has no piece left.
    NoMove(char),
    /// Drawn: too long without a capture or a flip.
    NoEatFlipDraw,
    /// Drawn: the game repeats itself.
    PositionRepetitionDraw,
}

/// A game that can be played on.
pub trait Book {
    /// Plays a ply as records write it.
    ///
    /// # Errors
    ///
    /// Says why the ply is not possible.
    fn play(&mut self, ply: &str) -> Result<(), String>;

    /// Returns how the game stands.
    fn verdict(&self) -> Verdict;
}

/// A naive game under given rules.
pub struct NaiveBook {
    /// The game.
    pub game: Naive,
    /// The rules that decide it.
    pub rules: NaiveRules,
}

impl NaiveBook {
    /// Returns a new game under these rules.
    pub fn start(rules: NaiveRules) -> NaiveBook {
        let game = Naive::start();
        NaiveBook { game, rules }
    }
}

impl Book for NaiveBook {
    fn play(&mut self, ply: &str) -> Result<(), String> {
        self.game.play(ply)
    }

    fn verdict(&self) -> Verdict {
        match self.game.outcome(&self.rules) {
            Outcome::Playing => Verdict::Playing,
            Outcome::NoAction(winner) | Outcome::WipedOut(winner) => Verdict::NoMove(winner),
            Outcome::Quiet => Verdict::NoEatFlipDraw,
            Outcome::Repetition => Verdict::PositionRepetitionDraw,
        }
    }
}
