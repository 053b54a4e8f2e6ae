//! Games: a position with its past and its rules.

use crate::errors::{illegal, notation, wrong};
use crate::position::{PyPosition, chances, ply, refused};
use crate::values::{
    PyAction, PyPiece, PyResultValue, PyRules, action, color_name, hash_of, quoted, rules,
};
use anqi_desk::records::{self, Format};
use anqi_protocol::record::pgn::PgnGame;
use anqi_rules::{Action, Game, Ply, Position};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The layout of pickled games.
const PICKLE: u32 = 1;

/// A game under a set of rules.
///
/// >>> game = anqi.Game(rules="olympiad")
/// >>> game.play("b3", "k")
/// >>> game.to_move
/// 'red'
/// >>> game.undo()
/// (anqi.Action('b3'), anqi.Piece('k'))
#[pyclass(name = "Game", module = "anqi", skip_from_py_object)]
#[derive(Clone)]
pub struct PyGame {
    pub game: Game,
}

impl PyGame {
    /// Says why no ply can be played, if the game is over.
    fn check_running(&self) -> PyResult<()> {
        match self.game.outcome() {
            None => Ok(()),
            Some(outcome) => Err(illegal(format!("the game is over: {outcome}"))),
        }
    }

    /// Returns the start and the plies as one line.
    fn line(&self) -> String {
        let start = self.game.start();
        let mut line = if *start == Position::start().under(start.convention()) {
            "start".to_owned()
        } else {
            start.to_string()
        };
        if !self.game.plies().is_empty() {
            let plies: Vec<String> = self.game.plies().iter().map(Ply::to_string).collect();
            line += " moves ";
            line += &plies.join(" ");
        }
        line
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (rules = None))]
    fn new(rules: Option<&Bound<'_, PyAny>>) -> PyResult<PyGame> {
        let game = Game::new(Position::start(), self::rules(rules)?);
        Ok(PyGame { game })
    }

    /// The game that begins at a position, a Position or its text.
    #[staticmethod]
    #[pyo3(signature = (position, rules = None))]
    fn from_position(
        position: &Bound<'_, PyAny>,
        rules: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGame> {
        let start = crate::position::position(position)?;
        let game = Game::new(start, self::rules(rules)?);
        Ok(PyGame { game })
    }

    /// The game that a line describes: "start" or a position, then "moves" and the plies.
    #[staticmethod]
    #[pyo3(signature = (text, rules = None))]
    fn from_text(text: &str, rules: Option<&Bound<'_, PyAny>>) -> PyResult<PyGame> {
        let game = Game::from_text(text, self::rules(rules)?).map_err(notation)?;
        Ok(PyGame { game })
    }

    /// All games of a record, in whatever format: PGN, the platform's, JSON lines or a position
    /// with moves. `rules` are those of games that name none.
    #[staticmethod]
    #[pyo3(signature = (record, rules = None))]
    fn read_all(record: &str, rules: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<PyGame>> {
        let rules = self::rules(rules)?;
        let read = records::read(record.as_bytes(), rules).map_err(notation)?;
        let game = |game: &PgnGame| {
            game.game(rules)
                .map(|game| PyGame { game })
                .map_err(notation)
        };
        read.games.iter().map(game).collect()
    }

    /// The record of the game: "pgn", "platform", "json" or "position".
    #[pyo3(signature = (format = "pgn", players = ("?".to_owned(), "?".to_owned())))]
    fn record(&self, format: &str, players: (String, String)) -> PyResult<String> {
        let format = match format {
            "pgn" => Format::Pgn,
            "platform" => Format::Platform,
            "json" => Format::Anqi,
            "position" => Format::Position,
            other => {
                let other = anqi_rules::notation::excerpt(other);
                let formats = "expected pgn, platform, json or position";
                return Err(wrong(format!("'{other}' is not a format ({formats})")));
            }
        };
        let game = PgnGame::of_game(&self.game, [&players.0, &players.1]);
        Ok(records::write(&[game], format, self.game.rules()).text)
    }

    /// The current position.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(*self.game.position())
    }

    /// The position at which the game began.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition(*self.game.start())
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(self.game.rules())
    }

    /// The side to move, "red" or "black", or None before the first flip.
    #[getter]
    fn to_move(&self) -> Option<&'static str> {
        self.game.position().turn().map(color_name)
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.game.outcome().is_some()
    }

    /// The same as `is_over`.
    #[getter]
    fn is_terminal(&self) -> bool {
        self.is_over()
    }

    /// The result, or None while the game goes on.
    #[getter]
    fn result(&self) -> Option<PyResultValue> {
        self.game.outcome().map(PyResultValue::of)
    }

    /// The plies: each the action, and the piece that a flip revealed or None.
    #[getter]
    fn plies(&self) -> Vec<(PyAction, Option<PyPiece>)> {
        self.game.plies().iter().map(|ply| pair(*ply)).collect()
    }

    /// The start and the plies as a line that `from_text` reads.
    #[getter]
    fn text(&self) -> String {
        self.line()
    }

    /// The legal actions, in text order; none once the game is over.
    fn legal_actions(&self) -> Vec<PyAction> {
        if self.is_over() {
            return Vec::new();
        }
        self.game.actions().into_iter().map(PyAction).collect()
    }

    /// Whether an action is legal.
    fn is_legal(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        let action = self::action(action)?;
        Ok(!self.is_over() && self.game.is_legal(action))
    }

    /// What a flip may reveal, with exact chances; empty for a step.
    fn chance_outcomes<'py>(
        &self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(PyPiece, Bound<'py, PyAny>)>> {
        let action: Action = self::action(action)?;
        self.check_running()?;
        self.game.check_action(action).map_err(refused)?;
        chances(py, self.game.position(), action)
    }

    /// Plays an action; a flip names its piece, as play("b3", "k") or play("b3(k)").
    #[pyo3(signature = (action, piece = None))]
    fn play(
        &mut self,
        action: &Bound<'_, PyAny>,
        piece: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let ply = ply(action, piece)?;
        self.check_running()?;
        self.game.play(ply).map_err(refused)
    }

    /// A copy of the game with one more ply.
    #[pyo3(signature = (action, piece = None))]
    fn apply(
        &self,
        action: &Bound<'_, PyAny>,
        piece: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyGame> {
        let mut next = self.clone();
        next.play(action, piece)?;
        Ok(next)
    }

    /// Plays an action and draws the piece of a flip; returns the piece, or None for a step.
    ///
    /// `rng` is a `random.Random` or a NumPy `Generator`: something with a method `random`.
    #[pyo3(signature = (action, rng = None))]
    fn play_drawn<'py>(
        &mut self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
        rng: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<PyPiece>> {
        let action: Action = self::action(action)?;
        self.check_running()?;
        self.game.check_action(action).map_err(refused)?;
        let drawn: f64 = match rng {
            _ if !action.is_flip() => 0.0,
            Some(rng) => match rng.getattr("random") {
                Ok(random) => random.call0()?.extract()?,
                Err(_) => {
                    let what = "a random.Random or a NumPy Generator";
                    return Err(crate::values::expected(what, rng));
                }
            },
            None => py.import("random")?.call_method0("random")?.extract()?,
        };
        if !(0.0..1.0).contains(&drawn) {
            return Err(wrong(format!(
                "rng.random() returned {drawn} (expected 0 to 1)"
            )));
        }
        let bag = self.game.position().hidden();
        let mut left = (drawn * f64::from(bag.total())) as u32;
        let found = bag.iter().find(|(_, count)| {
            let is_it = left < *count;
            left = left.saturating_sub(*count);
            is_it
        });
        let reveal = found.map(|(piece, _)| piece).filter(|_| action.is_flip());
        self.game.play(Ply { action, reveal }).map_err(refused)?;
        Ok(reveal.map(PyPiece))
    }

    /// Takes back the last ply and returns it: the action, and the piece of a flip or None.
    fn undo(&mut self) -> PyResult<(PyAction, Option<PyPiece>)> {
        let ply = self.game.undo();
        ply.map(pair)
            .ok_or_else(|| illegal("there is no ply to take back"))
    }

    /// A copy.
    fn copy(&self) -> PyGame {
        self.clone()
    }

    fn __copy__(&self) -> PyGame {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGame {
        self.clone()
    }

    fn __len__(&self) -> usize {
        self.game.plies().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __str__(&self) -> String {
        self.line()
    }

    fn __repr__(&self) -> String {
        let rules = quoted(&self.game.rules().to_string());
        format!(
            "anqi.Game.from_text({}, rules={rules})",
            quoted(&self.line())
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<PyGame>() else {
            return Ok(false);
        };
        let other = other.try_borrow()?;
        Ok(self.game.start() == other.game.start()
            && self.game.plies() == other.game.plies()
            && self.game.rules() == other.game.rules())
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(
            self.game.start().key(),
            self.game.plies(),
            self.game.rules(),
        ))
    }

    #[expect(clippy::type_complexity, reason = "what pickle asks for")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (u32, String, String))> {
        let restore = py.get_type::<PyGame>().getattr("_restore")?;
        Ok((
            restore,
            (PICKLE, self.line(), self.game.rules().to_string()),
        ))
    }

    /// The game of a pickle.
    #[classmethod]
    fn _restore(
        _cls: &Bound<'_, PyType>,
        version: u32,
        text: &str,
        rules: &str,
    ) -> PyResult<PyGame> {
        if version != PICKLE {
            return Err(wrong(format!(
                "a pickled game of version {version}, but this package reads version {PICKLE}"
            )));
        }
        let rules = rules.parse().map_err(notation)?;
        let game = Game::from_text(text, rules).map_err(notation)?;
        Ok(PyGame { game })
    }
}

/// Reads a position from an object, its text, or the game that stands at it.
pub fn position(object: &Bound<'_, PyAny>) -> PyResult<Position> {
    match object.cast::<PyGame>() {
        Ok(game) => Ok(*game.try_borrow()?.game.position()),
        Err(_) => crate::position::position(object),
    }
}

/// Returns a ply as Python sees it.
pub fn pair(ply: Ply) -> (PyAction, Option<PyPiece>) {
    (PyAction(ply.action), ply.reveal.map(PyPiece))
}
