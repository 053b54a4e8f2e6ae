//! The Python package `anqi`: a thin layer over the library crates.
//!
//! Everything here turns Python's objects into values of the crates and back; no rule, search or format
//! is written a second time. Values are immutable classes; long work runs without the
//! interpreter's lock and ends at Ctrl-C; errors are exceptions with the sentences of the crates, and
//! a panic is an exception too.
//!
//! - `values`, `position`, `game`: the game itself; `dialects`: its texts;
//! - `player`, `thoughts`, `analysis`: who plays, what they think, what a game is worth; `puzzles`;
//! - `matches`: games between players, Python's among them; `learning`: networks and their inputs;
//! - `tables`: exact endings; `vector`: many games at once in memory that NumPy sees (`array`);
//! - `program`: the program `anqi`; `threads`, `errors`: what all of these stand on.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod analysis;
mod array;
mod dialects;
mod errors;
mod game;
mod learning;
mod matches;
mod placements;
mod player;
mod position;
mod program;
mod puzzles;
mod tables;
mod thoughts;
mod threads;
mod values;
mod vector;

use pyo3::prelude::*;

/// Adds a class or function for each name.
#[pymodule]
fn _anqi(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("PLANES", vector::encoding::PLANES)?;
    module.add("ACTIONS", vector::actions::ACTIONS)?;
    module.add("Error", py.get_type::<errors::Error>())?;
    module.add("NotationError", py.get_type::<errors::NotationError>())?;
    module.add(
        "IllegalActionError",
        py.get_type::<errors::IllegalActionError>(),
    )?;
    module.add("TableError", py.get_type::<errors::TableError>())?;
    module.add("ClosedError", py.get_type::<errors::ClosedError>())?;
    module.add("InternalError", py.get_type::<errors::InternalError>())?;
    module.add_class::<values::PyPiece>()?;
    module.add_class::<values::PyAction>()?;
    module.add_class::<values::PyRules>()?;
    module.add_class::<values::PyResultValue>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<game::PyGame>()?;
    module.add_class::<player::PyPlayer>()?;
    module.add_class::<player::Thinking>()?;
    module.add_class::<thoughts::PyChoice>()?;
    module.add_class::<thoughts::PyScore>()?;
    module.add_class::<thoughts::PyRanked>()?;
    module.add_class::<thoughts::PyProgress>()?;
    module.add_class::<tables::PyTables>()?;
    module.add_class::<tables::PyProbe>()?;
    module.add_class::<placements::Placements>()?;
    module.add_class::<analysis::Analysis>()?;
    module.add_class::<analysis::PyRound>()?;
    module.add_class::<puzzles::PyPuzzle>()?;
    module.add_class::<puzzles::PyAttempt>()?;
    module.add_class::<puzzles::PyAnswer>()?;
    module.add_class::<array::Array>()?;
    module.add_class::<vector::VectorCore>()?;
    module.add_function(wrap_pyfunction!(placements::all_positions, module)?)?;
    module.add_function(wrap_pyfunction!(vector::encode, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::analyse, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::evaluate, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::py_hint, module)?)?;
    module.add_function(wrap_pyfunction!(analysis::review, module)?)?;
    module.add_function(wrap_pyfunction!(puzzles::py_puzzles, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(learning::features, module)?)?;
    module.add_function(wrap_pyfunction!(learning::board_features, module)?)?;
    module.add_function(wrap_pyfunction!(learning::board_terms, module)?)?;
    module.add_function(wrap_pyfunction!(learning::input_images, module)?)?;
    module.add_function(wrap_pyfunction!(learning::built_in_network, module)?)?;
    module.add_function(wrap_pyfunction!(learning::network_results, module)?)?;
    module.add_function(wrap_pyfunction!(learning::network_accumulators, module)?)?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    Ok(())
}
