//! The whole program `anqi`, for `python -m anqi`.

use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::{self, Write};

/// Runs the program with these words, the first of which is its name, and returns its exit code.
#[pyfunction]
pub fn run_program(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    crate::errors::detached(py, || {
        let code = anqi_app::cli::run(words);
        // Python ends the process without telling Rust.
        let _ = io::stdout().flush();
        code
    })
}
