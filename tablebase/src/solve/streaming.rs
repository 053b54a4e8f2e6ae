//! Solving with one bitmap in memory and everything else on disk.
//!
//! The retrograde iteration needs random access to one plane at a time: the
//! winning rule looks up `lost`, the losing rule looks up `open` (see
//! [`super::driver`]). That plane is loaded; all others are read and
//! written in order, some blocks at a time, as Wu and Beal do. Windows without
//! a dirty mark are not even read. The passes are those that solve in memory,
//! so the result is the same bit for bit.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use anqi_rules::Color;

use super::driver::{Depths, Start, Work};
use super::memory::WINDOW;
use super::solved::Bytes;
use super::{Children, DistanceOverflow, Goal, Source, Window, to_bytes};
use crate::classes::Unit;
use crate::numbering::{Block, Layout};

/// Why a unit cannot be solved by streaming.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The disk says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A distance is too long.
    #[error(transparent)]
    Distance(#[from] DistanceOverflow),
}

/// Something of a fixed size that planes are made of.
trait Cell: Copy + Send + Sync {
    const BYTES: usize;
    fn to_bytes(&self, out: &mut [u8]);
    fn from_bytes(bytes: &[u8]) -> Self;
}

impl Cell for Block {
    const BYTES: usize = 128;

    fn to_bytes(&self, out: &mut [u8]) {
        for (bytes, word) in out.chunks_exact_mut(4).zip(&self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn from_bytes(bytes: &[u8]) -> Block {
        Block(std::array::from_fn(|j| {
            u32::from_le_bytes([
                bytes[4 * j],
                bytes[4 * j + 1],
                bytes[4 * j + 2],
                bytes[4 * j + 3],
            ])
        }))
    }
}

impl Cell for Depths {
    const BYTES: usize = 1024;

    fn to_bytes(&self, out: &mut [u8]) {
        for (bytes, plane) in out.chunks_exact_mut(128).zip(self) {
            plane.to_bytes(bytes);
        }
    }

    fn from_bytes(bytes: &[u8]) -> Depths {
        std::array::from_fn(|i| Block::from_bytes(&bytes[128 * i..128 * (i + 1)]))
    }
}

/// A plane on disk. A new one is blank: what was never written reads as zeros.
///
/// Its file has no name, so nothing of it is left when the process ends, however it ends.
#[derive(Debug)]
struct Plane {
    file: File,
}

impl Plane {
    fn new<C: Cell>(dir: &Path, blocks: usize) -> io::Result<Plane> {
        let file = tempfile::tempfile_in(dir)?;
        file.set_len((blocks * C::BYTES) as u64)?;
        Ok(Plane { file })
    }

    fn read<C: Cell>(&self, blocks: Range<usize>) -> io::Result<Vec<C>> {
        let mut cells = Vec::with_capacity(blocks.len());
        let mut bytes = vec![0; WINDOW.min(blocks.len()) * C::BYTES];
        let mut at = blocks.start;
        while at < blocks.end {
            let len = WINDOW.min(blocks.end - at) * C::BYTES;
            read_at(&self.file, &mut bytes[..len], (at * C::BYTES) as u64)?;
            cells.extend(bytes[..len].chunks_exact(C::BYTES).map(C::from_bytes));
            at += WINDOW;
        }
        Ok(cells)
    }

    fn write<C: Cell>(&self, first: usize, cells: &[C]) -> io::Result<()> {
        let mut bytes = vec![0; cells.len() * C::BYTES];
        for (bytes, cell) in bytes.chunks_exact_mut(C::BYTES).zip(cells) {
            cell.to_bytes(bytes);
        }
        write_at(&self.file, &bytes, (first * C::BYTES) as u64)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(unix)]
fn write_at(file: &File, buffer: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, buffer, offset)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buffer)
}

#[cfg(not(unix))]
fn write_at(mut file: &File, buffer: &[u8], offset: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(buffer)
}

/// The planes of one chain.
#[derive(Debug)]
struct ChainPlanes {
    open: Plane,
    wins: Plane,
    hopeful: Plane,
    pending: Plane,
    lost: Plane,
}

impl ChainPlanes {
    fn new(dir: &Path, blocks: usize) -> io::Result<ChainPlanes> {
        let plane = || Plane::new::<Block>(dir, blocks);
        Ok(ChainPlanes {
            open: plane()?,
            wins: plane()?,
            hopeful: plane()?,
            pending: plane()?,
            lost: plane()?,
        })
    }
}

/// A unit solved on disk.
#[derive(Debug)]
pub struct StreamedUnit {
    layout: Layout,
    chains: [ChainPlanes; 2],
    depths: Option<[Plane; 2]>,
}

/// Solves a unit with its planes in nameless files in the folder `dir`.
///
/// # Errors
///
/// Fails if the disk does, or if a distance is too long.
pub fn solve(
    unit: &'static Unit,
    children: &Children,
    goal: Goal,
    dir: &Path,
) -> Result<StreamedUnit, StreamError> {
    let layout = Layout::new(unit);
    let depth = || Plane::new::<Depths>(dir, layout.blocks);
    let depths = if goal == Goal::Values {
        None
    } else {
        Some([depth()?, depth()?])
    };
    let red = chain(&layout, Color::Red, children, dir, depths.as_ref())?;
    let black = chain(&layout, Color::Black, children, dir, depths.as_ref())?;
    Ok(StreamedUnit {
        layout,
        chains: [red, black],
        depths,
    })
}

fn chain(
    layout: &Layout,
    winner: Color,
    children: &Children,
    dir: &Path,
    depths: Option<&[Plane; 2]>,
) -> Result<ChainPlanes, StreamError> {
    let run = Run {
        layout,
        work: Work::new(layout, winner),
        planes: ChainPlanes::new(dir, layout.blocks)?,
        of_winner: depths.map(|sides| &sides[winner.index()]),
        of_loser: depths.map(|sides| &sides[(!winner).index()]),
    };
    run.captures(winner, children)?;
    run.first_losses()?;
    let mut found = run.wins(1)?;
    run.commit()?;
    let exact = depths.is_some();
    let mut round = 1;
    while found || run.work.is_unsettled() {
        round += 1;
        if exact && round > 255 {
            return Err(DistanceOverflow.into());
        }
        let lost_found = run.losses(round)?;
        if !exact {
            run.commit()?;
        }
        let win_found = run.wins(round)?;
        if exact {
            run.commit()?;
        }
        found = lost_found || win_found;
    }
    Ok(run.planes)
}

struct Run<'a> {
    layout: &'a Layout,
    work: Work<'a>,
    planes: ChainPlanes,
    of_winner: Option<&'a Plane>,
    of_loser: Option<&'a Plane>,
}

