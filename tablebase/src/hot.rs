//! Units in memory, probed by position.

use anqi_rules::{Color, Position};

use crate::locate::{Place, locate, prepare};
use crate::material::MAX_PIECES;
use crate::solved::{Solved, Wdl};
use crate::store::Store;

/// All units of up to some number of pieces.
#[derive(Debug)]
pub struct Hot {
    store: Store,
    pieces: u32,
}

/// A position in memory.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    solved: &'a Solved,
    turn: Color,
    address: u64,
}

/// What memory knows of a position.
pub enum Found<'a> {
    /// The game is over: this side has no pieces.
    Over(Color),
    /// A place in a unit.
    Spot(Spot<'a>),
}

impl Hot {
    /// Takes a store that holds all units of up to `pieces` pieces.
    pub fn new(store: Store, pieces: usize) -> Hot {
        let pieces = pieces.min(MAX_PIECES);
        prepare(pieces);
        Hot {
            store,
            pieces: pieces as u32,
        }
    }

    /// Returns the most pieces that are known.
    #[inline]
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the greatest distance in any unit.
    #[cfg(feature = "os")]
    pub fn longest(&self) -> u32 {
        self.store
            .iter()
            .map(|solved| solved.longest)
            .max()
            .unwrap_or(0)
    }

    /// Finds a position, if it is one that memory knows.
    #[inline]
    pub fn find(&self, position: &Position) -> Option<Found<'_>> {
        let place = match locate(position, self.pieces)? {
            Place::Over(loser) => return Some(Found::Over(loser)),
            Place::Located(place) => place,
        };
        let solved = self.store.at(place.pieces, place.unit)?;
        let address = solved.layout.address(&place.groups);
        Some(Found::Spot(Spot {
            solved,
            turn: place.turn,
            address,
        }))
    }
}

impl Spot<'_> {
    /// Returns the value for the side to move.
    #[inline]
    pub fn wdl(&self) -> Wdl {
        self.solved.wdl(self.turn, self.address)
    }

    /// Returns the stored distance; zero for draws.
    #[inline]
    pub fn dtc(&self) -> u8 {
        self.solved.dtc(self.turn, self.address).unwrap_or(0)
    }

    /// Returns the plies to the end of the game, if they were solved and the position is decided.
    #[cfg(feature = "os")]
    pub fn plies_to_end(&self) -> Option<u16> {
        self.solved.dtw(self.turn, self.address)
    }

    /// Returns the greatest distance in the unit.
    #[inline]
    pub fn longest(&self) -> u32 {
        self.solved.longest
    }
}
