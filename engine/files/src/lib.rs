//! Atomic replacement of files, locks on folders, and reading with limits.
//!
//! **Owns** the replacement of a file ([`NewFile`], [`replace`]), the removal
//! of temporary files of killed processes ([`remove_leftovers`]), locks on
//! folders ([`FolderLock`]), and reading with a limit ([`read_limited`]).
//! **Must not know** the contents of a file.
//!
//! ```
//! use anqi_files::{FolderLock, read_text_limited, replace};
//!
//! let folder = tempfile::tempdir()?;
//! let place = folder.path().join("result.txt");
//! let alone = FolderLock::acquire(folder.path())?;
//! replace(&place, "two wins")?; // whole or not at all, even if the process is killed
//! assert_eq!(read_text_limited(&place, 1_000)?, "two wins");
//! assert!(read_text_limited(&place, 3).is_err(), "longer than three bytes");
//! assert!(FolderLock::acquire(folder.path()).is_err(), "it is locked");
//! drop(alone);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod lock;
mod read;
mod replace;

pub use lock::{FolderLock, LockError};
pub use read::{open_regular, read_limited, read_text_limited};
pub use replace::{NewFile, remove_leftovers, replace};
