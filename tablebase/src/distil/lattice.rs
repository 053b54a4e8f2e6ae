//! How a distilled unit numbers its placements, and which of them it stores.
//!
//! Groups are whole: the first in the order, the pivot, is numbered by its mirror orbit, every other
//! by the rank of its squares on the whole board, the last one innermost. Placements on the same
//! square have numbers too, but nothing is stored for them. The numbers of an orbit are cut into
//! **regions**, which are decoded one at a time.

use std::sync::OnceLock;

use anqi_rules::Color;
use anqi_rules::order::sort_few_by_key;
use smallvec::SmallVec;

use super::model::{NONE, Neighbours};
use crate::classes::{MAX_GROUPS, Unit};
use crate::numbering::{Codes, GroupOrder, Groups, Orbits, choose, mirror, rank, squares};

/// The most numbers in a region, unless one row has more.
const REGION: usize = 32 * 1024;

/// Which positions of a unit are stored: the others follow from them by a few plies of play.
///
/// The side to move alternates with every quiet move, and so does the parity of the squares of the
/// side that has moved. The mirrors keep the parity of an even number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scheme {
    /// The side to move in all stored positions.
    pub turn: Color,
    /// The side whose squares must have this parity, if any must; its pieces are even in number.
    pub parity: Option<(Color, u32)>,
}

impl Scheme {
    /// Returns the schemes that a unit allows.
    pub fn all(unit: &Unit) -> Vec<Scheme> {
        let mut schemes: Vec<Scheme> = Vec::new();
        for turn in Color::ALL {
            schemes.push(Scheme { turn, parity: None });
            for side in Color::ALL.into_iter().filter(|&side| is_even(unit, side)) {
                schemes.extend([0, 1].map(|parity| Scheme {
                    turn,
                    parity: Some((side, parity)),
                }));
            }
        }
        schemes
    }

    /// Returns whether a scheme suits a unit.
    pub(crate) fn suits(&self, unit: &Unit) -> bool {
        self.parity.is_none_or(|(side, _)| is_even(unit, side))
    }

    /// Returns whether a position is stored.
    #[inline]
    pub(crate) fn stores(&self, unit: &Unit, turn: Color, groups: &Groups) -> bool {
        turn == self.turn
            && self.parity.is_none_or(|(side, parity)| {
                let own = (0..unit.groups()).filter(|&group| unit.color(group) == side);
                let all = own.fold(0, |sum, group| sum ^ odd(groups[group]));
                all == parity
            })
    }
}

fn is_even(unit: &Unit, side: Color) -> bool {
    unit.key.side(side).is_multiple_of(2)
}

/// The squares whose row and column have an odd sum.
const ODD: u32 = 0x5a5a_5a5a;

/// Returns the parity of a set of squares.
#[inline]
fn odd(set: u32) -> u32 {
    (set & ODD).count_ones() & 1
}

/// For each code of a group, the codes of six neighbours with lower numbers.
type Near = Vec<[u32; 6]>;

/// No neighbour.
const NOWHERE: u32 = u32::MAX;

/// The neighbours of sets of each size: the lowest piece that can makes the move.
fn near(size: usize) -> &'static Near {
    static TABLES: [OnceLock<Near>; 5] = [const { OnceLock::new() }; 5];
    TABLES[size].get_or_init(|| {
        let sets = &Codes::of(size).sets;
        sets.iter().map(|&set| near_of(set)).collect()
    })
}

