//! The tree of plies: main line and variations.

use super::{PgnGame, PgnPly};

impl PgnGame {
    /// Returns the plies of the main line.
    pub fn main_line(&self) -> Vec<&PgnPly> {
        self.main_numbers()
            .into_iter()
            .map(|number| &self.plies[number - 1])
            .collect()
    }

    /// Returns the numbers of the plies of the main line, from 1.
    pub fn main_numbers(&self) -> Vec<usize> {
        let mut line = Vec::new();
        let mut at = 0;
        for (index, ply) in self.plies.iter().enumerate() {
            // The first ply that follows another continues its line.
            if ply.after == at {
                at = index + 1;
                line.push(at);
            }
        }
        line
    }

    /// Returns whether there are plies outside the main line.
    pub fn has_variations(&self) -> bool {
        self.main_numbers().len() < self.plies.len()
    }

    /// Returns for the start and each ply the numbers of the plies that follow, the main line first.
    ///
    /// A ply that follows itself or a later one follows none: the writer leaves it out.
    pub(super) fn followers(&self) -> Vec<Vec<usize>> {
        let mut followers = vec![Vec::new(); self.plies.len() + 1];
        for (index, ply) in self.plies.iter().enumerate() {
            if ply.after <= index {
                followers[ply.after].push(index + 1);
            }
        }
        followers
    }
}
