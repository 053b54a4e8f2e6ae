//! The bytes of a distilled file: read with care, whoever wrote them.

use anqi_rules::Color;

use super::lattice::{Lattice, Scheme};
use super::model::Model;
use super::prior;
use crate::classes::{Unit, Units};
use crate::numbering::GroupOrder;

/// The first bytes of a file.
pub(crate) const MAGIC: [u8; 8] = *b"anqi-dst";
/// The version of the format.
pub(crate) const VERSION: u16 = 2;
/// The identity of the rules, as in table files; a test compares it with the rules themselves.
pub const RULES: [u8; 16] = [
    0x78, 0x41, 0x0e, 0x9d, 0x77, 0x4a, 0x71, 0x62, 0x4d, 0xbb, 0xc3, 0xa4, 0x1e, 0x63, 0x61, 0xbe,
];
/// The most pieces of any unit.
pub const MOST_PIECES: usize = 5;
/// Bytes before the prior.
pub const HEADER: usize = 40;

/// Why bytes are not a distilled file that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PocketError {
    /// Another kind of file.
    #[error("this is not a distilled file (it should begin with 'anqi-dst')")]
    Magic,
    /// Another version.
    #[error("the distilled file has format version {0}, but this program reads version {VERSION}")]
    Version(u16),
    /// Other rules.
    #[error("the distilled file was made for other rules or another numbering of units")]
    Rules,
    /// Bytes are missing or too many.
    #[error("the distilled file has {found} bytes, but its header says {expected}")]
    Length {
        /// The length the header states.
        expected: u64,
        /// The length of the file.
        found: u64,
    },
    /// Changed bytes.
    #[error("the distilled file is damaged: its checksum is {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The checksum at the end of the file.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The parts do not agree.
    #[error("the distilled file is damaged: {0}")]
    Damaged(&'static str),
}

/// A unit in a file.
#[derive(Debug)]
pub struct UnitEntry {
    /// The numbering.
    pub lattice: Lattice,
    /// Which positions are stored.
    pub scheme: Scheme,
    /// Where each region begins in the file, and one more: where the last one ends.
    pub starts: Vec<u32>,
}

/// What a file says before the regions.
#[derive(Debug)]
pub struct Contents {
    /// The most pieces.
    pub pieces: usize,
    /// What every region starts from.
    pub prior: Model,
    /// The units of two pieces, of three, and so on.
    pub units: Vec<Vec<UnitEntry>>,
}

/// Returns the CRC-32 (IEEE) of some bytes.
#[cfg(feature = "os")]
pub fn crc(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Returns the CRC-32 (IEEE) of some bytes: short code for a browser, a tenth as fast.
#[cfg(not(feature = "os"))]
pub fn crc(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut i = 0;
        while i < 256 {
            let mut value = i as u32;
            let mut bit = 0;
            while bit < 8 {
                value = value >> 1 ^ (value & 1).wrapping_neg() & 0xedb8_8320;
                bit += 1;
            }
            table[i] = value;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        crc >> 8 ^ TABLE[usize::from(crc as u8 ^ byte)]
    })
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*four))
}

/// Checks what does not depend on the contents, and returns everything but the checksum.
fn checked(bytes: &[u8]) -> Result<&[u8], PocketError> {
    if bytes.get(..8) != Some(&MAGIC) {
        return Err(PocketError::Magic);
    }
    let header = bytes.get(..HEADER).ok_or(CUT)?;
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version != VERSION {
        return Err(PocketError::Version(version));
    }
    if header[12..28] != RULES {
        return Err(PocketError::Rules);
    }
    let expected = number(header, 28).ok_or(CUT)?;
    if bytes.len() as u64 != u64::from(expected) || bytes.len() < HEADER + 4 {
        return Err(PocketError::Length {
            expected: expected.into(),
            found: bytes.len() as u64,
        });
    }
    let (body, end) = bytes.split_at(bytes.len() - 4);
    let (expected, found) = (number(end, 0).ok_or(CUT)?, crc(body));
    if expected != found {
        return Err(PocketError::Checksum { expected, found });
    }
    Ok(body)
}

const CUT: PocketError = PocketError::Damaged("the header is cut off");

