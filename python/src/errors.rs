//! Errors as Python exceptions, and panics that stay inside.

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

create_exception!(
    anqi,
    Error,
    PyValueError,
    "What is wrong with an argument, in a sentence; the base of all errors of this package."
);
create_exception!(
    anqi,
    NotationError,
    Error,
    "A text that is not a square, piece, action, position, rule set, spec or record."
);
create_exception!(
    anqi,
    IllegalActionError,
    Error,
    "An action that the rules do not allow, and why."
);
create_exception!(
    anqi,
    TableError,
    Error,
    "A folder of tables that cannot be read, or a damaged file in it."
);
create_exception!(
    anqi,
    ClosedError,
    Error,
    "A use of something that has been closed."
);
create_exception!(
    anqi,
    InternalError,
    PyRuntimeError,
    "A fault of this package itself; please report it."
);

/// The most characters of a message.
const MOST_CHARS: usize = 800;

/// Returns a message that stays readable, however long the text is that it quotes.
fn short(message: &str) -> String {
    let cut = message.char_indices().nth(MOST_CHARS);
    cut.map_or_else(
        || message.to_owned(),
        |(end, _)| format!("{}…", &message[..end]),
    )
}

/// Returns the exception for an unreadable text.
pub fn notation(error: impl Display) -> PyErr {
    NotationError::new_err(short(&error.to_string()))
}

/// Returns the exception for an illegal action.
pub fn illegal(error: impl Display) -> PyErr {
    IllegalActionError::new_err(short(&error.to_string()))
}

/// Returns the exception for any other wrong argument.
pub fn wrong(error: impl Display) -> PyErr {
    Error::new_err(short(&error.to_string()))
}

/// Returns the exception for an object that has been closed.
pub fn closed(what: &str) -> PyErr {
    ClosedError::new_err(format!("the {what} is closed"))
}

/// Returns the exception for a panic.
pub fn panicked(payload: &(dyn std::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("without a message");
    InternalError::new_err(format!("the engine panicked: {text}"))
}

/// Does some work of the engine, and turns a panic in it into an exception.
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    // Callers drop or remake whatever the work was changing.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| panicked(&*payload))
}

/// Does some work of the engine without the interpreter's lock.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| guarded(work))
}
