//! From a position to its unit and groups, in a few dozen instructions.
//!
//! The material of a position is a number with four bits for each kind of
//! piece; an open-addressed table for each number of pieces maps it to the unit
//! and to the group of each kind.

use std::sync::OnceLock;

use anqi_rules::{Color, PIECES, Piece, Position};

use super::{Groups, number_of};
use crate::classes::{Fit, MAX_GROUPS, MAX_PIECES, Material, Unit};

/// A position as tables see it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lookup<P = Placement> {
    /// One side has no pieces.
    Over(Color),
    /// A placement in a unit.
    Placed(P),
}

/// The unit of a position, and the side to move.
#[derive(Clone, Copy, Debug)]
pub struct UnitPlace {
    /// The number of pieces.
    pub pieces: usize,
    /// The unit's number among those of as many pieces.
    pub number: usize,
    /// The side to move, in the unit's colours.
    pub turn: Color,
}

impl UnitPlace {
    /// A unit with a side to move.
    pub fn of(unit: &Unit, turn: Color) -> UnitPlace {
        UnitPlace {
            pieces: unit.pieces(),
            number: unit.number,
            turn,
        }
    }
}

/// A position as a placement in a unit.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// The unit and the side to move.
    pub unit: UnitPlace,
    /// The squares of each group.
    pub groups: Groups,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Four bits for each kind; zero if the slot is free.
    material: u64,
    unit: u32,
    swapped: bool,
    groups: [u8; PIECES],
}

/// The sets of one number of pieces.
#[derive(Debug)]
struct Sets {
    slots: Vec<Slot>,
    shift: u32,
}

impl Sets {
    fn of(pieces: usize) -> &'static Sets {
        static TABLES: [OnceLock<Sets>; MAX_PIECES + 1] =
            [const { OnceLock::new() }; MAX_PIECES + 1];
        TABLES[pieces].get_or_init(|| Sets::new(pieces))
    }

    fn new(pieces: usize) -> Sets {
        let list = Material::all(pieces);
        let bits = (list.len() * 2).next_power_of_two().trailing_zeros().max(4);
        let blank = Slot {
            material: 0,
            unit: 0,
            swapped: false,
            groups: [0; PIECES],
        };
        let mut sets = Sets {
            slots: vec![blank; 1 << bits],
            shift: 64 - bits,
        };
        for set in &list {
            let fit = Fit::of(set);
            let material = set
                .kinds()
                .map(|(piece, count)| count as u64 * one(piece))
                .sum();
            let mut at = sets.home(material);
            while sets.slots[at].material != 0 {
                at = (at + 1) & (sets.slots.len() - 1);
            }
            let unit = fit.unit.number as u32;
            sets.slots[at] = Slot {
                material,
                unit,
                swapped: fit.swapped,
                groups: fit.groups,
            };
        }
        sets
    }

    #[inline]
    fn home(&self, material: u64) -> usize {
        (material.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn find(&self, material: u64) -> Option<&Slot> {
        let mut at = self.home(material);
        loop {
            let slot = &self.slots[at];
            if slot.material == material {
                return Some(slot);
            }
            if slot.material == 0 {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}

#[inline]
fn one(piece: Piece) -> u64 {
    1 << (4 * piece.index())
}

/// Prepares the tables for up to `pieces` pieces, so that no probe has to.
pub(crate) fn prepare(pieces: usize) {
    for count in 2..=pieces {
        Sets::of(count);
    }
}

/// Locates a position with at most `most` pieces, all of them face up.
#[inline]
pub(crate) fn locate(position: &Position, most: u32) -> Option<Lookup> {
    let mut groups = [0; MAX_GROUPS];
    Some(match locate_groups(position, most, &mut groups)? {
        Lookup::Over(loser) => Lookup::Over(loser),
        Lookup::Placed(unit) => Lookup::Placed(Placement { unit, groups }),
    })
}

/// The same; adds the squares to `groups`, which must be empty.
// The groups are written square by square, and a copy of them would wait until all are there.
#[inline(always)]
pub(crate) fn locate_groups(
    position: &Position,
    most: u32,
    groups: &mut Groups,
) -> Option<Lookup<UnitPlace>> {
    let turn = position.turn()?;
    let occupied = position.occupied();
    let pieces = occupied.len();
    if pieces > most as usize || !position.face_down().is_empty() {
        return None;
    }
    for color in Color::ALL {
        if position.color(color).is_empty() {
            return Some(Lookup::Over(color));
        }
    }
    // Fetches the table of sets before the pieces, so that the two cache misses overlap.
    let sets = Sets::of(pieces);
    let mut kinds = [(0u8, 0u32); MAX_PIECES];
    let mut material = 0;
    for (kind, square) in kinds.iter_mut().zip(occupied) {
        let piece = position.piece_at(square)?;
        material += one(piece);
        *kind = (piece.index() as u8, 1 << number_of(square));
    }
    let slot = sets.find(material)?;
    for &(piece, square) in kinds.iter().take(pieces) {
        groups[usize::from(slot.groups[usize::from(piece)] & 7)] |= square;
    }
    let turn = if slot.swapped { !turn } else { turn };
    Some(Lookup::Placed(UnitPlace {
        pieces,
        number: slot.unit as usize,
        turn,
    }))
}
