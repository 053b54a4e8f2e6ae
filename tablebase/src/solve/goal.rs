//! What to solve of a unit.

use super::driver::Rounds;

/// What to solve in memory.
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

    /// Returns the same goal for solving on disk, if there is one.
    #[cfg(feature = "os")]
    pub(crate) fn on_disk(self) -> Option<DiskGoal> {
        match self {
            Goal::Values => Some(DiskGoal::Values),
            Goal::Distances => Some(DiskGoal::Distances),
            Goal::ToEnd | Goal::Limited(_) => None,
        }
    }
}

/// What to solve with planes on disk.
#[cfg(feature = "os")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskGoal {
    /// Values.
    Values,
    /// Values, and the plies to the next capture.
    Distances,
}
