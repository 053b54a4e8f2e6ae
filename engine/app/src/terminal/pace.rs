//! How a game between two players is shown.

/// How a game between two players is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watch {
    /// The plies, a round a line.
    Rounds,
    /// A board after a fixed number of plies.
    Boards {
        /// The number, at least one.
        every: usize,
        /// How the game continues after a board.
        pace: Pace,
    },
}

/// How a game of two players continues after a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// At once.
    Run,
    /// When the user presses Enter.
    Pause,
}
