//! The distilled file of all endings of up to five pieces, inside the program.

use std::sync::OnceLock;

use super::{Pocket, PocketError};

/// The bytes that `tablebase distil --pieces 5 --out tablebase/pocket.dst` wrote.
static BYTES: &[u8] = include_bytes!("../../pocket.dst");

/// Opens the file inside the program, once for all who ask.
///
/// # Errors
///
/// Fails if the program was built with a file that is not sound, or made for other rules.
pub fn embedded() -> Result<&'static Pocket, PocketError> {
    static POCKET: OnceLock<Result<Pocket, PocketError>> = OnceLock::new();
    let opened = POCKET.get_or_init(|| Pocket::new(BYTES));
    opened.as_ref().map_err(|&error| error)
}
