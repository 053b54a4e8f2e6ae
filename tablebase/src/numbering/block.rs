//! Blocks of 1,024 positions, one bit each, and the steps of their lanes.
//!
//! Word `j`, bit `i` is the position with lane B on square `j` and lane A on
//! square `i`.

use anqi_rules::COLUMNS;

use super::board::{MIRROR_MASKS, around, mirror};

/// One bit for each position of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Block(pub [u32; 32]);

/// For each word, all ones unless the step from the next word of the row leaves the board.
const NOT_RIGHT: [u32; 32] = all_but_column(COLUMNS - 1);
const NOT_LEFT: [u32; 32] = all_but_column(0);

const fn all_but_column(column: usize) -> [u32; 32] {
    let mut mask = [!0; 32];
    let mut square = column;
    while square < 32 {
        mask[square] = 0;
        square += COLUMNS;
    }
    mask
}

impl Block {
    /// No position.
    pub const EMPTY: Block = Block([0; 32]);

    /// Returns whether no position is in the block.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns the number of positions in the block.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the positions in both.
    #[inline]
    #[must_use]
    pub fn and(&self, other: &Block) -> Block {
        Block(std::array::from_fn(|j| self.0[j] & other.0[j]))
    }

    /// Returns the positions that are not in `other`.
    #[inline]
    #[must_use]
    pub fn and_not(&self, other: &Block) -> Block {
        Block(std::array::from_fn(|j| self.0[j] & !other.0[j]))
    }

    /// Adds the positions of `other`.
    #[inline]
    pub fn add(&mut self, other: &Block) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// Adds the mirror image of `other`.
    #[inline]
    pub(crate) fn add_mirrored(&mut self, other: &Block, symmetry: usize) {
        let mask = MIRROR_MASKS[symmetry] as usize;
        for (j, word) in self.0.iter_mut().enumerate() {
            *word |= mirror(other.0[j ^ mask], symmetry);
        }
    }

    /// Adds every position from which a step of lane A leads into `target`.
    #[inline]
    pub(crate) fn add_steps_of_a(&mut self, target: &Block) {
        for (word, &to) in self.0.iter_mut().zip(&target.0) {
            *word |= around(to);
        }
    }

    /// Adds every position from which a step of lane B leads into `target`.
    #[inline]
    pub(crate) fn add_steps_of_b(&mut self, target: &Block) {
        let (words, to) = (&mut self.0, &target.0);
        for j in 0..31 {
            words[j] |= to[j + 1] & NOT_RIGHT[j];
        }
        for j in 1..32 {
            words[j] |= to[j - 1] & NOT_LEFT[j];
        }
        for j in 0..32 - COLUMNS {
            words[j] |= to[j + COLUMNS];
        }
        for j in COLUMNS..32 {
            words[j] |= to[j - COLUMNS];
        }
    }

    /// Returns the possible positions of a block whose other pieces stand on `outer`: the two lanes
    /// on different free squares.
    #[inline]
    pub fn possible(outer: u32) -> Block {
        Block(std::array::from_fn(|j| {
            if outer >> j & 1 != 0 {
                0
            } else {
                !(outer | 1 << j)
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbering::ADJACENT;

    #[test]
    fn lanes_step_as_on_the_board() {
        for (a, near_a) in ADJACENT.into_iter().enumerate() {
            for (b, near_b) in ADJACENT.into_iter().enumerate() {
                let mut target = Block::EMPTY;
                target.0[b] |= 1 << a;
                let (mut by_a, mut by_b) = (Block::EMPTY, Block::EMPTY);
                by_a.add_steps_of_a(&target);
                by_b.add_steps_of_b(&target);
                for j in 0..32 {
                    assert_eq!(by_a.0[j], if j == b { near_a } else { 0 });
                    let near = near_b >> j & 1;
                    assert_eq!(by_b.0[j], near << a);
                }
                for (s, mask) in MIRROR_MASKS.into_iter().enumerate() {
                    let mut image = Block::EMPTY;
                    image.add_mirrored(&target, s);
                    let (ia, ib) = (a ^ mask as usize, b ^ mask as usize);
                    assert_eq!(image.0[ib], 1 << ia);
                    assert_eq!(image.len(), 1);
                }
            }
        }
    }
}
