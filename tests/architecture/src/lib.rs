//! Reads the sources of the workspace as text: which file imports which, how long files and functions are, which code
//! stands outside tests.
//!
//! It uses no compiler, so that the checks see code for other systems too and take a second. They need little of
//! Rust: comments and literals are masked (`mask`), items behind `#[cfg(test)]` are left out (`source`), paths that
//! begin with `crate`, `super`, `self` or a child module are followed to the file that holds the item (`imports`),
//! re-exports included. The crate depends on nothing, least of all on the crates that it checks.

pub mod circles;
pub mod exceptions;
pub mod functions;
pub mod imports;
pub mod manifest;
pub mod mask;
pub mod source;

use std::path::PathBuf;

/// Returns the folder of the workspace.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).map(PathBuf::from).unwrap_or(here)
}
