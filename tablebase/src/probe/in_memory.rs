//! Units in memory, probed by position.

use std::sync::Arc;

use anqi_rules::{Color, Position};

use crate::classes::{MAX_GROUPS, MAX_PIECES, Units};
#[cfg(feature = "os")]
use crate::numbering::Placement;
use crate::numbering::{Groups, Lookup, UnitPlace, locate_groups, prepare};
use crate::solve::{Solved, Store, Wdl};

/// All units of up to some number of pieces.
#[derive(Debug)]
pub struct MemoryUnits {
    /// All units, the small ones first; absent where only some were solved.
    units: Vec<Option<MemoryUnit>>,
    /// Where the units of each number of pieces begin.
    starts: [usize; MAX_PIECES + 1],
    pieces: u32,
}

/// A unit in the form that is quickest to probe.
#[derive(Debug)]
struct MemoryUnit {
    solved: Arc<Solved>,
    /// For each side to move and each word of its planes: the won positions and above them the
    /// lost ones, so that a probe waits for memory once.
    values: [Vec<u64>; 2],
}

impl MemoryUnit {
    fn new(solved: &Arc<Solved>) -> MemoryUnit {
        let values = [0, 1].map(|side| {
            let blocks = solved.win[side].iter().zip(&solved.loss[side]);
            let words = blocks.flat_map(|(win, loss)| win.0.into_iter().zip(loss.0));
            words
                .map(|(win, loss)| u64::from(win) | u64::from(loss) << 32)
                .collect()
        });
        MemoryUnit {
            solved: solved.clone(),
            values,
        }
    }
}

/// A position in memory.
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    unit: &'a MemoryUnit,
    turn: Color,
    address: u64,
}

/// A position found in memory.
pub enum Hit<'a> {
    /// The game is over: this side has no pieces.
    Over(Color),
    /// A place in a unit.
    Entry(Entry<'a>),
}

/// Returns the value of a game that is over, for the side to move.
#[inline]
pub(super) fn value_of_end(position: &Position, loser: Color) -> Wdl {
    if position.turn() == Some(loser) {
        Wdl::Loss
    } else {
        Wdl::Win
    }
}

impl MemoryUnits {
    /// Takes a store that holds units of up to `pieces` pieces.
    pub fn new(store: &Store, pieces: usize) -> MemoryUnits {
        let pieces = pieces.min(MAX_PIECES);
        prepare(pieces);
        let mut memory = MemoryUnits {
            units: Vec::new(),
            starts: [0; MAX_PIECES + 1],
            pieces: pieces as u32,
        };
        for count in 2..=pieces {
            memory.starts[count] = memory.units.len();
            memory.units.extend(
                Units::of(count)
                    .list()
                    .iter()
                    .map(|unit| store.get(unit).map(MemoryUnit::new)),
            );
        }
        memory
    }

    /// Returns the most pieces that are known.
    #[inline]
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// Returns the greatest distance in any unit.
    #[cfg(feature = "os")]
    pub fn longest(&self) -> u32 {
        self.units
            .iter()
            .flatten()
            .map(|unit| unit.solved.longest)
            .max()
            .unwrap_or(0)
    }

    /// Finds a position, if memory has it.
    #[inline]
    pub fn find(&self, position: &Position) -> Option<Hit<'_>> {
        let mut groups = [0; MAX_GROUPS];
        match locate_groups(position, self.pieces, &mut groups)? {
            Lookup::Over(loser) => Some(Hit::Over(loser)),
            Lookup::Placed(place) => self.entry_of(place, &groups).map(Hit::Entry),
        }
    }

    /// Finds a placement, if memory has its unit.
    #[cfg(feature = "os")]
    #[inline]
    pub fn entry(&self, place: &Placement) -> Option<Entry<'_>> {
        if place.unit.pieces > self.pieces as usize {
            return None;
        }
        self.entry_of(place.unit, &place.groups)
    }

    #[inline]
    fn entry_of(&self, place: UnitPlace, groups: &Groups) -> Option<Entry<'_>> {
        let start = self.starts.get(place.pieces)?;
        let unit = self.units.get(start + place.number)?.as_ref()?;
        let address = unit.solved.layout.address(groups);
        Some(Entry {
            unit,
            turn: place.turn,
            address,
        })
    }
}

impl Entry<'_> {
    /// Returns the value for the side to move.
    #[inline]
    pub fn wdl(&self) -> Wdl {
        let word = self.unit.values[self.turn.index()][(self.address / 32) as usize];
        let bits = word >> (self.address % 32);
        if bits & 1 != 0 {
            Wdl::Win
        } else if bits >> 32 & 1 != 0 {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// Returns the stored distance; zero for draws.
    #[inline]
    pub fn dtc(&self) -> u16 {
        self.unit.solved.dtc(self.turn, self.address).unwrap_or(0)
    }

    /// Returns the plies to the end of the game, if they were solved and the position is decided.
    pub fn plies_to_end(&self) -> Option<u16> {
        self.unit.solved.dtw(self.turn, self.address)
    }

    /// Returns the greatest distance in the unit.
    #[inline]
    pub fn longest(&self) -> u32 {
        self.unit.solved.longest
    }
}