/// Reads the depth planes of a window, if there are any.
fn depths(plane: Option<&Plane>, window: &Range<usize>) -> io::Result<Option<Vec<Depths>>> {
    plane.map(|plane| plane.read(window.clone())).transpose()
}

fn put_back(plane: Option<&Plane>, first: usize, depths: Option<&Vec<Depths>>) -> io::Result<()> {
    match (plane, depths) {
        (Some(plane), Some(depths)) => plane.write(first, depths),
        _ => Ok(()),
    }
}

impl Run<'_> {
    fn windows(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let blocks = self.layout.blocks;
        (0..blocks)
            .step_by(WINDOW)
            .map(move |first| first..(first + WINDOW).min(blocks))
    }

    fn captures(&self, winner: Color, children: &Children) -> io::Result<()> {
        let views = self.work.views(winner, children);
        for window in self.windows() {
            let mut start = Start::blank(window.len());
            self.work.captures(winner, &views, window.start, &mut start);
            self.planes.open.write(window.start, &start.open)?;
            self.planes.wins.write(window.start, &start.wins)?;
            self.planes.hopeful.write(window.start, &start.hopeful)?;
            self.planes.pending.write(window.start, &start.armed)?;
        }
        Ok(())
    }

    fn first_losses(&self) -> io::Result<()> {
        let open: Vec<Block> = self.planes.open.read(0..self.layout.blocks)?;
        for window in self.windows() {
            let at = window.start;
            let mut hopeful: Vec<Block> = self.planes.hopeful.read(window.clone())?;
            let mut lost = vec![Block::EMPTY; window.len()];
            let mut pending: Vec<Block> = self.planes.pending.read(window.clone())?;
            let mut depths = depths(self.of_loser, &window)?;
            let planes = depths.as_deref_mut();
            self.work
                .first_losses(at, &open, &mut hopeful, &mut lost, &mut pending, planes);
            self.planes.hopeful.write(at, &hopeful)?;
            self.planes.lost.write(at, &lost)?;
            self.planes.pending.write(at, &pending)?;
            put_back(self.of_loser, at, depths.as_ref())?;
        }
        Ok(())
    }

    fn wins(&self, round: u32) -> io::Result<bool> {
        let lost: Vec<Block> = self.planes.lost.read(0..self.layout.blocks)?;
        let mut found = false;
        for window in self.windows() {
            if round > 1 && !self.work.open_is_dirty(window.clone()) {
                continue;
            }
            let at = window.start;
            let mut open: Vec<Block> = self.planes.open.read(window.clone())?;
            let mut depths = depths(self.of_winner, &window)?;
            let planes = depths.as_deref_mut();
            let fresh = if round == 1 {
                let wins: Vec<Block> = self.planes.wins.read(window.clone())?;
                self.work.first_wins(at, &mut open, &wins, &lost, planes)
            } else {
                self.work.wins(at, round, &mut open, &lost, planes)
            };
            if fresh {
                self.planes.open.write(at, &open)?;
                put_back(self.of_winner, at, depths.as_ref())?;
                found = true;
            }
        }
        Ok(found)
    }

    fn losses(&self, round: u32) -> io::Result<bool> {
        let open: Vec<Block> = self.planes.open.read(0..self.layout.blocks)?;
        let mut found = false;
        for window in self.windows() {
            if !self.work.hopeful_is_dirty(window.clone()) {
                continue;
            }
            let at = window.start;
            let mut hopeful: Vec<Block> = self.planes.hopeful.read(window.clone())?;
            let mut pending: Vec<Block> = self.planes.pending.read(window.clone())?;
            let mut depths = depths(self.of_loser, &window)?;
            let planes = depths.as_deref_mut();
            if self
                .work
                .losses(at, round, &open, &mut hopeful, &mut pending, planes)
            {
                self.planes.hopeful.write(at, &hopeful)?;
                self.planes.pending.write(at, &pending)?;
                put_back(self.of_loser, at, depths.as_ref())?;
                found = true;
            }
        }
        Ok(found)
    }

    fn commit(&self) -> io::Result<()> {
        for window in self
            .windows()
            .filter(|window| self.work.has_fresh(window.clone()))
        {
            let mut lost: Vec<Block> = self.planes.lost.read(window.clone())?;
            let pending: Vec<Block> = self.planes.pending.read(window.clone())?;
            self.work.commit(window.start, &pending, &mut lost);
            self.planes.lost.write(window.start, &lost)?;
        }
        Ok(())
    }
}

impl Source for StreamedUnit {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn window(&self, turn: Color, blocks: Range<usize>) -> io::Result<Window<'_>> {
        let (own, other) = (&self.chains[turn.index()], &self.chains[(!turn).index()]);
        let mut win: Vec<Block> = own.open.read(blocks.clone())?;
        for block in &mut win {
            *block = Block(block.0.map(|word| !word));
        }
        let dtc = match &self.depths {
            None => None,
            Some(sides) => {
                let planes: Vec<Depths> = sides[turn.index()].read(blocks.clone())?;
                let bytes: Vec<Bytes> = to_bytes(&planes);
                Some(Cow::from(bytes))
            }
        };
        Ok(Window {
            first: blocks.start,
            win: win.into(),
            loss: other.lost.read::<Block>(blocks.clone())?.into(),
            captures: Some(own.wins.read::<Block>(blocks)?.into()),
            dtc,
            dtw: None,
        })
    }

    fn longest_end(&self) -> Option<u16> {
        None
    }
}
