//! Probing units in memory: from a position to its bits in a few dozen instructions.
//!
//! The material of a position is a number with four bits for each kind of
//! piece; an open-addressed table leads from it to the unit and to a plan of
//! which kind goes to which group. After that come only sums and table look-ups.

use anqi_rules::{Color, PIECES, Position};

use crate::layout::Groups;
use crate::material::Material;
use crate::solved::{Solved, Wdl};
use crate::store::Store;
use crate::unit::{Fit, MAX_GROUPS};

/// Units in memory, found by material.
#[derive(Debug)]
pub struct Hot {
    store: Store,
    pieces: u32,
    slots: Vec<Slot>,
    shift: u32,
}

/// Where a material set is solved.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Four bits for each kind; zero if the slot is free.
    material: u64,
    pieces: u8,
    unit: u32,
    swapped: bool,
    groups: [u8; PIECES],
}

/// A position in memory.
#[derive(Clone, Copy)]
pub struct Spot<'a> {
    solved: &'a Solved,
    turn: Color,
    address: u64,
}

/// What a position is, as far as memory goes.
pub enum Found<'a> {
    /// One side has no pieces.
    Over(Color),
    /// A place in a unit.
    Spot(Spot<'a>),
}

impl Hot {
    /// Indexes all units of up to `pieces` pieces of a store.
    pub fn new(store: Store, pieces: usize) -> Hot {
        let sets: Vec<Material> = (2..=pieces).flat_map(Material::all).collect();
        let bits = (sets.len() * 2).next_power_of_two().trailing_zeros().max(4);
        let blank = Slot {
            material: 0,
            pieces: 0,
            unit: 0,
            swapped: false,
            groups: [0; PIECES],
        };
        let mut hot = Hot {
            store,
            pieces: pieces as u32,
            slots: vec![blank; 1 << bits],
            shift: 64 - bits,
        };
        for set in &sets {
            let fit = Fit::of(set);
            let material = set.kinds().fold(0, |sum, (piece, count)| {
                sum + ((count as u64) << (4 * piece.index()))
            });
            let mut at = hot.home(material);
            while hot.slots[at].material != 0 {
                at = (at + 1) % hot.slots.len();
            }
            hot.slots[at] = Slot {
                material,
                pieces: set.len() as u8,
                unit: fit.unit.number as u32,
                swapped: fit.swapped,
                groups: fit.groups,
            };
        }
        hot
    }

    /// Returns the most pieces that are known.
    #[inline]
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    #[inline]
    fn home(&self, material: u64) -> usize {
        (material.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn slot(&self, material: u64) -> Option<&Slot> {
        let mut at = self.home(material);
        loop {
            let slot = &self.slots[at];
            if slot.material == material {
                return Some(slot);
            }
            if slot.material == 0 {
                return None;
            }
            at = (at + 1) % self.slots.len();
        }
    }

    /// Finds a position, if it is one that memory knows.
    #[inline]
    pub fn find(&self, position: &Position) -> Option<Found<'_>> {
        let turn = position.turn()?;
        let occupied = position.occupied();
        if occupied.len() > self.pieces as usize || !position.face_down().is_empty() {
            return None;
        }
        for color in Color::ALL {
            if position.color(color).is_empty() {
                return Some(Found::Over(color));
            }
        }
        let mut material = 0;
        let mut kinds = [(0u8, 0u32); 8];
        let mut count = 0;
        for square in occupied {
            let piece = position.piece_at(square)?.index();
            material += 1u64 << (4 * piece);
            kinds[count & 7] = (piece as u8, 1 << square.index());
            count += 1;
        }
        let slot = self.slot(material)?;
        let mut groups: Groups = [0; MAX_GROUPS];
        for &(piece, square) in kinds.iter().take(count) {
            groups[usize::from(slot.groups[usize::from(piece)] & 7)] |= square;
        }
        let solved = self.store.at(slot.pieces.into(), slot.unit as usize)?;
        let turn = if slot.swapped { !turn } else { turn };
        Some(Found::Spot(Spot {
            solved,
            turn,
            address: solved.layout.address(&groups),
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

    /// Returns the greatest distance in the unit.
    #[inline]
    pub fn longest(&self) -> u32 {
        self.solved.longest
    }
}
