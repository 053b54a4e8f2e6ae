//! Distances: what they count, and how they are stored.
//!
//! The driver writes a round's number into bit planes, 1,024 positions at a
//! time; a finished unit has bytes. Nearly every unit's distances fit one
//! byte, so a second one exists only where some distance needs it.

use crate::numbering::{BLOCK, Block};
use crate::parallel;

/// A kind of distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Distance {
    /// Plies to the next capture or to the end.
    ToCapture,
    /// Plies to the end.
    ToEnd,
}

/// The greatest distance that can be kept; the next number stands for none.
pub(super) const MOST: u32 = u16::MAX as u32 - 1;

/// A distance is too long for sixteen bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a distance of more than {MOST} plies does not fit the tables")]
pub struct DistanceOverflow;

/// Bit planes of eight bits of a distance for each position of a block.
pub(super) type Bits = [Block; 8];

/// Where a pass writes the distance of what it finds.
pub(super) struct DistanceSlices<'a> {
    /// The distance of everything found in this round.
    pub(super) plies: u32,
    pub(super) low: &'a mut [Bits],
    /// The upper eight bits, once some distance needs them.
    pub(super) high: Option<&'a mut [Bits]>,
}

impl DistanceSlices<'_> {
    /// Notes the distance of new positions in a block that had none.
    #[inline]
    pub(super) fn note(&mut self, block: usize, fresh: &Block) {
        note(&mut self.low[block], fresh, self.plies);
        if let Some(high) = &mut self.high {
            note(&mut high[block], fresh, self.plies >> 8);
        }
    }
}

#[inline]
fn note(bits: &mut Bits, fresh: &Block, number: u32) {
    for (i, plane) in bits.iter_mut().enumerate() {
        if number >> i & 1 != 0 {
            plane.add(fresh);
        }
    }
}

/// Splits slices into chunks of blocks, or into `None`s if distances are not wanted.
pub(super) fn chunks_of(
    slices: Option<DistanceSlices<'_>>,
    chunks: usize,
    size: usize,
) -> Vec<Option<DistanceSlices<'_>>> {
    let Some(DistanceSlices { plies, low, high }) = slices else {
        return (0..chunks).map(|_| None).collect();
    };
    let mut high = high.map(|high| high.chunks_mut(size));
    low.chunks_mut(size)
        .map(|low| {
            let high = high.as_mut().and_then(Iterator::next);
            Some(DistanceSlices { plies, low, high })
        })
        .collect()
}

/// One byte for each position of a block.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bytes([u8; BLOCK as usize]);

/// The distances of a unit's positions for one side to move, or those of some blocks.
#[derive(Clone, Debug)]
pub struct Distances {
    low: Vec<Bytes>,
    high: Option<Vec<Bytes>>,
}

impl Distances {
    pub(super) fn from_bits(low: &[Bits], high: Option<&[Bits]>) -> Distances {
        Distances {
            low: to_bytes(low),
            high: high.map(to_bytes),
        }
    }

    /// Returns the distance at an address; 0 where there is none.
    #[inline]
    pub fn get(&self, address: u64) -> u16 {
        let (block, at) = ((address / BLOCK) as usize, (address % BLOCK) as usize);
        let low = u16::from(self.low[block].0[at]);
        match &self.high {
            None => low,
            Some(high) => low | u16::from(high[block].0[at]) << 8,
        }
    }

    /// Returns the bytes per position.
    pub fn width(&self) -> u64 {
        1 + u64::from(self.high.is_some())
    }
}

/// Turns bit planes into one byte for each position.
fn to_bytes(planes: &[Bits]) -> Vec<Bytes> {
    let mut bytes = vec![Bytes([0; BLOCK as usize]); planes.len()];
    let tasks: Vec<_> = bytes.chunks_mut(64).zip(planes.chunks(64)).collect();
    parallel::for_each(tasks, |(bytes, planes)| {
        for (bytes, planes) in bytes.iter_mut().zip(planes) {
            transpose(planes, bytes);
        }
    });
    bytes
}

fn transpose(planes: &Bits, bytes: &mut Bytes) {
    for (j, row) in bytes.0.chunks_exact_mut(32).enumerate() {
        for (k, eight) in row.chunks_exact_mut(8).enumerate() {
            let matrix = planes.iter().enumerate().fold(0, |matrix, (p, plane)| {
                matrix | u64::from(plane.0[j] >> (8 * k) & 0xff) << (8 * p)
            });
            eight.copy_from_slice(&transpose_8x8(matrix).to_le_bytes());
        }
    }
}

/// Exchanges rows and columns of an 8 × 8 bit matrix, one row a byte.
const fn transpose_8x8(mut m: u64) -> u64 {
    let mut t = (m ^ m >> 7) & 0x00aa_00aa_00aa_00aa;
    m ^= t ^ t << 7;
    t = (m ^ m >> 14) & 0x0000_cccc_0000_cccc;
    m ^= t ^ t << 14;
    t = (m ^ m >> 28) & 0x0000_0000_f0f0_f0f0;
    m ^ t ^ t << 28
}
