//! What players answer: choices, scores, lines and the outcomes of flips.

use crate::values::{PyAction, PyPiece};
use anqi_search::score::UNPROVEN_BOUND;
use anqi_search::{Choice, LineStep, Ranked, Report, Score};
use pyo3::prelude::*;

/// The value of a position for the side to move, and whether it is proven.
///
/// `kind` is "estimate", "win", "draw" or "loss"; `plies` counts to a proven end, or to the next
/// capture if a table knows it.
#[pyclass(name = "Score", module = "anqi", frozen, eq, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyScore(pub Score);

#[pymethods]
impl PyScore {
    /// The expected result, from -1 to 1.
    #[getter]
    fn expected(&self) -> f64 {
        self.0.expected_result()
    }

    /// How far it is proven: estimate, win, draw or loss.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            Score::Estimate(_) => "estimate",
            Score::Win { .. } => "win",
            Score::Draw => "draw",
            Score::Loss { .. } => "loss",
        }
    }

    /// The plies to a proven win or loss, or None.
    #[getter]
    fn plies(&self) -> Option<u32> {
        match self.0 {
            Score::Win { plies, .. } | Score::Loss { plies, .. } => Some(plies),
            Score::Estimate(_) | Score::Draw => None,
        }
    }

    fn __float__(&self) -> f64 {
        self.0.expected_result()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<anqi.Score {}>", self.0)
    }
}

/// One of the best actions: its score, its line, and the outcomes of a flip.
#[pyclass(name = "Ranked", module = "anqi", frozen, skip_from_py_object)]
#[derive(Clone)]
pub struct PyRanked {
    pub ranked: Ranked,
}

#[pymethods]
impl PyRanked {
    /// The action.
    #[getter]
    fn action(&self) -> PyAction {
        PyAction(self.ranked.action)
    }

    /// Its score for the side to move.
    #[getter]
    fn score(&self) -> PyScore {
        PyScore(self.ranked.score)
    }

    /// The expected line, from this action; a flip ends it.
    #[getter]
    fn line(&self) -> Vec<PyAction> {
        actions(&self.ranked.line)
    }

    /// What a flip may reveal: the piece, how many of it are face down, and the score after it.
    #[getter]
    fn outcomes(&self) -> Vec<(PyPiece, u32, PyScore)> {
        let outcomes = self.ranked.outcomes.iter();
        outcomes
            .map(|found| (PyPiece(found.piece), found.weight, PyScore(found.score)))
            .collect()
    }

    fn __repr__(&self) -> String {
        let action = crate::dialects::action_text(self.ranked.action);
        format!("<anqi.Ranked {action} {}>", self.ranked.score)
    }
}

/// A player's answer.
#[pyclass(name = "Choice", module = "anqi", frozen, skip_from_py_object)]
pub struct PyChoice {
    pub choice: Choice,
}

#[pymethods]
impl PyChoice {
    /// The action.
    #[getter]
    fn action(&self) -> PyAction {
        PyAction(self.choice.action)
    }

    /// Its score for the side to move, or None from a player that does not search.
    #[getter]
    fn score(&self) -> Option<PyScore> {
        self.choice.score.map(PyScore)
    }

    /// The depth of the last finished iteration.
    #[getter]
    fn depth(&self) -> u32 {
        self.choice.depth
    }

    /// The positions visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.choice.nodes
    }

    /// The expected line; a flip ends it.
    #[getter]
    fn line(&self) -> Vec<PyAction> {
        actions(&self.choice.line)
    }

    /// The best actions in order, as many as were asked for and are known.
    #[getter]
    fn ranked(&self) -> Vec<PyRanked> {
        let ranked = self.choice.ranked.iter();
        ranked
            .map(|ranked| PyRanked {
                ranked: ranked.clone(),
            })
            .collect()
    }

    fn __repr__(&self) -> String {
        let action = crate::dialects::action_text(self.choice.action);
        match self.choice.score {
            Some(score) => format!("<anqi.Choice {action} {score}>"),
            None => format!("<anqi.Choice {action}>"),
        }
    }
}

/// What a search knows after one more depth: one line of it.
#[pyclass(name = "Progress", module = "anqi", frozen, skip_from_py_object)]
pub struct PyProgress {
    pub report: Report,
}

#[pymethods]
impl PyProgress {
    /// The depth that is finished.
    #[getter]
    fn depth(&self) -> u32 {
        self.report.depth
    }

    /// The length of the longest line searched.
    #[getter]
    fn selective_depth(&self) -> u32 {
        self.report.selective_depth
    }

    /// The score of this line for the side to move.
    #[getter]
    fn score(&self) -> PyScore {
        PyScore(self.report.score)
    }

    /// The expected result for the side to move, in ±1.
    #[getter]
    fn value(&self) -> f64 {
        self.report.score.expected_result()
    }

    /// The positions visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// The seconds spent.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    /// The answers from endgame tables.
    #[getter]
    fn table_hits(&self) -> u64 {
        self.report.table_hits
    }

    /// The rank of this line, 1 for the best.
    #[getter]
    fn rank(&self) -> usize {
        self.report.rank
    }

    /// The expected line; a flip ends it.
    #[getter]
    fn line(&self) -> Vec<PyAction> {
        actions(&self.report.line)
    }

    /// The expected result of a flip that ends the line, or None.
    #[getter]
    fn flip_expected(&self) -> Option<f64> {
        let last = self.report.line.last()?.expectation?;
        Some(f64::from(last) / f64::from(UNPROVEN_BOUND))
    }

    fn __repr__(&self) -> String {
        format!(
            "<anqi.Progress depth {} {}>",
            self.report.depth, self.report.score
        )
    }
}

fn actions(line: &[LineStep]) -> Vec<PyAction> {
    line.iter().map(|step| PyAction(step.action)).collect()
}
