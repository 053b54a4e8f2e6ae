//! The faults of table files, each naming the file, and why a unit cannot be built.

use std::io;
use std::path::{Path, PathBuf};

use anqi_files::LockError;

use crate::solve::{DistanceOverflow, human_bytes};

/// Why a table file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The operating system reports an error.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// The file is not a table.
    #[error("{}: not an anqi table (it does not start with \"anqi-tbl\")", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a table with face-down pieces.
    #[error("{}: not an anqi table with face-down pieces (it does not start with \"anqi-fdn\")", path.display())]
    NotFaceDown {
        /// The file.
        path: PathBuf,
    },
    /// A format this program does not know.
    #[error("{}: format version {found}, but this program reads version {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
        /// Ours.
        expected: u16,
    },
    /// The table is for a game with other rules.
    #[error("{}: made for other rules of play (rules hash {found}, expected {expected})", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// Its hash.
        found: String,
        /// Ours.
        expected: String,
    },
    /// The file is shorter or longer than it says.
    #[error("{}: damaged: {found} bytes long, expected {expected}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// A checksum or a field is wrong.
    #[error("{}: damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part.
        what: String,
    },
    /// The values are not those that follow from the rules.
    #[error("{}: wrong values: {what}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// Where.
        what: String,
    },
    /// A wait that is too long for the format.
    #[error("{}: a wait of {found} plies does not fit the format", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// The wait.
        found: u32,
    },
    /// A table with face-down pieces that is needed is not there.
    #[error("{}: no such table; build it first: tablebase build --face-down --pieces … --dir {}", path.display(), path.parent().unwrap_or(path).display())]
    MissingFaceDown {
        /// The file.
        path: PathBuf,
    },
    /// A file that is needed is not there.
    #[error("{}: no such table; build it first: tablebase build --unit {unit} --dir {}", path.display(), path.parent().unwrap_or(path).display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// Its unit.
        unit: String,
    },
}

impl TableError {
    /// Wraps an error of the operating system.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> TableError {
        let path = path.into();
        move |reason| TableError::Io { path, reason }
    }

    /// Names the place of a table whose fault was found in its temporary file.
    pub(crate) fn at(mut self, place: &Path) -> TableError {
        match &mut self {
            TableError::Io { path, .. }
            | TableError::Foreign { path }
            | TableError::NotFaceDown { path }
            | TableError::Version { path, .. }
            | TableError::Rules { path, .. }
            | TableError::Length { path, .. }
            | TableError::Damaged { path, .. }
            | TableError::Wrong { path, .. }
            | TableError::TooLong { path, .. } => place.clone_into(path),
            // These name another file.
            TableError::MissingFaceDown { .. } | TableError::Missing { .. } => {}
        }
        self
    }
}

/// Why a unit cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Something about a file.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Distances that are too long for the format.
    #[error("{unit}: {reason}")]
    Distance {
        /// The unit.
        unit: String,
        /// What happened.
        reason: DistanceOverflow,
    },
    /// Another process works in the folder.
    #[error("{0}; wait until it is done, or build elsewhere")]
    Locked(LockError),
    /// No way of solving fits the memory allowed.
    #[error(
        "{unit} does not fit --memory: it needs {} in memory{}, but only {} is allowed",
        human_bytes(*.in_memory), or_streaming(*.streaming), human_bytes(*.allowed)
    )]
    Memory {
        /// The unit.
        unit: String,
        /// Bytes for solving it in memory.
        in_memory: u64,
        /// Bytes for solving it with its planes on disk, if that can be done.
        streaming: Option<u64>,
        /// Bytes allowed.
        allowed: u64,
    },
}

fn or_streaming(bytes: Option<u64>) -> String {
    bytes.map_or_else(String::new, |bytes| {
        format!(" or {} when streaming from disk", human_bytes(bytes))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_a_temporary_file_names_its_place() {
        let fault = TableError::Damaged {
            path: PathBuf::from("d/.kg.wdl.Ab3xYz.part"),
            what: "the hash at the end".to_owned(),
        };
        let told = fault.at(Path::new("d/kg.wdl")).to_string();
        assert_eq!(told, "d/kg.wdl: damaged: the hash at the end");
    }
}
