//! How far the end of a game is, under the rules of the tables.

use anqi_rules::Position;

use super::{Tables, ToEnd};
use crate::solve::Wdl;

impl Tables {
    /// Returns the plies to the end of the game in a decided position, from memory or files, and whether
    /// the rules leave the time; `None` if they are not known.
    pub fn ending(&self, position: &Position) -> Option<ToEnd> {
        let plies = self.plies_to_end(position).ok().flatten()?;
        ToEnd::under(self.rules(), position, plies)
    }

    /// Returns the plies to the end of a position of this value, if no limit can come before it; none of draws.
    pub fn certain_end(&self, position: &Position, wdl: Wdl) -> Option<u16> {
        let end = self.ending(position).filter(|_| wdl != Wdl::Draw);
        end.and_then(ToEnd::certain)
    }
}