fn near_of(set: u32) -> [u32; 6] {
    // Columns and rows down: the two steps, two of each, and the diagonals.
    [(1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (-1, 1)].map(|(columns, rows)| {
        squares(set)
            .find_map(|from| {
                let (column, row) = (from as i32 % 4 - columns, from as i32 / 4 - rows);
                let there = (0..4).contains(&column) && row >= 0;
                let to = there.then(|| 1u32 << (row * 4 + column))?;
                (set & to == 0).then(|| rank(set & !(1 << from) | to))
            })
            .unwrap_or(NOWHERE)
    })
}

/// The numbering of one unit.
#[derive(Debug)]
pub struct Lattice {
    /// The unit.
    pub unit: &'static Unit,
    /// The pivot, then the other groups.
    pub order: GroupOrder,
    sizes: SmallVec<[usize; MAX_GROUPS]>,
    strides: SmallVec<[usize; MAX_GROUPS]>,
    /// Numbers of one orbit of the pivot.
    span: usize,
    /// Numbers of a region.
    len: usize,
}

/// The numbers of a region that differ only in the last group's squares.
pub struct Row<'a> {
    /// The first number, counted from the region's start.
    pub base: usize,
    /// The squares of all groups but the last.
    pub groups: Groups,
    /// All of them.
    pub occupied: u32,
    codes: &'a [u32],
}

impl Lattice {
    /// Numbers a unit's placements with its groups in this order, which must hold each group once.
    pub fn new(unit: &'static Unit, order: GroupOrder) -> Lattice {
        let sizes: SmallVec<[usize; MAX_GROUPS]> = order
            .iter()
            .map(|&group| unit.count(group.into()))
            .collect();
        let mut strides: SmallVec<[usize; MAX_GROUPS]> = SmallVec::from_elem(1, sizes.len());
        let mut span = 1;
        // As many whole digits as a region has room for.
        let mut len = choose(32, sizes[sizes.len() - 1]) as usize;
        for i in (1..sizes.len()).rev() {
            strides[i] = span;
            span *= choose(32, sizes[i]) as usize;
            if span <= REGION {
                len = len.max(span);
            } else if strides[i] <= REGION {
                len = len.max(strides[i] * (REGION / strides[i]));
            }
        }
        Lattice {
            unit,
            order,
            sizes,
            strides,
            span,
            len: len.min(span),
        }
    }

    /// Returns the order that is used unless another is named: the smallest odd group as the pivot,
    /// single pieces innermost.
    pub fn usual_order(unit: &Unit) -> GroupOrder {
        let mut groups: Vec<usize> = (0..unit.groups()).collect();
        sort_few_by_key(&mut groups, |&g| {
            (unit.count(g).is_multiple_of(2), unit.count(g), g)
        });
        let pivot = groups.remove(0);
        sort_few_by_key(&mut groups, |&g| (std::cmp::Reverse(unit.count(g)), g));
        std::iter::once(pivot)
            .chain(groups)
            .map(|g| g as u8)
            .collect()
    }

    fn regions_of_orbit(&self) -> usize {
        self.span.div_ceil(self.len)
    }

    /// Returns the number of regions.
    pub fn regions(&self) -> usize {
        Orbits::of(self.sizes[0]).len() * self.regions_of_orbit()
    }

    /// Returns the numbers of the longest region.
    pub(crate) fn region_len(&self) -> usize {
        self.len
    }

    /// Returns where a placement is: the region, and the number counted from its start.
    #[inline]
    pub fn find(&self, groups: &Groups) -> (usize, usize) {
        let pivot = groups[usize::from(self.order[0]) & 7];
        let (orbit, symmetry) = Orbits::of(self.sizes[0]).of_code[rank(pivot) as usize];
        let mut number = 0;
        for i in 1..self.order.len() {
            let set = mirror(groups[usize::from(self.order[i]) & 7], symmetry.into());
            number += rank(set) as usize * self.strides[i];
        }
        let region = orbit as usize * self.regions_of_orbit() + number / self.len;
        (region, number % self.len)
    }

