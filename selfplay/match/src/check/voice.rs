//! What every dialect can say.

use std::time::Duration;

use anqi_rules::{Action, ByColor, Game};

use super::finding::Checked;
use super::wire::Wire;

/// How long an engine may take to start and to be ready; a check's own limit is shorter by default.
pub const START: Duration = Duration::from_secs(60);
/// How long an answer may take where time is not what a check looks at.
pub const ANSWER: Duration = Duration::from_secs(20);

/// The time that an engine is told it has.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Pace {
    /// So little for each move that a hundred positions are soon asked, told as the dialect can.
    Quick,
    /// Clocks, with the milliseconds left of red and black.
    Clocks(ByColor<f64>),
}

/// The milliseconds of each side in a quick game, where a dialect has nothing but clocks.
const QUICK_CLOCK_MS: f64 = 1_500.0;

impl Pace {
    /// Returns the clocks, in milliseconds.
    pub fn clocks(self) -> ByColor<f64> {
        match self {
            Pace::Quick => ByColor([QUICK_CLOCK_MS; 2]),
            Pace::Clocks(clocks) => clocks,
        }
    }
}

/// A dialect, spoken by the side that asks.
pub trait Voice: Send {
    /// Opens the conversation and returns how the engine introduces itself.
    fn greet(&mut self, wire: &mut Wire) -> Checked<String>;

    /// Begins a game at the usual start.
    fn begin(&mut self, wire: &mut Wire, pace: Pace) -> Checked;

    /// Tells the ply that was played last; only the flow of the game is told, nothing is asked.
    fn tell(&mut self, wire: &mut Wire, game: &Game, pace: Pace) -> Checked;

    /// Asks for an action; [`Voice::answer`] reads it.
    fn ask(&mut self, wire: &mut Wire, game: &Game, pace: Pace);

    /// Reads the action that answers, at most so long after now.
    fn answer(&mut self, wire: &mut Wire, limit: Duration) -> Checked<Action>;

    /// Returns whether a line is an answer to a request for an action.
    fn is_answer(&self, line: &str) -> bool;
}
