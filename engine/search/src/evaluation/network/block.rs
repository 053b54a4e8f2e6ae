//! Blocks of sixteen units, and the arithmetic on rows of them.
//!
//! The vector types of `wide` stand for the vector instructions that the program is built for and
//! for loops elsewhere. All operations are exact on integers, so every machine gets the same values.
//! Rows are processed four blocks at a time, a group that compilers keep free of loops.

use wide::{i16x16, i32x8};

/// The unit of the first layer's sums.
pub const SUM_UNIT: i32 = 255;

/// Numbers in a block.
pub(super) const LANES: usize = 16;

/// Adjacent units of the first layer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Block(i16x16);

/// Blocks that are processed without a loop.
const GROUP: usize = 4;

impl Block {
    /// Zeros.
    pub(super) const ZERO: Block = Block(i16x16::ZERO);

    /// Cuts numbers into blocks; a rest of fewer than [`LANES`] is left out.
    pub(super) fn cut(numbers: &[i16]) -> Vec<Block> {
        let (blocks, _) = numbers.as_chunks();
        blocks
            .iter()
            .map(|lanes| Block(i16x16::new(*lanes)))
            .collect()
    }

    #[inline(always)]
    pub(super) fn plus(self, other: Block) -> Block {
        Block(self.0 + other.0)
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Block) -> Block {
        Block(self.0 - other.0)
    }

    /// The units' outputs times their weights, added up in eight parts.
    #[inline(always)]
    fn weighed(self, weights: Block) -> i32x8 {
        let cut = self.0.max(i16x16::ZERO).min(i16x16::splat(SUM_UNIT as i16));
        // At most 255 × 127, which 16 bits hold.
        (cut * weights.0).dot(cut)
    }
}

/// Joins blocks into the numbers that they were cut from.
pub(super) fn joined(blocks: &[Block]) -> Vec<i16> {
    let numbers = |block: &Block| block.0.to_array();
    blocks.iter().flat_map(numbers).collect()
}

/// The sum of the units' outputs times their weights.
#[inline]
pub(super) fn weighed(sums: &[Block], weights: &[Block]) -> i32 {
    let (groups, rest) = sums.as_chunks::<GROUP>();
    let (of_groups, of_rest) = weights.as_chunks::<GROUP>();
    let mut total = i32x8::ZERO;
    for (sums, weights) in groups.iter().zip(of_groups) {
        for block in 0..GROUP {
            total += sums[block].weighed(weights[block]);
        }
    }
    for (sums, weights) in rest.iter().zip(of_rest) {
        total += sums.weighed(*weights);
    }
    total.reduce_add()
}

/// The sum of the units' outputs times their weights once a row is added to the sums.
#[inline]
pub(super) fn weighed_with(sums: &[Block], row: &[Block], weights: &[Block]) -> i32 {
    let mut total = i32x8::ZERO;
    for ((sums, row), weights) in sums.iter().zip(row).zip(weights) {
        total += sums.plus(*row).weighed(*weights);
    }
    total.reduce_add()
}

/// Writes the sums less the rows that go off, plus the row that comes on.
#[inline]
pub(super) fn switch<const OFF: usize>(
    from: &[Block],
    to: &mut [Block],
    off: [&[Block]; OFF],
    on: &[Block],
) {
    let (from_groups, from_rest) = from.as_chunks::<GROUP>();
    let (to_groups, to_rest) = to.as_chunks_mut::<GROUP>();
    let (on_groups, on_rest) = on.as_chunks::<GROUP>();
    let off_groups = off.map(|row| row.as_chunks::<GROUP>());
    let groups = to_groups.iter_mut().zip(from_groups).zip(on_groups);
    for (index, ((to, from), on)) in groups.enumerate() {
        for block in 0..GROUP {
            let off = off_groups.map(|(groups, _)| groups[index][block]);
            to[block] = switched(from[block], off, on[block]);
        }
    }
    let rest = to_rest.iter_mut().zip(from_rest).zip(on_rest);
    for (index, ((to, from), on)) in rest.enumerate() {
        let off = off_groups.map(|(_, rest)| rest[index]);
        *to = switched(*from, off, *on);
    }
}

#[inline(always)]
fn switched<const OFF: usize>(from: Block, off: [Block; OFF], on: Block) -> Block {
    off.into_iter().fold(from, Block::minus).plus(on)
}

/// Adds a row to sums.
#[inline]
pub(super) fn add(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        *sums = sums.plus(*row);
    }
}

/// Subtracts a row from sums.
#[inline]
pub(super) fn subtract(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        *sums = sums.minus(*row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Numbers of every size, the greatest and the least among them.
    fn numbers(source: &mut Pcg64Mcg, count: usize, most: i16) -> Vec<i16> {
        let extremes = [-most, most, 0, 1, 255, 256, -1];
        (0..count)
            .map(|_| match source.random_range(0..3) {
                0 => extremes[source.random_range(0..extremes.len())].clamp(-most, most),
                _ => source.random_range(-most..=most),
            })
            .collect()
    }

    #[test]
    fn vectors_give_what_single_numbers_give() {
        let mut source = Pcg64Mcg::seed_from_u64(8);
        for blocks in (1..=9).cycle().take(900) {
            let count = blocks * LANES;
            let sums = numbers(&mut source, count, i16::MAX);
            let weights = numbers(&mut source, count, 127);
            let expected: i32 = sums
                .iter()
                .zip(&weights)
                .map(|(&sum, &weight)| {
                    let cut = i32::from(sum).clamp(0, SUM_UNIT);
                    cut * cut * i32::from(weight)
                })
                .sum();
            assert_eq!(weighed(&Block::cut(&sums), &Block::cut(&weights)), expected);

            let rows: [Vec<i16>; 4] =
                std::array::from_fn(|_| numbers(&mut source, count, i16::MAX));
            let expected = |off: &[Vec<i16>], on: &[i16]| {
                let less = |unit: usize| {
                    let off = off.iter().map(|row| row[unit]);
                    off.fold(sums[unit], i16::wrapping_sub)
                        .wrapping_add(on[unit])
                };
                Block::cut(&(0..count).map(less).collect::<Vec<_>>())
            };
            let [a, b, c, on] = rows.each_ref().map(|row| Block::cut(row));
            let mut found = vec![Block::ZERO; blocks];
            switch(&Block::cut(&sums), &mut found, [&a, &b, &c], &on);
            assert_eq!(found, expected(&rows[..3], &rows[3]));
            switch(&Block::cut(&sums), &mut found, [&b], &on);
            assert_eq!(found, expected(&rows[1..2], &rows[3]));
            let mut both = Block::cut(&sums);
            subtract(&mut both, &b);
            add(&mut both, &on);
            assert_eq!(both, found);
            let with_row = {
                let mut sums = Block::cut(&sums);
                add(&mut sums, &a);
                sums
            };
            let weights = Block::cut(&weights);
            let found = weighed_with(&Block::cut(&sums), &a, &weights);
            assert_eq!(found, weighed(&with_row, &weights));
        }
    }
}
