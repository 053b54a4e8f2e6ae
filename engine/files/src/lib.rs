//! Files that appear whole or not at all, locks on folders, and careful reading.
//!
//! **Owns** the replacement of a file ([`NewFile`], [`replace`]) and the removal
//! of what killed processes left ([`remove_leftovers`]), the lock that keeps two
//! processes out of one folder ([`FolderLock`]), and reading with a limit
//! ([`read_limited`]). **Must not know** what is in a file.
#![forbid(unsafe_code)]

mod lock;
mod read;
mod replace;

pub use lock::{FolderLock, LockError};
pub use read::{open_regular, read_limited, read_text_limited};
pub use replace::{NewFile, remove_leftovers, replace};
