//! The program `selfplay` from outside: what it plays, prints, writes and refuses.

mod adjudication;
mod columns;
mod common;
mod export;
mod fairness;
mod first_flip;
mod generate;
mod learning;
mod luck;
mod openings;
mod outputs;
mod records_are_checked;
mod same_bytes;
#[cfg(unix)]
mod secrecy;
#[cfg(unix)]
mod seeds;
mod streams;
mod training;
mod tuning;
