//! Iterative deepening: one ply more each time, as long as the budget lasts.
//!
//! Deepening ends early when there is nothing to find any more: a proven result,
//! or a tree that has no deeper nodes. What an iteration found before the budget
//! cut it short counts only if the iteration says so.

use crate::clock::Budget;
use crate::negamax::MOST_DEPTH;
use crate::score::UNPROVEN_BOUND;

/// The answer of the deepest search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deepest<T> {
    /// The answer.
    pub answer: T,
    /// The depth of the last finished iteration, 0 for none.
    pub depth: u32,
}

/// How an iteration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Iteration<T> {
    /// With an answer.
    Finished(T),
    /// Before its end, with an answer that is better than the one before, if it found one.
    CutShort(Option<T>),
}

/// A search that can be repeated with more depth.
pub trait Deepen {
    /// What an iteration answers.
    type Answer;

    /// Searches to a depth, knowing the answer of the iteration before.
    fn iterate(&mut self, depth: u32, last: Option<&Self::Answer>) -> Iteration<Self::Answer>;

    /// Hears of every finished iteration.
    fn finished(&mut self, deepest: &Deepest<Self::Answer>);

    /// Returns whether more depth could not change the answer.
    fn is_decided(&self, answer: &Self::Answer) -> bool;

    /// Returns whether a further iteration would hardly end in time.
    fn is_nearly_spent(&mut self) -> bool;
}

/// Searches to these depths one after the other and returns the last answer that
/// counts, `None` if there is none.
pub fn deepen<D: Deepen>(
    search: &mut D,
    depths: impl Iterator<Item = u32>,
) -> Option<Deepest<D::Answer>> {
    let mut deepest: Option<Deepest<D::Answer>> = None;
    for depth in depths {
        let last = deepest.as_ref().map(|deepest| &deepest.answer);
        match search.iterate(depth, last) {
            Iteration::Finished(answer) => {
                let answer = deepest.insert(Deepest { answer, depth });
                search.finished(answer);
                if search.is_nearly_spent() || search.is_decided(&answer.answer) {
                    break;
                }
            }
            Iteration::CutShort(better) => {
                let depth = deepest.as_ref().map_or(0, |deepest| deepest.depth);
                if let Some(answer) = better {
                    deepest = Some(Deepest { answer, depth });
                }
                break;
            }
        }
    }
    deepest
}

/// Returns the depths from 1 to a limit.
pub fn depths(most: Option<u32>) -> std::ops::RangeInclusive<u32> {
    1..=most.unwrap_or(MOST_DEPTH).min(MOST_DEPTH)
}

/// What a plain search found, and its value.
pub type Valued<T> = (T, i32);

/// Deepens a search that is made of two closures: `search` returns what it found at a
/// depth and its value, or `None` when the budget ended on the way; `finished` hears of
/// every finished iteration.
pub fn deepen_plainly<'b, T>(
    budget: &mut Budget<'b>,
    most_depth: Option<u32>,
    search: impl FnMut(&mut Budget<'b>, u32) -> Option<Valued<T>>,
    finished: impl FnMut(&Budget<'b>, &Deepest<Valued<T>>),
) -> Option<Deepest<Valued<T>>> {
    let mut plain = Plain {
        budget,
        search,
        finished,
    };
    deepen(&mut plain, depths(most_depth))
}

struct Plain<'a, 'b, S, F> {
    budget: &'a mut Budget<'b>,
    search: S,
    finished: F,
}

impl<'b, T, S, F> Deepen for Plain<'_, 'b, S, F>
where
    S: FnMut(&mut Budget<'b>, u32) -> Option<Valued<T>>,
    F: FnMut(&Budget<'b>, &Deepest<Valued<T>>),
{
    type Answer = Valued<T>;

    fn iterate(&mut self, depth: u32, _: Option<&Valued<T>>) -> Iteration<Valued<T>> {
        match (self.search)(self.budget, depth) {
            Some(answer) => Iteration::Finished(answer),
            None => Iteration::CutShort(None),
        }
    }

    fn finished(&mut self, deepest: &Deepest<Valued<T>>) {
        (self.finished)(self.budget, deepest);
    }

    fn is_decided(&self, (_, value): &Valued<T>) -> bool {
        value.abs() > UNPROVEN_BOUND
    }

    fn is_nearly_spent(&mut self) -> bool {
        self.budget.is_nearly_spent()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Limits, Stop};
    use crate::score::WIN;

    #[test]
    fn deepening_ends_at_a_proof_at_the_limit_and_when_cut_short() {
        let stop = Stop::new();
        let run = |most, values: &[Option<i32>]| {
            let mut budget = Budget::new(&Limits::NONE, &stop);
            let search = |_: &mut Budget<'_>, depth: u32| {
                let value = values[depth as usize - 1]?;
                Some((depth, value))
            };
            deepen_plainly(&mut budget, most, search, |_, _| {}).map(|deepest| deepest.depth)
        };
        let win = Some(WIN - 3);
        assert_eq!(run(Some(2), &[Some(1), Some(2), Some(3)]), Some(2));
        assert_eq!(run(None, &[Some(1), win, Some(3)]), Some(2));
        assert_eq!(run(None, &[Some(1), None]), Some(1));
        assert_eq!(run(None, &[None]), None);
    }
}
