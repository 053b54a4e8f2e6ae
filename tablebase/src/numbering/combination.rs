//! Numbers for sets of squares: the combinatorial number system.
//!
//! A set `{s0 < s1 < …}` has the rank `C(s0,1) + C(s1,2) + …`, which numbers
//! the sets of one size from 0 without gaps. For the solver, which must step
//! from code to code millions of times a second, [`Codes`] holds a size's
//! sets, their mirror images and the codes one quiet step away as tables.

use std::sync::OnceLock;

use anqi_rules::order::sort_few_by;

use super::board::{around, mirror, squares};

/// The largest set that has a code table.
pub(super) const MAX_SIZE: usize = 7;

const BINOMIALS: [[u64; 10]; 33] = {
    let mut table = [[0u64; 10]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 10 {
            if n > 0 {
                table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the number of ways of choosing `k` of `n` things (`n` ≤ 32, `k` ≤ 9).
#[inline]
pub(crate) const fn choose(n: usize, k: usize) -> u64 {
    BINOMIALS[n][k]
}

/// Returns the rank of a set of squares among the sets of its size.
#[inline]
pub(crate) fn rank(mut set: u32) -> u32 {
    if set & set.wrapping_sub(1) == 0 {
        // A single square, by far the most frequent case, is its own rank; no square has rank 0.
        return set.trailing_zeros() & 31;
    }
    let mut total = 0;
    let mut k = 1;
    while set != 0 {
        total += BINOMIALS[set.trailing_zeros() as usize][k] as u32;
        set &= set - 1;
        k += 1;
    }
    total
}

/// Returns the set of `size` squares with this rank.
pub(crate) fn unrank(mut code: u32, size: usize) -> u32 {
    let mut set = 0;
    for k in (1..=size).rev() {
        let mut square = k - 1;
        while square < 31 && BINOMIALS[square + 1][k] as u32 <= code {
            square += 1;
        }
        code -= BINOMIALS[square][k] as u32;
        set |= 1 << square;
    }
    set
}

/// Squeezes the bits of `set` that lie on `free` squares together, lowest first.
#[inline]
pub fn compress(set: u32, free: u32) -> u32 {
    let mut left = set & free;
    let mut squeezed = 0;
    while left != 0 {
        let below = (left & left.wrapping_neg()) - 1;
        squeezed |= 1 << (free & below).count_ones();
        left &= left - 1;
    }
    squeezed
}

/// Takes the squares `taken` out of a word: the bits above each move down.
///
/// The same as [`compress`] onto all other squares, and quicker where many bits are set and few
/// squares taken.
#[inline]
pub(crate) fn squeeze(mut word: u32, mut taken: u32) -> u32 {
    while taken != 0 {
        let highest = 31 - taken.leading_zeros();
        let below = (1 << highest) - 1;
        word = word & below | word >> 1 & !below;
        taken &= below;
    }
    word
}

/// Spreads the low bits of `squeezed` over the `free` squares, lowest first.
pub(crate) fn spread(squeezed: u32, mut free: u32) -> u32 {
    let mut left = squeezed;
    let mut set = 0;
    while left != 0 && free != 0 {
        if left & 1 != 0 {
            set |= free & free.wrapping_neg();
        }
        left >>= 1;
        free &= free - 1;
    }
    set
}

/// All sets of one size, by code.
#[derive(Debug)]
pub struct Codes {
    /// The squares of each code.
    pub sets: Vec<u32>,
    /// The code of each code's image under each of the four mirrors.
    pub images: [Vec<u32>; 4],
    /// Where each code's steps begin in `steps`; one more entry than codes.
    starts: Vec<u32>,
    steps: Vec<u32>,
}

impl Codes {
    /// Returns the table for sets of `size` squares.
    ///
    /// # Panics
    ///
    /// Panics if `size` exceeds [`MAX_SIZE`].
    pub fn of(size: usize) -> &'static Codes {
        static TABLES: [OnceLock<Codes>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
        TABLES[size].get_or_init(|| Codes::new(size))
    }

    fn new(size: usize) -> Codes {
        let count = choose(32, size) as u32;
        let sets: Vec<u32> = (0..count).map(|code| unrank(code, size)).collect();
        let images = [0, 1, 2, 3].map(|s| sets.iter().map(|&set| rank(mirror(set, s))).collect());
        let mut starts = vec![0];
        let mut steps = Vec::new();
        for &set in &sets {
            steps.extend(neighbour_sets(set).map(rank));
            starts.push(steps.len() as u32);
        }
        Codes {
            sets,
            images,
            starts,
            steps,
        }
    }

    /// Returns the number of codes.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns whether there are no codes, which never happens.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Returns the codes of the sets in which one piece has made one step.
    #[inline]
    pub fn steps(&self, code: u32) -> &[u32] {
        let code = code as usize;
        &self.steps[self.starts[code] as usize..self.starts[code + 1] as usize]
    }
}

fn neighbour_sets(set: u32) -> impl Iterator<Item = u32> {
    squares(set).flat_map(move |from| {
        squares(around(1 << from) & !set).map(move |to| set & !(1 << from) | 1 << to)
    })
}

/// The sets of one size up to the mirrors of the board.
///
/// Sets of an odd number of squares have no symmetry of their own, so they
/// fall into orbits of exactly four; a few of the even ones are their own
/// images and waste a little.
#[derive(Debug)]
pub struct Orbits {
    /// For each code: its orbit, and the mirror that leads to the orbit's first code.
    pub of_code: Vec<(u32, u8)>,
    /// The first code of each orbit.
    pub first: Vec<u32>,
    /// How many different codes each orbit has.
    pub length: Vec<u8>,
}

impl Orbits {
    /// Returns the table for sets of `size` squares.
    ///
    /// # Panics
    ///
    /// Panics if `size` exceeds [`MAX_SIZE`].
    pub fn of(size: usize) -> &'static Orbits {
        static TABLES: [OnceLock<Orbits>; MAX_SIZE + 1] = [const { OnceLock::new() }; MAX_SIZE + 1];
        TABLES[size].get_or_init(|| Orbits::new(size))
    }

    fn new(size: usize) -> Orbits {
        let codes = Codes::of(size);
        let mut of_code = vec![(0, 0); codes.len()];
        let (mut first, mut length) = (Vec::new(), Vec::new());
        for code in 0..codes.len() {
            let images = [0, 1, 2, 3].map(|s| codes.images[s][code]);
            let (symmetry, least) = images
                .iter()
                .enumerate()
                .min_by_key(|&(s, &image)| (image, s))
                .map(|(s, &image)| (s, image as usize))
                .expect("four images");
            if least == code {
                of_code[code] = (first.len() as u32, 0);
                first.push(code as u32);
                let mut distinct = images.to_vec();
                sort_few_by(&mut distinct, Ord::cmp);
                distinct.dedup();
                length.push(distinct.len() as u8);
            } else {
                of_code[code] = (of_code[least].0, symmetry as u8);
            }
        }
        Orbits {
            of_code,
            first,
            length,
        }
    }

    /// Returns the number of orbits.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Returns whether there are no orbits, which never happens.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_invert_and_have_no_gaps() {
        for size in 1..=4 {
            for code in 0..choose(32, size) as u32 {
                let set = unrank(code, size);
                assert_eq!(set.count_ones() as usize, size);
                assert_eq!(rank(set), code);
            }
        }
        for size in 5..=9 {
            for code in (0..choose(32, size) as u32).step_by(9_973) {
                assert_eq!(rank(unrank(code, size)), code);
            }
        }
    }

    #[test]
    fn compress_and_spread_are_inverse_on_the_free_squares() {
        let mut state = 1u32;
        for _ in 0..10_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let free = state | 1 << 7;
            let set = state.rotate_left(13) & free;
            assert_eq!(spread(compress(set, free), free), set);
        }
    }

    #[test]
    fn squeezing_is_compressing_for_few_taken_squares() {
        let mut state = 1u32;
        for _ in 0..10_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (word, taken) = (state.rotate_left(7), state & state.rotate_left(9) & !4);
            assert_eq!(squeeze(word, taken), compress(word, !taken));
        }
        assert_eq!(squeeze(!0, !0), 0);
    }

    #[test]
    fn orbits_partition_the_codes_and_odd_ones_waste_nothing() {
        for size in 1..=4 {
            let (codes, orbits) = (Codes::of(size), Orbits::of(size));
            let total: usize = orbits.length.iter().map(|&n| usize::from(n)).sum();
            assert_eq!(total, codes.len());
            if size % 2 == 1 {
                assert_eq!(orbits.len() * 4, codes.len());
            }
            for code in 0..codes.len() {
                let (orbit, symmetry) = orbits.of_code[code];
                assert_eq!(
                    codes.images[symmetry as usize][code],
                    orbits.first[orbit as usize]
                );
            }
        }
        assert_eq!(Orbits::of(2).len(), 136);
        assert_eq!(Orbits::of(3).len(), 1240);
    }

    #[test]
    fn steps_lead_to_sets_that_differ_by_one_adjacent_square() {
        let codes = Codes::of(2);
        for code in 0..codes.len() as u32 {
            for &next in codes.steps(code) {
                let (a, b) = (codes.sets[code as usize], codes.sets[next as usize]);
                assert_eq!((a ^ b).count_ones(), 2);
                assert_ne!(around(a & !b) & b & !a, 0);
                assert!(codes.steps(next).contains(&code), "steps can be undone");
            }
        }
    }
}
