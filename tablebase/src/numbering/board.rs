//! The board of the rules crate as plain bits, for loops over millions of words.

use anqi_rules::moves::jump_squares;
use anqi_rules::{SQUARES, Square, SquareSet, Symmetry};

/// The symmetries of the board in the order of the table format, which decides between several
/// that lead to the same set.
pub const MIRRORS: [Symmetry; 4] = [
    Symmetry::Identity,
    Symmetry::MirrorColumns,
    Symmetry::MirrorRows,
    Symmetry::Rotate,
];

/// The same as square permutations `square ^ mask`.
pub const MIRROR_MASKS: [u32; 4] = [
    MIRRORS[0].mask() as u32,
    MIRRORS[1].mask() as u32,
    MIRRORS[2].mask() as u32,
    MIRRORS[3].mask() as u32,
];

/// The squares one step from each square.
pub const ADJACENT: [u32; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = Square::new(square as u8).neighbours().0;
        square += 1;
    }
    table
};

/// The other squares in the row and the column of each square.
pub const ALIGNED: [u32; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = Square::new(square as u8).lines().0;
        square += 1;
    }
    table
};

/// The squares strictly between two squares of one row or column; empty for other pairs.
pub const BETWEEN: [[u32; SQUARES]; SQUARES] = {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let mut b = 0;
        while b < SQUARES {
            table[a][b] = Square::new(a as u8).between(Square::new(b as u8)).0;
            b += 1;
        }
        a += 1;
    }
    table
};

/// Returns the squares that have exactly one `occupied` square between them and `square`.
#[inline]
pub fn jumps(square: u32, occupied: u32) -> u32 {
    jump_squares(Square::from_low_bits(square as u16), SquareSet(occupied)).0
}

/// Returns the squares one step from any square of `set`.
#[inline]
pub const fn around(set: u32) -> u32 {
    SquareSet(set).neighbours().0
}

/// Returns the image of a set of squares under one of the four [`MIRRORS`].
#[inline]
pub const fn mirror(set: u32, symmetry: usize) -> u32 {
    let set = SquareSet(set);
    match symmetry {
        0 => MIRRORS[0].set(set).0,
        1 => MIRRORS[1].set(set).0,
        2 => MIRRORS[2].set(set).0,
        _ => MIRRORS[3].set(set).0,
    }
}

/// Iterates over the squares of a set.
pub fn squares(mut set: u32) -> impl Iterator<Item = u32> {
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
    use super::*;

    #[test]
    fn mirrors_move_every_square_as_their_masks_say() {
        assert_eq!(
            MIRROR_MASKS,
            [0, 24, 7, 31],
            "the order of the table format"
        );
        for (symmetry, mask) in MIRROR_MASKS.into_iter().enumerate() {
            for square in 0..32 {
                assert_eq!(mirror(1 << square, symmetry), 1 << (square ^ mask));
            }
        }
    }
}
