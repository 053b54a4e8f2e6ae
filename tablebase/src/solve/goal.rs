//! What to solve of a unit.

use super::driver::Rounds;

/// What to solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Values.
    Values,
    /// Values, and the plies to the next capture.
    Distances,
    /// Values, the plies to the next capture, and the plies to the end.
    ToEnd,
    /// Values and distances for games that are drawn after this many plies without a capture.
    Limited(u32),
}

impl Goal {
    /// Returns the rounds whose discoveries count.
    pub(super) fn rounds(self) -> Rounds {
        match self {
            Goal::Values | Goal::Distances | Goal::ToEnd => Rounds::ALL,
            Goal::Limited(last) => Rounds {
                last,
                ..Rounds::ALL
            },
        }
    }
}
