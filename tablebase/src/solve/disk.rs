//! Planes on disk.
//!
//! The rounds need random access to one plane at a time: the winning rule looks
//! up `lost`, the losing rule looks up `open` (see [`super::driver`]). That
//! plane is loaded; all others are read and written in order, some blocks at a
//! time, as Wu and Beal do. Windows without a dirty mark are not read.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::path::Path;

use super::distance::DistanceOverflow;
use super::memory::WINDOW;
use super::planes::{Cell, Storage};

/// Why a unit cannot be solved on disk.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    /// The disk reports an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A distance is too long.
    #[error(transparent)]
    Distance(#[from] DistanceOverflow),
}

/// A folder for planes.
pub(super) struct Disk<'d> {
    pub(super) dir: &'d Path,
    /// Blocks to work on at a time.
    pub(super) window: usize,
}

impl<'d> Disk<'d> {
    pub(super) fn new(dir: &'d Path) -> Disk<'d> {
        Disk {
            dir,
            window: WINDOW,
        }
    }
}

/// A plane on disk. A new one is blank: what was never written reads as zeros.
///
/// Its file has no name, so it disappears with the process, however that ends.
#[derive(Debug)]
pub(super) struct DiskPlane {
    file: File,
}

impl DiskPlane {
    fn new<C: Cell>(dir: &Path, blocks: usize) -> io::Result<DiskPlane> {
        let file = tempfile::tempfile_in(dir)?;
        file.set_len((blocks * C::BYTES) as u64)?;
        Ok(DiskPlane { file })
    }

    pub(super) fn read<C: Cell>(&self, blocks: Range<usize>) -> io::Result<Vec<C>> {
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

/// Some blocks of a plane on disk, read to be changed.
pub(super) struct DiskPart<'a, C> {
    file: &'a DiskPlane,
    first: usize,
    cells: Vec<C>,
}

impl<C> Deref for DiskPart<'_, C> {
    type Target = [C];

    fn deref(&self) -> &[C] {
        &self.cells
    }
}

impl<C> DerefMut for DiskPart<'_, C> {
    fn deref_mut(&mut self) -> &mut [C] {
        &mut self.cells
    }
}

impl Storage for Disk<'_> {
    type Error = DiskError;
    type Plane<C: Cell> = DiskPlane;
    type Part<'a, C: Cell + 'a> = DiskPart<'a, C>;

    fn window(&self, _blocks: usize) -> usize {
        self.window
    }

    fn blank<C: Cell>(&self, blocks: usize) -> Result<DiskPlane, DiskError> {
        Ok(DiskPlane::new::<C>(self.dir, blocks)?)
    }

    fn whole<'a, C: Cell>(plane: &'a DiskPlane, blocks: usize) -> Result<Cow<'a, [C]>, DiskError> {
        Ok(plane.read(0..blocks)?.into())
    }

    fn part<'a, C: Cell>(
        plane: &'a mut DiskPlane,
        window: Range<usize>,
    ) -> Result<DiskPart<'a, C>, DiskError> {
        Ok(DiskPart {
            first: window.start,
            cells: plane.read(window)?,
            file: plane,
        })
    }

    fn keep<C: Cell>(part: DiskPart<'_, C>) -> Result<(), DiskError> {
        Ok(part.file.write(part.first, &part.cells)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbering::Block;
    use crate::solve::distance::Bits;

    fn block(seed: u32) -> Block {
        Block(std::array::from_fn(|j| seed.wrapping_mul(2 * j as u32 + 1)))
    }

    #[test]
    fn planes_are_blank_and_keep_only_what_is_to_be_kept() {
        let dir = tempfile::tempdir().unwrap();
        let disk = Disk::new(dir.path());
        let blocks = 2 * WINDOW + 3;
        let mut plane = disk.blank::<Block>(blocks).unwrap();
        let blank = vec![Block::EMPTY; blocks];
        let whole = |plane: &DiskPlane| plane.read::<Block>(0..blocks).unwrap();
        assert_eq!(whole(&plane), blank);
        let mut part = Disk::part::<Block>(&mut plane, 5..9).unwrap();
        part[1] = block(77);
        drop(part);
        assert_eq!(whole(&plane), blank, "not kept");
        let mut expected = blank;
        for first in [0, 5, WINDOW - 1, 2 * WINDOW] {
            let mut part = Disk::part::<Block>(&mut plane, first..first + 3).unwrap();
            for (i, cell) in part.iter_mut().enumerate() {
                *cell = block((first + i) as u32 + 1);
                expected[first + i] = *cell;
            }
            Disk::keep(part).unwrap();
            assert_eq!(whole(&plane), expected);
        }
        assert_eq!(plane.read::<Block>(6..8).unwrap(), expected[6..8]);
        assert_eq!(
            std::fs::read_dir(dir.path()).unwrap().count(),
            0,
            "files have no names"
        );
    }

    #[test]
    fn cells_survive_the_way_to_bytes_and_back() {
        let bits: Bits = std::array::from_fn(|i| block(i as u32 + 3));
        let mut bytes = vec![0; Bits::BYTES];
        bits.to_bytes(&mut bytes);
        assert_eq!(Bits::from_bytes(&bytes), bits);
    }
}
