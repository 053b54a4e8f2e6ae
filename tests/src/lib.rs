//! Checks of the whole workspace that no single crate can make alone.
//!
//! The crate owns the fuzzer of the protocol (`fuzz`) and the reader of the games that an outside program has played
//! (`playthrough`); its tests hold all crates against them and against the second, slow rule book (`anqi-naive`). It sees
//! everything, and nothing sees it: no other crate may depend on this one.

pub mod fuzz;
pub mod playthrough;
