//! Endgame tables: exact values, distances, actions and expectations.

use crate::array::{Array, numpy};
use crate::errors::{TableError, detached, notation};
use crate::game::position;
use crate::position::{chances, fraction};
use crate::threads::solving;
use crate::values::{PyAction, PyPiece, PyRules, action, rules};
use anqi_rules::{Position, Rules};
use anqi_search::endgames::{MOST_SOLVED_PIECES, SharedTables, TablesSource};
use anqi_search::resources::tables_for;
use anqi_tablebase::distil;
use anqi_tablebase::facedown::rated_by_expectation;
use anqi_tablebase::{Endgames, Fraction, Wdl, rated_actions};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// What an array says of a position that no table knows.
pub const UNKNOWN: i8 = i8::MIN;

/// Exact values of endings.
///
/// `Tables.embedded()` needs no file: it knows every ending of up to five face-up pieces, distances
/// up to four, and endings of up to four pieces of which some are face down. `Tables(folder)` adds
/// the files of a folder, made by `tablebase build`.
///
/// >>> tables = anqi.Tables.embedded()
/// >>> tables.probe(anqi.Position("4/4/4/4/4/4/1k2/K1g1 r - 0 0")).value
/// -1
#[pyclass(name = "Tables", module = "anqi", frozen, skip_from_py_object)]
pub struct PyTables {
    source: TablesSource,
    rules: Rules,
    tables: Arc<SharedTables>,
    /// Values without distances, of up to five pieces.
    pocket: Arc<dyn Endgames>,
}

/// What is known of a position.
#[derive(Clone, Copy)]
struct Known {
    wdl: Option<Wdl>,
    expected: Option<Fraction>,
    distance: Option<u32>,
}

impl Known {
    const NOTHING: Known = Known {
        wdl: None,
        expected: None,
        distance: None,
    };

    fn value(&self) -> Option<i8> {
        self.wdl.map(points)
    }
}

fn points(wdl: Wdl) -> i8 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::Draw => 0,
        Wdl::Win => 1,
    }
}

/// What tables know of a position; false if they know nothing.
#[pyclass(name = "Probe", module = "anqi", frozen, skip_from_py_object)]
pub struct PyProbe {
    known: Known,
}

#[pymethods]
impl PyProbe {
    /// 1 if the side to move wins, 0 for a draw, -1 if it loses; None if that is unknown or, with
    /// face-down pieces, undecided.
    #[getter]
    fn value(&self) -> Option<i8> {
        self.known.value()
    }

    /// The expected result for the side to move, exact over what flips may reveal; None if unknown.
    #[getter]
    fn expected<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let expected = self.known.expected;
        expected
            .map(|exact| fraction(py, exact.numerator(), exact.denominator()))
            .transpose()
    }

    /// The plies to the next capture or the end if both sides do their best; None for draws, and
    /// where only values are known. With face-down pieces, to the capture or flip that the better
    /// side forces.
    #[getter]
    fn distance(&self) -> Option<u32> {
        self.known.distance
    }

    fn __bool__(&self) -> bool {
        self.known.expected.is_some()
    }

    fn __repr__(&self) -> String {
        match (self.known.expected, self.known.distance) {
            (None, _) => "<anqi.Probe unknown>".to_owned(),
            (Some(expected), None) => format!("<anqi.Probe {expected}>"),
            (Some(expected), Some(plies)) => format!("<anqi.Probe {expected} in {plies}>"),
        }
    }
}

impl PyTables {
    fn open(source: TablesSource, rules: Rules) -> Result<PyTables, String> {
        let tables = solving(|| tables_for(rules, &source))?;
        let tables = tables.ok_or("no tables")?;
        let pocket = distil::values(rules).into();
        Ok(PyTables {
            source,
            rules,
            tables,
            pocket,
        })
    }

    /// Returns the tables that need no file, for the rules that are the default.
    pub fn without_files(py: Python<'_>) -> PyResult<PyTables> {
        let source = TablesSource::Solved(MOST_SOLVED_PIECES);
        detached(py, || PyTables::open(source, Rules::OLYMPIAD))?.map_err(damaged)
    }

