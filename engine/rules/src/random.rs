//! Well-mixed words and uniform draws.
//!
//! Nothing here holds a generator: the code that deals or chooses owns one and passes
//! a function for its next word. The algorithms are written out because a library may
//! change its own, and every old deal with it.

/// The odd number nearest to 2^64 divided by the golden ratio: the step of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scrambles a word so that neighbouring inputs give unrelated outputs.
///
/// This is one step of the SplitMix64 generator: a bijection whose every output
/// bit depends on every input bit. It is invertible, so not for secrets.
pub const fn scramble(word: u64) -> u64 {
    let mut z = word.wrapping_add(GOLDEN);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Mixes a word into a seed.
pub const fn mix(seed: u64, word: u64) -> u64 {
    scramble(scramble(seed) ^ word)
}

/// Returns the next word of the SplitMix64 sequence.
pub const fn split_mix(state: &mut u64) -> u64 {
    let word = scramble(*state);
    *state = state.wrapping_add(GOLDEN);
    word
}

/// Draws a number below `limit`, all equally likely.
///
/// # Panics
///
/// Panics if `limit` is zero.
pub fn below(limit: u64, mut next: impl FnMut() -> u64) -> u64 {
    // Words of the incomplete last interval would favour small remainders.
    let uneven = (u64::MAX % limit + 1) % limit;
    loop {
        let word = next();
        if word <= u64::MAX - uneven {
            return word % limit;
        }
    }
}

/// Shuffles by Fisher and Yates: from the last place down, each place draws its
/// item uniformly from those not yet placed.
///
/// # Examples
///
/// ```
/// use anqi_rules::random::{shuffle, split_mix};
///
/// let mut state = 7;
/// let mut items = [1, 2, 3, 4, 5];
/// shuffle(&mut items, || split_mix(&mut state));
/// items.sort();
/// assert_eq!(items, [1, 2, 3, 4, 5]);
/// ```
pub fn shuffle<T>(items: &mut [T], mut next: impl FnMut() -> u64) {
    for last in (1..items.len()).rev() {
        let drawn = below(last as u64 + 1, &mut next) as usize;
        items.swap(last, drawn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_split_mix() {
        // The first outputs of the reference implementation for the seed 1234567.
        let mut state = 1_234_567;
        let words: Vec<u64> = (0..3).map(|_| split_mix(&mut state)).collect();
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(words, reference);
    }

    #[test]
    fn seeds_and_words_mix_without_collisions() {
        let pairs = (0..100).flat_map(|seed| (0..100).map(move |word| mix(seed, word)));
        let mixed: std::collections::BTreeSet<u64> = pairs.collect();
        assert_eq!(mixed.len(), 10_000);
    }

    #[test]
    fn words_of_the_incomplete_last_stretch_are_drawn_again() {
        let mut words = [u64::MAX, u64::MAX - 1, 5].into_iter();
        // 2^64 is one more than a multiple of three.
        assert_eq!(below(3, || words.next().unwrap()), 2);
        assert_eq!(words.next(), Some(5));
        assert_eq!(below(4, || u64::MAX), 3);
        assert_eq!(below(1, || 9), 0);
    }

    #[test]
    fn every_order_comes_equally_often() {
        let mut state = 1;
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            shuffle(&mut items, || split_mix(&mut state));
            *counts.entry(items).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        // Five standard deviations around a thousand.
        assert!(
            counts.values().all(|count| count.abs_diff(1_000) < 155),
            "{counts:?}"
        );
    }
}
