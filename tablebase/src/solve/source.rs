//! Where solved planes come from: memory, or a few blocks at a time from disk.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use anqi_rules::Color;

use super::distance::{Distance, Distances};
use super::solved::{NEVER, Solved, Wide, wide};
use super::wdl::Wdl;
use crate::numbering::{BLOCK, Block, Layout, bit};

/// Some blocks of a solved unit, for one side to move.
#[derive(Debug)]
pub struct Window<'a> {
    /// The first block; addresses are counted from here.
    pub first: usize,
    /// The positions that the side to move wins; impossible placements count as won.
    pub win: Cow<'a, [Block]>,
    /// The positions that it loses.
    pub loss: Cow<'a, [Block]>,
    /// The positions that some capture wins.
    pub captures: Option<Cow<'a, [Block]>>,
    /// Plies to the next capture or the end.
    pub dtc: Option<DistanceWindow<'a>>,
    /// Plies to the end.
    pub dtw: Option<Cow<'a, [Wide]>>,
}

/// The distances of a window.
#[derive(Debug)]
pub struct DistanceWindow<'a> {
    distances: Cow<'a, Distances>,
    /// The address in `distances` of the window's first position.
    base: u64,
}

impl DistanceWindow<'_> {
    /// Returns the distance at an address counted from the window's start; 0 where there is none.
    #[inline]
    pub fn get(&self, address: u64) -> u16 {
        self.distances.get(self.base + address)
    }
}

impl From<Distances> for DistanceWindow<'_> {
    fn from(distances: Distances) -> Self {
        DistanceWindow {
            distances: Cow::Owned(distances),
            base: 0,
        }
    }
}

impl Window<'_> {
    /// Returns the address of the window's first position.
    pub fn base(&self) -> u64 {
        self.first as u64 * BLOCK
    }

    /// Returns the value at an address counted from the window's start.
    pub fn wdl(&self, address: u64) -> Wdl {
        match (bit(&self.win, address), bit(&self.loss, address)) {
            (true, _) => Wdl::Win,
            (false, true) => Wdl::Loss,
            (false, false) => Wdl::Draw,
        }
    }

    /// Returns the plies to the next capture at an address counted from the window's start.
    pub fn dtc(&self, address: u64) -> Option<u16> {
        Some(self.dtc.as_ref()?.get(address))
    }

    /// Returns the plies to the end at an address counted from the window's start.
    pub fn dtw(&self, address: u64) -> Option<u16> {
        let ends = self.dtw.as_ref()?;
        Some(wide(ends, address)).filter(|&plies| plies != NEVER)
    }
}

/// A solved unit, wherever it is kept.
pub trait SolvedPlanes: Sync {
    /// Returns the numbering.
    fn layout(&self) -> &Layout;

    /// Returns some blocks for one side to move.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be read.
    fn window(&self, turn: Color, blocks: Range<usize>) -> io::Result<Window<'_>>;

    /// Returns the greatest distance of a kind, if distances of this kind are known.
    fn longest(&self, kind: Distance) -> Option<u16>;
}

impl SolvedPlanes for Solved {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn window(&self, turn: Color, blocks: Range<usize>) -> io::Result<Window<'_>> {
        let side = turn.index();
        Ok(Window {
            first: blocks.start,
            win: self.win[side][blocks.clone()].into(),
            loss: self.loss[side][blocks.clone()].into(),
            captures: self
                .captures
                .as_ref()
                .map(|sides| sides[side][blocks.clone()].into()),
            dtc: self.dtc.as_ref().map(|sides| DistanceWindow {
                distances: Cow::Borrowed(&sides[side]),
                base: blocks.start as u64 * BLOCK,
            }),
            dtw: self.dtw.as_ref().map(|sides| sides[side][blocks].into()),
        })
    }

    fn longest(&self, kind: Distance) -> Option<u16> {
        match kind {
            Distance::ToCapture => self.dtc.as_ref().map(|_| self.longest as u16),
            Distance::ToEnd => self.longest_to_end(),
        }
    }
}
