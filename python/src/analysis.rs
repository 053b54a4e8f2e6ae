//! The analyst: evaluations, analysis round by round, hints and reviews.

use crate::array::{Array, numpy};
use crate::errors::{notation, wrong};
use crate::game::{PyGame, position};
use crate::player::{check_open, limits};
use crate::threads::{run, solving};
use crate::values::square;
use anqi_analysis::{Analyst, Candidate, Review, Round, Rounds, hint};
use anqi_rules::{Game, Symmetry};
use anqi_search::Stop;
use anqi_search::evaluation::Evaluation;
use anqi_search::evaluation::network::{NetworkSource, RESULT_UNIT, bucket};
use anqi_search::score::UNPROVEN_BOUND;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Returns the analyst of a game.
pub fn analyst(tables: Option<PathBuf>, game: &Game) -> PyResult<Analyst> {
    let rules = game.rules();
    solving(|| Analyst::new(tables.as_deref(), rules)).map_err(notation)
}

/// Turns what the page is sent into Python's own types.
pub fn json<'py, T: serde::Serialize>(py: Python<'py>, of: &T) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(of).map_err(wrong)?;
    py.import("json")?.call_method1("loads", (text,))
}

/// The static value of a position for the side to move, and what it is made of: a dictionary.
///
/// "expected" is the value by the hand-made terms, "with_network" the same with the learned part added,
/// both from -1 to 1. "network" is the learned part, in units of 1/"unit" of half a win; "layer" is the
/// last layer that weighs it. With `accumulators=True` there are also "accumulators", the sums of the first
/// layer: int16 of shape (2, 4, filters), as the side to move sees the board and as the other does, in the
/// four mirrors. `network` is the file of a network, or "built-in".
///
/// >>> told = anqi.evaluate("K3/1r2/4/4/4/4/4/?2g r p 3 40", accumulators=True)
/// >>> told["accumulators"].shape[:2], told["layer"]
/// ((2, 4), 0)
#[pyfunction]
#[pyo3(signature = (position, *, network = "built-in".into(), accumulators = false))]
pub fn evaluate<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    network: PathBuf,
    accumulators: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let position = self::position(position)?;
    let file = network.to_string_lossy();
    let source = NetworkSource::read(&file);
    let network = source
        .map_err(|error| notation(format!("'{file}' {error}")))?
        .network;
    let learned = Evaluation::Learned(Arc::clone(&network));
    let (values, number) = crate::errors::guarded(|| {
        let values = [Evaluation::built_in(), &learned].map(|each| each.value(&position));
        (values, network.result(&position))
    })?;
    let [expected, with_network] = values.map(|value| f64::from(value) / f64::from(UNPROVEN_BOUND));
    let told = PyDict::new(py);
    told.set_item("expected", expected)?;
    told.set_item("with_network", with_network)?;
    told.set_item("network", number)?;
    told.set_item("unit", RESULT_UNIT)?;
    told.set_item("layer", bucket(&position))?;
    if accumulators {
        let sums = crate::learning::accumulators(&network, &[position]);
        let shape = [2, Symmetry::ALL.len(), network.parameters().filters];
        told.set_item("accumulators", numpy(py, Array::of(&sums, &shape)?)?)?;
    }
    Ok(told)
}

/// An analysis under way: an iterator of rounds, each deeper than the one before.
#[pyclass(module = "anqi", frozen, skip_from_py_object)]
pub struct Analysis {
    state: Arc<Mutex<State>>,
    stop: Arc<Stop>,
}

struct State {
    rounds: Rounds,
    analyst: Analyst,
    seconds: Option<Duration>,
    is_over: bool,
}

#[pymethods]
impl Analysis {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyRound>> {
        let (state, stop) = (Arc::clone(&self.state), Arc::clone(&self.stop));
        let round = run(
            py,
            || self.stop.request(),
            move || {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.is_over || stop.requested() {
                    return None;
                }
                let State {
                    rounds,
                    analyst,
                    seconds,
                    is_over,
                } = &mut *state;
                let round = rounds.next(analyst, *seconds, &stop);
                *is_over = round.is_last;
                Some((round, rounds.spent()))
            },
        )?;
        Ok(round.map(|(round, nodes)| PyRound { round, nodes }))
    }

    /// Ends the analysis.
    fn stop(&self) {
        self.stop.request();
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.stop.request();
    }
}

