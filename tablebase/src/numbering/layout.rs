//! How the solver numbers placements: blocks of 32 words of 32 bits.
//!
//! A unit's groups are dealt out to **parts**. The first two parts, the
//! *lanes*, hold one piece each: lane A is the bit in a word (its square), lane
//! B the word in a block. The codes of the other parts, in mixed radix, number
//! the blocks; the first of them, the *pivot*, is kept in one representative of
//! each mirror orbit, which divides the table by four. Placements with two
//! pieces on one square have addresses too: addresses that are plain sums cost
//! about a quarter of the table.
//!
//! A unit with fewer than two single pieces uses pieces of a larger group as
//! lanes. Such pieces are then distinguished though they need not be: the table
//! is a little larger, its answers are the same.

use anqi_rules::Color;
use anqi_rules::order::sort_few_by_key;
use smallvec::SmallVec;

use super::{Codes, MIRROR_MASKS, Orbits, choose, mirror, rank};
use crate::classes::{MAX_GROUPS, Unit};

/// Positions in a block.
pub(crate) const BLOCK: u64 = 1024;

/// The squares of each group.
pub type Groups = [u32; MAX_GROUPS];

/// Some identical pieces of a group, coded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The group the pieces belong to.
    pub group: usize,
    /// Their colour in the unit.
    pub color: Color,
    /// How many.
    pub size: usize,
    /// Whether they capture by jumping.
    pub jumps: bool,
}

/// The codes of the parts after the lanes, with the pivot's true code (not its orbit).
pub(crate) type OuterCodes = SmallVec<[u32; 6]>;

/// The solver's numbering of one unit.
#[derive(Debug)]
pub struct Layout {
    /// The unit.
    pub unit: &'static Unit,
    /// Lane A, lane B, the pivot (if there is a third part), and the rest.
    pub parts: SmallVec<[Part; 8]>,
    /// How far apart two codes of each part are, in positions.
    pub strides: SmallVec<[u64; 8]>,
    /// The number of blocks.
    pub blocks: usize,
    codes: SmallVec<[&'static Codes; 8]>,
    orbits: Option<&'static Orbits>,
    /// The groups and strides of the parts, close together, if every part is a group of one.
    singles: Option<Singles>,
}

/// The terms of an address if every piece is its own group.
#[derive(Clone, Copy, Debug)]
struct Singles {
    count: usize,
    /// Group and stride of each part, the pivot first and the lanes last.
    parts: [(u8, u32); 8],
    /// For each square of the pivot: the address of its orbit, and the mirror as a square mask.
    pivot: [(u32, u32); 32],
}

impl Layout {
    /// Lays a unit out.
    pub fn new(unit: &'static Unit) -> Layout {
        let parts = deal(unit);
        let codes: SmallVec<[&'static Codes; 8]> =
            parts.iter().map(|part| Codes::of(part.size)).collect();
        let orbits = parts.get(2).map(|pivot| Orbits::of(pivot.size));
        let mut strides: SmallVec<[u64; 8]> = SmallVec::from_elem(1, parts.len());
        strides[1] = 32;
        let mut stride = BLOCK;
        for i in (2..parts.len()).rev() {
            strides[i] = stride;
            stride *= if i == 2 {
                orbits.map_or(1, Orbits::len)
            } else {
                codes[i].len()
            } as u64;
        }
        Layout {
            unit,
            singles: Singles::of(unit, &parts, &strides),
            parts,
            strides,
            blocks: (stride / BLOCK) as usize,
            codes,
            orbits,
        }
    }

    /// Returns the number of addresses, those of impossible placements included.
    pub fn addresses(&self) -> u64 {
        self.blocks as u64 * BLOCK
    }

    /// Returns the code table of a part.
    #[inline]
    pub fn codes(&self, part: usize) -> &'static Codes {
        self.codes[part]
    }

    /// Returns the orbits of the pivot, if there is one.
    #[inline]
    pub fn orbits(&self) -> Option<&'static Orbits> {
        self.orbits
    }

    /// Returns the distance of two codes of an outer part in blocks.
    #[inline]
    pub(crate) fn block_stride(&self, part: usize) -> usize {
        (self.strides[part] / BLOCK) as usize
    }

    /// Returns the codes of the outer parts (`parts[2..]`) of a block.
    #[inline]
    pub(crate) fn outer_codes(&self, block: usize) -> OuterCodes {
        // A table that can be solved has far fewer than 2^32 blocks, and short divisions are quicker.
        let mut left = block as u32;
        let mut codes = [0; 6];
        let outer = self.parts.len() - 2;
        for (code, stride) in codes.iter_mut().zip(&self.strides[2..]).take(outer) {
            let stride = (stride / BLOCK) as u32;
            *code = left / stride;
            left %= stride;
        }
        if let Some(orbits) = self.orbits {
            codes[0] = orbits.first[codes[0] as usize];
        }
        OuterCodes::from_buf_and_len(codes, outer)
    }

