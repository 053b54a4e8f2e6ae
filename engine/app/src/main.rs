//! The `anqi` program: the command line of the library, and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    anqi_app::cli::main(std::env::args_os())
}
