//! The desk as a WebAssembly module, for a page without a server.
//!
//! Two workers run the same module. The first has the [`Referee`]: the games with their deals, clocks and
//! connections; it never thinks, so it answers every message at once. The second has the [`Mind`], which
//! is given public games and searches. Whoever drives the module (the scripts in `site/`) carries texts
//! between the page, the two workers and the files of the site; [`Outside`] is all that the module asks of
//! its surroundings, and `abi` how it asks.
//!
//! **Owns** the order of jobs and how one is stopped or taken back, and UCI for programs of the JavaScript
//! world. **Must not know** what a message means ([`anqi_desk`] does), workers, files, storage.
//!
//! **Invariant:** a face-down piece never leaves the referee: not to the page, not to the mind.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

#[cfg(target_arch = "wasm32")]
mod abi;
mod direct;
mod host;
mod mind;
mod outside;
mod queue;
mod referee;
mod uci;

pub use mind::Mind;
pub use outside::{Outside, Post};
pub use referee::{Referee, Settings};
