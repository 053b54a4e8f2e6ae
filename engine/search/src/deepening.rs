//! Iterative deepening: one ply deeper each time, as long as the budget lasts.
//!
//! Deepening ends early once more depth cannot change the answer. The answer of an
//! iteration that the budget cut short counts only if the iteration returns it.

use crate::budget::Budget;
use crate::negamax::MOST_DEPTH;
use crate::score::UNPROVEN_BOUND;

/// The answer of the deepest search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deepest<T> {
    /// The answer.
    pub answer: T,
    /// The depth of the last finished iteration, 0 for none.
    pub depth: u32,
}

/// How an iteration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Iteration<T> {
    /// With an answer.
    Finished(T),
    /// Before its end, with an answer to prefer to the previous one, if it found one.
    CutShort(Option<T>),
}

/// A search that can be repeated at greater depth.
pub(crate) trait Deepen {
    /// The answer of an iteration.
    type Answer;

    /// Searches to a depth, given the answer of the previous iteration.
    fn iterate(&mut self, depth: u32, last: Option<&Self::Answer>) -> Iteration<Self::Answer>;

    /// Called after every finished iteration.
    fn finished(&mut self, deepest: &Deepest<Self::Answer>);

    /// Returns whether more depth could not change the answer.
    fn is_decided(&self, answer: &Self::Answer) -> bool;

    /// Returns whether another iteration would hardly finish in time.
    fn is_nearly_spent(&mut self) -> bool;
}

/// Searches to each of these depths in turn and returns the last answer that
/// counts, `None` if there is none.
pub(crate) fn deepen<D: Deepen>(
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
pub(crate) fn depths(most: Option<u32>) -> std::ops::RangeInclusive<u32> {
    1..=most.unwrap_or(MOST_DEPTH).min(MOST_DEPTH)
}

/// The result of a plain search, and its value.
pub(crate) type Valued<T> = (T, i32);

/// Deepens a search made of two closures: `search` returns the result and value of a
/// depth, or `None` if the budget ran out; `finished` is called after every finished
/// iteration.
pub(crate) fn deepen_plainly<'b, T>(
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
