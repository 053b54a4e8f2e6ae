//! The outcomes of the root's flips, kept for those who ask.
//!
//! [`outcomes`](super::outcomes) fills and reads them.

use anqi_rules::{Piece, Square};

/// One outcome of a flip at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutcomeValue {
    /// The piece that appears.
    pub piece: Piece,
    /// How many such pieces are face down.
    pub weight: u32,
    /// The value for the side that flips.
    pub value: i32,
}

/// The outcomes of each flip, as its last search in an open window found them.
#[derive(Debug, Default)]
pub(super) struct Distributions {
    pub is_on: bool,
    flips: Vec<(Square, Vec<OutcomeValue>)>,
}

impl Distributions {
    pub(super) fn of(&self, square: Square) -> Option<&[OutcomeValue]> {
        let found = self.flips.iter().find(|(known, _)| *known == square);
        found.map(|(_, outcomes)| outcomes.as_slice())
    }

    pub(super) fn begin(&mut self, square: Square) {
        match self.flips.iter_mut().find(|(known, _)| *known == square) {
            Some((_, outcomes)) => outcomes.clear(),
            None => self.flips.push((square, Vec::new())),
        }
    }

    pub(super) fn add(&mut self, square: Square, outcome: OutcomeValue) {
        let found = self.flips.iter_mut().find(|(known, _)| *known == square);
        if let Some((_, outcomes)) = found {
            outcomes.push(outcome);
        }
    }
}
