//! The header of a table file: everything but the values.

use std::path::Path;

use anqi_rules::{Color, Role};

use super::codec::{is_frame_len, put, take};
use super::error::TableError;
use super::metric::Metric;
use crate::classes::{Fit, Material, Node, Unit};
use crate::numbering::{DenseIndex, GroupOrder};

/// The first bytes of every table.
pub(super) const MAGIC: &[u8; 8] = b"anqi-tbl";
/// The version of the format.
pub(super) const VERSION: u16 = 2;
/// The only codec so far: zstd frames.
pub(crate) const CODEC_ZSTD: u8 = 1;
/// Bytes before the list of smaller tables.
const FIXED: usize = 192;
/// Bytes of one entry of that list.
const CHILD: usize = 48;

/// Totals of one side to move, as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions that the side to move wins.
    pub win: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Positions that the side to move loses.
    pub loss: u64,
    /// The sum of the distances of all decided positions; zero in tables of values.
    pub sum: u64,
}

/// A position of the greatest distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Longest {
    /// The distance in plies.
    pub plies: u32,
    /// The side to move: 0 for the unit's red.
    pub turn: u8,
    /// The placement's number.
    pub number: u64,
}

/// A checked header.
#[derive(Clone, Debug)]
pub struct Header {
    /// The metric of the values.
    pub metric: Metric,
    /// The unit.
    pub unit: &'static Unit,
    /// How placements are numbered.
    pub index: DenseIndex,
    /// Bytes of one value; 0 stands for two bits.
    pub width: u8,
    /// Values in a frame, fewer in the last.
    pub frame: usize,
    /// Totals for each side to move.
    pub counts: [Counts; 2],
    /// A position of the greatest distance; all zeros in tables of values.
    pub longest: Longest,
    /// The value tables this one was made from, with the BLAKE3 hashes at their ends.
    pub children: Vec<(Material, [u8; 32])>,
}

/// Returns the identity of the rules: the board, the captures, and the numbering of graphs.
pub(crate) fn rules_hash() -> [u8; 16] {
    let mut text = String::from("anqi tables 1; board 4x8; no move loses; twins merged;");
    for hunter in Role::ALL {
        for prey in Role::ALL {
            text.push(if hunter.captures(prey) { 'x' } else { '.' });
        }
        text.push(if hunter.jumps() { 'j' } else { '-' });
    }
    let mut hash = [0; 16];
    hash.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
    hash
}

/// Returns a key as it is stored.
pub(crate) fn key_bytes(set: &Material) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (byte, letter) in bytes.iter_mut().zip(set.to_string().bytes()) {
        *byte = letter;
    }
    bytes
}

/// Reads a stored key.
pub(crate) fn key_of(bytes: &[u8]) -> Option<Material> {
    let len = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    if bytes[len..].iter().any(|&b| b != 0) {
        return None;
    }
    std::str::from_utf8(&bytes[..len]).ok()?.parse().ok()
}

impl Header {
    /// Returns the number of values: all placements, once for each side to move.
    pub fn values(&self) -> u64 {
        2 * self.index.len()
    }

    /// Returns the number of frames.
    pub fn frames(&self) -> usize {
        self.values().div_ceil(self.frame as u64) as usize
    }

    /// Returns the number of values in a frame.
    pub fn frame_len(&self, frame: usize) -> usize {
        let whole = self.frame as u64;
        (self.values() - frame as u64 * whole).min(whole) as usize
    }

    /// Returns the frame of a value, counted through both sides to move, and the value's place in it.
    pub fn place(&self, value: u64) -> (usize, usize) {
        let frame = self.frame as u64;
        ((value / frame) as usize, (value % frame) as usize)
    }

