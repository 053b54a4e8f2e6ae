//! Puzzles: those of the page, or of a file, and their solution step by step.

use crate::analysis::{analyst, json};
use crate::errors::{illegal, notation, wrong};
use crate::game::PyGame;
use crate::position::PyPosition;
use crate::threads::run;
use crate::values::{PyAction, PyRules, action, color_name};
use anqi_analysis::attempt::{Attempt, Refutation, Verdict};
use anqi_analysis::puzzle::Puzzle;
use anqi_rules::Action;
use anqi_search::Stop;
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::path::PathBuf;
use std::sync::Arc;

/// The most bytes of a file of puzzles.
const MOST_BYTES: u64 = 16 << 20;

/// A position in which one action is clearly best.
///
/// >>> puzzle = anqi.puzzles()[0]
/// >>> puzzle.goal, puzzle.to_move, puzzle.difficulty
/// ('draw', 'black', 1)
/// >>> attempt = puzzle.attempt()
/// >>> attempt.play(puzzle.solution[0]).is_right, attempt.is_solved
/// (True, True)
#[pyclass(name = "Puzzle", module = "anqi", frozen, skip_from_py_object)]
pub struct PyPuzzle {
    puzzle: Puzzle,
    /// The puzzle from its beginning.
    begun: Attempt,
}

impl PyPuzzle {
    fn new(puzzle: Puzzle) -> PyResult<PyPuzzle> {
        let begun = Attempt::new(puzzle.clone());
        let begun = begun.map_err(|error| notation(format!("puzzle {}: {error}", puzzle.id)))?;
        Ok(PyPuzzle { puzzle, begun })
    }
}

/// Returns actions from their texts.
fn actions(texts: &[String]) -> PyResult<Vec<PyAction>> {
    let read = |text: &String| text.parse::<Action>().map(PyAction).map_err(notation);
    texts.iter().map(read).collect()
}

#[pymethods]
impl PyPuzzle {
    /// The puzzle of a JSON text, as `anqi puzzles` writes it.
    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyPuzzle> {
        let read = serde_json::from_str(text);
        PyPuzzle::new(read.map_err(|error| notation(format!("not a puzzle: {error}")))?)
    }

    /// The puzzle as JSON, which `from_json` reads.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.puzzle).map_err(wrong)
    }

    /// Its name, made from the position.
    #[getter]
    fn id(&self) -> &str {
        &self.puzzle.id
    }

    /// The position.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(*self.begun.game().position())
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(self.begun.game().rules())
    }

    /// The side to move, "red" or "black".
    #[getter]
    fn to_move(&self) -> Option<&'static str> {
        self.begun.game().position().turn().map(color_name)
    }

    /// What the solution brings about: win, advantage, draw, or defence.
    #[getter]
    fn goal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.puzzle.goal)
    }

    /// What it is about: capture, escape, flip, endgame, or quiet.
    #[getter]
    fn theme<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.puzzle.theme)
    }

    /// How hard it is, from 1 to 10.
    #[getter]
    fn difficulty(&self) -> u32 {
        self.puzzle.difficulty
    }

    /// How many actions solve it, one after the other.
    #[getter]
    fn steps(&self) -> usize {
        self.begun.steps().1
    }

    /// The actions that are right in the position.
    #[getter]
    fn solution(&self) -> PyResult<Vec<PyAction>> {
        actions(self.begun.solution())
    }

    /// The expected course from the solution: dictionaries with "action" and "expected".
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.puzzle.line)
    }

    /// The value of the solution: a dictionary with "expected", "kind" and "plies".
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.puzzle.value)
    }

    /// The value of the best other action, or None.
    #[getter]
    fn second<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.puzzle.second)
    }

    /// Begins to solve it.
    fn attempt(&self) -> PyAttempt {
        PyAttempt {
            attempt: self.begun.clone(),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PyPuzzle>()
            .is_ok_and(|other| other.get().puzzle == self.puzzle)
    }

    fn __hash__(&self) -> u64 {
        crate::values::hash_of(&(&self.puzzle.id, &self.puzzle.position))
    }

    fn __repr__(&self) -> String {
        let Puzzle { id, difficulty, .. } = &self.puzzle;
        format!("<anqi.Puzzle {id}, difficulty {difficulty}>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let class: Bound<'py, PyType> = py.get_type::<PyPuzzle>();
        Ok((class.getattr("from_json")?, (self.json()?,)))
    }
}

/// A puzzle that is being solved.
///
/// >>> attempt = anqi.puzzles()[0].attempt()
/// >>> wrong = attempt.play("c2-c3")
/// >>> wrong.is_right, attempt.is_solved, attempt.step
/// (False, False, 0)
#[pyclass(name = "Attempt", module = "anqi", skip_from_py_object)]
pub struct PyAttempt {
    attempt: Attempt,
}

#[pymethods]
impl PyAttempt {
    /// The game so far: the puzzle's position, the right actions and the answers to them.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame {
            game: self.attempt.game().clone(),
        }
    }

    /// How many right actions were played.
    #[getter]
    fn step(&self) -> usize {
        self.attempt.steps().0
    }

    /// Whether every step is solved.
    #[getter]
    fn is_solved(&self) -> bool {
        self.attempt.is_solved()
    }

    /// The actions that are right now; none once it is solved.
    #[getter]
    fn solution(&self) -> PyResult<Vec<PyAction>> {
        actions(self.attempt.solution())
    }

    /// Tries an action. A right one is played and answered; a wrong one leaves everything as it is.
    ///
    /// A fraction of a second of search finds what refutes a wrong one; `refute=False` spares it.
    #[pyo3(signature = (action, *, refute = true))]
    fn play(
        &mut self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        refute: bool,
    ) -> PyResult<PyAnswer> {
        let tried = self::action(action)?;
        let verdict = self.attempt.play(tried).map_err(illegal)?;
        let answered = match verdict {
            Verdict::Answered(reply) => Some(reply),
            Verdict::Solved | Verdict::Wrong => None,
        };
        let refutation = match verdict {
            Verdict::Wrong if refute => Some(self.refutation(py, tried)?),
            _ => None,
        };
        let reply = refutation.as_ref().and_then(|found| found.reply.as_ref());
        let reply = reply
            .map(|text| text.parse().map_err(notation))
            .transpose()?;
        Ok(PyAnswer {
            is_right: verdict != Verdict::Wrong,
            reply: answered.or(reply),
            refutation,
        })
    }

    fn __repr__(&self) -> String {
        let (done, all) = self.attempt.steps();
        format!("<anqi.Attempt {done} of {all} steps>")
    }
}

