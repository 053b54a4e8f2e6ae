//! The statistics of matches: estimates and their errors.
//!
//! Everything here is computed from results alone; nothing knows of players,
//! files or clocks. Error bars always come from pairs, which are independent; the
//! two games of a pair share their deal and are not.

pub mod adjusted;
pub mod elo;
pub mod moments;
pub mod normal;
pub mod pentanomial;
pub mod rating;
pub mod score_table;
pub mod sprt;
