//! Win, draw, loss.

use crate::fraction::Fraction;

/// The value of a position for the side to move under best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// The side to move wins.
    Win,
}

impl Wdl {
    /// Returns the value for the other side.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

impl From<Wdl> for Fraction {
    fn from(wdl: Wdl) -> Fraction {
        match wdl {
            Wdl::Loss => -Fraction::ONE,
            Wdl::Draw => Fraction::ZERO,
            Wdl::Win => Fraction::ONE,
        }
    }
}
