//! The passes over the planes of one chain.
//!
//! Each block has one writer, and what it reads is not written at the same
//! time: the result is the same with any number of threads. Only the dirty
//! marks, which say what a later pass must examine, are shared.
//!
//! A pass works on a window of blocks that begins at `first`; the plane that it
//! looks up (`open` or `lost`) is always whole.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use anqi_rules::Color;

use super::capture::{CaptureOutcomes, Captures, Outer};
use super::children::Children;
use super::distance::{DistanceSlices, chunks_of};
use super::moves::Mover;
use super::view::View;
use crate::numbering::{Block, Layout};
use crate::parallel;

/// Blocks that one task works on.
const CHUNK: usize = 64;

/// One chain's passes, and the marks of what they must examine.
pub(super) struct Passes<'a> {
    layout: &'a Layout,
    winner: Mover<'a>,
    loser: Mover<'a>,
    /// Blocks whose `open` positions must be examined, because `lost` changed near them.
    open_dirty: Vec<AtomicU8>,
    /// Blocks whose `hopeful` positions must be examined, because `open` changed near them.
    hopeful_dirty: Vec<AtomicU8>,
    /// Blocks in which the pass under way found something.
    fresh: Vec<AtomicU8>,
}

fn marks(len: usize, value: u8) -> Vec<AtomicU8> {
    (0..len).map(|_| AtomicU8::new(value)).collect()
}

fn any(marks: &[AtomicU8]) -> bool {
    marks.iter().any(|mark| mark.load(Ordering::Relaxed) != 0)
}

fn take(mark: &AtomicU8) -> bool {
    let was = mark.load(Ordering::Relaxed) != 0;
    if was {
        mark.store(0, Ordering::Relaxed);
    }
    was
}

/// What the captures alone decide, for some blocks.
pub(super) struct AfterCaptures<'a> {
    pub(super) open: &'a mut [Block],
    /// Winning captures.
    pub(super) wins: &'a mut [Block],
    /// The loser has no capture that saves it.
    pub(super) hopeful: &'a mut [Block],
    /// The loser has some capture.
    pub(super) armed: &'a mut [Block],
}

impl<'a> Passes<'a> {
    /// Prepares the chain of `winner`.
    pub(super) fn new(layout: &'a Layout, winner: Color) -> Passes<'a> {
        Passes {
            layout,
            winner: Mover::new(layout, winner),
            loser: Mover::new(layout, !winner),
            open_dirty: marks(layout.blocks, 0),
            hopeful_dirty: marks(layout.blocks, 0),
            fresh: marks(layout.blocks, 0),
        }
    }
}

impl Passes<'_> {
    /// Whether any of these blocks' `open` positions must be examined.
    pub(super) fn open_is_dirty(&self, blocks: Range<usize>) -> bool {
        any(&self.open_dirty[blocks])
    }

    /// Whether any of these blocks' `hopeful` positions must be examined.
    pub(super) fn hopeful_is_dirty(&self, blocks: Range<usize>) -> bool {
        any(&self.hopeful_dirty[blocks])
    }

    /// Whether losses of any of these blocks are held back.
    pub(super) fn has_fresh(&self, blocks: Range<usize>) -> bool {
        any(&self.fresh[blocks])
    }

    pub(super) fn views(&self, winner: Color, children: &Children) -> Vec<View> {
        let parts = 0..self.layout.parts.len();
        parts
            .map(|part| View::new(self.layout, part, winner, children))
            .collect()
    }

