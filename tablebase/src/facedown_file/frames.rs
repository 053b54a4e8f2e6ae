//! Values and plies of consecutive positions as compressed frames.

use std::io;

use crate::file::LEVEL;
use crate::file::bytes::{compress_bytes, decompress, put};

/// Positions in a frame: a byte for the value of each, then a byte for the plies of each.
pub const FRAME: usize = 8192;

/// Collects the positions of a table in order and compresses them frame by frame.
#[derive(Debug, Default)]
pub(super) struct Frames {
    values: Vec<u8>,
    plies: Vec<u8>,
    packed: Vec<Vec<u8>>,
}

impl Frames {
    /// Appends positions.
    ///
    /// # Errors
    ///
    /// Fails if the compressor does.
    pub(super) fn push(&mut self, values: &[i8], plies: &[u8]) -> io::Result<()> {
        self.values.extend(values.iter().map(|&value| value as u8));
        self.plies.extend_from_slice(plies);
        let whole = self.values.len() / FRAME * FRAME;
        let jobs = self.values[..whole].chunks(FRAME);
        let jobs: Vec<_> = jobs.zip(self.plies[..whole].chunks(FRAME)).collect();
        let packed = crate::parallel::map(&jobs, |(values, plies)| pack(values, plies));
        for frame in packed {
            self.packed.push(frame?);
        }
        self.values.drain(..whole);
        self.plies.drain(..whole);
        Ok(())
    }

    /// Returns all frames.
    ///
    /// # Errors
    ///
    /// Fails if the compressor does.
    pub(super) fn finish(mut self) -> io::Result<Vec<Vec<u8>>> {
        if !self.values.is_empty() {
            self.packed.push(pack(&self.values, &self.plies)?);
        }
        Ok(self.packed)
    }
}

fn pack(values: &[u8], plies: &[u8]) -> io::Result<Vec<u8>> {
    compress_bytes(&[values, plies].concat(), LEVEL)
}

/// Compresses the waits of all phases.
///
/// # Errors
///
/// Fails if the compressor does.
pub(super) fn pack_waits(waits: &[u16]) -> io::Result<Vec<u8>> {
    let mut raw = Vec::with_capacity(2 * waits.len());
    for &wait in waits {
        put(&mut raw, wait);
    }
    compress_bytes(&raw, LEVEL)
}

/// Reads the waits of this many phases.
///
/// # Errors
///
/// Fails if the bytes are not theirs.
pub(super) fn unpack_waits(bytes: &[u8], phases: usize) -> io::Result<Vec<u16>> {
    let raw = decompress(bytes, 2 * phases)?;
    let pairs = raw.chunks_exact(2);
    Ok(pairs
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect())
}

/// Returns the value and the plies of one position of a decompressed frame.
#[inline]
pub(crate) fn values_and_plies(raw: &[u8], at: usize) -> (i8, u8) {
    (raw[at] as i8, raw[raw.len() / 2 + at])
}
