//! Running the `tablebase` command.

use std::process::{Command, Output};

/// Runs the command to its end.
pub fn tablebase(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tablebase"))
        .args(arguments)
        .output()
        .unwrap()
}
