//! Positions as values.

use crate::dialects::Dialect;
use crate::errors::{illegal, notation};
use crate::values::{
    PyAction, PyPiece, PyResultValue, PyRules, action, color_name, expected, hash_of, piece,
    quoted, rules, square, text_of,
};
use anqi_rules::{
    Action, Color, Content, Convention, DrawReason, Outcome, PlayError, Ply, Position, Setup,
    Square, Symmetry,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

/// A position: board, face-down pool, side to move and counters, without the past of a game.
///
/// The text has five fields: the rows from row 8 down, the turn, the face-down pieces, the quiet
/// plies and the plies. `rules` matters only for what counts as quiet and how the board ends a game.
///
/// >>> position = anqi.Position("K3/1r2/4/4/4/4/4/?2g r p 3 40")
/// >>> [str(action) for action in position.legal_actions()]
/// ['a1', 'a8-a7', 'a8-b8']
#[pyclass(name = "Position", module = "anqi", frozen, eq, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PyPosition(pub Position);

/// The names of the mirrors, in the order of [`Symmetry::ALL`].
pub const SYMMETRIES: [&str; 4] = ["identity", "rows", "columns", "rotate"];

/// Reads the name of a mirror.
pub fn symmetry(name: &str) -> PyResult<Symmetry> {
    let known = SYMMETRIES.iter().position(|known| *known == name);
    known.map(|index| Symmetry::ALL[index]).ok_or_else(|| {
        let name = anqi_rules::notation::excerpt(name);
        notation(format!(
            "'{name}' is not a mirror (expected one of {})",
            SYMMETRIES.join(", ")
        ))
    })
}

/// Reads a position from an object or its text.
pub fn position(object: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(position) = object.cast::<PyPosition>() {
        return Ok(position.get().0);
    }
    match text_of(object)? {
        Some(text) => text.parse().map_err(notation),
        None => Err(expected("a position as text, or an anqi.Position", object)),
    }
}

/// Returns the chances of a flip, `fractions.Fraction` of each kind; none for a step.
pub fn chances<'py>(
    py: Python<'py>,
    position: &Position,
    action: Action,
) -> PyResult<Vec<(PyPiece, Bound<'py, PyAny>)>> {
    if !action.is_flip() {
        return Ok(Vec::new());
    }
    let outcome = |reveal: anqi_rules::Reveal| {
        let chance = fraction(py, reveal.weight.into(), reveal.total.into())?;
        Ok((PyPiece(reveal.piece), chance))
    };
    position.reveals().map(outcome).collect()
}

/// Returns a `fractions.Fraction`.
pub fn fraction<'py>(py: Python<'py>, over: i64, under: i64) -> PyResult<Bound<'py, PyAny>> {
    py.import("fractions")?
        .getattr("Fraction")?
        .call1((over, under))
}

/// Reads a ply from an action and the piece that a flip reveals.
pub fn ply(action_of: &Bound<'_, PyAny>, revealed: Option<&Bound<'_, PyAny>>) -> PyResult<Ply> {
    if let (Some(text), None) = (text_of(action_of)?, revealed)
        && text.contains('(')
    {
        return text.parse().map_err(notation);
    }
    Ok(Ply {
        action: action(action_of)?,
        reveal: revealed.map(piece).transpose()?,
    })
}

