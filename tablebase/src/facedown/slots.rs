//! The face-up pieces of a phase as digits of five bits.
//!
//! Whole tables are solved in a numbering without sums: each piece is a *slot*, and its square a
//! digit of the placement's *code*. Like pieces are told apart and impossible placements have
//! codes too; in return a step is a shift, the squares of the last slot are the bits of a word,
//! and those of the last two the bits of a [`Block`](crate::numbering::Block).

use anqi_rules::{Color, Piece};
use smallvec::SmallVec;

use super::division::{FaceUpCounts, groups_of_key};
use super::key::MOST_PIECES;
use super::placement::pieces_of;
use crate::classes::{Material, Unit};
use crate::numbering::{ADJACENT, Block, Codes, Layout, squares};

/// The most pieces that stand face up in a phase: at least one lies face down.
pub(super) const MOST_SLOTS: usize = MOST_PIECES as usize - 1;

/// The square of each slot.
pub(super) type SlotSquares = [u32; MOST_SLOTS];

/// The pieces of a division that stand face up, as slots.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    /// The group of each slot, the innermost last.
    pub groups: SmallVec<[usize; MOST_SLOTS]>,
    /// How far the digits of each group's pieces are shifted, in the order of the file.
    in_file: SmallVec<[SmallVec<[u32; MOST_SLOTS]>; MOST_SLOTS]>,
    /// The exchanges of like pieces: for each slot the shift of its digit, and that of its image.
    exchanges: Vec<SmallVec<[(u32, u32); MOST_SLOTS]>>,
}

impl Slots {
    /// Returns the slots of a division.
    pub(super) fn new(unit: &'static Unit, up: &FaceUpCounts) -> Slots {
        let layout = Layout::new(unit);
        let mut lanes = layout.parts.iter().map(|part| part.group);
        // What the table without face-down pieces has in one word is read fastest.
        let innermost = lanes.find(|&group| up[group] > 0);
        let mut groups: SmallVec<[usize; MOST_SLOTS]> = SmallVec::new();
        for (group, &count) in up.iter().enumerate() {
            let inner = usize::from(Some(group) == innermost);
            groups.extend(std::iter::repeat_n(group, usize::from(count) - inner));
        }
        groups.extend(innermost);
        let of_group = |group: usize| {
            let own = (0..groups.len()).filter(|&slot| groups[slot] == group);
            own.map(|slot| shift(groups.len(), slot)).collect()
        };
        let standing = (0..up.len()).filter(|&group| up[group] > 0);
        Slots {
            in_file: standing.map(of_group).collect(),
            exchanges: exchanges(&groups),
            groups,
        }
    }

    /// Returns the number of slots.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns how many codes there are.
    pub(super) fn codes(&self) -> usize {
        1 << (5 * self.len())
    }

    /// Returns a code of each placement, in the order of the file.
    pub(super) fn codes_in_order(&self, face_down: u32) -> Vec<u32> {
        let mut codes = Vec::new();
        extend(&self.in_file, !face_down, 0, &mut codes);
        codes
    }

    /// Writes the values of placements to all their codes.
    pub(super) fn spread(&self, codes: &[u32], values: &[i8], to: &mut [i8]) {
        if self.exchanges.len() == 1 {
            for (&code, &value) in codes.iter().zip(values) {
                to[code as usize] = value;
            }
            return;
        }
        for (&code, &value) in codes.iter().zip(values) {
            for exchange in &self.exchanges {
                let digits = exchange.iter();
                let image = digits.map(|&(from, to)| (code >> from & 31) << to);
                to[image.sum::<u32>() as usize] = value;
            }
        }
    }
}

/// How far a slot's digit is shifted.
pub(super) fn shift(slots: usize, slot: usize) -> u32 {
    5 * (slots - 1 - slot) as u32
}

/// Returns the code of a placement: the squares of the slots, each shifted by its own.
#[inline]
pub(super) fn code(standing: &SlotSquares, shifts: &[u32; MOST_SLOTS]) -> usize {
    let slots = standing.iter().zip(shifts);
    slots.fold(0, |code, (&square, shift)| {
        code + ((square as usize) << shift)
    })
}