    /// Deals the squares of the groups out to the parts, lowest squares first.
    #[inline(always)]
    pub(crate) fn part_sets(&self, groups: &Groups) -> [u32; 8] {
        self.deal_sets(groups, usize::MAX)
    }

    /// Deals the squares of the groups out, one fewer to the part `short`.
    #[inline(always)]
    pub(crate) fn deal_sets(&self, groups: &Groups, short: usize) -> [u32; 8] {
        let mut left = *groups;
        let mut sets = [0; 8];
        for (i, (part, set)) in self.parts.iter().zip(&mut sets).enumerate() {
            let rest = &mut left[part.group & 7];
            for _ in 0..part.size - usize::from(i == short) {
                *set |= *rest & rest.wrapping_neg();
                *rest &= rest.wrapping_sub(1);
            }
        }
        sets
    }

    /// Returns the address of a placement of all pieces.
    #[inline]
    pub fn address(&self, groups: &Groups) -> u64 {
        match &self.singles {
            Some(singles) => singles.address(groups),
            None => self.address_of_sets(groups),
        }
    }

    // Always inlined: a probe spends a third of its time here.
    #[inline(always)]
    fn address_of_sets(&self, groups: &Groups) -> u64 {
        let sets = self.part_sets(groups);
        let mut address = 0;
        let mut symmetry = 0;
        if let Some(orbits) = self.orbits {
            let (orbit, mirror) = orbits.of_code[rank(sets[2]) as usize];
            symmetry = usize::from(mirror);
            address = u64::from(orbit) * self.strides[2];
        }
        let parts = sets.iter().zip(&self.strides).enumerate();
        for (_, (&set, stride)) in parts.filter(|&(part, _)| part != 2) {
            address += u64::from(rank(mirror(set, symmetry))) * stride;
        }
        address
    }

    /// Returns how far apart two ranks of each group are, if every part is a whole group and `pivot`
    /// is the pivot's: then the address of a placement whose pivot need not be mirrored is the sum
    /// over the groups of rank times stride, with the pivot's orbit for its rank.
    pub(crate) fn sums_of_groups(&self, pivot: usize) -> Option<[u64; MAX_GROUPS]> {
        let whole = self.parts.len() == self.unit.groups();
        if !whole || self.parts.get(2)?.group != pivot {
            return None;
        }
        let mut strides = [0; MAX_GROUPS];
        for (part, &stride) in self.parts.iter().zip(&self.strides) {
            strides[part.group] = stride;
        }
        Some(strides)
    }

    /// Returns the squares of each group at an address, or `None` if two pieces share a square.
    pub fn groups_at(&self, address: u64) -> Option<Groups> {
        let codes = self.outer_codes((address / BLOCK) as usize);
        let lanes = [(address % 32) as u32, (address / 32 % 32) as u32];
        let mut groups = [0; MAX_GROUPS];
        let mut taken = 0u32;
        for (i, part) in self.parts.iter().enumerate() {
            let set = if i < 2 {
                1 << lanes[i]
            } else {
                self.codes[i].sets[codes[i - 2] as usize]
            };
            if taken & set != 0 {
                return None;
            }
            taken |= set;
            groups[part.group] |= set;
        }
        Some(groups)
    }
}

impl Singles {
    fn of(unit: &Unit, parts: &[Part], strides: &[u64]) -> Option<Singles> {
        let all = parts.len() == unit.pieces() && parts.len() == unit.groups() && parts.len() > 2;
        if !all
            || strides
                .iter()
                .any(|&stride| stride > u64::from(u32::MAX) / 32)
        {
            return None;
        }
        let mut singles = Singles {
            count: parts.len(),
            parts: [(0, 0); 8],
            pivot: [(0, 0); 32],
        };
        let order = (2..parts.len()).chain(0..2);
        for (slot, part) in singles.parts.iter_mut().zip(order) {
            *slot = (parts[part].group as u8, strides[part] as u32);
        }
        for (place, &(orbit, symmetry)) in singles.pivot.iter_mut().zip(&Orbits::of(1).of_code) {
            *place = (
                orbit * strides[2] as u32,
                MIRROR_MASKS[usize::from(symmetry)],
            );
        }
        Some(singles)
    }

    #[inline]
    fn address(&self, groups: &Groups) -> u64 {
        let square = |group: u8| groups[usize::from(group) & 7].trailing_zeros() & 31;
        let (mut address, mask) = self.pivot[square(self.parts[0].0) as usize];
        for &(group, stride) in self.parts.iter().take(self.count).skip(1) {
            address += (square(group) ^ mask) * stride;
        }
        u64::from(address)
    }
}