/// Returns the exception for a ply that cannot be played.
pub fn refused(error: PlayError) -> PyErr {
    illegal(error)
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (text, rules = None))]
    fn new(text: &str, rules: Option<&Bound<'_, PyAny>>) -> PyResult<PyPosition> {
        let convention = self::rules(rules)?.convention;
        let position: Position = text.parse().map_err(notation)?;
        Ok(PyPosition(position.under(convention)))
    }

    /// The position before the first flip.
    #[staticmethod]
    #[pyo3(signature = (rules = None))]
    fn start(rules: Option<&Bound<'_, PyAny>>) -> PyResult<PyPosition> {
        let convention = self::rules(rules)?.convention;
        Ok(PyPosition(Position::start().under(convention)))
    }

    /// The position that a text means in a dialect: "anqi"; "uci", a FEN of UCI for banqi; "line", a line
    /// of the course's server, whose captured pieces are guessed; "tournament", 32 squares and 14 counts, with
    /// the side to move as `to_move`.
    #[staticmethod]
    #[pyo3(signature = (text, dialect = "anqi", *, to_move = None))]
    fn from_text(text: &str, dialect: &str, to_move: Option<&str>) -> PyResult<PyPosition> {
        let turn = to_move.map(crate::values::color).transpose()?;
        let dialect = Dialect::named(dialect)?;
        dialect.read_position(text, turn).map(PyPosition)
    }

    /// The text of the position in a dialect: "anqi", "uci", "line" or "tournament". A line lacks what was
    /// captured and the counters, a board of the tournament the side to move and the counters.
    #[pyo3(signature = (dialect = "anqi"))]
    fn text(&self, dialect: &str) -> PyResult<String> {
        Ok(Dialect::named(dialect)?.position(&self.0))
    }

    /// The position that a FEN of UCI for banqi describes: ranks, turn, bag, quiet plies, move.
    #[staticmethod]
    fn from_fen(text: &str) -> PyResult<PyPosition> {
        Dialect::Uci.read_position(text, None).map(PyPosition)
    }

    /// The position as a FEN of UCI for banqi, which `from_fen` reads.
    fn fen(&self) -> String {
        Dialect::Uci.position(&self.0)
    }

    /// The side to move, "red" or "black", or None before the first flip.
    #[getter]
    fn to_move(&self) -> Option<&'static str> {
        self.0.turn().map(color_name)
    }

    /// The number of quiet plies.
    #[getter]
    fn quiet(&self) -> u32 {
        self.0.quiet_counter()
    }

    /// The number of plies played.
    #[getter]
    fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// The number of each kind that is still face down, by piece; kinds with none are left out.
    #[getter]
    fn hidden<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for (piece, count) in self.0.hidden() {
            counts.set_item(PyPiece(piece).into_pyobject(py)?, count)?;
        }
        Ok(counts)
    }

    /// The face-down squares, in text order.
    #[getter]
    fn face_down(&self) -> Vec<String> {
        self.0
            .face_down()
            .into_iter()
            .map(|square| square.to_string())
            .collect()
    }

    /// The face-up pieces by square, in text order.
    #[getter]
    fn pieces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let pieces = PyDict::new(py);
        for square in Square::all() {
            if let Some(piece) = self.0.piece_at(square) {
                pieces.set_item(square.to_string(), PyPiece(piece).into_pyobject(py)?)?;
            }
        }
        Ok(pieces)
    }

    /// The face-up piece on a square, or None.
    fn piece_at(&self, square: &str) -> PyResult<Option<PyPiece>> {
        Ok(self.0.piece_at(self::square(square)?).map(PyPiece))
    }

    /// The number of living pieces of a colour, face up and face down.
    fn living(&self, color: &str) -> PyResult<u32> {
        Ok(self.0.living(crate::values::color(color)?))
    }

    /// The legal actions, in text order; none where the board has ended the game.
    fn legal_actions(&self) -> Vec<PyAction> {
        self.0.actions().into_iter().map(PyAction).collect()
    }

    /// Whether an action is legal.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.is_legal(crate::values::action(action)?))
    }

    /// What a flip may reveal, with exact chances; empty for a step.
    fn chance_outcomes<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(PyPiece, Bound<'py, PyAny>)>> {
        let action = crate::values::action(action)?;
        self.0.check_action(action).map_err(refused)?;
        chances(py, &self.0, action)
    }

    /// The position after an action; a flip names its piece.
    #[pyo3(signature = (action, piece = None))]
    fn apply(
        &self,
        action: &Bound<'_, PyAny>,
        piece: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPosition> {
        let mut next = self.0;
        let _ = next.play(ply(action, piece)?).map_err(refused)?;
        Ok(PyPosition(next))
    }

    /// Whether the board has ended the game; draws need the past and the rules.
    #[getter]
    fn is_terminal(&self) -> bool {
        self.0.loser().is_some()
    }

    /// How the board has ended the game, or None; draws by repetition need a Game.
    #[pyo3(signature = (rules = None))]
    fn result(&self, rules: Option<&Bound<'_, PyAny>>) -> PyResult<Option<PyResultValue>> {
        let no_draw = || None::<DrawReason>;
        if rules.is_some() {
            let outcome = self::rules(rules)?.outcome(&self.0, no_draw);
            return Ok(outcome.map(PyResultValue::of));
        }
        let lost = self.0.loser();
        let outcome = lost.map(|(loser, reason)| Outcome::Win {
            winner: !loser,
            reason,
        });
        Ok(outcome.map(PyResultValue::of))
    }

    /// The mirror image: "rows" exchanges rows 1 and 8, "columns" a and d, "rotate" both.
    fn mirrored(&self, mirror: &str) -> PyResult<PyPosition> {
        Ok(PyPosition(symmetry(mirror)?.position(&self.0)))
    }

    /// The same position with the colours exchanged.
    fn recolored(&self) -> PyPosition {
        PyPosition(recolored(&self.0))
    }

    /// The 64-bit key of board, pool and side to move; the counters are not part of it.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        match self.0.convention() {
            Convention::Tournament => format!("anqi.Position({})", quoted(&self.0.to_string())),
            Convention::Course => {
                format!(
                    "anqi.Position({}, rules='course')",
                    quoted(&self.0.to_string())
                )
            }
        }
    }

    fn __hash__(&self) -> u64 {
        let position = &self.0;
        hash_of(&(
            position.key(),
            position.quiet_counter(),
            position.ply(),
            position.convention(),
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, PyRules)) {
        let rules = match self.0.convention() {
            Convention::Tournament => anqi_rules::Rules::OLYMPIAD,
            Convention::Course => anqi_rules::Rules::COURSE,
        };
        (
            py.get_type::<PyPosition>(),
            (self.0.to_string(), PyRules(rules)),
        )
    }
}

/// Returns a position with its colours exchanged.
fn recolored(position: &Position) -> Position {
    let mut setup = Setup::from(position);
    for content in &mut setup.board {
        if let Content::FaceUp(piece) = content {
            *piece = piece.recolored();
        }
    }
    let half = setup.hidden.len() / 2;
    setup.hidden.rotate_left(half);
    setup.turn = setup.turn.map(Color::opposite);
    let swapped = setup.position();
    let swapped = swapped.expect("both colours have the same pieces, so no count is wrong");
    swapped.under(position.convention())
}
