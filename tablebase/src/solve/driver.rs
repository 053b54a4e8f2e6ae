//! The retrograde iteration for the wins of one side.
//!
//! The positions that one side (the *winner*) wins depend only on each other:
//! those with the winner to move on those with the loser to move, and back. So
//! a unit is solved as two independent chains. The state of a chain is
//!
//! - `open`: the winner is to move and is not known to win;
//! - `lost`: the loser is to move and is known to lose;
//! - `hopeful`: the loser is to move, is not known to lose, and cannot save
//!   itself by a capture.
//!
//! Impossible placements are clear in all three, so no move needs a check. Both
//! rules take the same form, a union over quiet moves:
//!
//! - a position leaves `open` when a quiet move leads into `lost`;
//! - a position moves from `hopeful` to `lost` when no quiet move leads into `open`.
//!
//! Captures enter once, at the start. The distance to the next capture counts
//! rounds: round `d` may only see what round `d - 1` has left. The losing rule
//! reads `open` and the winning rule reads `lost`, so one extra plane, which
//! holds back the round's new losses, keeps rounds apart. Without distances
//! rounds may run into each other and about half as many suffice.
//!
//! Each block has one writer and what it reads is not written at the same
//! time: the result is the same with any number of threads. Only the dirty
//! marks, which say what a later pass must look at, are shared.

#[cfg(feature = "os")]
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use anqi_rules::Color;

use super::Children;
use super::capture::{Captures, Found, Outer};
use super::moves::Mover;
use super::view::View;
use crate::numbering::{Block, Layout};
use crate::parallel;

/// Bit planes of a distance below 256 for each position of a block.
pub type Depths = [Block; 8];

/// A distance has outgrown the eight bits that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a distance of more than 255 plies does not fit the table format")]
pub struct DistanceOverflow;

/// Blocks that one task works on.
const CHUNK: usize = 64;

/// The finished chain of one winner.
pub struct Chain {
    /// The winner is to move and does not win.
    pub open: Vec<Block>,
    /// The loser is to move and loses.
    pub lost: Vec<Block>,
    /// The winner is to move and wins by a capture at once.
    pub wins: Vec<Block>,
    /// The last round that found anything.
    pub longest: u32,
}

/// Depth planes for both sides to move, if distances are wanted.
pub type DepthPlanes = Option<[Vec<Depths>; 2]>;

pub(crate) struct Work<'a> {
    layout: &'a Layout,
    winner: Mover<'a>,
    loser: Mover<'a>,
    /// Blocks whose `open` positions must be looked at, because `lost` changed near them.
    open_dirty: Vec<AtomicU8>,
    /// Blocks whose `hopeful` positions must be looked at, because `open` changed near them.
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

/// Writes a round's number into the depth planes of its new positions.
#[inline]
fn note_depth(depths: &mut Depths, fresh: &Block, round: u32) {
    for (i, plane) in depths.iter_mut().enumerate() {
        if round >> i & 1 != 0 {
            plane.add(fresh);
        }
    }
}

/// The depth planes of a chunk, or nothing for each chunk if distances are not wanted.
fn depth_chunks(planes: Option<&mut [Depths]>, chunks: usize) -> Vec<Option<&mut [Depths]>> {
    match planes {
        Some(planes) => planes.chunks_mut(CHUNK).map(Some).collect(),
        None => (0..chunks).map(|_| None).collect(),
    }
}

/// Solves the chain of `winner`; rounds are written to `depths` if there are planes, and what
/// would need more than `last_round` of them is left undecided.
///
/// # Errors
///
/// Fails if a distance does not fit its planes.
pub fn solve(
    layout: &Layout,
    winner: Color,
    children: &Children,
    depths: &mut DepthPlanes,
    last_round: u32,
) -> Result<Chain, DistanceOverflow> {
    let work = Work::new(layout, winner);
    let (of_winner, of_loser) = match depths {
        Some([red, black]) if winner == Color::Red => (Some(&mut red[..]), Some(&mut black[..])),
        Some([red, black]) => (Some(&mut black[..]), Some(&mut red[..])),
        None => (None, None),
    };
    let mut start = Start::blank(layout.blocks);
    let views = work.views(winner, children);
    work.captures(winner, &views, 0, &mut start);
    drop(views);
    work.iterate(start, of_winner, of_loser, last_round)
}

/// What the captures alone decide.
pub(crate) struct Start {
    pub(crate) open: Vec<Block>,
    /// Winning captures.
    pub(crate) wins: Vec<Block>,
    /// The loser has no capture that saves it.
    pub(crate) hopeful: Vec<Block>,
    /// The loser has some capture.
    pub(crate) armed: Vec<Block>,
}

