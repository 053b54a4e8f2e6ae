//! All captures of one side, a block of 1,024 positions at a time.
//!
//! For each pair of a capturing part and its prey, the [`View`] of the loss gives
//! the outcomes as bits. What remains is geometry, which depends on which of the
//! two parts are lanes:
//!
//! | hunter | prey | for each | whole words come from |
//! |---|---|---|---|
//! | outer | outer | pair of squares | the view's block |
//! | lane A | outer | prey square | one bit of each word, spread over the squares A comes from |
//! | lane B | outer | prey square | the word with B there, to the words B comes from |
//! | outer | lane A | target square | one bit for each word |
//! | outer | lane B | target square | one word |
//! | lane A | lane B | word | one bit, spread |
//! | lane B | lane A | word | one word, masked |
//!
//! A cannon needs exactly one screen. Screens among the outer pieces are
//! counted; with one, the lanes must not stand between; with none, exactly one
//! of them must. Masks need not exclude impossible placements: the caller does.

use anqi_rules::Color;

use super::view::View;
use crate::numbering::{
    ADJACENT, ALIGNED, BETWEEN, Block, Layout, OuterCodes, jumps, rank, squares,
};

/// The captures of one side in a unit.
pub(super) struct Captures<'a> {
    layout: &'a Layout,
    views: &'a [View],
    /// Hunter and prey, as parts.
    pairs: Vec<(usize, usize)>,
}

/// Where the outer pieces of a block stand.
pub(super) struct Outer {
    /// The codes of the outer parts.
    pub codes: OuterCodes,
    sets: [u32; 8],
    /// All their squares; meaningless if `clash`.
    pub occupied: u32,
    /// Whether two of them share a square, so that nothing in the block is possible.
    pub clash: bool,
}

impl Outer {
    /// Computes the outer pieces of a block.
    #[inline]
    pub(super) fn of(layout: &Layout, block: usize) -> Outer {
        let codes = layout.outer_codes(block);
        let mut outer = Outer {
            codes,
            sets: [0; 8],
            occupied: 0,
            clash: false,
        };
        for (i, &code) in outer.codes.iter().enumerate() {
            let set = layout.codes(i + 2).sets[code as usize];
            outer.sets[i + 2] = set;
            outer.clash |= outer.occupied & set != 0;
            outer.occupied |= set;
        }
        outer
    }

    /// Returns the positions of the block that are possible.
    #[inline]
    pub(super) fn possible(&self) -> Block {
        if self.clash {
            Block::EMPTY
        } else {
            Block::possible(self.occupied)
        }
    }
}

/// The bit of a view's word that is the outcome of a capture.
#[derive(Clone, Copy)]
pub(super) enum OutcomeBit {
    /// For the position in bit `i`, bit `i`.
    Same,
    /// For all positions of the word, this bit.
    Bit(u32),
}

/// A receiver of captures.
///
/// A capture of a piece of part `lost` is possible in the positions `mask` of word `j` of the
/// block; its outcome is in a word of the view of `lost`.
pub(super) trait CaptureSink {
    /// Adds the captures of one word.
    fn note(&mut self, j: usize, mask: u32, lost: usize, word: usize, outcome: OutcomeBit);

    /// Adds the captures of all words, whose outcomes are 32 words of the view.
    #[inline]
    fn note_all(
        &mut self,
        mask: impl Fn(usize) -> u32,
        lost: usize,
        index: usize,
        outcome: OutcomeBit,
    ) {
        for j in 0..32 {
            self.note(j, mask(j), lost, index + j, outcome);
        }
    }
}

/// The values of the captures of a block, as bits.
pub(super) struct CaptureOutcomes<'a> {
    views: &'a [View],
    /// All ones if an outcome counts when its bit is clear.
    invert: u32,
    /// Some capture is possible.
    pub any: Block,
    /// Some capture has the wanted outcome.
    pub hit: Block,
}

impl<'a> CaptureOutcomes<'a> {
    /// Starts with no captures; with `invert`, an outcome counts if its bit is clear.
    #[inline]
    pub(super) fn new(views: &'a [View], invert: bool) -> CaptureOutcomes<'a> {
        let invert = if invert { !0 } else { 0 };
        CaptureOutcomes {
            views,
            invert,
            any: Block::EMPTY,
            hit: Block::EMPTY,
        }
    }

    #[inline]
    fn good(&self, word: u32, outcome: OutcomeBit) -> u32 {
        match outcome {
            OutcomeBit::Same => word ^ self.invert,
            OutcomeBit::Bit(bit) => ((word ^ self.invert) >> bit & 1).wrapping_neg(),
        }
    }
}

impl CaptureSink for CaptureOutcomes<'_> {
    #[inline]
    fn note(&mut self, j: usize, mask: u32, lost: usize, word: usize, outcome: OutcomeBit) {
        let good = self.good(self.views[lost].word(word), outcome);
        self.any.0[j] |= mask;
        self.hit.0[j] |= mask & good;
    }

