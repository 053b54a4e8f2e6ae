//! Where the planes of a unit are kept while it is solved: in memory, or on disk.
//!
//! The driver does not know which. It asks for a whole plane to look up, or for a
//! window of blocks to change, and says which changes to keep.

use std::borrow::Cow;
use std::ops::Range;

use super::distance::{Bits, DistanceOverflow};
use super::solved::{NEVER, Wide};
use crate::numbering::{BLOCK, Block};

/// An element of a plane, of a fixed size.
pub(super) trait Cell: Copy + Send + Sync {
    /// What a new plane holds; on disk it is all zeros.
    const BLANK: Self;
    /// Bytes on disk.
    #[cfg(feature = "os")]
    const BYTES: usize;
    /// Writes the cell to as many bytes.
    #[cfg(feature = "os")]
    fn to_bytes(&self, out: &mut [u8]);
    /// Reads the cell from as many bytes.
    #[cfg(feature = "os")]
    fn from_bytes(bytes: &[u8]) -> Self;
}

impl Cell for Block {
    const BLANK: Block = Block::EMPTY;
    #[cfg(feature = "os")]
    const BYTES: usize = 128;

    #[cfg(feature = "os")]
    fn to_bytes(&self, out: &mut [u8]) {
        for (bytes, word) in out.chunks_exact_mut(4).zip(&self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }

    #[cfg(feature = "os")]
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

impl Cell for Bits {
    const BLANK: Bits = [Block::EMPTY; 8];
    #[cfg(feature = "os")]
    const BYTES: usize = 1024;

    #[cfg(feature = "os")]
    fn to_bytes(&self, out: &mut [u8]) {
        for (bytes, plane) in out.chunks_exact_mut(128).zip(self) {
            plane.to_bytes(bytes);
        }
    }

    #[cfg(feature = "os")]
    fn from_bytes(bytes: &[u8]) -> Bits {
        std::array::from_fn(|i| Block::from_bytes(&bytes[128 * i..128 * (i + 1)]))
    }
}

impl Cell for Wide {
    const BLANK: Wide = Wide([NEVER; BLOCK as usize]);
    #[cfg(feature = "os")]
    const BYTES: usize = 2 * BLOCK as usize;

    #[cfg(feature = "os")]
    fn to_bytes(&self, out: &mut [u8]) {
        for (bytes, plies) in out.chunks_exact_mut(2).zip(&self.0) {
            bytes.copy_from_slice(&(NEVER - plies).to_le_bytes());
        }
    }

    #[cfg(feature = "os")]
    fn from_bytes(bytes: &[u8]) -> Wide {
        Wide(std::array::from_fn(|i| {
            NEVER - u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])
        }))
    }
}

/// Divides blocks into windows of so many.
pub(super) fn windows(blocks: usize, step: usize) -> impl Iterator<Item = Range<usize>> {
    (0..blocks)
        .step_by(step)
        .map(move |first| first..(first + step).min(blocks))
}

/// A way of keeping planes.
pub(super) trait Storage {
    /// What can go wrong.
    type Error: From<DistanceOverflow>;
    /// A plane, blank at first.
    type Plane<C: Cell>;
    /// Some blocks of a plane, open to change.
    type Part<'a, C: Cell + 'a>: std::ops::DerefMut<Target = [C]>;

    /// Returns how many blocks to work on at a time.
    fn window(&self, blocks: usize) -> usize;

    /// Makes a plane of this many blocks.
    fn blank<C: Cell>(&self, blocks: usize) -> Result<Self::Plane<C>, Self::Error>;

    /// Returns all of a plane.
    fn whole<'a, C: Cell>(
        plane: &'a Self::Plane<C>,
        blocks: usize,
    ) -> Result<Cow<'a, [C]>, Self::Error>;

    /// Returns some blocks of a plane.
    fn part<'a, C: Cell>(
        plane: &'a mut Self::Plane<C>,
        window: Range<usize>,
    ) -> Result<Self::Part<'a, C>, Self::Error>;

    /// Keeps the changes to a part, which may otherwise be lost.
    fn keep<C: Cell>(part: Self::Part<'_, C>) -> Result<(), Self::Error>;
}

/// Planes in memory.
pub(super) struct Memory;

impl Storage for Memory {
    type Error = DistanceOverflow;
    type Plane<C: Cell> = Vec<C>;
    type Part<'a, C: Cell + 'a> = &'a mut [C];

    fn window(&self, blocks: usize) -> usize {
        blocks
    }

    fn blank<C: Cell>(&self, blocks: usize) -> Result<Vec<C>, DistanceOverflow> {
        Ok(vec![C::BLANK; blocks])
    }

    fn whole<C: Cell>(plane: &Vec<C>, _blocks: usize) -> Result<Cow<'_, [C]>, DistanceOverflow> {
        Ok(Cow::Borrowed(plane))
    }

    fn part<C: Cell>(
        plane: &mut Vec<C>,
        window: Range<usize>,
    ) -> Result<&mut [C], DistanceOverflow> {
        Ok(&mut plane[window])
    }

    fn keep<C: Cell>(_part: &mut [C]) -> Result<(), DistanceOverflow> {
        Ok(())
    }
}