    /// Returns the header's bytes, its checksum included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(MAGIC);
        put(&mut out, VERSION);
        out.push(self.metric.code());
        out.push(CODEC_ZSTD);
        put(&mut out, (FIXED + self.children.len() * CHILD + 4) as u32);
        out.extend_from_slice(&rules_hash());
        out.extend_from_slice(&key_bytes(&self.unit.key));
        out.extend([
            self.unit.pieces() as u8,
            self.unit.groups() as u8,
            self.width,
            0,
        ]);
        put(&mut out, self.frame as u32);
        put(&mut out, self.index.len());
        put(&mut out, self.frames() as u32);
        put(&mut out, self.longest.plies);
        put(&mut out, u64::from(self.longest.turn));
        put(&mut out, self.longest.number);
        for counts in &self.counts {
            for value in [counts.win, counts.draw, counts.loss, counts.sum] {
                put(&mut out, value);
            }
        }
        for place in 0..8 {
            out.extend(self.group_bytes(place));
        }
        put(&mut out, self.children.len() as u64);
        for (key, hash) in &self.children {
            out.extend_from_slice(&key_bytes(key));
            out.extend_from_slice(hash);
        }
        let crc = crc32fast::hash(&out);
        put(&mut out, crc);
        out
    }

    /// Colour, count, roles and way of capturing of the group at a place of the order.
    fn group_bytes(&self, place: usize) -> [u8; 4] {
        let Some(&group) = self.index.order().get(place) else {
            return [0xff; 4];
        };
        node_bytes(self.unit.graph.nodes.get(usize::from(group)))
    }

    /// Reads the length of the header from the first 16 bytes of a file.
    ///
    /// # Errors
    ///
    /// Fails if the file is not a table or has another version.
    pub fn length(path: &Path, start: &[u8]) -> Result<usize, TableError> {
        let foreign = || TableError::Foreign {
            path: path.to_owned(),
        };
        if start.len() < 16 || &start[..8] != MAGIC {
            return Err(foreign());
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
        if !(FIXED + 4..=FIXED + 8 * CHILD + 4).contains(&length) {
            return Err(damaged(path, "the header's length"));
        }
        Ok(length)
    }

    /// Checks and reads the bytes of a header.
    ///
    /// # Errors
    ///
    /// Fails if a part of it does not fit a table of these rules.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Header, TableError> {
        if Header::length(path, bytes)? != bytes.len() {
            return Err(damaged(path, "the header's length"));
        }
        check_sum_and_rules(path, bytes)?;
        Header::fields(bytes).ok_or_else(|| damaged(path, "a field of the header"))
    }

    fn fields(bytes: &[u8]) -> Option<Header> {
        let metric = Metric::from_code(bytes[10])?;
        let key = key_of(&bytes[32..48])?;
        let unit = Fit::of(&key).unit;
        let order = order_of(unit, &bytes[152..184])?;
        let index = DenseIndex::new(unit, order);
        let width = bytes[50];
        let frame = take::<u32>(bytes, 52) as usize;
        let children = take::<u64>(bytes, 184) as usize;
        if unit.key != key
            || bytes[11] != CODEC_ZSTD
            || width > 2
            || (width == 0) != (metric == Metric::Wdl)
            || take::<u64>(bytes, 56) != index.len()
            || !is_frame_len(frame)
            || children > 8
            || FIXED + children * CHILD + 4 != bytes.len()
        {
            return None;
        }
        let counts = [0, 1].map(|side| {
            let at = |i: usize| take::<u64>(bytes, 88 + 32 * side + 8 * i);
            Counts {
                win: at(0),
                draw: at(1),
                loss: at(2),
                sum: at(3),
            }
        });
        let longest = Longest {
            plies: take(bytes, 68),
            turn: u8::try_from(take::<u64>(bytes, 72))
                .ok()
                .filter(|&turn| turn < 2)?,
            number: take(bytes, 80),
        };
        let children = (0..children)
            .map(|i| {
                let entry = &bytes[FIXED + i * CHILD..][..CHILD];
                Some((key_of(&entry[..16])?, entry[16..].try_into().ok()?))
            })
            .collect::<Option<_>>()?;
        let header = Header {
            metric,
            unit,
            index,
            width,
            frame,
            counts,
            longest,
            children,
        };
        (header.frames() == take::<u32>(bytes, 64) as usize && longest.number < header.index.len())
            .then_some(header)
    }
}

/// Checks what ends a header, its checksum, and the hash of the rules in it.
///
/// # Errors
///
/// Fails if the header is damaged or of tables of other rules.
pub(crate) fn check_sum_and_rules(path: &Path, bytes: &[u8]) -> Result<(), TableError> {
    let body = bytes.len() - 4;
    if crc32fast::hash(&bytes[..body]) != take::<u32>(bytes, body) {
        return Err(damaged(path, "the header's checksum"));
    }
    if bytes[16..32] != rules_hash() {
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect();
        return Err(TableError::Rules {
            path: path.to_owned(),
            found: hex(&bytes[16..32]),
            expected: hex(&rules_hash()),
        });
    }
    Ok(())
}

/// Returns colour, count, roles and way of capturing of a group as they are stored.
pub(crate) fn node_bytes(node: Option<&Node>) -> [u8; 4] {
    let Some(node) = node else {
        return [0xff; 4];
    };
    let roles = node
        .roles
        .iter()
        .fold(0, |bits, role| bits | 1 << role.index());
    [
        node.color.index() as u8,
        node.count as u8,
        roles,
        u8::from(node.jumps),
    ]
}

/// Finds the groups that the entries of a header describe.
fn order_of(unit: &Unit, entries: &[u8]) -> Option<GroupOrder> {
    let mut order = GroupOrder::new();
    for entry in entries.chunks_exact(4).take(unit.groups()) {
        let color = if entry[0] == 0 {
            Color::Red
        } else {
            Color::Black
        };
        let group = (0..unit.groups()).find(|&group| {
            let node = &unit.graph.nodes[group];
            let roles = node
                .roles
                .iter()
                .fold(0, |bits, role| bits | 1u8 << role.index());
            node.color == color && roles == entry[2]
        })?;
        if order.contains(&(group as u8)) || unit.count(group) != usize::from(entry[1]) {
            return None;
        }
        order.push(group as u8);
    }
    Some(order)
}

/// An error about a part of a file.
pub(crate) fn damaged(path: &Path, what: &str) -> TableError {
    TableError::Damaged {
        path: path.to_owned(),
        what: format!("{what} is not what it should be"),
    }
}
