//! Files of positions by their names, and what is wrong with them.

use super::file::{DataFault, DataFile, DataHeader};
use super::stream::PositionSource;

/// Why files of positions cannot be trained on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// A record is impossible.
    #[error("{source_name}: {fault}")]
    Data {
        /// Which file.
        source_name: String,
        /// What is wrong with it.
        fault: DataFault,
    },
    /// Two files hold the same games.
    #[error("{first} and {second} hold the same games; name one of them")]
    Twice {
        /// One file.
        first: String,
        /// The other.
        second: String,
    },
}

/// A file of positions and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct NamedData<'a> {
    /// Its name.
    pub name: &'a str,
    /// The positions.
    pub data: &'a DataFile,
}

impl<'a> NamedData<'a> {
    /// Returns the name and the header.
    pub(super) fn named_header(&self) -> (&'a str, &'a DataHeader) {
        (self.name, self.data.header())
    }

    /// Returns the error that this file has such a fault.
    pub(super) fn fault(&self, fault: DataFault) -> SourceError {
        SourceError::Data {
            source_name: self.name.to_owned(),
            fault,
        }
    }
}

/// Positions in memory or in a file, and what they are called.
#[derive(Clone, Copy)]
pub struct PositionsOf<'a> {
    /// Their name.
    pub name: &'a str,
    /// The positions.
    pub data: &'a dyn PositionSource,
}

impl PositionsOf<'_> {
    /// Returns the error that these positions have such a fault.
    pub(super) fn fault(&self, fault: DataFault) -> SourceError {
        SourceError::Data {
            source_name: self.name.to_owned(),
            fault,
        }
    }
}
