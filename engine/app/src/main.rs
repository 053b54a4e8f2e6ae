//! The `anqi` program: reads the command line and runs the command.
//!
//! Exit codes: 0 success, 1 failure, 2 wrong usage, 130 ended by Ctrl-C. A reader
//! that closes our output early (`anqi perft 5 | head -1`) is not a failure.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod cli;

use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // If this fails, no output is left to report it on.
            let _ = writeln!(io::stderr(), "anqi: {error:#}");
            ExitCode::from(cli::exit_code(&error))
        }
    }
}

/// Returns whether the error is a closed pipe on our output.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