    /// Works out the captures of the blocks from `first` on.
    pub(super) fn captures(
        &self,
        winner: Color,
        views: &[View],
        first: usize,
        start: AfterCaptures<'_>,
    ) {
        let layout = self.layout;
        let attacks = Captures::new(layout, views, winner);
        let defences = Captures::new(layout, views, !winner);
        let AfterCaptures {
            open,
            wins,
            hopeful,
            armed,
        } = start;
        let tasks: Vec<_> = open
            .chunks_mut(CHUNK)
            .zip(wins.chunks_mut(CHUNK))
            .zip(hopeful.chunks_mut(CHUNK))
            .zip(armed.chunks_mut(CHUNK))
            .enumerate()
            .collect();
        parallel::for_each(tasks, |(chunk, (((open, wins), hopeful), armed))| {
            for i in 0..open.len() {
                let outer = Outer::of(layout, first + chunk * CHUNK + i);
                if outer.clash {
                    // A window may hold old contents.
                    (open[i], wins[i]) = (Block::EMPTY, Block::EMPTY);
                    (hopeful[i], armed[i]) = (Block::EMPTY, Block::EMPTY);
                    continue;
                }
                let possible = Block::possible(outer.occupied);
                let mut attack = CaptureOutcomes::new(views, false);
                attacks.of_block(&outer, &mut attack);
                let mut defence = CaptureOutcomes::new(views, true);
                defences.of_block(&outer, &mut defence);
                open[i] = possible;
                wins[i] = possible.and(&attack.hit);
                hopeful[i] = possible.and_not(&defence.hit);
                armed[i] = possible.and(&defence.any);
            }
        });
    }

    /// Whether some block's `open` positions must be examined.
    pub(super) fn is_unsettled(&self) -> bool {
        any(&self.open_dirty)
    }

    /// Rounds 0 and 1 of the loser: no move at all, or only captures that lose.
    pub(super) fn first_losses(
        &self,
        first: usize,
        open: &[Block],
        hopeful: &mut [Block],
        lost: &mut [Block],
        pending: &mut [Block],
        distances: Option<DistanceSlices<'_>>,
    ) {
        let distances = chunks_of(distances, hopeful.len().div_ceil(CHUNK), CHUNK);
        let tasks: Vec<_> = hopeful
            .chunks_mut(CHUNK)
            .zip(lost.chunks_mut(CHUNK))
            .zip(pending.chunks_mut(CHUNK))
            .zip(distances)
            .enumerate()
            .collect();
        parallel::for_each(
            tasks,
            |(chunk, (((hopeful, lost), pending), mut distances))| {
                for i in 0..hopeful.len() {
                    let block = first + chunk * CHUNK + i;
                    let armed = std::mem::replace(&mut pending[i], Block::EMPTY);
                    if hopeful[i].is_empty() {
                        continue;
                    }
                    let codes = self.layout.outer_codes(block);
                    let moves = self.loser.reach(open, block, &codes, &hopeful[i]);
                    let stuck = hopeful[i].and_not(&moves);
                    if stuck.is_empty() {
                        continue;
                    }
                    hopeful[i] = hopeful[i].and_not(&stuck);
                    lost[i] = stuck.and_not(&armed);
                    pending[i] = stuck.and(&armed);
                    self.fresh[block].store(1, Ordering::Relaxed);
                    self.open_dirty[block].store(1, Ordering::Relaxed);
                    if let Some(distances) = &mut distances {
                        distances.note(i, &pending[i]);
                    }
                }
            },
        );
    }

    /// Round 1 of the winner: captures that win, and moves into positions without a move.
    pub(super) fn first_wins(
        &self,
        first: usize,
        open: &mut [Block],
        wins: &[Block],
        lost: &[Block],
        distances: Option<DistanceSlices<'_>>,
    ) -> bool {
        // Every block's captures must be examined, and all marks made so far cleared.
        self.sweep_open(first, open, lost, distances, |block| {
            self.open_dirty[block].store(0, Ordering::Relaxed);
            Some(&wins[block - first])
        })
    }

    pub(super) fn wins(
        &self,
        first: usize,
        open: &mut [Block],
        lost: &[Block],
        distances: Option<DistanceSlices<'_>>,
    ) -> bool {
        self.sweep_open(first, open, lost, distances, |block| {
            take(&self.open_dirty[block]).then_some(&Block::EMPTY)
        })
    }

