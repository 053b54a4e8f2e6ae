#![doc = include_str!("../README.md")]
//!
//! **Owns** the replacement of a file ([`NewFile`], [`replace`]), the removal
//! of temporary files of killed processes ([`remove_leftovers`]), locks on
//! folders ([`FolderLock`]), and reading with a limit ([`read_limited`]).
//! **Must not know** the contents of a file.
#![forbid(unsafe_code)]
#![warn(unreachable_pub)]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod lock;
mod read;
mod replace;

pub use lock::{FolderLock, LockError};
pub use read::{open_regular, read_limited, read_text_limited};
pub use replace::{NewFile, remove_leftovers, replace};