    #[inline]
    fn note_all(
        &mut self,
        mask: impl Fn(usize) -> u32,
        lost: usize,
        index: usize,
        outcome: OutcomeBit,
    ) {
        let words = self.views[lost].words(index);
        for (j, &word) in words.iter().enumerate() {
            let (mask, good) = (mask(j), self.good(word, outcome));
            self.any.0[j] |= mask;
            self.hit.0[j] |= mask & good;
        }
    }
}

/// Which squares a lane may stand on for a jump over it or past it.
#[derive(Clone, Copy)]
enum Screen {
    /// The lanes must not stand between.
    Complete(u32),
    /// Exactly one lane must stand between.
    Missing(u32),
}

impl Screen {
    /// The screen for a line whose squares between are `way`, or `None` if no jump is possible.
    #[inline]
    fn of(way: u32, occupied: u32) -> Option<Screen> {
        match (way & occupied).count_ones() {
            0 if way != 0 => Some(Screen::Missing(way)),
            1 => Some(Screen::Complete(way)),
            _ => None,
        }
    }

    /// The squares of a single lane that make the jump possible.
    #[inline]
    fn one_lane(self) -> u32 {
        match self {
            Screen::Complete(way) => !way,
            Screen::Missing(way) => way,
        }
    }

    /// The squares of lane A that make the jump possible when lane B is on square `j`.
    #[inline]
    fn two_lanes(self, j: usize) -> u32 {
        match self {
            Screen::Complete(way) if way >> j & 1 != 0 => 0,
            Screen::Complete(way) => !way,
            Screen::Missing(way) if way >> j & 1 != 0 => !way,
            Screen::Missing(way) => way,
        }
    }
}

