//! The distilled file of all endings of up to five pieces as a WebAssembly module that only probes.
//!
//! ```text
//! cargo build --release -p anqi-tablebase --example pocket_wasm --target wasm32-unknown-unknown \
//!     --no-default-features --features pocket
//! ```
//!
//! A page writes a position (ASCII) to the buffer at `input()`, at most `room()` bytes, and calls
//! `probe(length)`: 1, 0 or -1 for a win, draw or loss of the side to move; 2 if the file does not
//! have the position, 3 if the text is not a position. `tablebase/examples/pocket_wasm.mjs` does so.

use std::sync::atomic::{AtomicU8, Ordering};

use anqi_rules::Position;
use anqi_tablebase::{Endgames, Wdl, distil};

/// Where the page writes; atomic, so that no unsafe code is needed to read it.
static INPUT: [AtomicU8; 256] = [const { AtomicU8::new(0) }; 256];

/// Returns the address of the buffer.
// SAFETY: no other function of this module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn input() -> *const u8 {
    INPUT.as_ptr().cast()
}

/// Returns the length of the buffer.
// SAFETY: no other function of this module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room() -> usize {
    INPUT.len()
}

/// Returns the value of the position in the first bytes of the buffer.
// SAFETY: no other function of this module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn probe(length: usize) -> i32 {
    let bytes = INPUT.iter().take(length);
    let text: String = bytes
        .map(|byte| char::from(byte.load(Ordering::Relaxed)))
        .collect();
    let Ok(position) = text.parse::<Position>() else {
        return 3;
    };
    match distil::embedded()
        .ok()
        .and_then(|pocket| pocket.wdl(&position))
    {
        Some(Wdl::Win) => 1,
        Some(Wdl::Draw) => 0,
        Some(Wdl::Loss) => -1,
        None => 2,
    }
}
