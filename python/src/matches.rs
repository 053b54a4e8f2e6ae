//! Matches: pairs of games between players of any kind, Python's among them.

use crate::errors::wrong;
use crate::game::PyGame;
use crate::thoughts::PyChoice;
use crate::threads::run;
use crate::values::{action, expected, rules, text_of};
use anqi_match::deal::DealKind;
use anqi_match::limits::{Limits, TimeControl};
use anqi_match::report::{Detail, Report, json};
use anqi_match::runner::{self, Flow, MatchSetup};
use anqi_match::sequential::{Analysis, SequentialTest};
use anqi_match::store::Identity;
use anqi_match::{BySide, Interrupt, Participant};
use anqi_rules::Action;
use anqi_search::{Choice, Player, Request};
use pyo3::prelude::*;
use std::convert::Infallible;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

/// The most pairs of a match.
const MOST_PAIRS: u64 = 10_000_000;
/// The most games at once.
const MOST_JOBS: usize = 1024;

/// The first exception that a callable has raised.
type Raised = Arc<Mutex<Option<PyErr>>>;

/// A player that is a Python callable: it takes the game and returns an action.
struct Callable {
    callable: Py<PyAny>,
    raised: Raised,
    interrupt: Interrupt,
}

impl Callable {
    fn ask(&self, request: &Request<'_>) -> PyResult<Action> {
        Python::attach(|py| {
            let game = Bound::new(
                py,
                PyGame {
                    game: request.game.clone(),
                },
            )?;
            let answer = self.callable.bind(py).call1((game,))?;
            let chosen = match answer.cast::<PyChoice>() {
                Ok(choice) => choice.get().choice.action,
                Err(_) => action(&answer)?,
            };
            request
                .game
                .check_action(chosen)
                .map_err(crate::position::refused)?;
            Ok(chosen)
        })
    }
}

impl Player for Callable {
    fn spec(&self) -> String {
        "callable".to_owned()
    }

    fn choose(
        &mut self,
        request: &Request<'_>,
        _report: &mut dyn FnMut(&anqi_search::Report),
    ) -> Choice {
        match self.ask(request) {
            Ok(action) => Choice::plain(action),
            Err(error) => {
                let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
                raised.get_or_insert(error);
                drop(raised);
                // The match ends at once; its caller gets the exception.
                self.interrupt.request();
                self.interrupt.request();
                resume_unwind(Box::new("a Python player raised an exception".to_owned()))
            }
        }
    }
}

/// Returns the participant that a spec, a command line or a callable names.
fn participant(
    given: &Bound<'_, PyAny>,
    raised: &Raised,
    interrupt: &Interrupt,
) -> PyResult<Participant> {
    if let Some(text) = text_of(given)? {
        let text = text.into_owned();
        let found = given.py().detach(|| Participant::new(&text, interrupt));
        return found.map_err(crate::errors::notation);
    }
    if let Ok(player) = given.cast::<crate::player::PyPlayer>() {
        return Participant::new(player.get().spec_text(), interrupt).map_err(wrong);
    }
    if !given.is_callable() {
        return Err(expected(
            "a player: a spec, an anqi.Player or a callable",
            given,
        ));
    }
    let name = given
        .getattr("__name__")
        .and_then(|name| name.extract::<String>());
    let name = name.unwrap_or_else(|_| "callable".to_owned());
    let callable = given.clone().unbind();
    let (raised, interrupt) = (Arc::clone(raised), interrupt.clone());
    let make = move || {
        let callable = Python::attach(|py| callable.clone_ref(py));
        let (raised, interrupt) = (Arc::clone(&raised), interrupt.clone());
        Box::new(Callable {
            callable,
            raised,
            interrupt,
        }) as Box<dyn Player>
    };
    Ok(Participant::of_players(&name, make))
}

