//! The network's file format.
//!
//! | bytes | holds |
//! |---|---|
//! | 0–7 | `anqi-net` |
//! | 8–9 | version, 2 |
//! | 10–11 | inputs, 544 |
//! | 12–13 | filters |
//! | 14–15 | buckets, 8 |
//! | 16–19 | length of the text that says where the network comes from |
//! | 20–23 | length of the text of the hand-made terms' weights |
//! | 24–27 | CRC-32 of bytes 0–23 and of everything after byte 27 |
//! | 28– | the two texts, then the numbers: rows, biases, last layers in two bytes each, and the last layers' biases in four |
//!
//! Numbers are little-endian.

use super::{BUCKETS, INPUTS, Network, NetworkFault, Parameters};
use crate::envelope::{EnvelopeFault, FileKind, part, require_checksum, require_length};
use crate::evaluation::{Weights, WeightsError};
use anqi_tablebase::distil::crc;
use std::fmt;
use std::sync::{Arc, LazyLock};

const KIND: FileKind = FileKind {
    name: "network",
    magic: "anqi-net",
    version: 2,
};
/// Bytes before the checksum.
const SUMMED_BYTES: usize = 24;
/// Bytes before the texts.
const HEADER_BYTES: usize = 28;

static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::parse(include_bytes!("../../../network.bin"));
    Arc::new(network.expect("the network of this crate is read by its tests"))
});

