//! Players: made from a spec, asked for an action, and watched while they think.

use crate::errors::{InternalError, closed, illegal, notation, panicked, wrong};
use crate::game::PyGame;
use crate::thoughts::{PyChoice, PyProgress};
use crate::threads::{run, solving, start, wait};
use crate::values::action;
use anqi_rules::{Action, Game};
use anqi_search::{Limits, Player, Report, Request, Stop, TimeLimit, players};
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Nodes for a choice without any limit.
const DEFAULT_NODES: u64 = 200_000;
/// The most seconds that a search may be given: a year.
const MOST_SECONDS: f64 = 31_536_000.0;
/// The most best actions that can be ranked: no position has more.
const MOST_LINES: usize = 512;

/// A player that a thread may be using.
type Shared = Arc<Mutex<Option<Box<dyn Player>>>>;

/// A player, made from a line of text such as "champion:level=5", "greedy" or "random".
///
/// >>> player = anqi.Player("champion:level=1")
/// >>> player.choose(anqi.Game(), nodes=1000).action.is_flip
/// True
#[pyclass(name = "Player", module = "anqi", frozen, skip_from_py_object)]
pub struct PyPlayer {
    spec: String,
    player: Shared,
}

/// What a search is asked.
struct Question {
    game: Game,
    among: Option<Vec<Action>>,
    limits: Limits,
    seed: u64,
}

impl Question {
    /// Lets a player answer.
    fn ask(
        &self,
        player: &mut dyn Player,
        stop: &Stop,
        report: &mut dyn FnMut(&Report),
    ) -> anqi_search::Choice {
        let request = Request {
            game: &self.game,
            among: self.among.as_deref(),
            limits: self.limits,
            seed: self.seed,
            stop,
        };
        player.choose(&request, report)
    }
}

/// Returns limits, checked; without any, a fixed number of nodes.
pub fn limits(
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
    lines: usize,
) -> PyResult<Limits> {
    if nodes == Some(0) {
        return Err(wrong("0 nodes (expected 1 or more)"));
    }
    if depth == Some(0) {
        return Err(wrong("a depth of 0 (expected 1 or more)"));
    }
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(wrong(format!("{lines} lines (expected 1 to {MOST_LINES})")));
    }
    let time = match time {
        None => TimeLimit::None,
        Some(seconds) if (0.0..=MOST_SECONDS).contains(&seconds) => {
            TimeLimit::PerMove(Duration::from_secs_f64(seconds))
        }
        Some(seconds) => return Err(wrong(format!("{seconds} seconds (expected 0 to a year)"))),
    };
    let mut limits = Limits {
        depth,
        nodes,
        time,
        multipv: lines,
        outcomes: lines > 1,
    };
    if limits.is_unlimited() {
        limits.nodes = Some(DEFAULT_NODES);
    }
    Ok(limits)
}

/// Says why a player cannot choose, if there is nothing to choose.
pub fn check_open(game: &Game) -> PyResult<()> {
    match game.outcome() {
        Some(outcome) => Err(illegal(format!("the game is over: {outcome}"))),
        None => Ok(()),
    }
}

/// Returns the player, made anew if its last search failed, prepared for the game.
fn ready<'a>(
    slot: &'a mut Option<Box<dyn Player>>,
    spec: &str,
    game: &Game,
) -> Result<&'a mut Box<dyn Player>, String> {
    let mut player = match slot.take() {
        Some(player) => player,
        None => players::by_spec(spec).map_err(|error| error.to_string())?,
    };
    let rules = game.rules();
    let prepared = solving(|| {
        let prepared = player.prepare(rules);
        (player, prepared)
    });
    let (player, prepared) = prepared;
    prepared.map_err(|error| error.to_string())?;
    Ok(slot.insert(player))
}

/// Answers a question with the player of a slot, which stays empty if it panics.
fn answer(
    slot: &Shared,
    spec: &str,
    question: &Question,
    stop: &Stop,
    report: &mut dyn FnMut(&Report),
) -> Result<anqi_search::Choice, String> {
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    ready(&mut slot, spec, &question.game)?;
    let mut player = slot.take().ok_or("no player")?;
    let choice = question.ask(&mut *player, stop, report);
    *slot = Some(player);
    Ok(choice)
}

impl PyPlayer {
    /// Returns the spec.
    pub fn spec_text(&self) -> &str {
        &self.spec
    }

