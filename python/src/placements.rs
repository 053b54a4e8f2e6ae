//! All positions of a material with their values, batch by batch.
//!
//! A placement is a number: for each kind in turn, which of the squares that are still free it takes, as a
//! combination. So an iteration needs no memory, and can be begun anywhere.

use crate::array::{Array, numpy};
use crate::errors::{detached, notation, wrong};
use crate::tables::{PyTables, UNKNOWN};
use anqi_rules::{Color, Content, PIECES, Piece, Position, SQUARES, Setup, Square};
use anqi_tablebase::classes::Material;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most pieces of an iteration: with five there are 24 million placements at most.
const MOST_PIECES: usize = 5;
/// The most positions of a batch.
const MOST_BATCH: usize = 1 << 20;
/// What a board's byte says of an empty square, as in files of positions.
const EMPTY: u8 = PIECES as u8 + 1;

/// An iteration over all positions of a material.
#[pyclass(module = "anqi._anqi", frozen, skip_from_py_object)]
pub struct Placements {
    tables: Py<PyTables>,
    kinds: Vec<(Piece, usize)>,
    turn: Color,
    batch: usize,
    total: u64,
    next: AtomicU64,
}

/// Returns the number of ways to choose some of so many.
fn choose(from: usize, some: usize) -> u64 {
    (0..some as u64).fold(1, |ways, step| ways * (from as u64 - step) / (step + 1))
}

/// Takes the squares of a combination, by its number, from those that are free.
fn take(mut number: u64, count: usize, free: &mut Vec<Square>) -> Vec<Square> {
    let mut taken = Vec::with_capacity(count);
    let mut place = 0;
    while taken.len() < count {
        let left = count - taken.len();
        // Combinations that take this square come first.
        let with = choose(free.len() - place - 1, left - 1);
        if number < with {
            taken.push(free.remove(place));
        } else {
            number -= with;
            place += 1;
        }
    }
    taken
}

impl Placements {
    /// Begins an iteration.
    pub fn new(
        tables: Py<PyTables>,
        material: &str,
        turn: Color,
        batch: usize,
    ) -> PyResult<Placements> {
        let material: Material = material.parse().map_err(notation)?;
        if material.len() > MOST_PIECES {
            let found = material.len();
            return Err(wrong(format!(
                "{found} pieces (expected {MOST_PIECES} at most)"
            )));
        }
        if !(1..=MOST_BATCH).contains(&batch) {
            return Err(wrong(format!(
                "batches of {batch} (expected 1 to {MOST_BATCH})"
            )));
        }
        let kinds: Vec<(Piece, usize)> = material.kinds().collect();
        let mut free = SQUARES;
        let mut total = 1;
        for &(_, count) in &kinds {
            total *= choose(free, count);
            free -= count;
        }
        let next = AtomicU64::new(0);
        Ok(Placements {
            tables,
            kinds,
            turn,
            batch,
            total,
            next,
        })
    }

    /// Returns the position with this number.
    fn position(&self, mut number: u64) -> Option<Position> {
        let mut free: Vec<Square> = Square::all().collect();
        let mut setup = Setup {
            turn: Some(self.turn),
            ..Setup::default()
        };
        for &(piece, count) in &self.kinds {
            let ways = choose(free.len(), count);
            for square in take(number % ways, count, &mut free) {
                setup.board[square.index()] = Content::FaceUp(piece);
            }
            number /= ways;
        }
        setup.position().ok()
    }
}

#[pymethods]
impl Placements {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// How many positions there are in all.
    fn __len__(&self) -> usize {
        self.total as usize
    }

    #[expect(clippy::type_complexity, reason = "a pair of arrays in Python")]
    fn __next__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let first = self.next.fetch_add(self.batch as u64, Ordering::Relaxed);
        if first >= self.total {
            // Calls after the end change nothing.
            self.next.store(self.total, Ordering::Relaxed);
            return Ok(None);
        }
        py.check_signals()?;
        let last = self.total.min(first + self.batch as u64);
        let tables = self.tables.get();
        let found = detached(py, || {
            let (mut boards, mut values) = (Vec::new(), Vec::new());
            for position in (first..last).filter_map(|number| self.position(number)) {
                let codes = Square::all().map(|square| match position.piece_at(square) {
                    Some(piece) => piece.index() as u8,
                    None => EMPTY,
                });
                boards.extend(codes);
                values.push(tables.value(&position)?.unwrap_or(UNKNOWN));
            }
            Ok::<_, String>((boards, values))
        })?;
        let (boards, values) = found.map_err(crate::tables::damaged)?;
        let count = values.len();
        let boards = numpy(py, Array::of(&boards, &[count, SQUARES])?)?;
        Ok(Some((boards, numpy(py, Array::of(&values, &[count])?)?)))
    }
}

/// Iterates over all positions of a material of up to five face-up pieces, such as "Kgp": pairs of
/// boards, uint8 of shape (m, 32), squares `column * 8 + row`, 0–13 a piece and 15 empty, and values for
/// the side to move, int8, -128 where tables know none.
#[pyfunction]
#[pyo3(signature = (material, to_move = "red", *, tables = None, batch = 4096))]
pub fn all_positions(
    py: Python<'_>,
    material: &str,
    to_move: &str,
    tables: Option<Py<PyTables>>,
    batch: usize,
) -> PyResult<Placements> {
    let turn = crate::values::color(to_move)?;
    let tables = match tables {
        Some(tables) => tables,
        None => Py::new(py, PyTables::without_files(py)?)?,
    };
    Placements::new(tables, material, turn, batch)
}
