//! A solved unit in memory: every value, plain bits, at the solver's addresses.

use anqi_rules::Color;

use super::distance::{Distance, Distances};
use super::wdl::Wdl;
use crate::numbering::{BLOCK, Block, Layout, bit};

/// A distance to the end for each position of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Wide(pub [u16; BLOCK as usize]);

/// No distance.
pub(super) const NEVER: u16 = u16::MAX;

/// Reads one distance to the end.
#[inline]
pub(super) fn wide(side: &[Wide], address: u64) -> u16 {
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
    pub dtc: Option<[Distances; 2]>,
    /// For each side to move, the plies to the end in decided positions, [`NEVER`] in others.
    pub dtw: Option<[Vec<Wide>; 2]>,
    /// The greatest distance to a capture.
    pub longest: u32,
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
    pub fn dtc(&self, turn: Color, address: u64) -> Option<u16> {
        Some(self.dtc.as_ref()?[turn.index()].get(address))
    }

    /// Returns the plies to the end stored at an address, if they were solved.
    #[inline]
    pub fn dtw(&self, turn: Color, address: u64) -> Option<u16> {
        Some(wide(&self.dtw.as_ref()?[turn.index()], address)).filter(|&plies| plies != NEVER)
    }

    /// Returns the distance of this kind stored at an address, if it was solved.
    #[inline]
    pub fn distance(&self, kind: Distance, turn: Color, address: u64) -> Option<u16> {
        match kind {
            Distance::ToCapture => self.dtc(turn, address),
            Distance::ToEnd => self.dtw(turn, address),
        }
    }

    /// Returns the greatest distance to the end, if they were solved.
    pub fn longest_to_end(&self) -> Option<u16> {
        let sides = self.dtw.as_ref()?.iter().flatten();
        sides
            .flat_map(|block| block.0)
            .filter(|&plies| plies != NEVER)
            .max()
    }

    /// Returns the size of the planes and distances in bytes.
    pub fn bytes(&self) -> u64 {
        let planes = self.layout.blocks as u64 * 4 * 128;
        let dtc = self.dtc.iter().flatten().map(Distances::width).sum::<u64>();
        planes
            + self.layout.addresses() * dtc
            + self.layout.addresses() * 4 * u64::from(self.dtw.is_some())
    }
}

#[cfg(test)]
mod tests {
    use crate::classes::{Fit, Material};
    use crate::solve::{Goal, Store};

    #[test]
    fn the_size_counts_planes_and_distances() {
        let set: Material = "Kgp".parse().unwrap();
        let unit = Fit::of(&set).unit;
        // Four bit planes; a byte a side for plies to the next capture, two for those to the end.
        for (goal, widths) in [
            (Goal::Values, 0),
            (Goal::Distances, 2),
            (Goal::ToEnd, 2 + 4),
        ] {
            let store = Store::solve_unit(unit, goal).unwrap();
            let solved = store.get(unit).unwrap();
            let layout = &solved.layout;
            let planes = 4 * layout.blocks as u64 * crate::numbering::BLOCK / 8;
            assert_eq!(
                solved.bytes(),
                planes + widths * layout.addresses(),
                "{goal:?}"
            );
        }
    }
}
