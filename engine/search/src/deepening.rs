//! Iterative deepening: one ply more each time, as long as the budget lasts.
//!
//! A depth that the budget cuts short counts for nothing; the answer is that of
//! the last depth that was finished. Deepening ends early when there is nothing
//! to find any more: a proven result, or a tree that has no deeper nodes.

use crate::clock::Budget;
use crate::negamax::MOST_DEPTH;
use crate::score::SURE;

/// The answer of the deepest finished search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deepest<T> {
    /// What was found.
    pub found: T,
    /// Its value.
    pub value: i32,
    /// How deep it was looked for.
    pub depth: u32,
}

/// Searches ever deeper and returns the last finished answer, `None` if not
/// even the first depth was finished.
///
/// `search` returns what it found at a depth and its value, or `None` when the
/// budget ended on the way; `finished` hears of every finished depth.
pub fn deepen<'b, T>(
    budget: &mut Budget<'b>,
    most_depth: Option<u32>,
    mut search: impl FnMut(&mut Budget<'b>, u32) -> Option<(T, i32)>,
    mut finished: impl FnMut(&Budget<'b>, &Deepest<T>),
) -> Option<Deepest<T>> {
    let mut deepest = None;
    for depth in 1..=most_depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH) {
        let Some((found, value)) = search(budget, depth) else {
            break;
        };
        let answer = Deepest {
            found,
            value,
            depth,
        };
        finished(budget, &answer);
        deepest = Some(answer);
        if value.abs() > SURE || budget.is_nearly_spent() {
            break;
        }
    }
    deepest
}