impl PyAttempt {
    fn refutation(&self, py: Python<'_>, tried: Action) -> PyResult<Refutation> {
        let attempt = self.attempt.clone();
        let mut analyst = py.detach(|| analyst(None, attempt.game()))?;
        let stop = Arc::new(Stop::new());
        let flag = Arc::clone(&stop);
        run(
            py,
            || stop.request(),
            move || attempt.refutation(&mut analyst, tried, &flag),
        )
    }
}

/// What answers a try.
#[pyclass(name = "Answer", module = "anqi", frozen, skip_from_py_object)]
pub struct PyAnswer {
    is_right: bool,
    reply: Option<Action>,
    refutation: Option<Refutation>,
}

#[pymethods]
impl PyAnswer {
    /// Whether the action was right.
    #[getter]
    fn is_right(&self) -> bool {
        self.is_right
    }

    /// The other side's action: the answer to a right one, what refutes a wrong one; None at the end, and
    /// after a wrong flip, where it depends on what appears.
    #[getter]
    fn reply(&self) -> Option<PyAction> {
        self.reply.map(PyAction)
    }

    /// What a wrong action is worth: a dictionary with "expected", "kind" and "plies", or None.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let refutation = self.refutation.as_ref();
        refutation.map(|found| json(py, &found.value)).transpose()
    }

    fn __bool__(&self) -> bool {
        self.is_right
    }

    fn __repr__(&self) -> String {
        let word = if self.is_right { "right" } else { "wrong" };
        let reply = self.reply.map(crate::dialects::action_text);
        let reply = reply.map_or_else(String::new, |reply| format!(", {reply}"));
        format!("<anqi.Answer {word}{reply}>")
    }
}

/// The puzzles of the page, the easiest first; or those of a file that `anqi puzzles --out` wrote.
#[pyfunction]
#[pyo3(name = "puzzles", signature = (file = None))]
pub fn py_puzzles(file: Option<PathBuf>) -> PyResult<Vec<PyPuzzle>> {
    let list = match file {
        None => anqi_desk::puzzles::list().map_err(wrong)?,
        Some(file) => {
            let name = file.display().to_string();
            let wrong = |error: String| notation(format!("{name}: {error}"));
            let bytes = anqi_files::read_limited(&file, MOST_BYTES);
            let bytes = bytes.map_err(|error| wrong(error.to_string()))?;
            let list: Result<Vec<Puzzle>, _> = serde_json::from_slice(&bytes);
            list.map_err(|error| wrong(error.to_string()))?
        }
    };
    list.into_iter().map(PyPuzzle::new).collect()
}
