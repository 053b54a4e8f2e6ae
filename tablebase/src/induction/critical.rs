//! The critical positions of an ending: CRP(x, p, d).

use std::cmp::Reverse;

use super::ending::{Ending, Number};
use super::levels::Levels;
use crate::solve::Wdl;

/// The critical positions of an ending at one depth, with what is needed to choose a share of them.
///
/// The authors' algorithm: search each position of the set with the positions stored so far in the
/// transposition table; where the answer is wrong or unknown, store the right one. Decided positions
/// come first, those nearest to the next capture before all others, then the draws. The search never
/// answers wrongly here, since the values of smaller endings are exact; so its answers are right or
/// unknown, and each stored position can only add answers. The first positions that make p % of all
/// answers right are CRP(x, p, d).
#[derive(Clone, Debug)]
pub struct Critical {
    /// The depth of the search.
    pub depth: u8,
    /// Positions of the ending, mirrors folded.
    pub positions: u64,
    /// Positions that the search answers when nothing is stored.
    pub answered: u64,
    /// The critical positions in the order in which they were stored, each with the answers that are
    /// right with it and all before it.
    stored: Vec<(Number, u64)>,
    /// How often each of them is met in the proofs of all answers.
    uses: Vec<u32>,
}

impl Critical {
    /// Finds the critical positions of an ending at a depth.
    pub fn of(ending: &Ending, depth: u8) -> Critical {
        let mut levels = Levels::new(ending, depth);
        let positions = ending.numbers().count() as u64;
        let open = |levels: &Levels, number: &Number| !levels.is_answered(*number);
        let mut left: Vec<(bool, u16, Number)> = ending
            .numbers()
            .filter(|number| open(&levels, number))
            .map(|number| {
                let is_draw = ending.value(number) == Wdl::Draw;
                (is_draw, ending.distance(number), number)
            })
            .collect();
        left.sort_unstable();
        let answered = positions - left.len() as u64;
        let (mut stored, mut right) = (Vec::new(), answered);
        for (_, _, number) in left {
            if open(&levels, &number) {
                right += levels.store(number);
                stored.push((number, right));
            }
        }
        debug_assert!(stored.iter().all(|&(number, _)| levels.is_stored(number)));
        let uses = levels.uses();
        Critical {
            depth,
            positions,
            answered,
            uses: stored.iter().map(|(n, _)| uses[*n as usize]).collect(),
            stored,
        }
    }

    /// Returns how many positions must be stored so that this share of all answers, at most 1, is right.
    pub fn size(&self, share: f64) -> usize {
        let needed = (share * self.positions as f64).ceil() as u64;
        if self.answered >= needed {
            return 0;
        }
        let short = self.stored.partition_point(|(_, right)| *right < needed);
        (short + 1).min(self.stored.len())
    }

    /// Returns how many answers are right when so many positions are stored.
    pub fn right(&self, size: usize) -> u64 {
        let last = size.checked_sub(1).and_then(|last| self.stored.get(last));
        last.map_or(self.answered, |(_, right)| *right)
    }

    /// Returns the first so many critical positions, in the order in which they were stored.
    pub fn first(&self, size: usize) -> impl Iterator<Item = Number> + '_ {
        self.stored.iter().take(size).map(|(number, _)| *number)
    }

    /// Returns all critical positions with how often the proofs of answers meet them, the most used first.
    pub fn most_used(&self) -> Vec<(Number, u32)> {
        let numbers = self.stored.iter().map(|(number, _)| *number);
        let mut all: Vec<_> = numbers.zip(self.uses.iter().copied()).collect();
        all.sort_by_key(|&(number, uses)| (Reverse(uses), number));
        all
    }

    /// Returns the least number of bytes that name so many of the positions, and the answer of each.
    pub fn least_bytes(&self, size: usize) -> u64 {
        let (chosen, all) = (size as f64, self.positions as f64);
        let share = chosen / all;
        let part = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
        let names = all * (part(share) + part(1.0 - share));
        ((names + chosen * 3_f64.log2()) / 8.0).ceil() as u64
    }
}