/// What an analysis knows after a round.
#[pyclass(name = "Round", module = "anqi", frozen, skip_from_py_object)]
pub struct PyRound {
    round: Round,
    nodes: u64,
}

#[pymethods]
impl PyRound {
    /// The depth of the last finished iteration.
    #[getter]
    fn depth(&self) -> u32 {
        self.round.depth
    }

    /// The positions visited in all rounds so far.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The expected result for the side to move, in ±1.
    #[getter]
    fn value(&self) -> f64 {
        self.round.value.expected
    }

    /// How far that is proven: estimate, win, draw or loss.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.round.value.kind)
    }

    /// The best actions, the best first: dictionaries with "action", "value" and "line".
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.round.lines)
    }

    /// The distributions of flips: dictionaries with "square", "value" and "appearances".
    #[getter]
    fn flips<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json(py, &self.round.flips)
    }

    /// Whether a further round can find nothing new.
    #[getter]
    fn is_last(&self) -> bool {
        self.round.is_last
    }

    fn __repr__(&self) -> String {
        let best = self
            .round
            .lines
            .first()
            .map_or("", |line: &Candidate| &line.action);
        format!(
            "<anqi.Round depth {} {best} {:+.3}>",
            self.round.depth, self.round.value.expected
        )
    }
}

/// Analyses a game that is not over: an iterator of rounds with the best actions, their lines, and the
/// distributions of the flips among them and of those asked for. Without `nodes` it goes on until
/// all is proven, it is stopped or dropped, or Ctrl-C comes; `time` bounds each round in seconds.
#[pyfunction]
#[pyo3(signature = (game, *, lines = 3, flips = Vec::new(), nodes = None, time = None, tables = None))]
pub fn analyse(
    py: Python<'_>,
    game: &Bound<'_, PyGame>,
    lines: usize,
    flips: Vec<String>,
    nodes: Option<u64>,
    time: Option<f64>,
    tables: Option<PathBuf>,
) -> PyResult<Analysis> {
    let game = game.try_borrow()?.game.clone();
    check_open(&game)?;
    limits(nodes, None, time, lines)?;
    let mut squares = Vec::new();
    for flip in &flips {
        let square = square(flip)?;
        let flip = anqi_rules::Action::flip(square);
        game.check_action(flip).map_err(crate::position::refused)?;
        squares.push(square);
    }
    let analyst = py.detach(|| analyst(tables, &game))?;
    let state = State {
        rounds: Rounds::new(game, lines, squares, nodes),
        analyst,
        seconds: time.map(Duration::from_secs_f64),
        is_over: false,
    };
    Ok(Analysis {
        state: Arc::new(Mutex::new(state)),
        stop: Arc::new(Stop::new()),
    })
}

/// The best action after a second or two of search, its value and line: a dictionary.
#[pyfunction]
#[pyo3(name = "hint", signature = (game, *, tables = None))]
pub fn py_hint<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyGame>,
    tables: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = game.try_borrow()?.game.clone();
    check_open(&game)?;
    let mut analyst = py.detach(|| analyst(tables, &game))?;
    let stop = Arc::new(Stop::new());
    let flag = Arc::clone(&stop);
    let best = run(
        py,
        || stop.request(),
        move || hint(&mut analyst, &game, &flag),
    )?;
    json(py, &best)
}

/// The review of a game with luck and decisions told apart, as a dictionary: "plies", "graph",
/// "luck_graph", "sides", "mistakes", "turning_points".
///
/// `nodes` are those of each decision; by default a game takes about 20 seconds.
#[pyfunction]
#[pyo3(signature = (game, *, nodes = None, players = None, tables = None))]
pub fn review<'py>(
    py: Python<'py>,
    game: &Bound<'py, PyGame>,
    nodes: Option<u64>,
    players: Option<(String, String)>,
    tables: Option<PathBuf>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = game.try_borrow()?.game.clone();
    let limits = limits(nodes, None, None, 1)?;
    let nodes = nodes
        .and(limits.nodes)
        .unwrap_or_else(|| anqi_analysis::default_nodes(&game));
    let mut analyst = py.detach(|| analyst(tables, &game))?;
    let stop = Arc::new(Stop::new());
    let flag = Arc::clone(&stop);
    let review = run(
        py,
        || stop.request(),
        move || {
            let mut review = Review::new(game, nodes);
            review.run(&mut analyst, &flag);
            review
        },
    )?;
    let report = review.report(players.map(|(first, second)| [first, second]));
    json(py, &report)
}