impl Start {
    /// Planes of so many blocks.
    pub(crate) fn blank(blocks: usize) -> Start {
        let blank = || vec![Block::EMPTY; blocks];
        Start {
            open: blank(),
            wins: blank(),
            hopeful: blank(),
            armed: blank(),
        }
    }
}

impl<'a> Work<'a> {
    /// Prepares the chain of `winner`.
    pub(crate) fn new(layout: &'a Layout, winner: Color) -> Work<'a> {
        Work {
            layout,
            winner: Mover::new(layout, winner),
            loser: Mover::new(layout, !winner),
            open_dirty: marks(layout.blocks, 0),
            hopeful_dirty: marks(layout.blocks, 0),
            fresh: marks(layout.blocks, 0),
        }
    }
}

impl Work<'_> {
    /// Whether any of these blocks' `open` positions must be looked at.
    #[cfg(feature = "os")]
    pub(crate) fn open_is_dirty(&self, blocks: Range<usize>) -> bool {
        any(&self.open_dirty[blocks])
    }

    /// Whether any of these blocks' `hopeful` positions must be looked at.
    #[cfg(feature = "os")]
    pub(crate) fn hopeful_is_dirty(&self, blocks: Range<usize>) -> bool {
        any(&self.hopeful_dirty[blocks])
    }

    /// Whether losses of any of these blocks are held back.
    #[cfg(feature = "os")]
    pub(crate) fn has_fresh(&self, blocks: Range<usize>) -> bool {
        any(&self.fresh[blocks])
    }

    pub(crate) fn views(&self, winner: Color, children: &Children) -> Vec<View> {
        let parts = 0..self.layout.parts.len();
        parts
            .map(|part| View::new(self.layout, part, winner, children))
            .collect()
    }

    /// Works out the captures of the blocks from `first` on.
    pub(crate) fn captures(&self, winner: Color, views: &[View], first: usize, start: &mut Start) {
        let layout = self.layout;
        let attacks = Captures::new(layout, views, winner);
        let defences = Captures::new(layout, views, !winner);
        let tasks: Vec<_> = start
            .open
            .chunks_mut(CHUNK)
            .zip(start.wins.chunks_mut(CHUNK))
            .zip(start.hopeful.chunks_mut(CHUNK))
            .zip(start.armed.chunks_mut(CHUNK))
            .enumerate()
            .collect();
        parallel::for_each(tasks, |(chunk, (((open, wins), hopeful), armed))| {
            for i in 0..open.len() {
                let outer = Outer::of(layout, first + chunk * CHUNK + i);
                if outer.clash {
                    // A window may hold what was there before.
                    (open[i], wins[i]) = (Block::EMPTY, Block::EMPTY);
                    (hopeful[i], armed[i]) = (Block::EMPTY, Block::EMPTY);
                    continue;
                }
                let possible = Block::possible(outer.occupied);
                let mut attack = Found::new(views, false);
                attacks.of_block(&outer, &mut attack);
                let mut defence = Found::new(views, true);
                defences.of_block(&outer, &mut defence);
                open[i] = possible;
                wins[i] = possible.and(&attack.hit);
                hopeful[i] = possible.and_not(&defence.hit);
                armed[i] = possible.and(&defence.any);
            }
        });
    }

    /// Whether some block's `open` positions must be looked at.
    pub(crate) fn is_unsettled(&self) -> bool {
        any(&self.open_dirty)
    }

    fn iterate(
        &self,
        start: Start,
        mut of_winner: Option<&mut [Depths]>,
        mut of_loser: Option<&mut [Depths]>,
        last_round: u32,
    ) -> Result<Chain, DistanceOverflow> {
        let Start {
            mut open,
            wins,
            mut hopeful,
            armed,
        } = start;
        let exact = of_winner.is_some();
        let mut lost = vec![Block::EMPTY; self.layout.blocks];
        let mut pending = armed;
        self.first_losses(
            0,
            &open,
            &mut hopeful,
            &mut lost,
            &mut pending,
            of_loser.as_deref_mut(),
        );
        let mut found = self.first_wins(0, &mut open, &wins, &lost, of_winner.as_deref_mut());
        self.commit(0, &pending, &mut lost);
        let mut longest = 0;
        let mut round = 1;
        while found || self.is_unsettled() {
            longest = round;
            if round >= last_round {
                break;
            }
            round += 1;
            if exact && round > 255 {
                return Err(DistanceOverflow);
            }
            let lost_found = self.losses(
                0,
                round,
                &open,
                &mut hopeful,
                &mut pending,
                of_loser.as_deref_mut(),
            );
            if !exact {
                self.commit(0, &pending, &mut lost);
            }
            let win_found = self.wins(0, round, &mut open, &lost, of_winner.as_deref_mut());
            if exact {
                self.commit(0, &pending, &mut lost);
            }
            found = lost_found || win_found;
        }
        Ok(Chain {
            open,
            lost,
            wins,
            longest,
        })
    }

