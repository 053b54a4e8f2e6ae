//! Many games at once, in memory that NumPy sees.
//!
//! [`actions`] numbers actions, [`encoding`] writes observations and masks, a [`lane`] is one game, and
//! [`VectorCore`] steps all lanes, on one thread or a [`crew`] of several, without the interpreter's lock. A lane
//! depends on its own seed alone, so that neither their number nor that of threads changes a game.

pub mod actions;
mod arrays;
mod crew;
pub mod encoding;
mod lane;
mod outcomes;

use crate::array::{Array, BOOL, Buffer, Plain, numpy};
use crate::dialects::action_text;
use crate::errors::{closed, detached, guarded, illegal, wrong};
use crate::game::position;
use crate::position::PyPosition;
use crate::values::rules;
use actions::{ACTIONS, action};
use anqi_rules::random::mix;
use anqi_rules::{Piece, PlayError, Ply, Position, Rules};
use arrays::Arrays;
use crew::Crew;
use encoding::{BYTES, PLANES};
use lane::Lane;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// One seed for all lanes, or in its place one for each.
type Seeds = (u64, Option<Vec<u64>>);

/// The most lanes: their arrays take 1.5 GB.
const MOST_LANES: usize = 1 << 20;
/// The most threads.
const MOST_THREADS: usize = 256;

/// All lanes and their arrays.
struct Lanes {
    lanes: Vec<Lane>,
    start: Position,
    rules: Rules,
    arrays: Arrays,
    crew: Crew,
}

/// Why a step is refused; no lane has moved.
#[derive(Debug)]
enum Refused {
    NoAction {
        lane: usize,
        number: i64,
    },
    Illegal {
        lane: usize,
        number: i64,
        error: PlayError,
    },
    NoPiece {
        lane: usize,
        index: i8,
    },
    NotHidden {
        lane: usize,
        piece: Piece,
    },
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> PyErr {
        match refused {
            Refused::NoAction { lane, number } => illegal(format!(
                "lane {lane}: {number} is not the number of an action (expected 0 to 351)"
            )),
            Refused::Illegal {
                lane,
                number,
                error,
            } => {
                let text = u32::try_from(number).ok().and_then(action).map(action_text);
                let text = text.unwrap_or_default();
                illegal(format!("lane {lane}: action {number} ({text}): {error}"))
            }
            Refused::NoPiece { lane, index } => illegal(format!(
                "lane {lane}: {index} is not the index of a piece (expected 0 to 13, or -1 for any)"
            )),
            Refused::NotHidden { lane, piece } => {
                illegal(format!("lane {lane}: no {piece} is face down any more"))
            }
        }
    }
}

/// Returns the ply that a lane's arrays ask for, or why it cannot be played.
fn checked(arrays: &Arrays, lane: usize, state: &Lane, forced: bool) -> Result<Ply, Refused> {
    let number = arrays.action_of(lane);
    let action = state.legal(number).map_err(|error| match error {
        Some(error) => Refused::Illegal {
            lane,
            number,
            error,
        },
        None => Refused::NoAction { lane, number },
    })?;
    let index = if forced { arrays.reveal_of(lane) } else { -1 };
    if index < 0 || !action.is_flip() {
        return Ok(Ply {
            action,
            reveal: None,
        });
    }
    let piece = Piece::from_index(index as usize).ok_or(Refused::NoPiece { lane, index })?;
    if state.position.hidden().count(piece) == 0 {
        return Err(Refused::NotHidden { lane, piece });
    }
    Ok(Ply {
        action,
        reveal: Some(piece),
    })
}

