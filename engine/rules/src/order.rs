//! Sorting of short lists.
//!
//! The lists of this game have a few items: the actions of a position, the kinds that may appear, the groups of a unit.
//! The standard library's sort is generated for each type of item, and its parts for long lists are most of that code; a
//! program that a browser loads has no room for thirty copies. Up to twenty items it makes the same comparisons as
//! this one.

use std::cmp::Ordering;

/// Sorts a short list by a key. Items with equal keys stay in their order.
///
/// # Examples
///
/// ```
/// use anqi_rules::order::sort_few_by_key;
///
/// let mut words = ["cannon", "guard", "rook", "king", "pawn"];
/// sort_few_by_key(&mut words, |word| word.len());
/// assert_eq!(words, ["rook", "king", "pawn", "guard", "cannon"]);
/// ```
#[inline]
pub fn sort_few_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_few_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts a short list by a comparison. Equal items stay in their order.
#[inline]
pub fn sort_few_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && compare(&items[at], &items[at - 1]) == Ordering::Less {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{below, split_mix};

    #[test]
    fn the_order_is_that_of_the_standard_library() {
        let mut state = 1;
        let mut draw = |limit| below(limit, || split_mix(&mut state));
        for _ in 0..200 {
            let length = draw(40);
            let items: Vec<(u64, u64)> = (0..length).map(|place| (draw(9), place)).collect();
            let (mut found, mut expected) = (items.clone(), items);
            sort_few_by_key(&mut found, |(key, _)| *key);
            expected.sort_by_key(|(key, _)| *key);
            assert_eq!(found, expected);
            sort_few_by(&mut found, |a, b| b.0.cmp(&a.0));
            expected.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            assert_eq!(found, expected);
        }
    }
}