/// Deals the groups of a unit out to parts: two lanes, the pivot, the rest.
fn deal(unit: &Unit) -> SmallVec<[Part; 8]> {
    let part = |group: usize, size: usize| Part {
        group,
        color: unit.color(group),
        size,
        jumps: unit.graph.nodes[group].jumps,
    };
    let mut left: SmallVec<[usize; 8]> = (0..unit.groups()).map(|g| unit.count(g)).collect();
    let mut parts = SmallVec::new();
    for lane in lanes(unit) {
        left[lane] -= 1;
        parts.push(part(lane, 1));
    }
    let mut outer: SmallVec<[Part; 8]> = (0..left.len())
        .filter(|&group| left[group] > 0)
        .map(|group| part(group, left[group]))
        .collect();
    // The smallest odd part makes the best pivot: exact orbits, short tables.
    sort_few_by_key(&mut outer, |part| (part.size % 2 == 0, part.size));
    parts.extend(outer);
    parts
}

/// Chooses the groups that give a piece each to the lanes.
fn lanes(unit: &Unit) -> [usize; 2] {
    let of_size = |size: usize| (0..unit.groups()).filter(move |&g| unit.count(g) == size);
    let singles: SmallVec<[usize; 8]> = of_size(1).collect();
    match singles[..] {
        [first, second] => [first, second],
        [first, .., last] => [first, last],
        [single] => of_size(2).next().map_or_else(
            || [single, smallest_large_group(unit)],
            // A whole pair as lanes leaves the single piece as an ideal pivot.
            |pair| [pair, pair],
        ),
        [] => {
            let group = of_size(2)
                .next()
                .unwrap_or_else(|| smallest_large_group(unit));
            [group, group]
        }
    }
}

fn smallest_large_group(unit: &Unit) -> usize {
    (0..unit.groups())
        .filter(|&group| unit.count(group) > 1)
        .min_by_key(|&group| unit.count(group))
        .expect("a unit of two pieces or more with at most one single piece has a larger group")
}

/// Returns the number of placements that an address of `unit`'s pivot orbit stands for.
pub(crate) fn orbit_length(layout: &Layout, block: usize) -> u64 {
    layout.orbits.map_or(1, |orbits| {
        u64::from(orbits.length[block / layout.block_stride(2)])
    })
}

/// Returns the number of addresses a unit's layout would have, without building its tables.
pub(crate) fn predicted_addresses(unit: &Unit) -> u64 {
    let parts = deal(unit);
    let outer = parts.iter().skip(2).enumerate().map(|(i, part)| {
        if i == 0 {
            orbit_count(part.size)
        } else {
            choose(32, part.size)
        }
    });
    outer.product::<u64>() * BLOCK
}

/// Returns the group of a layout's pivot, if the pivot is the whole group.
pub(crate) fn pivot_group(unit: &Unit) -> Option<usize> {
    let pivot = *deal(unit).get(2)?;
    (pivot.size == unit.count(pivot.group)).then_some(pivot.group)
}

/// Counts orbits by Burnside's lemma: no mirror fixes a square, so a set it fixes is made of
/// pairs, of which there are sixteen.
fn orbit_count(size: usize) -> u64 {
    let fixed = if size.is_multiple_of(2) {
        choose(16, size / 2)
    } else {
        0
    };
    (choose(32, size) + 3 * fixed) / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;

    #[test]
    fn addresses_lead_to_the_placement_or_a_mirror_image_of_it() {
        for pieces in 2..=4 {
            for unit in Units::of(pieces).list().iter().step_by(pieces - 1) {
                let layout = Layout::new(unit);
                for address in 0..layout.addresses() {
                    let Some(groups) = layout.groups_at(address) else {
                        continue;
                    };
                    let home = layout.groups_at(layout.address(&groups)).expect("possible");
                    let like = (0..4).any(|s| groups.map(|set| mirror(set, s)) == home);
                    assert!(like, "{unit} {address}");
                }
            }
        }
    }

    #[test]
    fn both_ways_to_an_address_agree() {
        for unit in Units::of(4)
            .list()
            .iter()
            .chain(Units::of(5).list().iter().step_by(17))
        {
            let layout = Layout::new(unit);
            for address in (0..layout.addresses()).step_by(10_007) {
                if let Some(groups) = layout.groups_at(address) {
                    assert_eq!(
                        layout.address(&groups),
                        layout.address_of_sets(&groups),
                        "{unit}"
                    );
                }
            }
        }
    }

    #[test]
    fn sizes_are_predicted_exactly() {
        for pieces in 2..=6 {
            for unit in Units::of(pieces).list() {
                assert_eq!(
                    predicted_addresses(unit),
                    Layout::new(unit).addresses(),
                    "{unit}"
                );
            }
        }
    }

    #[test]
    fn mirror_images_share_an_address() {
        for unit in Units::of(5).list() {
            let layout = Layout::new(unit);
            for address in (0..layout.addresses()).step_by(99_991) {
                let Some(groups) = layout.groups_at(address) else {
                    continue;
                };
                let home = layout.address(&groups);
                let exact = layout.parts.get(2).is_some_and(|pivot| pivot.size % 2 == 1);
                let split = layout.parts[0].group == layout.parts[1].group
                    || (0..2).any(|lane| unit.count(layout.parts[lane].group) > 1);
                if exact && !split {
                    for s in 0..4 {
                        assert_eq!(layout.address(&groups.map(|set| mirror(set, s))), home);
                    }
                }
            }
        }
    }
}