impl Lanes {
    /// Gives every lane its next ply, or returns why the first of those that have none has none.
    fn check(&mut self, forced: bool) -> Result<(), Refused> {
        let refused: Mutex<Option<(usize, Refused)>> = Mutex::new(None);
        let arrays = &self.arrays;
        self.crew.each(&mut self.lanes, |index, lane| {
            match checked(arrays, index, lane, forced) {
                Ok(ply) => lane.next = Some(ply),
                Err(error) => {
                    let mut first = refused.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(known, _)| index < *known) {
                        *first = Some((index, error));
                    }
                }
            }
        });
        let first = refused.into_inner();
        match first.unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    fn step(&mut self, forced: bool) -> Result<(), Refused> {
        self.check(forced)?;
        let (start, rules, slots) = (self.start, self.rules, self.arrays.slots());
        self.crew.each(&mut self.lanes, |index, lane| {
            let Some(mut ply) = lane.next.take() else {
                return;
            };
            if ply.reveal.is_none() {
                ply.reveal = lane.draw(ply.action);
            }
            let played = lane.play(ply, &rules);
            let slots = slots.of_lane(index);
            let mut plies = 0;
            if played.outcome.is_some() {
                plies = lane.position.ply();
                lane.begin(&start, &rules);
            }
            slots.tell(Some(&played), plies);
            slots.show(lane, &rules);
        });
        Ok(())
    }

    fn sample(&mut self) {
        let arrays = &self.arrays;
        self.crew.each(&mut self.lanes, |index, lane| {
            arrays.set_action(index, lane.sample(arrays.mask_of(index)));
        });
    }

    fn show(&mut self) {
        let (rules, slots) = (self.rules, self.arrays.slots());
        self.crew.each(&mut self.lanes, |index, lane| {
            slots.of_lane(index).tell(None, 0);
            slots.of_lane(index).show(lane, &rules);
        });
    }
}

/// Many games at once; `anqi.VectorEnv` is its face.
#[pyclass(module = "anqi._anqi", skip_from_py_object)]
pub struct VectorCore {
    lanes: Option<Lanes>,
}

impl VectorCore {
    fn lanes(&mut self) -> PyResult<&mut Lanes> {
        self.lanes.as_mut().ok_or_else(|| closed("environment"))
    }

    fn lane(&mut self, index: usize) -> PyResult<&mut Lane> {
        let lanes = self.lanes()?;
        let count = lanes.lanes.len();
        lanes.lanes.get_mut(index).ok_or_else(|| {
            wrong(format!(
                "there is no lane {index} (expected less than {count})"
            ))
        })
    }
}

#[pymethods]
impl VectorCore {
    #[new]
    fn new(
        count: usize,
        rules: Option<&Bound<'_, PyAny>>,
        seeds: Seeds,
        threads: usize,
        start: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<VectorCore> {
        if !(1..=MOST_LANES).contains(&count) {
            return Err(wrong(format!("{count} lanes (expected 1 to {MOST_LANES})")));
        }
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(wrong(format!(
                "{threads} threads (expected 1 to {MOST_THREADS})"
            )));
        }
        let rules = self::rules(rules)?;
        let start = start
            .map(position)
            .transpose()?
            .unwrap_or_else(Position::start);
        let start = start.under(rules.convention);
        if let Some(over) = rules.outcome(&start, || None) {
            return Err(wrong(format!(
                "the game is over where it would begin: {over}"
            )));
        }
        let arrays = Arrays::new(count)?;
        let seeds = lane_seeds(&seeds, count)?;
        let lanes = seeds
            .into_iter()
            .map(|seed| Lane::new(&start, &rules, seed))
            .collect();
        let mut lanes = Lanes {
            lanes,
            start,
            rules,
            arrays,
            crew: Crew::new(threads),
        };
        guarded(|| lanes.show())?;
        Ok(VectorCore { lanes: Some(lanes) })
    }

    /// Begins all games anew, with new streams of chance if there are seeds.
    fn reset(&mut self, py: Python<'_>, seeds: Option<Seeds>) -> PyResult<()> {
        let lanes = self.lanes()?;
        let seeds = seeds
            .map(|seeds| lane_seeds(&seeds, lanes.lanes.len()))
            .transpose()?;
        detached(py, || {
            let (start, rules) = (lanes.start, lanes.rules);
            for (index, lane) in lanes.lanes.iter_mut().enumerate() {
                if let Some(seeds) = &seeds {
                    lane.seed(seeds[index]);
                }
                lane.begin(&start, &rules);
            }
            lanes.show();
        })
    }

    /// Plays the actions in the array of actions; `forced` reads the reveals too.
    fn step(&mut self, py: Python<'_>, forced: bool) -> PyResult<()> {
        let lanes = self.lanes()?;
        detached(py, || lanes.step(forced))??;
        Ok(())
    }

