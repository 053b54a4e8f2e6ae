//! What stands between two squares: the geometry of cannon jumps.
//!
//! A cannon takes along a row or column over exactly one piece. The relation
//! is symmetric in its two ends, so one table answers both "where can this
//! cannon jump to" and "from where can a cannon take this square".

/// The squares one step from each square.
pub const ADJACENT: [u32; 32] = {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 32 {
        table[square] = super::combination::around(1 << square);
        square += 1;
    }
    table
};

/// The other squares in the row and the column of each square.
pub const ALIGNED: [u32; 32] = {
    let mut table = [0; 32];
    let mut square = 0;
    while square < 32 {
        let column = 0xffu32 << (square & 24);
        let row = 0x0101_0101u32 << (square & 7);
        table[square] = (column | row) & !(1 << square);
        square += 1;
    }
    table
};

/// The squares strictly between two squares of one row or column; empty for other pairs.
pub const BETWEEN: [[u32; 32]; 32] = {
    let mut table = [[0; 32]; 32];
    let mut a = 0;
    while a < 32 {
        let mut b = 0;
        while b < 32 {
            table[a][b] = between(a, b);
            b += 1;
        }
        a += 1;
    }
    table
};

const fn between(a: usize, b: usize) -> u32 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let step = if low / 8 == high / 8 {
        1
    } else if low % 8 == high % 8 {
        8
    } else {
        return 0;
    };
    let mut set = 0;
    let mut square = low + step;
    while square < high {
        set |= 1 << square;
        square += step;
    }
    set
}

/// For a place on a line of `LENGTH` squares and the occupied squares of the line: the places
/// with exactly one piece between.
const fn jumps_on_line<const LENGTH: usize>(place: usize, occupied: usize) -> u8 {
    let mut found = 0;
    let mut other = 0;
    while other < LENGTH {
        let (low, high) = if place < other {
            (place, other)
        } else {
            (other, place)
        };
        let mut screens = 0;
        let mut square = low + 1;
        while square < high {
            screens += occupied >> square & 1;
            square += 1;
        }
        if screens == 1 {
            found |= 1 << other;
        }
        other += 1;
    }
    found
}

const COLUMN_JUMPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut occupied = 0;
        while occupied < 256 {
            table[place][occupied] = jumps_on_line::<8>(place, occupied);
            occupied += 1;
        }
        place += 1;
    }
    table
};

/// As `COLUMN_JUMPS`, for rows; the places are already spread to squares `0, 8, 16, 24`.
const ROW_JUMPS: [[u32; 16]; 4] = {
    let mut table = [[0; 16]; 4];
    let mut place = 0;
    while place < 4 {
        let mut occupied = 0;
        while occupied < 16 {
            let line = jumps_on_line::<4>(place, occupied) as u32;
            table[place][occupied] =
                (line & 1) | (line & 2) << 7 | (line & 4) << 14 | (line & 8) << 21;
            occupied += 1;
        }
        place += 1;
    }
    table
};

/// Returns the squares that have exactly one `occupied` square between them and `square`.
#[inline]
pub fn jumps(square: u32, occupied: u32) -> u32 {
    let (column, row) = (square & 24, square & 7);
    let on_column = COLUMN_JUMPS[row as usize][(occupied >> column & 0xff) as usize];
    // The product gathers the bits 0, 8, 16, 24 in the top byte's low half.
    let line = ((occupied >> row) & 0x0101_0101).wrapping_mul(0x0102_0408) >> 24 & 15;
    u32::from(on_column) << column | ROW_JUMPS[(column / 8) as usize][line as usize] << row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_count_the_pieces_between() {
        let mut state = 7u32;
        for _ in 0..3000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let occupied = state & state.rotate_left(11);
            for square in 0..32 {
                let slow = (0..32)
                    .filter(|&other| {
                        let way = BETWEEN[square as usize][other as usize];
                        (way & occupied).count_ones() == 1
                    })
                    .fold(0, |set, other| set | 1u32 << other);
                assert_eq!(jumps(square, occupied), slow, "{square} {occupied:08x}");
            }
        }
    }

    #[test]
    fn lines_hold_ten_other_squares() {
        assert!(ALIGNED.iter().all(|set| set.count_ones() == 10));
        assert_eq!(BETWEEN[0][7], 0b0111_1110);
        assert_eq!(BETWEEN[24][0], 1 << 8 | 1 << 16);
        assert_eq!(BETWEEN[0][9], 0);
    }
}
