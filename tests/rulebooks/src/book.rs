//! A rule book as the checks see it: text in, text out.
//!
//! The naive and the fast rule book share this small interface, so that every check that replays whole games runs with
//! either; a check that fails with only one of them shows which of the two is wrong.

use anqi_naive::{self as naive, Naive, NaiveRules};
use anqi_rules::{DrawReason, Game, Outcome, Ply, Position, Rules};

/// How a game stands, in the words of the platform's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The game goes on.
    Playing,
    /// One side (`r` or `b`) has won, because the other cannot act or has no piece left.
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
    /// Fails with the reason if the ply is not possible.
    fn play(&mut self, ply: &str) -> Result<(), String>;

    /// Returns how the game stands.
    fn verdict(&self) -> Verdict;

    /// Returns the legal actions in the order of their names.
    fn legal(&self) -> Vec<String>;

    /// Returns the position string.
    fn position(&self) -> String;
}

/// A naive game under given rules.
pub struct NaiveBook {
    /// The game.
    pub game: Naive,
    /// The rules that decide it.
    pub rules: NaiveRules,
}

impl NaiveBook {
    /// Returns a new game under the preset of that name.
    ///
    /// # Panics
    ///
    /// Panics when no preset has that name.
    pub fn start(preset: &str) -> NaiveBook {
        let start = Naive::start();
        let rules = naive::preset(preset);
        let game = if rules.course {
            start.of_course()
        } else {
            start
        };
        NaiveBook { game, rules }
    }

    /// Returns a game of a course that begins with this position string.
    ///
    /// # Panics
    ///
    /// Panics when the text is no position string.
    pub fn of_course(position: &str) -> NaiveBook {
        let game = Naive::parse(position).expect("a position string");
        NaiveBook {
            game: game.of_course(),
            rules: naive::preset("course"),
        }
    }
}

impl Book for NaiveBook {
    fn play(&mut self, ply: &str) -> Result<(), String> {
        self.game.play(ply)
    }

    fn verdict(&self) -> Verdict {
        match self.game.outcome(&self.rules) {
            naive::Outcome::Playing => Verdict::Playing,
            naive::Outcome::NoAction(winner) | naive::Outcome::WipedOut(winner) => {
                Verdict::NoMove(winner)
            }
            naive::Outcome::Quiet => Verdict::NoEatFlipDraw,
            naive::Outcome::Repetition => Verdict::PositionRepetitionDraw,
        }
    }

    fn legal(&self) -> Vec<String> {
        self.game.legal_under(&self.rules)
    }

    fn position(&self) -> String {
        self.game.to_string()
    }
}

/// A game in the fast rule book.
pub struct FastBook(pub Game);

impl FastBook {
    /// Returns a new game under the preset of that name.
    ///
    /// # Panics
    ///
    /// Panics when no preset has that name.
    pub fn start(preset: &str) -> FastBook {
        let rules = Rules::preset(preset).expect("the caller names a preset");
        FastBook(Game::new(Position::start(), rules))
    }

    /// Returns a game of a course that begins with this position string.
    ///
    /// # Panics
    ///
    /// Panics when the text is no position string.
    pub fn of_course(position: &str) -> FastBook {
        FastBook(Game::from_text(position, Rules::COURSE).expect("a position string"))
    }
}

impl Book for FastBook {
    fn play(&mut self, ply: &str) -> Result<(), String> {
        let ply: Ply = ply.parse().map_err(|error| format!("{error}"))?;
        self.0.play(ply).map_err(|error| error.to_string())
    }

    fn verdict(&self) -> Verdict {
        match self.0.outcome() {
            None => Verdict::Playing,
            Some(Outcome::Win { winner, .. }) => Verdict::NoMove(winner.letter()),
            Some(Outcome::Draw(DrawReason::QuietLimit)) => Verdict::NoEatFlipDraw,
            Some(Outcome::Draw(DrawReason::Repetition { .. })) => Verdict::PositionRepetitionDraw,
        }
    }

    fn legal(&self) -> Vec<String> {
        let actions = self.0.actions();
        actions.iter().map(ToString::to_string).collect()
    }

    fn position(&self) -> String {
        self.0.position().to_string()
    }
}
