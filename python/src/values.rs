//! Pieces, actions, rules and results: small values that print as their texts.

use crate::dialects::{Dialect, action_text};
use crate::errors::{notation, wrong};
use anqi_rules::{Action, Color, Outcome, Piece, Repetition, Rules, Square};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Returns the word for a colour.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}

/// Reads the word for a colour.
pub fn color(text: &str) -> PyResult<Color> {
    match text {
        "red" => Ok(Color::Red),
        "black" => Ok(Color::Black),
        other => {
            let other = anqi_rules::notation::excerpt(other);
            Err(notation(format!(
                "'{other}' is not a colour (expected red or black)"
            )))
        }
    }
}

/// Returns a hash that does not change within a process.
pub fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns a text as Python writes it in a program.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Says what was expected instead of an object of this type.
pub fn expected(what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found
        .get_type()
        .name()
        .map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {what}, not {name}"))
}

/// Reads a text if the object is one.
pub fn text_of<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<std::borrow::Cow<'a, str>>> {
    match object.cast::<PyString>() {
        Ok(text) => text.to_cow().map(Some),
        Err(_) => Ok(None),
    }
}

/// A kind of piece: a colour and a role, by the letters KGMRNCP, upper case for red.
///
/// >>> anqi.Piece("k").role, anqi.Piece("k").color
/// ('king', 'black')
#[pyclass(
    name = "Piece",
    module = "anqi",
    frozen,
    eq,
    ord,
    hash,
    skip_from_py_object
)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PyPiece(pub Piece);

#[pymethods]
impl PyPiece {
    #[new]
    fn new(letter: &str) -> PyResult<PyPiece> {
        letter.parse().map(PyPiece).map_err(notation)
    }

    /// All 14 kinds in the order KGMRNCPkgmrncp.
    #[staticmethod]
    fn all() -> Vec<PyPiece> {
        Piece::all().map(PyPiece).collect()
    }

    /// The colour, "red" or "black".
    #[getter]
    fn color(&self) -> &'static str {
        color_name(self.0.color())
    }

    /// The role: king, guard, minister, rook, knight, cannon or pawn.
    #[getter]
    fn role(&self) -> &'static str {
        self.0.role().name()
    }

    /// The letter, upper case for red.
    #[getter]
    fn letter(&self) -> String {
        self.0.to_string()
    }

    /// The Chinese character on the piece.
    #[getter]
    fn character(&self) -> char {
        self.0.character()
    }

    /// The place in KGMRNCPkgmrncp, from 0.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    /// How many of this kind a game begins with.
    #[getter]
    fn count(&self) -> usize {
        self.0.role().per_side()
    }

    /// The piece of the other colour with the same role.
    fn recolored(&self) -> PyPiece {
        PyPiece(self.0.recolored())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("anqi.Piece('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<PyPiece>(), (self.0.to_string(),))
    }
}

/// Reads a piece from an object or its letter.
pub fn piece(object: &Bound<'_, PyAny>) -> PyResult<Piece> {
    if let Ok(piece) = object.cast::<PyPiece>() {
        return Ok(piece.get().0);
    }
    match text_of(object)? {
        Some(text) => text.parse().map_err(notation),
        None => Err(expected("a piece such as 'k', or an anqi.Piece", object)),
    }
}

/// A flip, a step or a capture: "b3" or "b3-b4".
///
/// >>> str(anqi.Action("b3")), anqi.Action("b3-b4").target
/// ('b3', 'b4')
#[pyclass(
    name = "Action",
    module = "anqi",
    frozen,
    eq,
    ord,
    hash,
    skip_from_py_object
)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PyAction(pub Action);

#[pymethods]
impl PyAction {
    #[new]
    fn new(text: &str) -> PyResult<PyAction> {
        text.parse().map(PyAction).map_err(notation)
    }

    /// The action with this number of the encoding, 0 to 351.
    #[staticmethod]
    fn from_number(number: u32) -> PyResult<PyAction> {
        crate::vector::actions::action(number)
            .map(PyAction)
            .ok_or_else(|| {
                wrong(format!(
                    "{number} is not the number of an action (expected 0 to 351)"
                ))
            })
    }

    /// The action that a text means in a dialect: "anqi", "uci", "line" or "tournament".
    #[staticmethod]
    #[pyo3(signature = (text, dialect = "anqi"))]
    fn from_text(text: &str, dialect: &str) -> PyResult<PyAction> {
        Dialect::named(dialect)?.read_action(text).map(PyAction)
    }

    /// The text of the action in a dialect: "anqi", "uci", "line" or "tournament".
    #[pyo3(signature = (dialect = "anqi"))]
    fn text(&self, dialect: &str) -> PyResult<String> {
        Ok(Dialect::named(dialect)?.action(self.0))
    }

    /// The square on which it starts.
    #[getter]
    fn source(&self) -> String {
        self.0.from().to_string()
    }

    /// The square on which it ends; that of the flip for a flip.
    #[getter]
    fn target(&self) -> String {
        self.0.to().to_string()
    }

    /// Whether it is a flip.
    #[getter]
    fn is_flip(&self) -> bool {
        self.0.is_flip()
    }

    /// Its number in the encoding, or None for squares that no piece ever goes between.
    #[getter]
    fn number(&self) -> Option<u32> {
        crate::vector::actions::number(self.0)
    }

    fn __str__(&self) -> String {
        action_text(self.0)
    }

    fn __repr__(&self) -> String {
        format!("anqi.Action('{}')", action_text(self.0))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<PyAction>(), (action_text(self.0),))
    }
}

