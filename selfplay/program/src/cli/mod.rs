//! The command line: arguments, commands, and where their results go.

pub mod analyze;
pub mod arguments;
pub mod check;
pub mod commands;
pub mod data;
pub mod event;
pub mod export;
pub mod first_flip;
pub mod fit;
pub mod generate;
pub mod merge;
pub mod openings;
pub mod options;
pub mod output;
pub mod play;
pub mod prepared;
pub mod seed;
pub mod signals;
pub mod sweep;
pub mod tournament;
pub mod train;
pub mod training_arguments;
pub mod tune;
pub mod tuning_arguments;