    /// Rounds 0 and 1 of the loser: no move at all, or only captures that lose.
    pub(crate) fn first_losses(
        &self,
        first: usize,
        open: &[Block],
        hopeful: &mut [Block],
        lost: &mut [Block],
        pending: &mut [Block],
        depths: Option<&mut [Depths]>,
    ) {
        let depths = depth_chunks(depths, hopeful.len().div_ceil(CHUNK));
        let tasks: Vec<_> = hopeful
            .chunks_mut(CHUNK)
            .zip(lost.chunks_mut(CHUNK))
            .zip(pending.chunks_mut(CHUNK))
            .zip(depths)
            .enumerate()
            .collect();
        parallel::for_each(
            tasks,
            |(chunk, (((hopeful, lost), pending), mut depths))| {
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
                    if let Some(depths) = &mut depths {
                        note_depth(&mut depths[i], &pending[i], 1);
                    }
                }
            },
        );
    }

    /// Round 1 of the winner: captures that win, and moves into positions without a move.
    pub(crate) fn first_wins(
        &self,
        first: usize,
        open: &mut [Block],
        wins: &[Block],
        lost: &[Block],
        depths: Option<&mut [Depths]>,
    ) -> bool {
        // Every block's captures must be looked at, and none of the marks made so far may stay.
        self.sweep_open(first, 1, open, lost, depths, |block| {
            self.open_dirty[block].store(0, Ordering::Relaxed);
            Some(&wins[block - first])
        })
    }

    pub(crate) fn wins(
        &self,
        first: usize,
        round: u32,
        open: &mut [Block],
        lost: &[Block],
        depths: Option<&mut [Depths]>,
    ) -> bool {
        self.sweep_open(first, round, open, lost, depths, |block| {
            take(&self.open_dirty[block]).then_some(&Block::EMPTY)
        })
    }

    /// Finds wins in the blocks for which `seeds` returns some wins to start with.
    fn sweep_open<'s>(
        &self,
        first: usize,
        round: u32,
        open: &mut [Block],
        lost: &[Block],
        depths: Option<&mut [Depths]>,
        seeds: impl Fn(usize) -> Option<&'s Block> + Sync + Send,
    ) -> bool {
        let found = AtomicBool::new(false);
        let depths = depth_chunks(depths, open.len().div_ceil(CHUNK));
        let tasks: Vec<_> = open.chunks_mut(CHUNK).zip(depths).enumerate().collect();
        parallel::for_each(tasks, |(chunk, (open, mut depths))| {
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
                if let Some(depths) = &mut depths {
                    note_depth(&mut depths[i], &fresh, round);
                }
                found.store(true, Ordering::Relaxed);
                self.mark(&self.hopeful_dirty, &self.loser, block, &codes);
            }
        });
        found.into_inner()
    }

    /// Finds losses and puts them into `pending`.
    pub(crate) fn losses(
        &self,
        first: usize,
        round: u32,
        open: &[Block],
        hopeful: &mut [Block],
        pending: &mut [Block],
        depths: Option<&mut [Depths]>,
    ) -> bool {
        let found = AtomicBool::new(false);
        let depths = depth_chunks(depths, hopeful.len().div_ceil(CHUNK));
        let tasks: Vec<_> = hopeful
            .chunks_mut(CHUNK)
            .zip(pending.chunks_mut(CHUNK))
            .zip(depths)
            .enumerate()
            .collect();
        parallel::for_each(tasks, |(chunk, ((hopeful, pending), mut depths))| {
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
                if let Some(depths) = &mut depths {
                    note_depth(&mut depths[i], &fresh, round);
                }
                found.store(true, Ordering::Relaxed);
            }
        });
        found.into_inner()
    }

    /// Makes the losses held back visible, and marks what they may concern.
    pub(crate) fn commit(&self, first: usize, pending: &[Block], lost: &mut [Block]) {
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

    /// Marks a block and the blocks from which `mover` can come into it.
    #[inline]
    fn mark(&self, marks: &[AtomicU8], mover: &Mover<'_>, block: usize, codes: &[u32]) {
        marks[block].store(1, Ordering::Relaxed);
        mover.neighbours(block, codes, |next, _| {
            marks[next].store(1, Ordering::Relaxed);
            true
        });
    }
}
