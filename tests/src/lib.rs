//! Checks of the workspace that no single crate can make.
//!
//! The crate owns the fuzzer of the protocol (`fuzz`); its tests run whole programs and several crates together. It may
//! depend on every crate; no crate may depend on it.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod fuzz;
