//! Checks of the workspace that no single crate can make.
//!
//! The crate owns the fuzzer of the protocol (`fuzz`); its tests run whole programs and several crates together. It may
//! depend on every crate; no crate may depend on it.

pub mod fuzz;