impl<'a> Captures<'a> {
    /// Prepares the captures of `hunters`.
    pub(super) fn new(layout: &'a Layout, views: &'a [View], hunters: Color) -> Captures<'a> {
        let parts = &layout.parts;
        let mut pairs = Vec::new();
        for hunter in 0..parts.len() {
            for prey in 0..parts.len() {
                let takes = layout
                    .unit
                    .graph
                    .takes(parts[hunter].group, parts[prey].group);
                if parts[hunter].color == hunters && takes {
                    pairs.push((hunter, prey));
                }
            }
        }
        Captures {
            layout,
            views,
            pairs,
        }
    }

    /// Collects the captures of one block.
    #[inline]
    pub(super) fn of_block(&self, outer: &Outer, sink: &mut impl CaptureSink) {
        for &(hunter, prey) in &self.pairs {
            match (hunter, prey) {
                (0, 1) => self.a_takes_b(outer, sink),
                (1, 0) => self.b_takes_a(outer, sink),
                (0, _) => self.a_takes_outer(outer, prey, sink),
                (1, _) => self.b_takes_outer(outer, prey, sink),
                (_, 0) => self.outer_takes_a(outer, hunter, sink),
                (_, 1) => self.outer_takes_b(outer, hunter, sink),
                _ => self.outer_takes_outer(outer, hunter, prey, sink),
            }
        }
    }

    fn jumps(&self, part: usize) -> bool {
        self.layout.parts[part].jumps
    }

    /// The index in the view of `lost` when outer part `changed` (if any) stands on `set` and one
    /// piece of `lost` has left square `t`.
    #[inline]
    fn index(&self, outer: &Outer, lost: usize, t: u32, changed: usize, set: u32) -> usize {
        let strides = &self.views[lost].strides;
        let mut index = 0;
        for (i, &code) in outer.codes.iter().enumerate() {
            let part = i + 2;
            let code = if part == changed {
                rank(set)
            } else if part == lost {
                rank(outer.sets[part] & !(1 << t))
            } else {
                code
            };
            index += code as usize * strides[part];
        }
        index
    }

    fn outer_takes_outer(
        &self,
        outer: &Outer,
        hunter: usize,
        prey: usize,
        sink: &mut impl CaptureSink,
    ) {
        for t in squares(outer.sets[prey]) {
            let reach = if self.jumps(hunter) {
                ALIGNED
            } else {
                ADJACENT
            }[t as usize];
            for s in squares(outer.sets[hunter] & reach) {
                let way = BETWEEN[s as usize][t as usize];
                let screen = if self.jumps(hunter) {
                    let Some(screen) = Screen::of(way, outer.occupied) else {
                        continue;
                    };
                    screen
                } else {
                    Screen::Complete(0)
                };
                let set = outer.sets[hunter] & !(1 << s) | 1 << t;
                let index = self.index(outer, prey, t, hunter, set);
                sink.note_all(|j| screen.two_lanes(j), prey, index, OutcomeBit::Same);
            }
        }
    }

    fn a_takes_outer(&self, outer: &Outer, prey: usize, sink: &mut impl CaptureSink) {
        for t in squares(outer.sets[prey]) {
            let index = self.index(outer, prey, t, 0, 0);
            if self.jumps(0) {
                let mut from = [jumps(t, outer.occupied); 32];
                for j in squares(ALIGNED[t as usize]) {
                    from[j as usize] = jumps(t, outer.occupied | 1 << j);
                }
                sink.note_all(|j| from[j], prey, index, OutcomeBit::Bit(t));
            } else {
                sink.note_all(|_| ADJACENT[t as usize], prey, index, OutcomeBit::Bit(t));
            }
        }
    }

    fn b_takes_outer(&self, outer: &Outer, prey: usize, sink: &mut impl CaptureSink) {
        for t in squares(outer.sets[prey]) {
            let word = self.index(outer, prey, t, 0, 0) + t as usize;
            if self.jumps(1) {
                for j in squares(ALIGNED[t as usize]) {
                    let way = BETWEEN[j as usize][t as usize];
                    if let Some(screen) = Screen::of(way, outer.occupied) {
                        sink.note(j as usize, screen.one_lane(), prey, word, OutcomeBit::Same);
                    }
                }
            } else {
                for j in squares(ADJACENT[t as usize]) {
                    sink.note(j as usize, !0, prey, word, OutcomeBit::Same);
                }
            }
        }
    }

    fn outer_takes_a(&self, outer: &Outer, hunter: usize, sink: &mut impl CaptureSink) {
        self.outer_takes_lane(outer, hunter, 0, |t, index, lane| {
            for j in squares(lane) {
                sink.note(j as usize, 1 << t, 0, index, OutcomeBit::Bit(j));
            }
        });
    }

    fn outer_takes_b(&self, outer: &Outer, hunter: usize, sink: &mut impl CaptureSink) {
        self.outer_takes_lane(outer, hunter, 1, |t, index, lane| {
            sink.note(t as usize, lane, 1, index, OutcomeBit::Same);
        });
    }

    /// Calls `take` with each target square, the index in the view of `lane`, and the squares on
    /// which the other lane must stand.
    #[inline]
    fn outer_takes_lane(
        &self,
        outer: &Outer,
        hunter: usize,
        lane: usize,
        mut take: impl FnMut(u32, usize, u32),
    ) {
        for s in squares(outer.sets[hunter]) {
            let reach = if self.jumps(hunter) {
                ALIGNED
            } else {
                ADJACENT
            }[s as usize];
            for t in squares(reach & !outer.occupied) {
                let other = if self.jumps(hunter) {
                    let way = BETWEEN[s as usize][t as usize];
                    let Some(screen) = Screen::of(way, outer.occupied) else {
                        continue;
                    };
                    screen.one_lane()
                } else {
                    !0
                };
                let set = outer.sets[hunter] & !(1 << s) | 1 << t;
                take(t, self.index(outer, lane, t, hunter, set), other);
            }
        }
    }

    fn a_takes_b(&self, outer: &Outer, sink: &mut impl CaptureSink) {
        let word = self.index(outer, 1, 0, 0, 0);
        for t in 0..32 {
            sink.note(
                t as usize,
                self.squares_around(0, t, outer),
                1,
                word,
                OutcomeBit::Bit(t),
            );
        }
    }

    fn b_takes_a(&self, outer: &Outer, sink: &mut impl CaptureSink) {
        let word = self.index(outer, 0, 0, 0, 0);
        for j in 0..32 {
            sink.note(
                j as usize,
                self.squares_around(1, j, outer),
                0,
                word,
                OutcomeBit::Same,
            );
        }
    }

    /// The squares from which a lane captures on square `t`, given only the outer pieces.
    #[inline]
    fn squares_around(&self, lane: usize, t: u32, outer: &Outer) -> u32 {
        if self.jumps(lane) {
            jumps(t, outer.occupied)
        } else {
            ADJACENT[t as usize]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_needs_exactly_one_screen() {
        let mut jumps = 0;
        for way in [0x0000_0002, 0x0000_0e00, 0x0101_0100, 0x00ff_0000] {
            let between = |square: u32| way >> square & 1;
            for (screen, wanted) in [(Screen::Complete(way), 0), (Screen::Missing(way), 1)] {
                for i in 0..32 {
                    let one = screen.one_lane() >> i & 1 != 0;
                    assert_eq!(one, between(i) == wanted, "{way:x} {i}");
                    for j in (0..32).filter(|&j| j != i) {
                        let two = screen.two_lanes(j as usize) >> i & 1 != 0;
                        assert_eq!(two, between(i) + between(j) == wanted, "{way:x} {i} {j}");
                        jumps += u32::from(two);
                    }
                }
            }
        }
        assert!(jumps > 1_000, "{jumps}");
    }
}