    /// Looks a position up.
    fn known(&self, position: &Position) -> Result<Known, String> {
        let position = &position.under(self.rules.convention);
        let tables = self.tables.tables();
        if !position.face_down().is_empty() {
            if position.occupied().len() as u32 > tables.face_down().pieces() {
                return Ok(Known::NOTHING);
            }
            let found = solving(|| tables.with_face_down(position));
            self.check_damage()?;
            return Ok(found.map_or(Known::NOTHING, |found| Known {
                wdl: certain(found.expected),
                expected: Some(found.expected),
                distance: Some(u32::from(found.plies)).filter(|plies| *plies > 0),
            }));
        }
        let found = tables
            .look_up(position)
            .map_err(|error| error.to_string())?;
        let value = found.map(|found| (found.wdl, found.dtc));
        let value = value.or_else(|| self.pocket.wdl(position).map(|wdl| (wdl, None)));
        Ok(value.map_or(Known::NOTHING, |(wdl, distance)| Known {
            wdl: Some(wdl),
            expected: Some(wdl.into()),
            distance: distance.map(u32::from),
        }))
    }

    /// Returns the value of a position, if it is known and decided.
    pub fn value(&self, position: &Position) -> Result<Option<i8>, String> {
        Ok(self.known(position)?.value())
    }

    fn check_damage(&self) -> Result<(), String> {
        match self.tables.tables().damage() {
            None => Ok(()),
            Some(damage) => Err(damage.to_owned()),
        }
    }

    /// Rates all actions, the best first; `None` if some of them is unknown.
    fn rated(&self, position: &Position) -> Result<Option<Vec<Rated>>, String> {
        let position = &position.under(self.rules.convention);
        if position.face_down().is_empty() {
            return Ok(self.rated_face_up(position));
        }
        if self.known(position)?.expected.is_none() {
            return Ok(None);
        }
        let endings = self.tables.tables().face_down();
        let rated = solving(|| rated_by_expectation(endings, position));
        let rated = rated.map_err(|error| error.to_string())?;
        let of = |rated: anqi_tablebase::facedown::RatedAction| Rated {
            action: rated.action,
            expected: rated.expected,
            distance: Some(u32::from(rated.plies)).filter(|plies| *plies > 0),
        };
        Ok(Some(rated.into_iter().map(of).collect()))
    }

    fn rated_face_up(&self, position: &Position) -> Option<Vec<Rated>> {
        let tables: &dyn Endgames = self.tables.tables();
        let rated = rated_actions(tables, position);
        let rated = rated.or_else(|| rated_actions(&*self.pocket, position))?;
        let of = |rated: anqi_tablebase::Rated| Rated {
            action: rated.action,
            expected: rated.wdl.into(),
            distance: rated.dtc.map(u32::from),
        };
        Some(rated.into_iter().map(of).collect())
    }
}

/// An action with its value.
struct Rated {
    action: anqi_rules::Action,
    expected: Fraction,
    distance: Option<u32>,
}

/// Returns the value that an expectation proves.
fn certain(expected: Fraction) -> Option<Wdl> {
    [Wdl::Loss, Wdl::Win]
        .into_iter()
        .find(|wdl| Fraction::from(*wdl) == expected)
}

/// Returns the exception for damage in a file.
pub fn damaged(error: String) -> PyErr {
    TableError::new_err(error)
}

