//! The header of a table file with face-down pieces: everything but the values.

use std::path::Path;

use super::frames::FRAME;
use crate::TableError;
use crate::classes::{Fit, MAX_GROUPS, Material};
use crate::facedown::{HiddenIndex, MOST_PIECES};
use crate::file::bytes::{
    CODEC_ZSTD, check_sum_and_rules, damaged, key_bytes, key_of, node_bytes, put, take,
};
use crate::file::rules_hash;

/// The first bytes of every such table.
pub(super) const MAGIC: &[u8; 8] = b"anqi-fdn";
/// The version of the format.
const VERSION: u16 = 2;
/// Bytes before the list of divisions.
const FIXED: usize = 160;
/// Bytes of a division, and of a smaller table.
const DIVISION: usize = 8;
const SMALLER: usize = 56;
/// More than the header of any unit takes.
const MOST_BYTES: usize = 1 << 16;

/// How many positions have which value for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won for certain.
    pub won: u64,
    /// Worth more than nothing, but not won for certain.
    pub better: u64,
    /// Worth nothing.
    pub even: u64,
    /// Worth less than nothing, but not lost for certain.
    pub worse: u64,
    /// Lost for certain.
    pub lost: u64,
}

/// A table that another was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallerTable {
    /// Its unit.
    pub key: Material,
    /// How many pieces lie face down.
    pub hidden: usize,
    /// The BLAKE3 hash at its end.
    pub hash: [u8; 32],
}

/// A checked header.
#[derive(Clone, Debug)]
pub struct Header {
    /// How positions are numbered.
    pub index: HiddenIndex,
    /// The longest wait of any phase.
    pub longest: u16,
    /// Totals of all positions.
    pub counts: Counts,
    /// Length and checksum of the compressed waits.
    pub waits: (u32, u32),
    /// The tables this one was made from.
    pub smaller: Vec<SmallerTable>,
}

impl Counts {
    fn fields(&self) -> [u64; 5] {
        [self.won, self.better, self.even, self.worse, self.lost]
    }

    /// Counts values in units of which `whole` make a certain win.
    pub(crate) fn add_all(&mut self, values: &[i8], whole: i8) {
        let mut times = [0; 256];
        for &value in values {
            times[usize::from(value as u8)] += 1;
        }
        for (byte, times) in (0..=u8::MAX).zip(times).filter(|(_, times)| *times > 0) {
            self.add_times(byte as i8, whole, times);
        }
    }

    /// Counts a value in units of which `whole` make a certain win.
    pub fn add(&mut self, value: i8, whole: i8) {
        self.add_times(value, whole, 1);
    }

    fn add_times(&mut self, value: i8, whole: i8, times: u64) {
        let field = match value {
            0 => &mut self.even,
            value if value == whole => &mut self.won,
            value if value == -whole => &mut self.lost,
            value if value > 0 => &mut self.better,
            _ => &mut self.worse,
        };
        *field += times;
    }
}

impl Header {
    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.index.positions().div_ceil(FRAME as u64) as usize
    }

    /// Returns the number of positions in a frame.
    pub fn frame_len(&self, frame: usize) -> usize {
        (self.index.positions() - frame as u64 * FRAME as u64).min(FRAME as u64) as usize
    }

    fn len(&self) -> usize {
        FIXED + self.index.divisions.len() * DIVISION + 4 + self.smaller.len() * SMALLER + 4
    }

    /// Returns the header's bytes, its checksum included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let unit = self.index.unit;
        let mut out = MAGIC.to_vec();
        put(&mut out, VERSION);
        out.extend([self.index.hidden as u8, CODEC_ZSTD]);
        put(&mut out, self.len() as u32);
        out.extend_from_slice(&rules_hash());
        out.extend_from_slice(&key_bytes(&unit.key));
        out.extend([unit.pieces() as u8, unit.groups() as u8, 0, 0]);
        put(&mut out, FRAME as u32);
        put(&mut out, self.index.positions());
        put(&mut out, self.frames() as u32);
        put(&mut out, self.index.divisions.len() as u32);
        put(&mut out, self.index.phases() as u32);
        put(&mut out, self.waits.0);
        put(&mut out, self.waits.1);
        put(&mut out, u32::from(self.longest));
        for field in self.counts.fields() {
            put(&mut out, field);
        }
        for group in 0..MAX_GROUPS {
            out.extend(node_bytes(unit.graph.nodes.get(group)));
        }
        for division in &self.index.divisions {
            out.extend(division.up);
        }
        put(&mut out, self.smaller.len() as u32);
        for smaller in &self.smaller {
            out.extend_from_slice(&key_bytes(&smaller.key));
            put(&mut out, smaller.hidden as u64);
            out.extend_from_slice(&smaller.hash);
        }
        let crc = crc32fast::hash(&out);
        put(&mut out, crc);
        out
    }

    /// Reads the length of the header from the first 16 bytes of a file.
    ///
    /// # Errors
    ///
    /// Fails if the file is not such a table or has another version.
    pub fn length(path: &Path, start: &[u8]) -> Result<usize, TableError> {
        if start.len() < 16 || &start[..8] != MAGIC {
            let path = path.to_owned();
            return Err(TableError::NotFaceDown { path });
        }
        let found: u16 = take(start, 8);
        if found != VERSION {
            return Err(TableError::Version {
                path: path.to_owned(),
                found,
                expected: VERSION,
            });
        }
        let length = take::<u32>(start, 12) as usize;
        if (FIXED + 8..=MOST_BYTES).contains(&length) {
            Ok(length)
        } else {
            Err(damaged(path, "the header's length"))
        }
    }

    /// Checks and reads the bytes of a header.
    ///
    /// # Errors
    ///
    /// Fails if a part of it does not fit a table of these rules.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Header, TableError> {
        check_sum_and_rules(path, bytes)?;
        Header::fields(bytes).ok_or_else(|| damaged(path, "a field of the header"))
    }

    /// Reads the fields; whatever follows from the unit must be as it follows.
    fn fields(bytes: &[u8]) -> Option<Header> {
        let key = key_of(&bytes[32..48])?;
        let hidden = usize::from(bytes[10]);
        if key.len() > MOST_PIECES as usize || !(1..key.len()).contains(&hidden) {
            return None;
        }
        let index = HiddenIndex::new(Fit::of(&key).unit, hidden);
        let at = FIXED + index.divisions.len() * DIVISION;
        let count = bytes.get(at..at + 4).map(|count| take::<u32>(count, 0))? as usize;
        if count > 8 || at + 4 + count * SMALLER + 4 != bytes.len() {
            return None;
        }
        let field = |i: usize| take::<u64>(bytes, 88 + 8 * i);
        let smaller = bytes[at + 4..bytes.len() - 4].chunks_exact(SMALLER);
        let header = Header {
            index,
            waits: (take(bytes, 76), take(bytes, 80)),
            longest: u16::try_from(take::<u32>(bytes, 84)).ok()?,
            counts: Counts {
                won: field(0),
                better: field(1),
                even: field(2),
                worse: field(3),
                lost: field(4),
            },
            smaller: smaller.map(smaller_table).collect::<Option<_>>()?,
        };
        (header.to_bytes() == bytes).then_some(header)
    }
}

fn smaller_table(entry: &[u8]) -> Option<SmallerTable> {
    Some(SmallerTable {
        key: key_of(&entry[..16]).filter(|key| key.len() <= MOST_PIECES as usize)?,
        hidden: take::<u64>(entry, 16) as usize,
        hash: entry[24..].try_into().ok()?,
    })
}
