//! The program `lab` from outside: what it prints and refuses.

// Tests and their helpers may panic.
#![allow(clippy::unwrap_used)]

mod ablation;
mod common;
mod errors;
mod findings;
mod growth;
mod materials;
mod measured;
mod options;
mod ways;
