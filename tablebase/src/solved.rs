//! A solved unit in memory: every value, plain bits, at the solver's addresses.

use anqi_rules::Color;

use crate::block::Block;
use crate::combination::{mirror, rank, MIRRORS};
use crate::layout::{BLOCK, Groups, Layout};

/// What a position is worth to the side to move if nobody errs.
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

/// One byte for each position of a block.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Bytes(pub [u8; BLOCK as usize]);

/// The solved values of a unit.
#[derive(Debug)]
pub struct Solved {
    /// The numbering.
    pub layout: Layout,
    /// For each side to move, the positions it wins; impossible placements count as won.
    pub win: [Vec<Block>; 2],
    /// For each side to move, the positions it loses.
    pub loss: [Vec<Block>; 2],
    /// For each side to move, the plies to the next capture or the end in decided positions.
    pub dtc: Option<[Vec<Bytes>; 2]>,
    /// The greatest distance.
    pub longest: u32,
}

/// Reads one bit of a plane.
#[inline]
pub fn bit(plane: &[Block], address: u64) -> bool {
    let word = plane[(address / BLOCK) as usize].0[(address / 32 % 32) as usize];
    word >> (address % 32) & 1 != 0
}

impl Solved {
    /// Returns the value at an address with `turn` (a colour of the unit) to move.
    #[inline]
    pub fn wdl(&self, turn: Color, address: u64) -> Wdl {
        if bit(&self.win[turn.index()], address) {
            Wdl::Win
        } else if bit(&self.loss[turn.index()], address) {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// Returns the distance stored at an address, if distances were solved.
    #[inline]
    pub fn dtc(&self, turn: Color, address: u64) -> Option<u8> {
        let side = &self.dtc.as_ref()?[turn.index()];
        Some(side[(address / BLOCK) as usize].0[(address % BLOCK) as usize])
    }

    /// Returns the bytes that the bits of the planes take.
    pub fn bytes(&self) -> u64 {
        let planes = self.layout.blocks as u64 * 4 * 128;
        planes + if self.dtc.is_some() { self.layout.blocks as u64 * 2 * BLOCK } else { 0 }
    }
}

/// Where the 32 positions lie that differ only in one piece's square.
///
/// Found once for a placement of the other pieces, then read from any plane.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// Some of the other pieces share a square: nothing is there.
    Impossible,
    /// The row is one word of a plane, mirrored.
    Word {
        /// The address of the word's first bit.
        base: u64,
        /// The mirror to apply.
        symmetry: usize,
    },
    /// An address for each square.
    Spread(
        /// The addresses.
        [u64; 32],
    ),
}

impl Row {
    /// Finds the row of a piece of `group` with all other pieces on `others`.
    pub fn find(layout: &Layout, others: &Groups, group: usize) -> Row {
        let mut taken = 0u32;
        for &set in others {
            if taken & set != 0 {
                return Row::Impossible;
            }
            taken |= set;
        }
        if others[group] == 0 {
            Row::of_single(layout, others, group)
        } else {
            Row::of_member(layout, others, group, taken)
        }
    }

    /// The row of a piece whose group has no other member: addresses are sums.
    fn of_single(layout: &Layout, others: &Groups, group: usize) -> Row {
        let sets = layout.part_sets(others);
        let own = layout.parts.iter().position(|part| part.group == group);
        let own = own.expect("the group is in the unit");
        let stride = layout.strides[own];
        let rest = |symmetry: usize| -> u64 {
            (0..sets.len())
                .filter(|&part| part != own && part != 2)
                .map(|part| u64::from(rank(mirror(sets[part], symmetry))) * layout.strides[part])
                .sum()
        };
        match layout.orbits() {
            Some(orbits) if own == 2 => {
                let bases = [0, 1, 2, 3].map(rest);
                Row::Spread(std::array::from_fn(|square| {
                    let (orbit, symmetry) = orbits.of_code[square];
                    bases[symmetry as usize] + u64::from(orbit) * stride
                }))
            }
            Some(orbits) => {
                let (orbit, symmetry) = orbits.of_code[rank(sets[2]) as usize];
                let symmetry = usize::from(symmetry);
                Row::along(rest(symmetry) + u64::from(orbit) * layout.strides[2], stride, symmetry)
            }
            None => Row::along(rest(0), stride, 0),
        }
    }

    fn along(base: u64, stride: u64, symmetry: usize) -> Row {
        if stride == 1 {
            return Row::Word { base, symmetry };
        }
        let mask = u64::from(MIRRORS[symmetry]);
        Row::Spread(std::array::from_fn(|square| base + (square as u64 ^ mask) * stride))
    }

    /// The row of one of several like pieces; squares that are taken repeat some valid address.
    fn of_member(layout: &Layout, others: &Groups, group: usize, taken: u32) -> Row {
        let mut groups = *others;
        let mut addresses = [0; 32];
        for (square, address) in addresses.iter_mut().enumerate() {
            if taken >> square & 1 == 0 {
                groups[group] = others[group] | 1 << square;
                *address = layout.address(&groups);
            }
        }
        Row::Spread(addresses)
    }

    /// Returns the bits of a plane in the order of the piece's squares.
    #[inline]
    pub fn bits(&self, plane: &[Block]) -> u32 {
        match *self {
            Row::Impossible => 0,
            Row::Word { base, symmetry } => {
                mirror(plane[(base / BLOCK) as usize].0[(base / 32 % 32) as usize], symmetry)
            }
            Row::Spread(ref addresses) => {
                let bits = addresses.iter().enumerate();
                bits.fold(0, |word, (i, &address)| word | u32::from(bit(plane, address)) << i)
            }
        }
    }

    /// Returns the address of one square's position, if the placement is possible.
    #[inline]
    pub fn address(&self, square: u32) -> Option<u64> {
        match *self {
            Row::Impossible => None,
            Row::Word { base, symmetry } => Some(base + u64::from(square ^ MIRRORS[symmetry])),
            Row::Spread(ref addresses) => Some(addresses[square as usize]),
        }
    }
}