/// Why a file is not a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// It cannot be read.
    #[error("cannot be read ({0}); expected the file of a network, or {BUILT_IN_NAME}")]
    Unreadable(String),
    /// Its envelope is wrong.
    #[error(transparent)]
    Envelope(#[from] EnvelopeFault),
    /// Its dimensions differ from this program's.
    #[error("is a network with {found} {what}, but this program has {expected}")]
    Shape {
        /// The dimension that differs.
        what: &'static str,
        /// Its number in the file.
        found: u16,
        /// Its number in this program.
        expected: usize,
    },
    /// One of its texts is not UTF-8.
    #[error("is damaged: its {0} is not text")]
    Text(&'static str),
    /// Its weights of hand-made terms are wrong.
    #[error("has wrong weights of hand-made terms: {0}")]
    Weights(#[from] WeightsError),
    /// Its numbers are wrong.
    #[error(transparent)]
    Numbers(#[from] NetworkFault),
}

impl Network {
    /// Returns the network that is built into the program.
    pub fn built_in() -> &'static Arc<Network> {
        &BUILT_IN
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not a valid network file.
    pub fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (header, content) = KIND.split_header(bytes, HEADER_BYTES)?;
        let announced = u32::from_le_bytes(part(header, SUMMED_BYTES));
        let checksum = checksum(&header[..SUMMED_BYTES], content);
        let header = Header::parse(header)?;
        let expected = header.content_bytes() + HEADER_BYTES as u64;
        require_length(expected, bytes.len() as u64)?;
        require_checksum(announced, checksum)?;
        let (origin, content) = content.split_at(header.origin_bytes as usize);
        let (weights, numbers) = content.split_at(header.weights_bytes as usize);
        let text = |bytes, what| str::from_utf8(bytes).map_err(|_| NetworkError::Text(what));
        let weights = Weights::parse(text(weights, "weights")?)?;
        let origin = text(origin, "origin")?.to_owned();
        let parameters = header.parameters(numbers, weights, origin);
        Ok(Network::new(parameters)?)
    }

    /// Returns the network as the bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let parameters = self.parameters();
        let weights = parameters.weights.to_string();
        let header = Header {
            filters: parameters.filters as u16,
            origin_bytes: parameters.origin.len() as u32,
            weights_bytes: weights.len() as u32,
        };
        let mut content = Vec::new();
        content.extend_from_slice(parameters.origin.as_bytes());
        content.extend_from_slice(weights.as_bytes());
        for numbers in [&parameters.rows, &parameters.bias, &parameters.output] {
            content.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let biases = parameters.output_bias.iter();
        content.extend(biases.flat_map(|bias| bias.to_le_bytes()));
        let header = header.bytes();
        let sum = checksum(&header, &content).to_le_bytes();
        [&header[..], &sum, &content].concat()
    }
}

/// The header without its checksum.
#[derive(Clone, Copy)]
struct Header {
    filters: u16,
    origin_bytes: u32,
    weights_bytes: u32,
}

impl Header {
    fn parse(bytes: &[u8]) -> Result<Header, NetworkError> {
        let short = |place| u16::from_le_bytes(part(bytes, place));
        KIND.require_version(bytes)?;
        for (what, found, expected) in [
            ("inputs", short(10), INPUTS),
            ("last layers", short(14), BUCKETS),
        ] {
            if usize::from(found) != expected {
                return Err(NetworkError::Shape {
                    what,
                    found,
                    expected,
                });
            }
        }
        let [origin_bytes, weights_bytes] =
            [16, 20].map(|place| u32::from_le_bytes(part(bytes, place)));
        Ok(Header {
            filters: short(12),
            origin_bytes,
            weights_bytes,
        })
    }

    fn bytes(self) -> [u8; SUMMED_BYTES] {
        let mut bytes = [0; SUMMED_BYTES];
        bytes[..8].copy_from_slice(KIND.magic.as_bytes());
        let shorts = [KIND.version, INPUTS as u16, self.filters, BUCKETS as u16];
        for (place, short) in bytes[8..16].chunks_exact_mut(2).zip(shorts) {
            place.copy_from_slice(&short.to_le_bytes());
        }
        bytes[16..20].copy_from_slice(&self.origin_bytes.to_le_bytes());
        bytes[20..].copy_from_slice(&self.weights_bytes.to_le_bytes());
        bytes
    }

    /// Rows, biases and weights of the last layers.
    fn parts(self) -> [usize; 3] {
        let filters = usize::from(self.filters);
        [INPUTS * filters, filters, BUCKETS * 2 * filters]
    }

    fn content_bytes(self) -> u64 {
        let shorts: usize = self.parts().iter().sum();
        let numbers = 2 * shorts + 4 * BUCKETS;
        u64::from(self.origin_bytes) + u64::from(self.weights_bytes) + numbers as u64
    }

    fn parameters(self, numbers: &[u8], weights: Weights, origin: String) -> Parameters {
        let mut numbers = numbers;
        let [rows, bias, output] = self.parts().map(|count| {
            let (mine, rest) = numbers.split_at(2 * count);
            numbers = rest;
            let (shorts, _) = mine.as_chunks();
            shorts
                .iter()
                .map(|bytes| i16::from_le_bytes(*bytes))
                .collect()
        });
        Parameters {
            filters: self.filters.into(),
            rows,
            bias,
            output,
            output_bias: std::array::from_fn(|bucket| {
                i32::from_le_bytes(part(numbers, 4 * bucket))
            }),
            weights,
            origin,
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.parameters();
        let units = 4 * parameters.filters;
        write!(f, "{units} units, {}", parameters.origin)
    }
}

fn checksum(header: &[u8], content: &[u8]) -> u32 {
    crc(&[header, content].concat())
}

/// A network and where it comes from.
#[derive(Clone, Debug)]
pub struct NetworkSource {
    /// The network.
    pub network: Arc<Network>,
    file: String,
}

/// The name of the built-in network in a player's settings.
const BUILT_IN_NAME: &str = "built-in";

impl Default for NetworkSource {
    fn default() -> NetworkSource {
        NetworkSource {
            network: Network::built_in().clone(),
            file: BUILT_IN_NAME.to_string(),
        }
    }
}

impl NetworkSource {
    /// Reads a network from a file; `built-in` names the program's own.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is not a valid network file.
    pub fn read(file: &str) -> Result<NetworkSource, NetworkError> {
        if file == BUILT_IN_NAME {
            return Ok(NetworkSource::default());
        }
        let network = Network::parse(&read_bytes(file)?)?;
        Ok(NetworkSource {
            network: Arc::new(network),
            file: file.to_string(),
        })
    }
}

/// The most bytes of a network file.
#[cfg(feature = "os")]
const MOST_BYTES: u64 = 2 << 20;

#[cfg(feature = "os")]
fn read_bytes(file: &str) -> Result<Vec<u8>, NetworkError> {
    anqi_files::read_limited(file.as_ref(), MOST_BYTES)
        .map_err(|error| NetworkError::Unreadable(error.to_string()))
}

#[cfg(not(feature = "os"))]
fn read_bytes(_: &str) -> Result<Vec<u8>, NetworkError> {
    Err(NetworkError::Unreadable(
        "this build reads no files".to_owned(),
    ))
}

impl fmt::Display for NetworkSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let network = Network::built_in();
        let bytes = network.to_bytes();
        assert_eq!(&Network::parse(&bytes).expect("a network"), &**network);
        assert!(bytes.len() <= 2 << 20, "{} bytes", bytes.len());
        assert!(network.to_string().contains("selfplay train"), "{network}");
    }

    #[test]
    fn every_truncation_and_every_kind_of_damage_is_refused() {
        let whole = Network::built_in().to_bytes();
        for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
            assert!(Network::parse(&whole[..length]).is_err(), "{length} bytes");
        }
        for index in (0..whole.len()).step_by(61).chain(0..HEADER_BYTES) {
            let mut damaged = whole.clone();
            damaged[index] ^= 4;
            assert!(Network::parse(&damaged).is_err(), "byte {index}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let whole = Network::built_in().to_bytes();
        let told = |place: usize, byte: u8| {
            let mut other = whole.clone();
            other[place] = byte;
            Network::parse(&other).unwrap_err().to_string()
        };
        assert!(told(0, b'x').contains("does not begin with 'anqi-net'"));
        assert!(told(8, 7).contains("format version 7"), "{}", told(8, 7));
        assert!(told(10, 9).contains("inputs, but this program has 544"));
        assert!(told(14, 4).contains("4 last layers"), "{}", told(14, 4));
        assert!(told(HEADER_BYTES, b'#').contains("checksum"));
        let short = Network::parse(&whole[..whole.len() - 2]).unwrap_err();
        assert!(short.to_string().contains("incomplete"), "{short}");
        let missing = NetworkSource::read("no such file").unwrap_err();
        assert!(missing.to_string().contains("cannot be read"), "{missing}");
    }

    #[test]
    fn numbers_that_might_overflow_are_refused() {
        let mut parameters = Network::built_in().parameters().clone();
        parameters.rows.fill(1_000);
        let refused = Network::new(parameters.clone()).unwrap_err().to_string();
        assert!(refused.contains("first layer might overflow"), "{refused}");
        parameters.rows.fill(0);
        parameters.output[0] = 128;
        let refused = Network::new(parameters.clone()).unwrap_err().to_string();
        assert!(refused.contains("last layer might overflow"), "{refused}");
        parameters.filters = 6;
        assert!(matches!(
            Network::new(parameters),
            Err(NetworkFault::Filters { .. })
        ));
    }
}