    /// Calls `visit` with each row of a region whose pieces stand on different squares.
    pub fn rows(&self, region: usize, mut visit: impl FnMut(&Row<'_>)) {
        let (orbit, part) = (
            region / self.regions_of_orbit(),
            region % self.regions_of_orbit(),
        );
        let code = Orbits::of(self.sizes[0]).first[orbit];
        let last = self.order.len() - 1;
        let row_len = choose(32, self.sizes[last]) as usize;
        let start = part * self.len;
        let end = (start + self.len).min(self.span);
        let mut codes = [0u32; MAX_GROUPS];
        codes[0] = code;
        for first in (start..end).step_by(row_len) {
            let mut left = first;
            let mut row = Row {
                base: first - start,
                groups: [0; MAX_GROUPS],
                occupied: 0,
                codes: &[],
            };
            let mut clash = false;
            for (i, code) in codes[..last].iter_mut().enumerate() {
                if i > 0 {
                    *code = (left / self.strides[i]) as u32;
                    left %= self.strides[i];
                }
                let set = Codes::of(self.sizes[i]).sets[*code as usize];
                clash |= row.occupied & set != 0;
                row.occupied |= set;
                row.groups[usize::from(self.order[i]) & 7] = set;
            }
            if !clash {
                row.codes = &codes[..last];
                visit(&row);
            }
        }
    }

    /// Calls `visit` with the code and squares of the last group for each stored position of a row.
    #[inline]
    pub fn stored(&self, row: &Row<'_>, scheme: &Scheme, mut visit: impl FnMut(usize, u32)) {
        let last = self.last();
        let own =
            |side: Color| (0..self.unit.groups()).filter(move |&g| self.unit.color(g) == side);
        let (want, moves) = scheme.parity.map_or((0, false), |(side, parity)| {
            let rest = own(side).fold(parity, |sum, group| sum ^ odd(row.groups[group]));
            (rest, self.unit.color(last) == side)
        });
        if scheme.parity.is_some() && !moves && want != 0 {
            return;
        }
        let all = scheme.parity.is_none() || !moves;
        let size = self.sizes[self.sizes.len() - 1];
        for (code, &set) in Codes::of(size).sets.iter().enumerate() {
            if set & row.occupied == 0 && (all || odd(set) == want) {
                visit(code, set);
            }
        }
    }

    /// Returns the group numbered innermost.
    #[inline]
    pub fn last(&self) -> usize {
        usize::from(self.order[self.order.len() - 1])
    }

    /// Finds the neighbours that the positions of a row share, to be completed by [`Sight::see`].
    #[inline]
    pub fn sight(&self, row: &Row<'_>) -> Sight<'_> {
        let last = self.order.len() - 1;
        let mut sight = Sight {
            near: near(self.sizes[last]),
            base: row.base,
            back: [[usize::MAX; 6]; 2],
            outer: 0,
        };
        for (d, back) in sight.back.iter_mut().enumerate() {
            // The pivot is the same in the whole region.
            if last < d + 2 {
                break;
            }
            let i = last - 1 - d;
            let code = row.codes[i];
            for (back, &to) in back.iter_mut().zip(&near(self.sizes[i])[code as usize]) {
                // A step down a row and up a column may lead to a higher rank of a pair.
                if to < code {
                    *back = (code - to) as usize * self.strides[i];
                }
            }
            if d == 0 {
                sight.outer = code as usize;
            }
        }
        sight
    }
}

/// Where the neighbours of a row's positions are.
pub struct Sight<'a> {
    near: &'a Near,
    base: usize,
    /// For the two groups before the last: how far back each neighbour is.
    back: [[usize; 6]; 2],
    outer: usize,
}

impl Sight<'_> {
    /// Reads the neighbours of one position, and a number for where the last two groups stand.
    #[inline]
    pub fn see(&self, code: usize, values: &[u8]) -> (Neighbours, usize) {
        let at = self.base + code;
        let read = |place: usize| values.get(place).copied().unwrap_or(NONE);
        let mut near = [[NONE; 6]; 3];
        for (value, &to) in near[0].iter_mut().zip(&self.near[code]) {
            if (to as usize) < code {
                *value = read(self.base + to as usize);
            }
        }
        for (values, back) in near[1..].iter_mut().zip(&self.back) {
            for (value, &back) in values.iter_mut().zip(back) {
                *value = at.checked_sub(back).map_or(NONE, read);
            }
        }
        (near, (self.outer % 64) * 32 + code % 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;

    /// Every row's placements are found where they are, and from every mirror image.
    #[test]
    fn rows_and_find_agree() {
        for unit in (2..=4).flat_map(|pieces| Units::of(pieces).list().iter().step_by(pieces)) {
            let lattice = Lattice::new(unit, Lattice::usual_order(unit));
            let scheme = Scheme {
                turn: Color::Red,
                parity: None,
            };
            let mut found = 0;
            for region in (0..lattice.regions()).step_by(3) {
                lattice.rows(region, |row| {
                    lattice.stored(row, &scheme, |code, set| {
                        let mut groups = row.groups;
                        groups[lattice.last()] = set;
                        let number = row.base + code;
                        assert_eq!(lattice.find(&groups), (region, number), "{unit}");
                        found += 1;
                        // Pairs that are their own mirror image have two homes for what else there is.
                        let images = if lattice.sizes[0] % 2 == 1 { 4 } else { 1 };
                        for symmetry in 0..images {
                            let image = groups.map(|set| mirror(set, symmetry));
                            assert_eq!(lattice.find(&image), (region, number), "{unit}");
                        }
                    });
                });
            }
            assert!(found > 50, "{unit}");
        }
    }

    /// From any position at most three quiet plies lead to stored ones, whatever the moves.
    #[test]
    fn stored_positions_are_never_far() {
        for unit in (3..=5).flat_map(|pieces| Units::of(pieces).list().iter().step_by(31)) {
            let lattice = Lattice::new(unit, Lattice::usual_order(unit));
            for scheme in Scheme::all(unit) {
                lattice.rows(lattice.regions() / 2, |row| {
                    let mut groups = row.groups;
                    groups[lattice.last()] = 1 << (!row.occupied).trailing_zeros();
                    if unit.count(lattice.last()) > 1 || row.base % 37 != 0 {
                        return;
                    }
                    for turn in Color::ALL {
                        assert!(distance(unit, &scheme, turn, &groups) <= 3, "{unit}");
                    }
                });
            }
        }
    }

    /// The most plies until a stored position, over all quiet moves.
    fn distance(unit: &Unit, scheme: &Scheme, turn: Color, groups: &Groups) -> u32 {
        if scheme.stores(unit, turn, groups) {
            return 0;
        }
        let occupied = groups.iter().fold(0, |all, set| all | set);
        let mut most = 0;
        for group in (0..unit.groups()).filter(|&group| unit.color(group) == turn) {
            for from in squares(groups[group]) {
                for to in squares(crate::numbering::ADJACENT[from as usize] & !occupied) {
                    let mut next = *groups;
                    next[group] ^= 1 << from | 1 << to;
                    most = most.max(1 + distance(unit, scheme, !turn, &next));
                }
            }
        }
        most
    }

    #[test]
    fn what_a_row_stores_is_what_the_scheme_says() {
        for unit in Units::of(4).list().iter().step_by(9) {
            let lattice = Lattice::new(unit, Lattice::usual_order(unit));
            for scheme in Scheme::all(unit) {
                lattice.rows(lattice.regions() - 1, |row| {
                    let mut stored = Vec::new();
                    lattice.stored(row, &scheme, |_, set| stored.push(set));
                    for &set in &Codes::of(unit.count(lattice.last())).sets {
                        let mut groups = row.groups;
                        groups[lattice.last()] = set;
                        let wanted =
                            set & row.occupied == 0 && scheme.stores(unit, scheme.turn, &groups);
                        assert_eq!(wanted, stored.contains(&set), "{unit}");
                    }
                });
            }
        }
    }
}
