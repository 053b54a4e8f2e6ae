#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! Start with [`players::by_spec`], which makes a [`Player`] from a line of text such as
//! `basic:policy=compare`. From the bottom up:
//!
//! - [`score`] defines values, [`clock`] the share of a clock that one action may take.
//! - [`evaluation`] values positions without search.
//! - [`endgames`] has the endgame tables that players share, [`resources`] their owner.
//! - [`players`] makes players; [`parameters`] declares their options, [`spec`] reads them.
//!
//! With the feature `unstable`:
//!
//! - `negamax` searches moves only, `expectimax` moves and flips without pruning over
//!   chance: slow and obviously right, it is the oracle for every faster search. The paper's
//!   players combine these two with policies for flips.
//! - `tree` is the champion's search, over a `transposition` table; `thinking` deepens it step by step
//!   (aspiration, several best actions), `threads` runs it on several threads.
//!
//! # Features
//!
//! - `os` (default): clocks and threads. Without it time is what a host tells ([`clock::use_host_time`]),
//!   and the crate builds for `wasm32-unknown-unknown`.
//! - `unstable`: what the programs and experiments of this workspace use beyond that. It may change with
//!   any release.
//!
//! **Owns** values, evaluation, search over decisions and chance, time management, and the
//! players made of them. **Must not know** text protocols, processes, files of games, or
//! how a match is run: the caller passes a [`Request`] and gets a [`Choice`].
// What only the laboratory uses is unused without the laboratory.
#![cfg_attr(not(feature = "unstable"), allow(dead_code, unused_imports))]
#![cfg_attr(feature = "unstable", warn(unreachable_pub))]
#![cfg_attr(not(test), warn(clippy::too_many_lines))]

/// Passes names on to the laboratory under the feature `unstable`, otherwise only within the crate.
macro_rules! unstable {
    (pub use $($names:tt)+) => {
        #[cfg(feature = "unstable")]
        pub use $($names)+;
        #[cfg(not(feature = "unstable"))]
        pub(crate) use $($names)+;
    };
}

pub mod clock;
mod deepening;
pub mod endgames;
pub mod evaluation;
mod pace;
pub mod parameters;
pub mod player;
pub mod players;
mod policy;
pub mod resources;
pub mod score;
pub mod spec;

#[cfg(feature = "unstable")]
pub mod budget;
#[cfg(feature = "unstable")]
pub mod envelope;
#[cfg(feature = "unstable")]
pub mod expectimax;
#[cfg(feature = "unstable")]
pub mod negamax;
#[cfg(feature = "unstable")]
pub mod random;
#[cfg(feature = "unstable")]
pub mod thinking;
#[cfg(feature = "unstable")]
pub mod threads;
#[cfg(feature = "unstable")]
pub mod transposition;
#[cfg(feature = "unstable")]
pub mod tree;

#[cfg(not(feature = "unstable"))]
mod budget;
#[cfg(not(feature = "unstable"))]
mod envelope;
#[cfg(not(feature = "unstable"))]
mod expectimax;
#[cfg(not(feature = "unstable"))]
mod negamax;
#[cfg(not(feature = "unstable"))]
mod random;
#[cfg(not(feature = "unstable"))]
mod thinking;
#[cfg(not(feature = "unstable"))]
mod threads;
#[cfg(not(feature = "unstable"))]
mod transposition;
#[cfg(not(feature = "unstable"))]
mod tree;

pub use player::{
    Choice, Limits, LineStep, Player, PrepareError, Ranked, RankedOutcome, Report, Request, Stop,
    TimeLimit,
};
pub use score::Score;
