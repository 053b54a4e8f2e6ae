//! Checks of the whole workspace that no single crate can make alone.
//!
//! The crate owns the fuzzer of the protocol (`fuzz`); its tests let whole programs and several crates together do what
//! they are for. It sees everything, and nothing sees it: no other crate may depend on this one.

pub mod fuzz;