/// Reads an action from an object or its text.
pub fn action(object: &Bound<'_, PyAny>) -> PyResult<Action> {
    if let Ok(action) = object.cast::<PyAction>() {
        return Ok(action.get().0);
    }
    match text_of(object)? {
        Some(text) => text.parse().map_err(notation),
        None => Err(expected(
            "an action such as 'b3' or 'b3-b4', or an anqi.Action",
            object,
        )),
    }
}

/// Reads a square.
pub fn square(text: &str) -> PyResult<Square> {
    text.parse().map_err(notation)
}

/// When a game is drawn, and what counts as quiet: a preset's name, or settings as `str` writes them.
///
/// >>> anqi.Rules("platform").quiet_limit
/// 60
#[pyclass(name = "Rules", module = "anqi", frozen, eq, hash, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyRules(pub Rules);

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (text = "olympiad"))]
    fn new(text: &str) -> PyResult<PyRules> {
        text.parse().map(PyRules).map_err(notation)
    }

    /// The presets, the default first.
    #[staticmethod]
    fn presets() -> Vec<PyRules> {
        Rules::PRESETS
            .iter()
            .map(|(_, rules)| PyRules(*rules))
            .collect()
    }

    /// The name of the preset, or None.
    #[getter]
    fn name(&self) -> Option<&'static str> {
        self.0.name()
    }

    /// The number of quiet plies that draws, or None.
    #[getter]
    fn quiet_limit(&self) -> Option<u32> {
        self.0.quiet_limit.map(std::num::NonZero::get)
    }

    /// How often a repetition must come to draw, or None where none does.
    #[getter]
    fn repetition(&self) -> Option<u32> {
        Some(self.0.repetition.times()).filter(|times| *times >= 2)
    }

    /// Whether a position alone, without its past, decides what is legal and how the game ends.
    #[getter]
    fn is_markov(&self) -> bool {
        self.0.repetition == Repetition::Never
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("anqi.Rules({})", quoted(&self.0.to_string()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<PyRules>(), (self.0.to_string(),))
    }
}

/// Reads rules from an object or their text.
pub fn rules(object: Option<&Bound<'_, PyAny>>) -> PyResult<Rules> {
    let Some(object) = object.filter(|object| !object.is_none()) else {
        return Ok(Rules::OLYMPIAD);
    };
    if let Ok(rules) = object.cast::<PyRules>() {
        return Ok(rules.get().0);
    }
    match text_of(object)? {
        Some(text) => text.parse().map_err(notation),
        None => Err(expected(
            "rules such as 'olympiad', or an anqi.Rules",
            object,
        )),
    }
}

/// The end of a game: the winner, or a draw, and the reason.
#[pyclass(
    name = "Result",
    module = "anqi",
    frozen,
    eq,
    hash,
    skip_from_py_object
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyResultValue {
    pub winner: Option<Color>,
    pub reason: &'static str,
}

/// The reasons by which games end.
const REASONS: [&str; 4] = [
    "no-legal-action",
    "annihilation",
    "quiet-limit",
    "repetition",
];

impl PyResultValue {
    /// Returns the result of an outcome.
    pub fn of(outcome: Outcome) -> PyResultValue {
        use anqi_rules::{DrawReason, WinReason};
        let [no_action, annihilation, quiet, repetition] = REASONS;
        PyResultValue {
            winner: outcome.winner(),
            reason: match outcome {
                Outcome::Win {
                    reason: WinReason::NoLegalAction,
                    ..
                } => no_action,
                Outcome::Win {
                    reason: WinReason::Annihilation,
                    ..
                } => annihilation,
                Outcome::Draw(DrawReason::QuietLimit) => quiet,
                Outcome::Draw(DrawReason::Repetition { .. }) => repetition,
            },
        }
    }
}

#[pymethods]
impl PyResultValue {
    #[new]
    #[pyo3(signature = (winner, reason))]
    fn new(winner: Option<&str>, reason: &str) -> PyResult<PyResultValue> {
        let winner = winner.map(color).transpose()?;
        let known = REASONS.into_iter().find(|known| *known == reason);
        let reason = known.ok_or_else(|| {
            let reason = anqi_rules::notation::excerpt(reason);
            notation(format!(
                "'{reason}' is not a reason (expected one of {})",
                REASONS.join(", ")
            ))
        })?;
        Ok(PyResultValue { winner, reason })
    }

    /// The winner, "red" or "black", or None for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.winner.map(color_name)
    }

    /// The reason: no-legal-action, annihilation, quiet-limit or repetition.
    #[getter]
    fn reason(&self) -> &'static str {
        self.reason
    }

    /// The points of a colour: 1 for a win, 0 for a draw, -1 for a loss.
    fn points(&self, color: &str) -> PyResult<i32> {
        let color = self::color(color)?;
        Ok(self
            .winner
            .map_or(0, |winner| if winner == color { 1 } else { -1 }))
    }

    fn __str__(&self) -> String {
        match self.winner {
            Some(winner) => format!("{winner} wins"),
            None => format!("draw {}", self.reason),
        }
    }

    fn __repr__(&self) -> String {
        let winner = self
            .winner
            .map_or("None".to_owned(), |winner| format!("'{winner}'"));
        format!("anqi.Result({winner}, '{}')", self.reason)
    }

    #[expect(clippy::type_complexity, reason = "what pickle asks for")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (Option<&'static str>, &'static str)) {
        (py.get_type::<PyResultValue>(), (self.winner(), self.reason))
    }
}