    /// Writes a random legal action of every lane into the array of actions.
    fn sample(&mut self, py: Python<'_>) -> PyResult<()> {
        let lanes = self.lanes()?;
        detached(py, || lanes.sample())
    }

    /// The arrays by name: views of the same memory every time.
    fn arrays(&mut self) -> PyResult<Vec<(&'static str, Array)>> {
        let lanes = self.lanes()?;
        let (count, arrays) = (lanes.lanes.len(), &lanes.arrays);
        let of = |buffer: &Arc<Buffer>, kind| Array::new(Arc::clone(buffer), kind, &[count]);
        let planes = [count, PLANES, 8, 4];
        Ok(vec![
            (
                "observation",
                Array::new(Arc::clone(&arrays.observation), u8::TYPE, &planes),
            ),
            (
                "mask",
                Array::new(Arc::clone(&arrays.mask), BOOL, &[count, ACTIONS]),
            ),
            ("reward", of(&arrays.reward, f32::TYPE)),
            ("terminated", of(&arrays.terminated, BOOL)),
            ("length", of(&arrays.length, u32::TYPE)),
            ("reason", of(&arrays.reason, u8::TYPE)),
            ("revealed", of(&arrays.revealed, i8::TYPE)),
            ("actions", of(&arrays.actions, i64::TYPE)),
            ("reveals", of(&arrays.reveals, i8::TYPE)),
        ])
    }

    /// The outcomes of the actions in the array of actions, with their chances.
    fn afterstates(&mut self, py: Python<'_>) -> PyResult<Vec<(&'static str, Array)>> {
        let lanes = self.lanes()?;
        lanes.check(false)?;
        let plies: Vec<Ply> = lanes.lanes.iter().filter_map(|lane| lane.next).collect();
        outcomes::arrays(py, &lanes.lanes, &plies, lanes.rules)
    }

    /// The position of a lane.
    fn position(&mut self, lane: usize) -> PyResult<PyPosition> {
        Ok(PyPosition(self.lane(lane)?.position))
    }

    /// Puts a lane at a position, without a past.
    fn set_position(&mut self, lane: usize, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let position = self::position(position)?;
        let rules = self.lanes()?.rules;
        let position = position.under(rules.convention);
        if let Some(over) = rules.outcome(&position, || None) {
            return Err(wrong(format!("the game is over in this position: {over}")));
        }
        self.lane(lane)?.begin(&position, &rules);
        let lanes = self.lanes()?;
        let slots = lanes.arrays.slots().of_lane(lane);
        slots.show(&lanes.lanes[lane], &rules);
        Ok(())
    }

    /// Gives the memory back once no view uses it.
    fn close(&mut self, py: Python<'_>) {
        let lanes = self.lanes.take();
        py.detach(|| drop(lanes));
    }

    /// Whether it is closed.
    #[getter]
    fn is_closed(&self) -> bool {
        self.lanes.is_none()
    }
}

/// Returns a seed for each lane: mixed from one, or those given.
fn lane_seeds((one, each): &Seeds, count: usize) -> PyResult<Vec<u64>> {
    match each {
        None => Ok((0..count as u64).map(|lane| mix(*one, lane)).collect()),
        Some(seeds) if seeds.len() == count => Ok(seeds.clone()),
        Some(seeds) => Err(wrong(format!(
            "{} seeds for {count} lanes (expected one for each)",
            seeds.len()
        ))),
    }
}

/// Returns the observation, (planes, 8, 4), and the mask, (352,), of a position without a past.
#[pyfunction]
pub fn encode<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let position = self::position(position)?;
    let (mut observation, mut mask) = ([0; BYTES], [0; ACTIONS]);
    encoding::observe(&position, 0, &mut observation);
    encoding::mask(&position, &mut mask);
    let observation = Array::of(&observation, &[PLANES, 8, 4])?;
    let mask = Array::new(Buffer::of(&mask)?, BOOL, &[ACTIONS]);
    Ok((numpy(py, observation)?, numpy(py, mask)?))
}
