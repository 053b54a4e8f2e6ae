//! The envelope of binary files: a magic word, a version, a length and a checksum.
//!
//! Networks and files of training positions begin alike: eight bytes of magic word, then two
//! of version. The places of lengths and checksum differ by format; their comparison and the
//! messages for foreign, outdated, truncated and damaged files are shared.

/// A kind of file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileKind {
    /// Its name in messages: "network".
    pub name: &'static str,
    /// Its first eight bytes.
    pub magic: &'static str,
    /// The version that this program reads and writes.
    pub version: u16,
}

/// What is wrong with an envelope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EnvelopeFault {
    /// The file is something else.
    #[error("is not a {name} (it does not begin with '{magic}')")]
    Foreign {
        /// What it should be.
        name: &'static str,
        /// How it should begin.
        magic: &'static str,
    },
    /// Its format has another version.
    #[error("has format version {found}, but this program reads version {expected}")]
    Version {
        /// The version of this program.
        expected: u16,
        /// The version of the file.
        found: u16,
    },
    /// It is shorter or longer than its header says.
    #[error("has {found} bytes, but its header announces {expected}: it is incomplete or damaged")]
    Length {
        /// The length in its header.
        expected: u64,
        /// Its actual length.
        found: u64,
    },
    /// Its checksum is wrong.
    #[error("is damaged: its checksum is {found:08x}, but its header announces {expected:08x}")]
    Checksum {
        /// What it should be.
        expected: u32,
        /// What it is.
        found: u32,
    },
}

impl FileKind {
    /// Checks the magic word and splits off the header of this many bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file is something else or ends within the header.
    pub fn split_header<'a>(
        &self,
        bytes: &'a [u8],
        header_bytes: usize,
    ) -> Result<(&'a [u8], &'a [u8]), EnvelopeFault> {
        if !bytes.starts_with(self.magic.as_bytes()) {
            let FileKind { name, magic, .. } = *self;
            return Err(EnvelopeFault::Foreign { name, magic });
        }
        bytes
            .split_at_checked(header_bytes)
            .ok_or(EnvelopeFault::Length {
                expected: header_bytes as u64,
                found: bytes.len() as u64,
            })
    }

    /// Checks the version in a header.
    ///
    /// # Errors
    ///
    /// Fails if this program reads another version.
    pub fn require_version(&self, header: &[u8]) -> Result<(), EnvelopeFault> {
        let (expected, found) = (self.version, u16::from_le_bytes(part(header, 8)));
        require(
            expected == found,
            EnvelopeFault::Version { expected, found },
        )
    }
}

/// Compares the length in a header with that of the file.
///
/// # Errors
///
/// Fails if they differ.
pub fn require_length(expected: u64, found: u64) -> Result<(), EnvelopeFault> {
    require(expected == found, EnvelopeFault::Length { expected, found })
}

/// Compares the checksum in a header with that of the content.
///
/// # Errors
///
/// Fails if they differ.
pub fn require_checksum(expected: u32, found: u32) -> Result<(), EnvelopeFault> {
    let fault = EnvelopeFault::Checksum { expected, found };
    require(expected == found, fault)
}

fn require(holds: bool, fault: EnvelopeFault) -> Result<(), EnvelopeFault> {
    if holds { Ok(()) } else { Err(fault) }
}

/// Returns the bytes of a number that begins at `start`.
///
/// # Panics
///
/// Panics if the bytes end before it does.
pub fn part<const N: usize>(bytes: &[u8], start: usize) -> [u8; N] {
    std::array::from_fn(|index| bytes[start + index])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: FileKind = FileKind {
        name: "file of a test",
        magic: "anqitest",
        version: 1,
    };

    #[test]
    fn every_fault_is_named() {
        let header = |bytes: &[u8]| KIND.split_header(bytes, 10).map(|_| ());
        let told = |fault: Result<(), EnvelopeFault>| fault.expect_err("a fault").to_string();
        let foreign = told(header(b"something else"));
        let expected = "is not a file of a test (it does not begin with 'anqitest')";
        assert_eq!(foreign, expected);
        assert!(told(header(b"anqitest\x01")).contains("has 9 bytes, but"));
        let (whole, rest) = KIND.split_header(b"anqitest\x02\0rest", 10).expect("whole");
        assert_eq!(rest, b"rest");
        assert!(told(KIND.require_version(whole)).contains("version 2, but"));
        assert_eq!(KIND.require_version(b"anqitest\x01\0"), Ok(()));
        assert!(told(require_length(14, 13)).contains("has 13 bytes, but"));
        assert!(told(require_checksum(1, 2)).contains("is 00000002, but"));
        assert_eq!(require_length(3, 3), require_checksum(4, 4));
    }
}
