//! The values of later phases by code, and whole rows of them.
//!
//! A phase that a capture or flip leads to has its own slots, mirrored and maybe with the colours
//! exchanged. Seen from the phase that is solved, its codes are still sums of shifted squares: the
//! mirror changes the bits of each digit, and the revealed piece adds a constant.

use anqi_rules::{Color, Piece};
use smallvec::SmallVec;

use super::division::PhaseFit;
use super::numbering::HiddenIndex;
use super::slots::{MOST_SLOTS, SlotSquares, Slots, code, shift};
use super::stored::UnitValues;
use crate::numbering::MIRROR_MASKS;

/// The values of one unit with some pieces face down, each phase by code.
#[derive(Debug)]
pub(super) struct UnpackedValues {
    index: HiddenIndex,
    waits: Vec<u16>,
    /// By division.
    slots: Vec<Slots>,
    /// How many codes a phase has.
    codes: usize,
    /// By phase, side to move and code.
    values: Vec<i8>,
}

/// Where a piece of a later phase stands in the phase that is solved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Standing {
    /// It is the piece of this slot.
    Slot(usize),
    /// It is the one that has been revealed on this square.
    Revealed(u32),
}

/// A later phase, seen from the slots of the one that is solved.
#[derive(Debug)]
pub(super) struct LaterPhase<'a> {
    /// By the side to move, as it is called in the phase that is solved.
    values: [&'a [i8]; 2],
    /// How far each slot's digit is shifted; zero for a captured piece.
    shifts: [u32; MOST_SLOTS],
    /// The digit of the revealed piece.
    revealed: usize,
    /// The mirror as a mask of squares.
    mirror: usize,
    /// The same in every digit.
    mirrors: usize,
    /// The longest wait from there on.
    pub longest: u32,
}

impl UnpackedValues {
    /// Unpacks the values of a unit.
    pub(super) fn new(packed: &UnitValues) -> UnpackedValues {
        let index = packed.index.clone();
        let of_division = |division: &super::DivisionIndex| Slots::new(index.unit, &division.up);
        let slots: Vec<Slots> = index.divisions.iter().map(of_division).collect();
        let codes = slots.first().map_or(1, Slots::codes);
        let mut values = vec![0; 2 * codes * index.phases()];
        for (division, slots) in index.divisions.iter().zip(&slots) {
            for orbit in 0..index.orbits() {
                let in_order = slots.codes_in_order(index.squares(orbit));
                for turn in Color::ALL {
                    let first = division.first(orbit, turn) as usize;
                    let from = &packed.values[first..first + in_order.len()];
                    let at = codes * (2 * division.phase(orbit) + turn.index());
                    slots.spread(&in_order, from, &mut values[at..at + codes]);
                }
            }
        }
        UnpackedValues {
            waits: packed.waits.clone(),
            index,
            slots,
            codes,
            values,
        }
    }

    /// Returns the longest wait from a phase on.
    pub(super) fn longest(&self, fit: &PhaseFit) -> u32 {
        self.waits[self.phase(fit)].into()
    }

    fn phase(&self, fit: &PhaseFit) -> usize {
        self.index.divisions[fit.division].phase(fit.orbit)
    }

    /// Returns a phase as it is seen from another one, where its pieces stand as `pieces` says.
    pub(super) fn seen(&self, fit: &PhaseFit, pieces: &[(Piece, Standing)]) -> LaterPhase<'_> {
        let slots = &self.slots[fit.division];
        let mut left: SmallVec<[(usize, Standing); MOST_SLOTS]> = pieces
            .iter()
            .map(|&(piece, standing)| (usize::from(fit.groups[piece.index()]), standing))
            .collect();
        let (mut shifts, mut revealed, mut mirrors) = ([0; MOST_SLOTS], 0, 0);
        let mirror = MIRROR_MASKS[fit.mirror] as usize;
        // Like pieces may be dealt in any way; innermost to innermost makes rows one after another.
        for (slot, group) in slots.groups.iter().enumerate().rev() {
            let shift = shift(slots.len(), slot);
            let next = left.iter().rposition(|(own, _)| own == group);
            let (_, standing) = left.remove(next.expect("a piece for each slot"));
            match standing {
                Standing::Slot(own) => shifts[own] = shift,
                Standing::Revealed(square) => revealed = (square as usize) << shift,
            }
            mirrors |= mirror << shift;
        }
        let values = Color::ALL.map(|turn| {
            let at = self.codes * (2 * self.phase(fit) + fit.turn(turn).index());
            &self.values[at..at + self.codes]
        });
        LaterPhase {
            values,
            shifts,
            revealed,
            mirror,
            mirrors,
            longest: self.longest(fit),
        }
    }
}

impl LaterPhase<'_> {
    /// Returns the values by the square of the slot `lane`, the others standing as they do; those of
    /// `lane` and of a captured piece must be zero in `standing`.
    #[inline]
    pub(super) fn row(&self, turn: Color, standing: &SlotSquares, lane: usize) -> [i8; 32] {
        let values = self.values[turn.index()];
        let code = self.revealed + code(standing, &self.shifts);
        let shift = self.shifts[lane];
        let start = code ^ self.mirrors & !(31 << shift);
        if shift > 0 {
            let line = &values[start..];
            return std::array::from_fn(|square| line[(square ^ self.mirror) << shift]);
        }
        let row = &values[start..start + 32];
        // A constant mask in each arm: a handful of shuffles.
        match self.mirror {
            0 => std::array::from_fn(|square| row[square]),
            3 => std::array::from_fn(|square| row[square ^ 3]),
            28 => std::array::from_fn(|square| row[square ^ 28]),
            _ => std::array::from_fn(|square| row[square ^ 31]),
        }
    }
}