    fn question(
        game: &Bound<'_, PyGame>,
        among: Option<Vec<Bound<'_, PyAny>>>,
        limits: Limits,
        seed: u64,
    ) -> PyResult<Question> {
        let game = game.try_borrow()?.game.clone();
        check_open(&game)?;
        let among = among.map(|among| among.iter().map(action).collect::<PyResult<Vec<_>>>());
        let among = among.transpose()?;
        for &action in among.iter().flatten() {
            game.check_action(action)
                .map_err(crate::position::refused)?;
        }
        if among.as_ref().is_some_and(Vec::is_empty) {
            return Err(wrong("no actions to choose among (expected at least one)"));
        }
        Ok(Question {
            game,
            among,
            limits,
            seed,
        })
    }
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (spec = "champion"))]
    fn new(spec: &str) -> PyResult<PyPlayer> {
        let player = players::by_spec(spec).map_err(notation)?;
        let spec = player.spec();
        Ok(PyPlayer {
            spec,
            player: Arc::new(Mutex::new(Some(player))),
        })
    }

    /// The names of all players, with a line about each.
    #[staticmethod]
    fn known() -> Vec<(&'static str, &'static str)> {
        players::KNOWN.to_vec()
    }

    /// The spec, with every setting that makes the player what it is.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Chooses an action.
    ///
    /// The first of the limits that is reached ends the search; without any it has 200,000 nodes.
    /// `time` is in seconds, `lines` is how many of the best actions to rank, and the same seed gives
    /// the same choice. Other Python threads run meanwhile, and Ctrl-C ends the search.
    #[pyo3(signature = (game, *, nodes = None, depth = None, time = None, lines = 1, seed = 0, among = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn choose(
        &self,
        py: Python<'_>,
        game: &Bound<'_, PyGame>,
        nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<f64>,
        lines: usize,
        seed: u64,
        among: Option<Vec<Bound<'_, PyAny>>>,
    ) -> PyResult<PyChoice> {
        let limits = limits(nodes, depth, time, lines)?;
        let question = PyPlayer::question(game, among, limits, seed)?;
        let stop = Arc::new(Stop::new());
        let (slot, spec, flag) = (
            Arc::clone(&self.player),
            self.spec.clone(),
            Arc::clone(&stop),
        );
        let work = move || answer(&slot, &spec, &question, &flag, &mut |_| {});
        let choice = run(py, || stop.request(), work)?.map_err(wrong)?;
        Ok(PyChoice { choice })
    }

    /// Thinks about a game depth by depth: an iterator of Progress, one for each line and depth.
    ///
    /// It goes on until a limit is reached, `stop` is called or the iterator is dropped; without any
    /// limit it has no end. Ctrl-C ends it.
    #[pyo3(signature = (game, *, nodes = None, depth = None, time = None, lines = 1, seed = 0))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn analyse(
        &self,
        game: &Bound<'_, PyGame>,
        nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<f64>,
        lines: usize,
        seed: u64,
    ) -> PyResult<Thinking> {
        let unlimited = nodes.is_none() && depth.is_none() && time.is_none();
        let mut limits = limits(nodes, depth, time, lines)?;
        if unlimited {
            limits.nodes = None;
        }
        let question = PyPlayer::question(game, None, limits, seed)?;
        let stop = Arc::new(Stop::new());
        let (slot, spec, flag) = (
            Arc::clone(&self.player),
            self.spec.clone(),
            Arc::clone(&stop),
        );
        let (sender, reports) = sync_channel(1024);
        let ended = start(move || {
            answer(&slot, &spec, &question, &flag, &mut |report| {
                // A reader that is far behind misses what it would not read.
                let _ = sender.try_send(report.clone());
            })
        })?;
        Ok(Thinking {
            reports: Mutex::new(reports),
            ended: Mutex::new(Some(ended)),
            stop,
        })
    }

    /// Forgets the games so far.
    fn new_game(&self, py: Python<'_>) {
        py.detach(|| {
            let mut slot = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(player) = &mut *slot {
                player.new_game();
            }
        });
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PyPlayer>()
            .is_ok_and(|other| other.get().spec == self.spec)
    }

    fn __hash__(&self) -> u64 {
        crate::values::hash_of(&self.spec)
    }

    fn __repr__(&self) -> String {
        format!("anqi.Player({})", crate::values::quoted(&self.spec))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, pyo3::types::PyType>, (String,)) {
        (py.get_type::<PyPlayer>(), (self.spec.clone(),))
    }
}

/// What a thread that thinks leaves at its end.
type Ended = Receiver<std::thread::Result<Result<anqi_search::Choice, String>>>;

/// A search under way: an iterator of Progress, and the choice at its end.
#[pyclass(module = "anqi", frozen, skip_from_py_object)]
pub struct Thinking {
    reports: Mutex<Receiver<Report>>,
    ended: Mutex<Option<Ended>>,
    stop: Arc<Stop>,
}

#[pymethods]
impl Thinking {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyProgress>> {
        let report = wait(py, &self.reports, || self.stop.request())?;
        Ok(report.map(|report| PyProgress { report }))
    }

    /// Ends the search and returns its choice.
    fn stop(&self, py: Python<'_>) -> PyResult<PyChoice> {
        self.stop.request();
        self.choice(py)
    }

    /// Waits for the end of the search and returns its choice.
    fn choice(&self, py: Python<'_>) -> PyResult<PyChoice> {
        let taken = py.detach(|| {
            let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            ended.take()
        });
        let receiver = taken.ok_or_else(|| closed("search"))?;
        let receiver = Mutex::new(receiver);
        match wait(py, &receiver, || self.stop.request())? {
            Some(Ok(Ok(choice))) => Ok(PyChoice { choice }),
            Some(Ok(Err(error))) => Err(wrong(error)),
            Some(Err(payload)) => Err(panicked(&*payload)),
            None => Err(InternalError::new_err("a thread ended without an answer")),
        }
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.request();
    }
}