/// Adds the codes of the placements of some groups on free squares.
fn extend(groups: &[SmallVec<[u32; MOST_SLOTS]>], free: u32, code: u32, codes: &mut Vec<u32>) {
    let Some((shifts, inner)) = groups.split_first() else {
        codes.push(code);
        return;
    };
    if let ([shift], []) = (&shifts[..], inner) {
        codes.extend(squares(free).map(|square| code | square << shift));
        return;
    }
    let mut places = [0; 32];
    let mut count = 0;
    for square in squares(free) {
        places[count] = square;
        count += 1;
    }
    // The sets of the lowest squares come first.
    let sets = Codes::of(shifts.len()).sets.iter();
    for &set in sets.take_while(|&&set| u64::from(set) >> count == 0) {
        let (mut here, mut taken) = (code, 0);
        for (place, shift) in squares(set).zip(shifts) {
            let square = places[place as usize];
            here |= square << shift;
            taken |= 1 << square;
        }
        extend(inner, free & !taken, here, codes);
    }
}

/// Lists the exchanges of slots of one group, the one that changes nothing included.
fn exchanges(groups: &[usize]) -> Vec<SmallVec<[(u32, u32); MOST_SLOTS]>> {
    let mut all: Vec<SmallVec<[usize; MOST_SLOTS]>> = vec![SmallVec::new()];
    for group in groups {
        let longer = all.iter().flat_map(|images| {
            let free = (0..groups.len()).filter(|slot| !images.contains(slot));
            let like = free.filter(|&slot| groups[slot] == *group);
            like.map(|slot| images.iter().copied().chain([slot]).collect())
        });
        all = longer.collect();
    }
    let shift = |slot| shift(groups.len(), slot);
    let shifts = |images: SmallVec<[usize; MOST_SLOTS]>| {
        let images = images.into_iter().enumerate();
        images.map(|(slot, image)| (shift(slot), shift(image)))
    };
    all.into_iter()
        .map(|images| shifts(images).collect())
        .collect()
}

/// The slots of one phase on its board.
#[derive(Clone, Debug)]
pub(super) struct Ground<'a> {
    /// The slots of the division.
    pub slots: &'a Slots,
    /// The unit.
    pub unit: &'static Unit,
    /// The piece of each slot.
    pub pieces: SmallVec<[Piece; MOST_SLOTS]>,
    /// The squares of the face-down pieces.
    pub face_down: u32,
}

