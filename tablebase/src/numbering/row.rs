//! Positions that differ only in one piece's square, read from planes of bits together.

use super::block::Block;
use super::board::{MIRROR_MASKS, mirror};
use super::combination::rank;
use super::layout::{BLOCK, Groups, Layout};

/// Reads one bit of a plane.
#[inline]
pub fn bit(plane: &[Block], address: u64) -> bool {
    let word = plane[(address / BLOCK) as usize].0[(address / 32 % 32) as usize];
    word >> (address % 32) & 1 != 0
}

/// The addresses of the 32 positions that differ only in one piece's square.
///
/// Found once for a placement of the other pieces, then read from any plane.
#[derive(Clone, Copy, Debug)]
// Rows live on the stack for a moment; boxing the addresses would cost more than they do.
#[allow(clippy::large_enum_variant)]
pub(crate) enum PieceRow {
    /// Some of the other pieces share a square: there is no such position.
    Impossible,
    /// The row is one word of a plane, mirrored.
    Word {
        /// The address of the word's first bit.
        base: u64,
        /// The mirror to apply.
        symmetry: usize,
    },
    /// The row crosses the blocks of a plane at equal distances.
    Line {
        /// The address of the piece on the first square.
        base: u64,
        /// How far apart two squares are.
        stride: u64,
        /// The mirror to apply.
        symmetry: usize,
    },
    /// An address for each square.
    Spread(
        /// The addresses.
        [u64; 32],
    ),
}

impl PieceRow {
    /// Finds the row of a piece of `group` with all other pieces on `others`.
    ///
    /// Squares that are taken repeat some valid address.
    #[inline]
    pub(crate) fn find(layout: &Layout, others: &Groups, group: usize) -> PieceRow {
        let mut taken = 0u32;
        for &set in others {
            if taken & set != 0 {
                return PieceRow::Impossible;
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
                PieceRow::Spread(std::array::from_fn(|square| {
                    let (orbit, symmetry) = orbits.of_code[rank(sets[2] | 1 << square) as usize];
                    bases[symmetry as usize] + u64::from(orbit) * stride
                }))
            }
            Some(orbits) => {
                let (orbit, symmetry) = orbits.of_code[rank(sets[2]) as usize];
                let symmetry = usize::from(symmetry);
                let base = rest(symmetry) + u64::from(orbit) * layout.strides[2];
                PieceRow::along(base, sets[own], stride, symmetry)
            }
            None => PieceRow::along(rest(0), sets[own], stride, 0),
        }
    }

    /// The row of a piece whose squares are this far apart, not mirrored.
    #[inline]
    pub(crate) fn along_squares(base: u64, stride: u64) -> PieceRow {
        PieceRow::along(base, 0, stride, 0)
    }

    /// The row of a piece that shares its part with the pieces on `like`.
    #[inline]
    fn along(base: u64, like: u32, stride: u64, symmetry: usize) -> PieceRow {
        if stride == 1 {
            return PieceRow::Word { base, symmetry };
        }
        if like == 0 {
            return PieceRow::Line {
                base,
                stride,
                symmetry,
            };
        }
        let mask = MIRROR_MASKS[symmetry];
        let like = mirror(like, symmetry);
        PieceRow::Spread(std::array::from_fn(|i| {
            base + u64::from(rank(like | 1 << (i as u32 ^ mask))) * stride
        }))
    }

    /// Returns the row as seen from a window that begins at an address.
    #[must_use]
    pub(crate) fn shifted(self, start: u64) -> PieceRow {
        match self {
            PieceRow::Impossible => self,
            PieceRow::Word { base, symmetry } => PieceRow::Word {
                base: base - start,
                symmetry,
            },
            PieceRow::Line {
                base,
                stride,
                symmetry,
            } => PieceRow::Line {
                base: base - start,
                stride,
                symmetry,
            },
            // Squares that are taken may repeat an address outside of the window.
            PieceRow::Spread(addresses) => {
                PieceRow::Spread(addresses.map(|a| a.saturating_sub(start)))
            }
        }
    }

