//! The board of tables as plain bits, for loops over millions of words.
//!
//! Tables number the squares along the ranks, `row * 4 + column`, unlike the rules crate, which
//! numbers them along the files: values of neighbouring numbers are then more alike, and files a
//! sixth smaller. Bare integers are numbers and sets of this kind; a [`Square`] or [`SquareSet`] is
//! always one of the rules crate, and [`number_of`], [`square_of`], [`bits_of`] and [`set_of`] are
//! the only ways from one to the other.

use anqi_rules::moves::jumps_of_line;
use anqi_rules::{COLUMNS, ROWS, SQUARES, Square, SquareSet};

/// The mirrors of the board as square permutations `square ^ mask`, in the order of the table
/// format, which decides between several that lead to the same set: none, columns, rows, both.
pub(crate) const MIRROR_MASKS: [u32; 4] = [0, 3, 28, 31];

/// The squares of column a.
const FIRST_COLUMN: u32 = 0x1111_1111;
/// The squares of column d.
const LAST_COLUMN: u32 = FIRST_COLUMN << (COLUMNS - 1);

/// Returns the number of a square in tables.
#[inline]
pub const fn number_of(square: Square) -> u32 {
    (square.row() * COLUMNS + square.column()) as u32
}

/// Returns the square with this number in tables.
#[inline]
pub(crate) const fn square_of(number: u32) -> Square {
    let (row, column) = (number as usize / COLUMNS, number as usize % COLUMNS);
    Square::new((column * ROWS + row) as u8)
}

/// Returns a set of squares as bits, by their numbers in tables.
#[inline]
pub(crate) const fn bits_of(set: SquareSet) -> u32 {
    let (mut left, mut bits) = (set.0, 0);
    while left != 0 {
        bits |= 1 << number_of(Square::new(left.trailing_zeros() as u8));
        left &= left - 1;
    }
    bits
}

/// Returns the set of squares with these bits.
#[inline]
pub const fn set_of(bits: u32) -> SquareSet {
    let (mut left, mut set) = (bits, 0);
    while left != 0 {
        set |= square_of(left.trailing_zeros()).set().0;
        left &= left - 1;
    }
    SquareSet(set)
}

/// The squares one step from each square.
pub(crate) const ADJACENT: [u32; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = around(1 << square);
        square += 1;
    }
    table
};

/// The other squares in the row and the column of each square.
pub(crate) const ALIGNED: [u32; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = bits_of(square_of(square as u32).lines());
        square += 1;
    }
    table
};

/// The squares strictly between two squares of one row or column; empty for other pairs.
pub(crate) const BETWEEN: [[u32; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let mut b = 0;
        while b < SQUARES {
            table[a][b] = bits_of(square_of(a as u32).between(square_of(b as u32)));
            b += 1;
        }
        a += 1;
    }
    table
};

/// Jumps along a column by row and the occupied rows, and along a row by column and the occupied columns.
static COLUMN_JUMPS: [[u8; 256]; ROWS] = jumps_of_line();
static ROW_JUMPS: [[u8; 16]; COLUMNS] = jumps_of_line();

/// Returns the squares that have exactly one `occupied` square between them and `square`.
#[inline]
pub fn jumps(square: u32, occupied: u32) -> u32 {
    let (row, column) = (square as usize / COLUMNS, square as usize % COLUMNS);
    // Gather the column's eight bits: bit 4r becomes bit r.
    let mut along = occupied >> column & FIRST_COLUMN;
    along = (along | along >> 3) & 0x0303_0303;
    along = (along | along >> 6) & 0x000f_000f;
    along = (along | along >> 12) & 0xff;
    // And back.
    let mut found = u32::from(COLUMN_JUMPS[row][along as usize]);
    found = (found | found << 12) & 0x000f_000f;
    found = (found | found << 6) & 0x0303_0303;
    found = (found | found << 3) & FIRST_COLUMN;
    let across = occupied >> (row * COLUMNS) & 15;
    let aside = u32::from(ROW_JUMPS[column][across as usize]);
    found << column | aside << (row * COLUMNS)
}

/// Returns the squares one step from any square of `set`.
#[inline]
pub(super) const fn around(set: u32) -> u32 {
    set << COLUMNS | set >> COLUMNS | (set & !LAST_COLUMN) << 1 | (set & !FIRST_COLUMN) >> 1
}

/// Returns the image of a set of squares under one of the mirrors of [`MIRROR_MASKS`].
#[inline]
pub(crate) const fn mirror(set: u32, symmetry: usize) -> u32 {
    // Reversing all bits reverses both the rows and the columns in them.
    match symmetry {
        0 => set,
        1 => reverse_rows(set.reverse_bits()),
        2 => reverse_rows(set),
        _ => set.reverse_bits(),
    }
}

/// Returns a set with the order of its rows reversed.
#[inline]
const fn reverse_rows(set: u32) -> u32 {
    let pairs = set.swap_bytes();
    (pairs & 0x0f0f_0f0f) << 4 | pairs >> 4 & 0x0f0f_0f0f
}

/// Iterates over the squares of a set.
pub(crate) fn squares(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros();
        set &= set - 1;
        Some(square)
    })
}

#[cfg(test)]
mod tests {
    use anqi_rules::Symmetry;
    use anqi_rules::moves::jump_squares;

    use super::*;

    /// The mirrors of the rules crate in the order of the table format.
    const MIRRORS: [Symmetry; 4] = [
        Symmetry::Identity,
        Symmetry::MirrorColumns,
        Symmetry::MirrorRows,
        Symmetry::Rotate,
    ];

    #[test]
    fn squares_are_numbered_along_the_ranks() {
        let numbers = ["a1", "b1", "d1", "a2", "d8"].map(|name| number_of(name.parse().unwrap()));
        assert_eq!(numbers, [0, 1, 3, 4, 31]);
        for square in Square::all() {
            let number = number_of(square);
            assert_eq!(square_of(number), square);
            assert_eq!(bits_of(square.set()), 1 << number);
            assert_eq!(set_of(1 << number), square.set());
        }
    }

    #[test]
    fn mirrors_move_every_square_as_their_masks_and_the_rules_say() {
        for (symmetry, mask) in MIRROR_MASKS.into_iter().enumerate() {
            for number in 0..32 {
                let image = MIRRORS[symmetry].square(square_of(number));
                assert_eq!(number_of(image), number ^ mask);
                assert_eq!(mirror(1 << number, symmetry), 1 << (number ^ mask));
            }
        }
    }

    #[test]
    fn steps_lines_and_jumps_are_those_of_the_rules() {
        let mut state = 1u32;
        for number in 0..32 {
            let square = square_of(number);
            assert_eq!(set_of(ADJACENT[number as usize]), square.neighbours());
            assert_eq!(set_of(ALIGNED[number as usize]), square.lines());
            for other in 0..32 {
                let between = square.between(square_of(other));
                assert_eq!(set_of(BETWEEN[number as usize][other as usize]), between);
            }
            for _ in 0..2_000 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let occupied = state.rotate_left(9) & state.rotate_left(20);
                let there = jump_squares(square, set_of(occupied));
                assert_eq!(set_of(jumps(number, occupied)), there);
                assert_eq!(set_of(around(occupied)), set_of(occupied).neighbours());
            }
        }
    }
}