/// Reads everything but the regions, and checks it.
///
/// # Errors
///
/// Fails if the bytes are not a file of this version and these rules, every byte of it sound.
pub fn read(bytes: &[u8]) -> Result<Contents, PocketError> {
    let body = checked(bytes)?;
    let pieces = usize::from(body[10]);
    if !(2..=MOST_PIECES).contains(&pieces) {
        return Err(PocketError::Damaged("the number of pieces is not 2 to 5"));
    }
    let prior_len = number(body, 32).ok_or(CUT)? as usize;
    let directory_len = number(body, 36).ok_or(CUT)? as usize;
    let lengths = PocketError::Damaged("its parts are longer than the file");
    let rest = &body[HEADER..];
    let prior = rest.get(..prior_len).ok_or(lengths)?;
    let after = &rest[prior_len..];
    let directory = after.get(..directory_len).ok_or(lengths)?;
    let prior = prior::from_bytes(prior).ok_or(PocketError::Damaged("the prior is cut off"))?;
    let mut reader = Directory {
        rest: directory,
        at: (HEADER + prior_len + directory_len) as u64,
        end: body.len() as u64,
    };
    let of_size = |count| Units::of(count).list().iter();
    let units = (2..=pieces)
        .map(|count| of_size(count).map(|unit| reader.unit(unit)).collect())
        .collect::<Result<_, _>>()?;
    if !reader.rest.is_empty() || reader.at != reader.end {
        return Err(PocketError::Damaged(
            "the directory does not end where the units do",
        ));
    }
    Ok(Contents {
        pieces,
        prior,
        units,
    })
}

/// Reads the directory.
struct Directory<'a> {
    rest: &'a [u8],
    /// Where the next region begins.
    at: u64,
    /// Where the last region must end.
    end: u64,
}

const SHORT: PocketError = PocketError::Damaged("the directory is cut off");

impl Directory<'_> {
    fn byte(&mut self) -> Result<u8, PocketError> {
        let (&byte, rest) = self.rest.split_first().ok_or(SHORT)?;
        self.rest = rest;
        Ok(byte)
    }

    /// A length, seven bits to a byte, the lowest first.
    fn length(&mut self) -> Result<u64, PocketError> {
        let mut length = 0;
        for shift in [0, 7, 14, 21] {
            let byte = self.byte()?;
            length |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(length);
            }
        }
        Err(PocketError::Damaged("a region is too long"))
    }

    fn unit(&mut self, unit: &'static Unit) -> Result<UnitEntry, PocketError> {
        let scheme = scheme_of(self.byte()?).filter(|scheme| scheme.suits(unit));
        let scheme = scheme.ok_or(PocketError::Damaged("a unit has an impossible scheme"))?;
        let mut order = GroupOrder::new();
        for _ in 0..unit.groups() {
            let group = self.byte()?;
            if usize::from(group) >= unit.groups() || order.contains(&group) {
                return Err(PocketError::Damaged(
                    "a unit has an impossible order of groups",
                ));
            }
            order.push(group);
        }
        let lattice = Lattice::new(unit, order);
        let mut starts = vec![self.at as u32];
        for _ in 0..lattice.regions() {
            self.at += self.length()?;
            if self.at > self.end {
                return Err(PocketError::Damaged("a region is longer than the file"));
            }
            starts.push(self.at as u32);
        }
        Ok(UnitEntry {
            lattice,
            scheme,
            starts,
        })
    }
}

/// The number of a scheme in the directory.
pub(crate) fn scheme_byte(scheme: &Scheme) -> u8 {
    let turn = scheme.turn.index() as u8;
    scheme.parity.map_or(turn, |(side, parity)| {
        turn | 2 | (side.index() as u8) << 2 | (parity as u8) << 3
    })
}

fn scheme_of(byte: u8) -> Option<Scheme> {
    let color = |bit: u8| Color::ALL[usize::from(byte >> bit & 1)];
    let parity = (byte & 2 != 0).then(|| (color(2), u32::from(byte >> 3 & 1)));
    let scheme = Scheme {
        turn: color(0),
        parity,
    };
    (scheme_byte(&scheme) == byte).then_some(scheme)
}

/// Writes a length as [`read`] reads it.
pub(crate) fn push_length(out: &mut Vec<u8>, mut length: usize) {
    while length >= 128 {
        out.push(length as u8 | 128);
        length >>= 7;
    }
    out.push(length as u8);
}

/// Puts the parts of a file together.
pub(crate) fn assemble(pieces: usize, prior: &[u8], directory: &[u8], regions: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend([pieces as u8, 0]);
    out.extend(RULES);
    let len = HEADER + prior.len() + directory.len() + regions.len() + 4;
    for number in [len, prior.len(), directory.len()] {
        out.extend((number as u32).to_le_bytes());
    }
    for part in [prior, directory, regions] {
        out.extend(part);
    }
    out.extend(crc(&out).to_le_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_have_a_byte_each() {
        let valid = (0..=255).filter_map(scheme_of).count();
        assert_eq!(valid, 2 + 8);
        assert!(scheme_of(12).is_none(), "a parity of no side");
    }

    #[test]
    fn lengths_come_back() {
        for length in [0, 1, 127, 128, 16_383, 16_384, 2_000_000] {
            let mut bytes = Vec::new();
            push_length(&mut bytes, length);
            let mut directory = Directory {
                rest: &bytes,
                at: 0,
                end: 0,
            };
            assert_eq!(directory.length(), Ok(length as u64));
            assert!(directory.rest.is_empty());
        }
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    }

    #[cfg(feature = "os")]
    #[test]
    fn the_rules_are_those_of_table_files() {
        assert_eq!(RULES, crate::file::rules_hash());
    }
}