    /// Returns the bits of a plane in the order of the piece's squares.
    #[inline]
    pub(crate) fn bits(&self, plane: &[Block]) -> u32 {
        match *self {
            PieceRow::Impossible => 0,
            PieceRow::Word { base, symmetry } => mirror(
                plane[(base / BLOCK) as usize].0[(base / 32 % 32) as usize],
                symmetry,
            ),
            PieceRow::Line {
                base,
                stride,
                symmetry,
            } => mirror(line(plane, base, stride), symmetry),
            PieceRow::Spread(ref addresses) => {
                let bits = addresses.iter().enumerate();
                bits.fold(0, |word, (i, &address)| {
                    word | u32::from(bit(plane, address)) << i
                })
            }
        }
    }

    /// Returns the address of one square's position, if the placement is possible.
    #[inline]
    pub(crate) fn address(&self, square: u32) -> Option<u64> {
        match *self {
            PieceRow::Impossible => None,
            PieceRow::Word { base, symmetry } => {
                Some(base + u64::from(square ^ MIRROR_MASKS[symmetry]))
            }
            PieceRow::Line {
                base,
                stride,
                symmetry,
            } => Some(base + u64::from(square ^ MIRROR_MASKS[symmetry]) * stride),
            PieceRow::Spread(ref addresses) => Some(addresses[square as usize]),
        }
    }
}

/// Reads 32 bits at equal distances, of whole words or of whole blocks.
#[inline]
fn line(plane: &[Block], base: u64, stride: u64) -> u32 {
    let (block, word, at) = (
        (base / BLOCK) as usize,
        (base / 32 % 32) as usize,
        base % 32,
    );
    let collect = |bits: u32, (i, word): (usize, u32)| bits | (word >> at & 1) << i;
    if stride < BLOCK {
        // Lane B: the words of one block are its squares.
        plane[block].0.iter().copied().enumerate().fold(0, collect)
    } else {
        let blocks = plane[block..].iter().step_by((stride / BLOCK) as usize);
        let words = blocks.take(32).map(|block| block.0[word]);
        words.enumerate().fold(0, collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;
    use crate::numbering::squares;

    /// A plane whose bits differ from place to place.
    fn plane(blocks: usize) -> Vec<Block> {
        let mut state = 1u64;
        let mut word = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        (0..blocks)
            .map(|_| Block(std::array::from_fn(|_| word())))
            .collect()
    }

    #[test]
    fn a_row_reads_what_its_addresses_hold_for_every_group() {
        let mut kinds = [0; 4];
        for unit in (3..=4).flat_map(|pieces| Units::of(pieces).list()) {
            let layout = Layout::new(unit);
            let plane = plane(layout.blocks);
            for address in (0..layout.addresses()).step_by(4_801) {
                let Some(groups) = layout.groups_at(address) else {
                    continue;
                };
                for group in 0..unit.groups() {
                    let mut others = groups;
                    let gone = others[group] & others[group].wrapping_neg();
                    others[group] &= !gone;
                    let row = PieceRow::find(&layout, &others, group);
                    kinds[match row {
                        PieceRow::Impossible => 0,
                        PieceRow::Word { .. } => 1,
                        PieceRow::Line { .. } => 2,
                        PieceRow::Spread(_) => 3,
                    }] += 1;
                    let taken = others.iter().fold(0, |all, set| all | set);
                    let bits = row.bits(&plane);
                    for square in squares(!taken) {
                        let there = row.address(square).unwrap();
                        let mut placed = others;
                        placed[group] |= 1 << square;
                        let like = layout.groups_at(there).expect("possible");
                        let same = (0..4).any(|s| placed.map(|set| mirror(set, s)) == like);
                        assert!(same, "{unit} {group} {square}");
                        assert_eq!(
                            bits >> square & 1 != 0,
                            bit(&plane, there),
                            "{unit} {group}"
                        );
                    }
                }
            }
        }
        assert_eq!(kinds[0], 0);
        assert!(kinds[1..].iter().all(|&n| n > 100), "{kinds:?}");
    }
}
