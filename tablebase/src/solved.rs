//! A solved unit in memory: every value, plain bits, at the solver's addresses.

use anqi_rules::Color;

use crate::block::Block;
use crate::combination::{MIRRORS, mirror, rank};
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

/// A distance to the end for each position of a block.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Wide(pub [u16; BLOCK as usize]);

/// No distance.
pub const NEVER: u16 = u16::MAX;

/// Reads one distance to the end.
#[inline]
pub fn wide(side: &[Wide], address: u64) -> u16 {
    side[(address / BLOCK) as usize].0[(address % BLOCK) as usize]
}

/// The solved values of a unit.
#[derive(Debug)]
pub struct Solved {
    /// The numbering.
    pub layout: Layout,
    /// For each side to move, the positions it wins; impossible placements count as won.
    pub win: [Vec<Block>; 2],
    /// For each side to move, the positions it loses.
    pub loss: [Vec<Block>; 2],
    /// For each side to move, the positions that some capture wins; only needed to write files.
    pub captures: Option<[Vec<Block>; 2]>,
    /// For each side to move, the plies to the next capture or the end in decided positions.
    pub dtc: Option<[Vec<Bytes>; 2]>,
    /// For each side to move, the plies to the end in decided positions, [`NEVER`] in others.
    pub dtw: Option<[Vec<Wide>; 2]>,
    /// The greatest distance to a capture.
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

    /// Returns the plies to the end stored at an address, if they were solved.
    #[inline]
    pub fn dtw(&self, turn: Color, address: u64) -> Option<u16> {
        Some(wide(&self.dtw.as_ref()?[turn.index()], address)).filter(|&plies| plies != NEVER)
    }

    /// Returns the greatest distance to the end, if they were solved.
    pub fn longest_end(&self) -> Option<u16> {
        let sides = self.dtw.as_ref()?.iter().flatten();
        sides
            .flat_map(|block| block.0)
            .filter(|&plies| plies != NEVER)
            .max()
    }

    /// Returns the bytes that the bits of the planes take.
    pub fn bytes(&self) -> u64 {
        let planes = self.layout.blocks as u64 * 4 * 128;
        planes
            + self.layout.addresses() * 2 * u64::from(self.dtc.is_some())
            + self.layout.addresses() * 4 * u64::from(self.dtw.is_some())
    }
}

/// Where the 32 positions lie that differ only in one piece's square.
///
/// Found once for a placement of the other pieces, then read from any plane.
#[derive(Clone, Copy, Debug)]
// Rows live on the stack for a moment; boxing the addresses would cost more than they do.
#[allow(clippy::large_enum_variant)]
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
    ///
    /// Squares that are taken repeat some valid address.
    #[inline]
    pub fn find(layout: &Layout, others: &Groups, group: usize) -> Row {
        let mut taken = 0u32;
        for &set in others {
            if taken & set != 0 {
                return Row::Impossible;
            }
            taken |= set;
        }
        // Like pieces may be dealt to their parts in any way, so the piece takes the part in
        // which moving it costs least: one of its own if there is one.
        let of_group = (0..layout.parts.len()).filter(|&part| layout.parts[part].group == group);
        let own = of_group.min_by_key(|&part| (layout.parts[part].size, part));
        let own = own.expect("the group is in the unit");
        let sets = layout.deal_sets(others, own);
        let stride = layout.strides[own];
        let rest = |symmetry: usize| -> u64 {
            (0..layout.parts.len())
                .filter(|&part| part != own && part != 2)
                .map(|part| u64::from(rank(mirror(sets[part], symmetry))) * layout.strides[part])
                .sum()
        };
        match layout.orbits() {
            Some(orbits) if own == 2 => {
                let bases = [0, 1, 2, 3].map(rest);
                Row::Spread(std::array::from_fn(|square| {
                    let (orbit, symmetry) = orbits.of_code[rank(sets[2] | 1 << square) as usize];
                    bases[symmetry as usize] + u64::from(orbit) * stride
                }))
            }
            Some(orbits) => {
                let (orbit, symmetry) = orbits.of_code[rank(sets[2]) as usize];
                let symmetry = usize::from(symmetry);
                let base = rest(symmetry) + u64::from(orbit) * layout.strides[2];
                Row::along(base, sets[own], stride, symmetry)
            }
            None => Row::along(rest(0), sets[own], stride, 0),
        }
    }

    /// The row of a piece that shares its part with the pieces on `like`.
    #[inline]
    fn along(base: u64, like: u32, stride: u64, symmetry: usize) -> Row {
        if stride == 1 {
            return Row::Word { base, symmetry };
        }
        let mask = MIRRORS[symmetry];
        if like == 0 {
            return Row::Spread(std::array::from_fn(|i| {
                base + u64::from(i as u32 ^ mask) * stride
            }));
        }
        let like = mirror(like, symmetry);
        Row::Spread(std::array::from_fn(|i| {
            base + u64::from(rank(like | 1 << (i as u32 ^ mask))) * stride
        }))
    }

    /// Returns the row as seen from a window that begins at an address.
    #[must_use]
    pub fn shifted(self, start: u64) -> Row {
        match self {
            Row::Impossible => self,
            Row::Word { base, symmetry } => Row::Word {
                base: base - start,
                symmetry,
            },
            // Squares that are taken may repeat an address outside of the window.
            Row::Spread(addresses) => Row::Spread(addresses.map(|a| a.saturating_sub(start))),
        }
    }

    /// Returns the bits of a plane in the order of the piece's squares.
    #[inline]
    pub fn bits(&self, plane: &[Block]) -> u32 {
        match *self {
            Row::Impossible => 0,
            Row::Word { base, symmetry } => mirror(
                plane[(base / BLOCK) as usize].0[(base / 32 % 32) as usize],
                symmetry,
            ),
            Row::Spread(ref addresses) => {
                let bits = addresses.iter().enumerate();
                bits.fold(0, |word, (i, &address)| {
                    word | u32::from(bit(plane, address)) << i
                })
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
