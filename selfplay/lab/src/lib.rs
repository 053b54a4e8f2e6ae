//! The laboratory: training, tuning and experiments.
//!
//! [`training`] fits the weights and the network of an evaluation to games of a player with itself, [`tuning`] finds
//! better parameters of a player, and [`first_flip`] measures what the first flip is worth; the program `selfplay` has
//! their commands. The experiments are commands of the program `lab`: [`endings`] plays out won endings against perfect
//! defence, [`ways`] those that take longest with three kinds of tables, [`savings`] compares the champion's nodes with those of plain expectimax, [`ablation`] switches its techniques
//! off one at a time, [`regret`] measures how much value choices give away, [`decisions`] what those of saved games did, [`growth`] how strength grows with nodes or time, [`materials`] sums up endgame tables and scores larger materials, [`sampling_speed`] times draws of subsets, [`branching`] counts the moves of positions, and
//! [`archive`] replays a platform's game records with both rule books. Tests use the same parts with smaller numbers,
//! so that documents and tests measure the same thing.
//!
//! **Must not know** the command line of `selfplay`, the page, or the terminal.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod ablation;
pub mod archive;
pub mod branching;
pub mod decisions;
pub mod endings;
pub mod first_flip;
pub mod growth;
pub mod materials;
pub mod regret;
pub mod sampling_speed;
pub mod savings;
pub mod training;
pub mod tuning;
pub mod ways;
