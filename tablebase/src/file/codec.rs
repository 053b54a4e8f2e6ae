//! Numbers and frames as bytes.

use std::cell::RefCell;
use std::io;

/// Positions in a frame unless another number is named.
pub const FRAME: usize = 16_384;
/// The zstd level that is used unless another is named.
pub const LEVEL: i32 = 6;
/// The fewest and the most positions that a frame may have, powers of two.
const FRAMES: std::ops::RangeInclusive<usize> = 512..=65_536;
/// The level for comparing orders of the groups.
const SAMPLE_LEVEL: i32 = 3;

/// Numbers stored in little-endian byte order.
pub(crate) trait Number: Sized {
    /// Appends the number.
    fn write(self, out: &mut Vec<u8>);
    /// Reads the number at the start of `bytes`, which must be long enough.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Number for $type {
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> $type {
                let mut array = [0; size_of::<$type>()];
                array.copy_from_slice(&bytes[..size_of::<$type>()]);
                <$type>::from_le_bytes(array)
            }
        }
    )*};
}

number!(u16, u32, u64);

/// Appends a number.
pub(crate) fn put(out: &mut Vec<u8>, number: impl Number) {
    number.write(out);
}

/// Reads the number at an offset.
pub(crate) fn take<N: Number>(bytes: &[u8], at: usize) -> N {
    N::read(&bytes[at..])
}

/// How the values of a file are packed, to favour its size or the time of random probes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packing {
    /// The zstd level.
    pub level: i32,
    /// Positions in a frame, a [frame length](is_frame_len).
    pub frame: usize,
}

impl Default for Packing {
    fn default() -> Packing {
        Packing {
            level: LEVEL,
            frame: FRAME,
        }
    }
}

/// Returns whether a frame may have this many positions: a power of two from 512 to 65,536.
pub fn is_frame_len(positions: usize) -> bool {
    positions.is_power_of_two() && FRAMES.contains(&positions)
}

/// A frame as it is stored.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Packed {
    /// All its values are this one.
    Constant(u32),
    /// Compressed bytes.
    Bytes(Vec<u8>),
}

/// Returns the bytes that `values` values of a width take.
pub(super) fn raw_len(width: u8, values: usize) -> usize {
    if width == 0 {
        values.div_ceil(4)
    } else {
        values * usize::from(width)
    }
}

/// Lays values out as bytes: four to a byte, or `width` bytes each.
fn pack(values: &[u16], width: u8) -> Vec<u8> {
    match width {
        0 => {
            let four = |c: &[u16]| {
                c.iter()
                    .enumerate()
                    .fold(0, |b, (i, &v)| b | (v as u8) << (2 * i))
            };
            values.chunks(4).map(four).collect()
        }
        1 => values.iter().map(|&v| v as u8).collect(),
        _ => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
    }
}

/// Reads one value from the raw bytes of a frame.
#[inline]
pub fn unpack(raw: &[u8], width: u8, at: usize) -> u16 {
    match width {
        0 => u16::from(raw[at / 4] >> (2 * (at % 4)) & 3),
        1 => u16::from(raw[at]),
        _ => u16::from_le_bytes([raw[2 * at], raw[2 * at + 1]]),
    }
}

thread_local! {
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

fn compress_bytes(raw: &[u8], level: i32) -> io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(zstd::bulk::Compressor::new(level)?),
        };
        compressor.set_compression_level(level)?;
        compressor.compress(raw)
    })
}

/// Compresses bytes at a zstd level and checks the round trip.
///
/// # Errors
///
/// Fails if the compressor does.
pub(crate) fn compress_checked(raw: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let bytes = compress_bytes(raw, level)?;
    if decompress(&bytes, raw.len())? != raw {
        let what = "a frame does not decompress to what it was made from";
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(bytes)
}

/// Compresses the values of one frame and checks the round trip.
///
/// # Errors
///
/// Fails if the compressor does.
pub(super) fn compress(values: &[u16], width: u8, level: i32) -> io::Result<Packed> {
    if values.iter().all(|&value| value == values[0]) {
        return Ok(Packed::Constant(values[0].into()));
    }
    compress_checked(&pack(values, width), level).map(Packed::Bytes)
}

/// Estimates the compressed length of a frame at a faster level.
///
/// # Errors
///
/// Fails if the compressor does.
pub(super) fn rough_len(values: &[u16], width: u8) -> io::Result<usize> {
    Ok(compress_bytes(&pack(values, width), SAMPLE_LEVEL)?.len())
}

/// Decompresses a frame that must be `raw_len` bytes long.
///
/// # Errors
///
/// Fails if the bytes are not such a frame.
pub(crate) fn decompress(bytes: &[u8], raw_len: usize) -> io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Some(zstd::bulk::Decompressor::new()?);
        }
        let decompressor = slot.as_mut().expect("it was made above");
        let mut raw = Vec::with_capacity(raw_len);
        let len = decompressor.decompress_to_buffer(bytes, &mut raw)?;
        if len == raw_len {
            Ok(raw)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    })
}