#[pymethods]
impl PyTables {
    #[new]
    #[pyo3(signature = (folder, rules = None))]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        rules: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTables> {
        let rules = self::rules(rules)?;
        if !folder.is_dir() {
            let name = folder.display();
            return Err(damaged(format!(
                "'{name}' is not a folder (expected one of tables)"
            )));
        }
        detached(py, || PyTables::open(TablesSource::Folder(folder), rules))?.map_err(damaged)
    }

    /// The tables that need no file.
    #[staticmethod]
    #[pyo3(signature = (rules = None))]
    fn embedded(py: Python<'_>, rules: Option<&Bound<'_, PyAny>>) -> PyResult<PyTables> {
        let rules = self::rules(rules)?;
        let source = TablesSource::Solved(MOST_SOLVED_PIECES);
        detached(py, || PyTables::open(source, rules))?.map_err(damaged)
    }

    /// The rules that values are for.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(self.rules)
    }

    /// The most pieces of a position that may be known.
    #[getter]
    fn pieces(&self) -> u32 {
        self.tables.tables().pieces().max(self.pocket.pieces())
    }

    /// What is known of a position, a Position, its text or a Game.
    fn probe(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<PyProbe> {
        let position = self::position(position)?;
        let known = detached(py, || self.known(&position))?.map_err(damaged)?;
        Ok(PyProbe { known })
    }

    /// All actions with their expected results and distances, the best first; None if some action
    /// leads to where nothing is known.
    #[expect(clippy::type_complexity, reason = "a list of triples in Python")]
    fn actions<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Vec<(PyAction, Bound<'py, PyAny>, Option<u32>)>>> {
        let position = self::position(position)?;
        let rated = detached(py, || self.rated(&position))?.map_err(damaged)?;
        let Some(rated) = rated else { return Ok(None) };
        let of = |rated: Rated| {
            let (over, under) = (rated.expected.numerator(), rated.expected.denominator());
            Ok((
                PyAction(rated.action),
                fraction(py, over, under)?,
                rated.distance,
            ))
        };
        rated
            .into_iter()
            .map(of)
            .collect::<PyResult<Vec<_>>>()
            .map(Some)
    }

    /// What a flip may reveal: each kind with its chance and the expected result for the side that
    /// flips, or None where that is unknown.
    #[expect(clippy::type_complexity, reason = "a list of triples in Python")]
    fn distribution<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        square: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(PyPiece, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)>> {
        let position = self::position(position)?.under(self.rules.convention);
        let flip = action(square)?;
        position
            .check_action(flip)
            .map_err(crate::position::refused)?;
        if !flip.is_flip() {
            return Err(notation(
                "a step reveals nothing (expected the square of a flip)",
            ));
        }
        let mut found = Vec::new();
        for (piece, chance) in chances(py, &position, flip)? {
            let mut next = position;
            let _ = next.flip_unchecked(flip.from(), piece.0);
            let known = detached(py, || self.known(&next))?.map_err(damaged)?;
            let expected = known.expected.map(|exact| -exact);
            let expected = expected
                .map(|exact| fraction(py, exact.numerator(), exact.denominator()))
                .transpose()?;
            found.push((piece, chance, expected));
        }
        Ok(found)
    }

    /// What is known of many positions, as arrays: values (int8, -128 if unknown), expected results
    /// (float64, NaN if unknown) and distances (int32, -1 if unknown).
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let positions = positions
            .iter()
            .map(position)
            .collect::<PyResult<Vec<Position>>>()?;
        let known = detached(py, || {
            positions
                .iter()
                .map(|position| self.known(position))
                .collect::<Result<Vec<_>, _>>()
        })?
        .map_err(damaged)?;
        let shape = [known.len()];
        let values: Vec<i8> = known
            .iter()
            .map(|known| known.value().unwrap_or(UNKNOWN))
            .collect();
        let expected = known
            .iter()
            .map(|known| known.expected.map_or(f64::NAN, f64::from));
        let distance = known
            .iter()
            .map(|known| known.distance.map_or(-1, |plies| plies as i32));
        Ok((
            numpy(py, Array::of(&values, &shape)?)?,
            numpy(py, Array::of(&expected.collect::<Vec<f64>>(), &shape)?)?,
            numpy(py, Array::of(&distance.collect::<Vec<i32>>(), &shape)?)?,
        ))
    }

    fn __repr__(&self) -> String {
        let rules = crate::values::quoted(&self.rules.to_string());
        match &self.source {
            TablesSource::Solved(_) => format!("anqi.Tables.embedded(rules={rules})"),
            TablesSource::Folder(folder) => {
                let folder = crate::values::quoted(&folder.display().to_string());
                format!("anqi.Tables({folder}, rules={rules})")
            }
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let class = py.get_type::<PyTables>();
        let rules = (PyRules(self.rules),).into_pyobject(py)?;
        let pair = match &self.source {
            TablesSource::Solved(_) => (class.getattr("embedded")?, rules).into_pyobject(py)?,
            TablesSource::Folder(folder) => {
                let words = (folder, PyRules(self.rules)).into_pyobject(py)?;
                (class, words).into_pyobject(py)?
            }
        };
        Ok(pair.into_any())
    }
}