impl<'a> Ground<'a> {
    /// Deals the face-up pieces of a phase, by the names of the unit's key, to its slots.
    pub(super) fn new(
        unit: &'static Unit,
        slots: &'a Slots,
        face_up: &Material,
        face_down: u32,
    ) -> Ground<'a> {
        let groups = groups_of_key(unit);
        let mut left = pieces_of(face_up);
        let mut deal = |&group: &usize| {
            let own = |piece: &Piece| usize::from(groups[piece.index()]) == group;
            let next = left.iter().position(own).expect("a piece for each slot");
            left.remove(next)
        };
        Ground {
            pieces: slots.groups.iter().map(&mut deal).collect(),
            slots,
            unit,
            face_down,
        }
    }

    /// Returns the colour of a slot's piece.
    #[inline]
    pub(super) fn color(&self, slot: usize) -> Color {
        self.pieces[slot].color()
    }

    /// Returns the slot whose squares are the bits of a word.
    #[inline]
    pub(super) fn lane_a(&self) -> usize {
        self.pieces.len() - 1
    }

    /// Returns the slot whose squares are the words of a block; a lone piece has none.
    #[inline]
    pub(super) fn lane_b(&self) -> Option<usize> {
        self.pieces.len().checked_sub(2)
    }

    /// Returns how many slots are in neither lane: their squares number the blocks.
    #[inline]
    pub(super) fn outer(&self) -> usize {
        self.pieces.len().saturating_sub(2)
    }

    /// Returns the number of blocks.
    pub(super) fn blocks(&self) -> usize {
        1 << (5 * self.outer())
    }

    /// Returns how far an outer slot's square is shifted in the number of a block.
    #[inline]
    fn block_shift(&self, slot: usize) -> u32 {
        shift(self.outer(), slot)
    }

    /// Returns the squares of the outer slots in a block, and all squares that they and the face-down
    /// pieces take; `None` if two of these are the same.
    #[inline]
    pub(super) fn standing(&self, block: usize) -> Option<(SlotSquares, u32)> {
        let mut standing = [0; MOST_SLOTS];
        let mut taken = self.face_down;
        for (slot, place) in standing.iter_mut().enumerate().take(self.outer()) {
            let square = (block >> self.block_shift(slot)) as u32 & 31;
            if taken >> square & 1 != 0 {
                return None;
            }
            *place = square;
            taken |= 1 << square;
        }
        Some((standing, taken))
    }

    /// Returns the possible placements of a block.
    pub(super) fn possible(&self, block: usize) -> Block {
        match (self.standing(block), self.lane_b()) {
            (None, _) => Block::EMPTY,
            (Some((_, taken)), Some(_)) => Block::possible(taken),
            (Some((_, taken)), None) => {
                let mut alone = Block::EMPTY;
                alone.0[0] = !taken;
                alone
            }
        }
    }

    /// Adds to `found` the placements of a block from which a quiet move of one side leads to those
    /// that `target` returns for a block; impossible placements may be among them.
    #[inline]
    pub(super) fn add_sources<'b>(
        &self,
        block: usize,
        turn: Color,
        found: &mut Block,
        target: impl Fn(usize) -> &'b Block,
    ) {
        self.add_lane_steps(turn, target(block), found);
        self.for_each_neighbour(block, turn, |next| found.add(target(next)));
    }

    /// Adds the placements of a block from which a step of one side's lanes leads to `target`.
    #[inline]
    pub(super) fn add_lane_steps(&self, turn: Color, target: &Block, found: &mut Block) {
        if self.color(self.lane_a()) == turn {
            found.add_steps_of_a(target);
        }
        if self.lane_b().is_some_and(|slot| self.color(slot) == turn) {
            found.add_steps_of_b(target);
        }
    }

    /// Calls `visit` with each block that one step of one side's outer pieces leads to.
    #[inline]
    pub(super) fn for_each_neighbour(
        &self,
        block: usize,
        turn: Color,
        mut visit: impl FnMut(usize),
    ) {
        for slot in (0..self.outer()).filter(|&slot| self.color(slot) == turn) {
            let shift = self.block_shift(slot);
            let from = block >> shift & 31;
            for to in squares(ADJACENT[from] & !self.face_down) {
                visit(block ^ (from ^ to as usize) << shift);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;
    use crate::facedown::HiddenIndex;

    #[test]
    fn codes_come_in_the_order_of_the_file() {
        for pieces in 2..=4 {
            for unit in Units::of(pieces).list().iter().step_by(pieces - 1) {
                for hidden in 1..pieces {
                    check_order(&HiddenIndex::new(unit, hidden));
                }
            }
        }
    }

    fn check_order(index: &HiddenIndex) {
        for division in &index.divisions {
            let slots = Slots::new(index.unit, &division.up);
            for orbit in (0..index.orbits()).step_by(7) {
                let face_down = index.squares(orbit);
                let codes = slots.codes_in_order(face_down);
                assert_eq!(codes.len() as u64, division.placements());
                for (number, code) in codes.iter().enumerate().step_by(3) {
                    let groups = division.groups(number as u64, face_down);
                    let mut found = [0; 8];
                    for (slot, &group) in slots.groups.iter().enumerate() {
                        found[group] |= 1 << (code >> shift(slots.len(), slot) & 31);
                    }
                    assert_eq!(found, groups, "{} {number}", index.unit);
                }
            }
        }
    }

    #[test]
    fn like_pieces_are_exchanged_in_every_way() {
        assert_eq!(exchanges(&[0, 1, 2]).len(), 1);
        assert_eq!(exchanges(&[0, 1, 1, 0]).len(), 4);
        assert_eq!(exchanges(&[2, 2, 2]).len(), 6);
    }
}
