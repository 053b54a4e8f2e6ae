//! Tuning the parameters of built-in players, and sweeping over them.
//!
//! A [`plan`] says what is tuned, on which games and by which schedule, and is read and
//! checked by [`checks`]; [`template`] writes a first one. [`spsa`] is the arithmetic,
//! which knows no games. The [`run`] plays one iteration after another ([`games`]) and
//! saves each in a [`journal`], from which a killed run resumes; at the end the [`verdict`]
//! tests the tuned player on deals that it was not tuned on. The [`report`] shows the
//! results. A [`sweep`] plays a match for every value of one or two parameters, and
//! [`sweep_report`] shows their scores.

pub mod checks;
pub mod games;
pub mod journal;
pub mod plan;
pub(crate) mod plot;
pub mod report;
pub mod run;
pub mod spsa;
pub mod sweep;
pub mod sweep_report;
pub mod template;
pub mod verdict;
