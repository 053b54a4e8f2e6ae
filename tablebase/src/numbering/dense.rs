//! The numbering of placements in files: dense and exactly invertible.
//!
//! The groups of a unit are taken in a fixed order. The first, the pivot, is
//! numbered by its mirror orbit; every other by the rank of its squares among
//! those that the groups before it have left free. No number is wasted, save
//! for pivots of an even size, a few of whose sets are their own mirror images.

use anqi_rules::order::sort_few_by_key;
use smallvec::SmallVec;

use super::{Codes, Groups, Orbits, choose, compress, mirror, pivot_group, rank, spread, unrank};
use crate::classes::{MAX_GROUPS, Unit};

/// The order in which a file numbers the groups of a unit, the pivot first.
pub type GroupOrder = SmallVec<[u8; MAX_GROUPS]>;

/// The numbering of one unit's placements.
#[derive(Debug, Clone)]
pub struct DenseIndex {
    order: GroupOrder,
    sizes: SmallVec<[usize; MAX_GROUPS]>,
    /// How many numbers one step of each group's rank spans.
    strides: SmallVec<[u64; MAX_GROUPS]>,
    len: u64,
}

/// The group order that tables are written in unless another compresses better.
///
/// The pivot is the solver's wherever that is a whole group, so that a table can be written from
/// a part of the solution at a time; else the smallest group, odd sizes first. A single piece at
/// the end lets whole words be read.
pub fn usual_order(unit: &Unit) -> GroupOrder {
    let pivot = pivot_group(unit);
    let mut groups: Vec<usize> = (0..unit.groups()).collect();
    sort_few_by_key(&mut groups, |&g| {
        (
            Some(g) != pivot,
            unit.count(g).is_multiple_of(2),
            unit.count(g),
            g,
        )
    });
    let mut order: GroupOrder = groups.iter().map(|&g| g as u8).collect();
    if let Some(last) = (1..order.len()).rfind(|&i| unit.count(order[i].into()) == 1) {
        let last = order.remove(last);
        order.push(last);
    }
    order
}

impl DenseIndex {
    /// Numbers a unit's placements with its groups in this order, which must hold each group once.
    pub fn new(unit: &Unit, order: GroupOrder) -> DenseIndex {
        let sizes: SmallVec<[usize; MAX_GROUPS]> = order
            .iter()
            .map(|&group| unit.count(group.into()))
            .collect();
        let mut strides: SmallVec<[u64; MAX_GROUPS]> = SmallVec::from_elem(1, order.len());
        let mut free = 32 - unit.pieces();
        let mut len = 1;
        for i in (0..order.len()).rev() {
            strides[i] = len;
            free += sizes[i];
            len *= if i == 0 {
                Orbits::of(sizes[0]).len() as u64
            } else {
                choose(free, sizes[i])
            };
        }
        DenseIndex {
            order,
            sizes,
            strides,
            len,
        }
    }

    /// Returns the number of placements, mirrors counted once.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether there are no placements, which never happens.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the order of the groups.
    pub fn order(&self) -> &GroupOrder {
        &self.order
    }

    /// Returns the number of a placement.
    #[inline]
    pub fn index(&self, groups: &Groups) -> u64 {
        let pivot = groups[usize::from(self.order[0])];
        let (orbit, symmetry) = Orbits::of(self.sizes[0]).of_code[rank(pivot) as usize];
        let mut index = u64::from(orbit) * self.strides[0];
        let mut free = !mirror(pivot, symmetry.into());
        for i in 1..self.order.len() {
            let set = mirror(groups[usize::from(self.order[i])], symmetry.into());
            index += u64::from(rank(compress(set, free))) * self.strides[i];
            free &= !set;
        }
        index
    }

    /// Returns the squares of each group at a number below [`DenseIndex::len`].
    pub fn groups(&self, index: u64) -> Groups {
        let mut groups = [0; MAX_GROUPS];
        let mut left = index;
        let mut free = !0u32;
        for i in 0..self.order.len() {
            let digit = (left / self.strides[i]) as u32;
            left %= self.strides[i];
            let set = if i == 0 {
                let code = Orbits::of(self.sizes[0]).first[digit as usize];
                Codes::of(self.sizes[0]).sets[code as usize]
            } else {
                spread(unrank(digit, self.sizes[i]), free)
            };
            groups[usize::from(self.order[i])] = set;
            free &= !set;
        }
        groups
    }

    /// Returns the number of orbits of the pivot: the numbers fall into as many equal ranges.
    pub(crate) fn pivots(&self) -> usize {
        Orbits::of(self.sizes[0]).len()
    }

    /// Returns the length of one pivot orbit's range.
    pub(crate) fn range_len(&self) -> u64 {
        self.strides[0]
    }

    /// Returns the group numbered innermost, if it is a single piece.
    pub(crate) fn last_single(&self) -> Option<usize> {
        let last = self.order.len() - 1;
        (last > 0 && self.sizes[last] == 1).then(|| usize::from(self.order[last]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;

    fn check(index: &DenseIndex, number: u64) {
        let groups = index.groups(number);
        let mut taken = 0u32;
        for set in groups {
            assert_eq!(taken & set, 0);
            taken |= set;
        }
        assert_eq!(index.index(&groups), number);
    }

    #[test]
    fn numbers_invert_on_every_unit_up_to_four_pieces() {
        for pieces in 2..=4 {
            for unit in Units::of(pieces).list() {
                let index = DenseIndex::new(unit, usual_order(unit));
                for number in 0..index.len() {
                    check(&index, number);
                }
            }
        }
    }

    #[test]
    fn numbers_invert_on_samples_of_larger_units() {
        for pieces in 5..=7 {
            for unit in Units::of(pieces).list() {
                let index = DenseIndex::new(unit, usual_order(unit));
                for sample in 0..20 {
                    check(&index, (index.len() - 1) / 19 * sample);
                }
                check(&index, index.len() - 1);
            }
        }
    }

    #[test]
    fn mirror_images_share_a_number_and_odd_pivots_waste_none() {
        for unit in Units::of(4).list() {
            let index = DenseIndex::new(unit, usual_order(unit));
            let exact = index.sizes[0] % 2 == 1;
            if exact {
                assert_eq!(index.len() * 4, unit.placements(), "{unit}");
            }
            for number in (0..index.len()).step_by(101) {
                let groups = index.groups(number);
                for symmetry in 0..4 {
                    let image = groups.map(|set| mirror(set, symmetry));
                    if exact {
                        assert_eq!(index.index(&image), number, "{unit}");
                    }
                }
            }
        }
    }
}