    /// Finds wins in the blocks for which `seeds` returns some wins to start with.
    fn sweep_open<'s>(
        &self,
        first: usize,
        open: &mut [Block],
        lost: &[Block],
        distances: Option<DistanceSlices<'_>>,
        seeds: impl Fn(usize) -> Option<&'s Block> + Sync + Send,
    ) -> bool {
        let found = AtomicBool::new(false);
        let distances = chunks_of(distances, open.len().div_ceil(CHUNK), CHUNK);
        let tasks: Vec<_> = open.chunks_mut(CHUNK).zip(distances).enumerate().collect();
        parallel::for_each(tasks, |(chunk, (open, mut distances))| {
            for (i, open) in open.iter_mut().enumerate() {
                let block = first + chunk * CHUNK + i;
                let Some(seeds) = seeds(block) else { continue };
                if open.is_empty() {
                    continue;
                }
                let codes = self.layout.outer_codes(block);
                let mut fresh = self.winner.reach(lost, block, &codes, open);
                fresh.add(seeds);
                let fresh = fresh.and(open);
                if fresh.is_empty() {
                    continue;
                }
                *open = open.and_not(&fresh);
                if let Some(distances) = &mut distances {
                    distances.note(i, &fresh);
                }
                found.store(true, Ordering::Relaxed);
                self.mark(&self.hopeful_dirty, &self.loser, block, &codes);
            }
        });
        found.into_inner()
    }

    /// Finds losses and puts them into `pending`.
    pub(super) fn losses(
        &self,
        first: usize,
        open: &[Block],
        hopeful: &mut [Block],
        pending: &mut [Block],
        distances: Option<DistanceSlices<'_>>,
    ) -> bool {
        let found = AtomicBool::new(false);
        let distances = chunks_of(distances, hopeful.len().div_ceil(CHUNK), CHUNK);
        let tasks: Vec<_> = hopeful
            .chunks_mut(CHUNK)
            .zip(pending.chunks_mut(CHUNK))
            .zip(distances)
            .enumerate()
            .collect();
        parallel::for_each(tasks, |(chunk, ((hopeful, pending), mut distances))| {
            for (i, hopeful) in hopeful.iter_mut().enumerate() {
                let block = first + chunk * CHUNK + i;
                if !take(&self.hopeful_dirty[block]) || hopeful.is_empty() {
                    continue;
                }
                let codes = self.layout.outer_codes(block);
                let moves = self.loser.reach(open, block, &codes, hopeful);
                let fresh = hopeful.and_not(&moves);
                if fresh.is_empty() {
                    continue;
                }
                *hopeful = hopeful.and_not(&fresh);
                pending[i] = fresh;
                self.fresh[block].store(1, Ordering::Relaxed);
                if let Some(distances) = &mut distances {
                    distances.note(i, &fresh);
                }
                found.store(true, Ordering::Relaxed);
            }
        });
        found.into_inner()
    }

    /// Makes the losses held back visible, and marks what they may concern.
    pub(super) fn commit(&self, first: usize, pending: &[Block], lost: &mut [Block]) {
        let tasks: Vec<_> = lost.chunks_mut(CHUNK).enumerate().collect();
        parallel::for_each(tasks, |(chunk, lost)| {
            for (i, lost) in lost.iter_mut().enumerate() {
                let block = first + chunk * CHUNK + i;
                if take(&self.fresh[block]) {
                    lost.add(&pending[block - first]);
                    let codes = self.layout.outer_codes(block);
                    self.mark(&self.open_dirty, &self.winner, block, &codes);
                }
            }
        });
    }

    /// Marks a block and the blocks from which `mover` can move into it.
    #[inline]
    fn mark(&self, marks: &[AtomicU8], mover: &Mover<'_>, block: usize, codes: &[u32]) {
        marks[block].store(1, Ordering::Relaxed);
        mover.sources(block, codes, |source| {
            marks[source].store(1, Ordering::Relaxed);
        });
    }
}
