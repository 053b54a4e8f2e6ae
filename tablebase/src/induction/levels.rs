//! The least depth at which a search with a goal answers each position.
//!
//! A question is: does this side win? Answers meet in quiescent positions: a capture into a smaller
//! ending, whose value is known, and a position without a move need no depth, and neither does a stored
//! position. One side has to show a single move that keeps the answer, the other has to refute each
//! of its moves. So the depth of one side's positions is one more than the least of those that it can
//! choose, of the other's one more than the greatest. This is what NegaScout with the same stored
//! positions finds at that depth, for all positions at once; [`GoalSearch`](super::GoalSearch) is the
//! search itself.

use std::collections::VecDeque;

use anqi_rules::Color;

use super::ending::{Ending, Number, turn};
use crate::parallel;
use crate::solve::Wdl;

/// No depth up to the greatest one answers.
const UNKNOWN: u8 = u8::MAX;

/// Positions that one task looks at.
const CHUNK: u32 = 1 << 14;

/// The depths at which both questions are answered, for each position.
pub(super) struct Levels<'a> {
    pub(super) ending: &'a Ending,
    depth: u8,
    /// By the side that is asked about: does it win?
    levels: [Vec<u8>; 2],
    stored: Vec<bool>,
}

impl<'a> Levels<'a> {
    /// Finds what a search to this depth answers when nothing is stored.
    pub(super) fn new(ending: &'a Ending, depth: u8) -> Levels<'a> {
        let blank = || vec![UNKNOWN; ending.len() as usize];
        let mut levels = Levels {
            ending,
            depth,
            levels: [blank(), blank()],
            stored: vec![false; ending.len() as usize],
        };
        let starts: Vec<Number> = (0..ending.len()).step_by(CHUNK as usize).collect();
        for level in 0..=depth {
            for side in Color::ALL {
                let found = parallel::map(&starts, |&start| {
                    let numbers = start..(start + CHUNK).min(ending.len());
                    let is_found = |&number: &Number| {
                        levels.level(side, number) == UNKNOWN
                            && levels.derived(side, number) == level
                    };
                    numbers.filter(is_found).collect::<Vec<_>>()
                });
                for number in found.into_iter().flatten() {
                    levels.levels[side.index()][number as usize] = level;
                }
            }
        }
        levels
    }

    fn level(&self, side: Color, number: Number) -> u8 {
        self.levels[side.index()][number as usize]
    }

    /// Whether `side` wins.
    fn wins(&self, side: Color, number: Number) -> bool {
        let own = side == turn(number);
        self.ending.value(number) == if own { Wdl::Win } else { Wdl::Loss }
    }

    /// Whether the side to move has to find one move that keeps the answer; otherwise the answer must
    /// hold after all its moves.
    fn chooses(&self, side: Color, number: Number) -> bool {
        (side == turn(number)) == self.wins(side, number)
    }

    /// Whether a capture keeps the answer of the side to move that has to find one move.
    fn captures(&self, side: Color, number: Number) -> bool {
        let needed = if side == turn(number) {
            Wdl::Win
        } else {
            Wdl::Draw
        };
        self.ending.capture(number) >= needed
    }

    /// The depth that follows from the positions a move away.
    fn derived(&self, side: Color, number: Number) -> u8 {
        let after = |moves: &mut dyn Iterator<Item = Number>, all: bool| {
            let levels = moves.map(|next| self.level(side, next));
            let level = if all { levels.max() } else { levels.min() };
            // Without a quiet move nothing is left to refute, and nothing to find.
            level.map_or(if all { 0 } else { UNKNOWN }, |level| {
                level.saturating_add(1)
            })
        };
        let level = if !self.chooses(side, number) {
            after(&mut self.ending.after(number).into_iter(), true)
        } else if self.captures(side, number) {
            0
        } else {
            let wins = self.wins(side, number);
            let moves = self.ending.after(number).into_iter();
            after(
                &mut moves.filter(|&next| self.wins(side, next) == wins),
                false,
            )
        };
        if level <= self.depth { level } else { UNKNOWN }
    }

    /// The questions whose answers make up the value of a position.
    fn questions(&self, number: Number) -> &'static [Color] {
        const RED: &[Color] = &[Color::Red];
        const BLACK: &[Color] = &[Color::Black];
        match (self.ending.value(number), turn(number)) {
            (Wdl::Draw, _) => &Color::ALL,
            (Wdl::Win, Color::Red) | (Wdl::Loss, Color::Black) => RED,
            (Wdl::Win, Color::Black) | (Wdl::Loss, Color::Red) => BLACK,
        }
    }

    /// Whether the search finds the value of a position.
    pub(super) fn is_answered(&self, number: Number) -> bool {
        let mut questions = self.questions(number).iter();
        questions.all(|&side| self.level(side, number) != UNKNOWN)
    }

    /// Stores the answer of a position, and returns how many positions are answered that were not.
    pub(super) fn store(&mut self, number: Number) -> u64 {
        let mut answered = u64::from(!self.is_answered(number));
        self.stored[number as usize] = true;
        let mut queue = VecDeque::new();
        for side in Color::ALL {
            if self.level(side, number) > 0 {
                self.levels[side.index()][number as usize] = 0;
                queue.push_back((side, number));
            }
        }
        while let Some((side, from)) = queue.pop_front() {
            if self.level(side, from) >= self.depth {
                continue;
            }
            for before in self.ending.before(from) {
                let old = self.level(side, before);
                if old <= self.level(side, from) + 1 {
                    continue;
                }
                let new = self.derived(side, before);
                if new < old {
                    let was_answered = self.is_answered(before);
                    self.levels[side.index()][before as usize] = new;
                    answered += u64::from(!was_answered && self.is_answered(before));
                    queue.push_back((side, before));
                }
            }
        }
        answered
    }

    /// Whether the answer of a position is stored.
    pub(super) fn is_stored(&self, number: Number) -> bool {
        self.stored[number as usize]
    }

    /// Counts how often each position is met in the proofs of all answers.
    ///
    /// A proof follows one move where one suffices, and all moves where all must be refuted, down to
    /// the positions that need no depth.
    pub(super) fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0_u32; self.ending.len() as usize];
        for side in Color::ALL {
            let mut flow = vec![0_u32; self.ending.len() as usize];
            for number in self.ending.numbers() {
                if self.is_answered(number) && self.questions(number).contains(&side) {
                    flow[number as usize] = 1;
                }
            }
            for level in (1..=self.depth).rev() {
                for number in 0..self.ending.len() {
                    let weight = flow[number as usize];
                    if weight > 0 && self.level(side, number) == level {
                        self.pass_on(side, number, weight, &mut flow);
                    }
                }
            }
            for (uses, weight) in uses.iter_mut().zip(flow) {
                *uses = uses.saturating_add(weight);
            }
        }
        uses
    }

    /// Counts the proof of a position for those a move away that it rests on.
    fn pass_on(&self, side: Color, number: Number, weight: u32, flow: &mut [u32]) {
        let level = self.level(side, number);
        let wins = self.wins(side, number);
        let one = self.chooses(side, number);
        for next in self.ending.after(number) {
            let rests = !one
                || self.wins(side, next) == wins
                    && self.level(side, next).saturating_add(1) == level;
            if rests {
                let met = &mut flow[next as usize];
                *met = met.saturating_add(weight);
                if one {
                    return;
                }
            }
        }
    }
}
