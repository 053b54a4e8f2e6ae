//! The interface through which a search probes tables.

use anqi_rules::Position;

use super::ToEnd;
use crate::fraction::Fraction;
use crate::solve::Wdl;

/// The value of a position in the tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableValue {
    /// The value for the side to move under the rules the tables were opened for, the quiet
    /// counter of the position included.
    ///
    /// Without a distance it is unknown whether a win or loss comes within the quiet limit: the
    /// value is then that of unlimited play.
    pub wdl: Wdl,
    /// Plies to the next capture or the end of the game if both sides do their best; `None` for
    /// draws, and where the distance is unknown because the tables hold values only.
    pub dtc: Option<u16>,
}

/// Knowledge of endgames that a search may ask for at every node.
///
/// Answers must be exact, quick, and the same from every thread.
pub trait Endgames: Send + Sync {
    /// The most pieces, on the board and face down together, that a position may have to be known.
    fn pieces(&self) -> u32;

    /// Returns the value of a position for the side to move, if it is known.
    fn wdl(&self, position: &Position) -> Option<Wdl>;

    /// Returns value and distance, if they are known; values alone unless the tables have distances.
    fn known(&self, position: &Position) -> Option<TableValue> {
        let wdl = self.wdl(position)?;
        Some(TableValue { wdl, dtc: None })
    }

    /// Returns the plies to the end of the game in a decided position, if files of them decide which
    /// action is best.
    fn to_end(&self, _: &Position) -> Option<ToEnd> {
        None
    }

    /// Returns the expected result for the side to move: 1 for a win, 0 for a draw, -1 for a loss.
    ///
    /// Positions with face-down pieces are answered here and not in [`Endgames::wdl`].
    fn expected(&self, position: &Position) -> Option<f64> {
        self.wdl(position).map(|wdl| Fraction::from(wdl).into())
    }
}

/// No tables at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEndgames;

impl Endgames for NoEndgames {
    fn pieces(&self) -> u32 {
        0
    }

    fn wdl(&self, _: &Position) -> Option<Wdl> {
        None
    }
}
