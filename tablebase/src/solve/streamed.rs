//! Solving with one bitmap in memory and everything else on disk.
//!
//! The rounds and passes are those that solve in memory, so the result is the
//! same bit for bit.

use std::io;
use std::ops::Range;
use std::path::Path;

use anqi_rules::Color;

use super::disk::{Disk, DiskPlane};
use super::distance::Bits;
use super::driver::{Chain, DistancePlanes, Rounds, chain};
use super::{
    Children, DiskError, DiskGoal, Distance, Distances, SolvedPlanes, Window, distance_planes, won,
};
use crate::classes::Unit;
use crate::numbering::{Block, Layout};

/// A unit solved on disk.
pub struct StreamedUnit<'d> {
    layout: Layout,
    chains: [Chain<Disk<'d>>; 2],
    distances: Option<[DistancePlanes<Disk<'d>>; 2]>,
}

/// Solves a unit with its planes in nameless files in the folder `dir`.
///
/// # Errors
///
/// Fails if the disk does, or if a distance is too long.
pub fn solve_on_disk<'d>(
    unit: &'static Unit,
    children: &Children,
    goal: DiskGoal,
    dir: &'d Path,
) -> Result<StreamedUnit<'d>, DiskError> {
    let (layout, disk) = (Layout::new(unit), Disk(dir));
    let mut distances = match goal {
        DiskGoal::Values => None,
        DiskGoal::Distances => Some(distance_planes(&disk, layout.blocks)?),
    };
    let [red, black] = Color::ALL.map(|winner| {
        let distances = distances.as_mut();
        chain(&disk, &layout, winner, children, distances, Rounds::ALL)
    });
    Ok(StreamedUnit {
        chains: [red?, black?],
        layout,
        distances,
    })
}

impl DistancePlanes<Disk<'_>> {
    fn read(&self, blocks: &Range<usize>) -> io::Result<Distances> {
        let bits = |plane: &DiskPlane| plane.read::<Bits>(blocks.clone());
        let high = self.high.as_ref().map(bits).transpose()?;
        Ok(Distances::from_bits(&bits(&self.low)?, high.as_deref()))
    }
}

impl SolvedPlanes for StreamedUnit<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn window(&self, turn: Color, blocks: Range<usize>) -> io::Result<Window<'_>> {
        let planes = |side: Color| &self.chains[side.index()].planes;
        let (own, other) = (planes(turn), planes(!turn));
        let distances = self.distances.as_ref();
        let dtc = distances.map(|sides| sides[turn.index()].read(&blocks));
        Ok(Window {
            first: blocks.start,
            win: won(own.open.read(blocks.clone())?).into(),
            loss: other.lost.read::<Block>(blocks.clone())?.into(),
            captures: Some(own.wins.read::<Block>(blocks)?.into()),
            dtc: dtc.transpose()?.map(Into::into),
            dtw: None,
        })
    }

    fn longest(&self, kind: Distance) -> Option<u16> {
        let longest = self.chains.iter().map(|chain| chain.longest).max();
        match kind {
            Distance::ToCapture => longest.map(|plies| plies as u16),
            Distance::ToEnd => None,
        }
    }
}