/// Reads a time control: seconds for each move, or "total+increment".
fn time_control(time: &Bound<'_, PyAny>) -> PyResult<TimeControl> {
    if let Some(text) = text_of(time)? {
        return text.parse().map_err(crate::errors::notation);
    }
    let seconds: f64 = time.extract()?;
    if !(0.001..=86_400.0).contains(&seconds) {
        return Err(wrong(format!(
            "{seconds} seconds for each move (expected 0.001 to a day)"
        )));
    }
    Ok(TimeControl::PerMove {
        move_ms: (seconds * 1000.0).round() as u64,
    })
}

/// Plays a match and returns its report and its pairs, both as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn play_match(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pairs: u64,
    limits: (Option<u64>, Option<u32>, Option<Bound<'_, PyAny>>),
    rules: Option<&Bound<'_, PyAny>>,
    seed: u64,
    jobs: usize,
    sprt: Option<&str>,
    luck: Option<&str>,
) -> PyResult<(String, String)> {
    if !(1..=MOST_PAIRS).contains(&pairs) {
        return Err(wrong(format!("{pairs} pairs (expected 1 to {MOST_PAIRS})")));
    }
    if !(1..=MOST_JOBS).contains(&jobs) {
        return Err(wrong(format!("{jobs} jobs (expected 1 to {MOST_JOBS})")));
    }
    let interrupt = Interrupt::new();
    let raised = Raised::default();
    let players = BySide {
        a: participant(a, &raised, &interrupt)?,
        b: participant(b, &raised, &interrupt)?,
    };
    let mut setup = MatchSetup::new(players);
    setup.rules = self::rules(rules)?;
    setup.seed = seed;
    let (nodes, depth, time) = limits;
    crate::player::limits(nodes, depth, None, 1)?;
    let time = time.as_ref().map(time_control).transpose()?;
    let given = Limits { nodes, depth, time };
    let given = if given.is_empty() {
        Limits::DEFAULT
    } else {
        given
    };
    setup.limits = BySide { a: given, b: given };
    setup.appraiser = luck
        .map(str::parse)
        .transpose()
        .map_err(crate::errors::notation)?;
    let sprt = sprt
        .map(str::parse)
        .transpose()
        .map_err(crate::errors::notation)?;
    let analysis = Analysis {
        sprt,
        ..Analysis::default()
    };
    let stopper = interrupt.clone();
    let stop = move || {
        stopper.request();
        stopper.request();
    };
    let told = run(py, &stop, move || {
        played(&setup, pairs, jobs, &analysis, &interrupt)
    })?;
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => told.map_err(wrong),
    }
}

/// Plays the pairs and tells what came of them.
fn played(
    setup: &MatchSetup,
    pairs: u64,
    jobs: usize,
    analysis: &Analysis,
    interrupt: &Interrupt,
) -> Result<(String, String), String> {
    let mut records = Vec::new();
    let mut test = SequentialTest::of(analysis);
    let done: Result<(), Infallible> = runner::run(setup, 0..pairs, jobs, interrupt, |record| {
        let mut flow = Flow::Continue;
        if let Some(test) = &mut test {
            test.add(&record);
            if test.decided().is_some() {
                flow = Flow::Enough;
            }
        }
        records.push(record);
        Ok(flow)
    });
    let Ok(()) = done;
    records.sort_by_key(|record| record.pair);
    let identity = Identity {
        program: concat!("anqi ", env!("CARGO_PKG_VERSION")).to_owned(),
        players: BySide::from_fn(|side| setup.players[side].given().to_owned()),
        names: BySide::from_fn(|side| setup.players[side].name().to_owned()),
        limits: setup.limits,
        rules: setup.rules.to_string(),
        openings: setup.openings.clone(),
        deal: DealKind::Sequence,
        seed: setup.seed,
        adjudication: setup.adjudication,
    };
    let report = Report::new(&identity, &records, analysis);
    let text = json::write(&report, Detail::Reproducible);
    let records = serde_json::to_string(&records).map_err(|error| error.to_string())?;
    Ok((text, records))
}
