//! What a network learns from and is made of: its inputs, its files, its values.

use crate::array::{Array, numpy};
use crate::errors::{detached, notation, wrong};
use crate::game::position;
use anqi_rules::{Color, Content, PIECES, Piece, Position, SQUARES, Setup, Square, Symmetry};
use anqi_search::evaluation::Weights;
use anqi_search::evaluation::network::{INPUTS, Input, Network, bucket, inputs};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// What a board's byte says of a face-down piece; beyond it the square is empty.
const FACE_DOWN: u8 = PIECES as u8;

/// Returns the inputs that are on, (n, inputs), and the last layer, (n), of positions as the side to
/// move sees them.
fn arrays<'py>(
    py: Python<'py>,
    positions: &[Position],
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let mut seen = Vec::new();
    let count = positions.len();
    seen.try_reserve_exact(count * INPUTS).map_err(|_| {
        wrong(format!(
            "not enough memory for the inputs of {count} positions"
        ))
    })?;
    seen.resize(count * INPUTS, 0_u8);
    let layers = detached(py, || {
        let rows = seen.chunks_exact_mut(INPUTS).zip(positions);
        let layer = |(row, position): (&mut [u8], &Position)| {
            let view = position.turn().unwrap_or(Color::Red);
            inputs(position, view)
                .iter()
                .for_each(|input| row[input.index()] = 1);
            bucket(position) as u8
        };
        rows.map(layer).collect::<Vec<u8>>()
    })?;
    let seen = Array::of(&seen, &[count, INPUTS])?;
    Ok((numpy(py, seen)?, numpy(py, Array::of(&layers, &[count])?)?))
}

/// Returns what the network sees of positions: its inputs, uint8 of shape (n, inputs), and which of
/// its last layers weighs them, uint8 of shape (n).
#[pyfunction]
pub fn features<'py>(
    py: Python<'py>,
    positions: Vec<Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let positions = positions
        .iter()
        .map(position)
        .collect::<PyResult<Vec<Position>>>()?;
    arrays(py, &positions)
}

/// Boards of a file of positions: 32 bytes each, 0–13 a face-up piece, 14 face down, 15 empty; 14 counts
/// of face-down pieces each; and a byte each for the side to move, 0 unknown, 1 red, 2 black.
#[derive(FromPyObject)]
pub struct Boards {
    #[pyo3(item(0))]
    boards: PyBackedBytes,
    #[pyo3(item(1))]
    hidden: PyBackedBytes,
    #[pyo3(item(2))]
    turns: PyBackedBytes,
}

impl Boards {
    /// Returns them as positions.
    fn positions(&self) -> PyResult<Vec<Position>> {
        let (count, found) = (self.turns.len(), (self.boards.len(), self.hidden.len()));
        if found != (count * SQUARES, count * PIECES) {
            return Err(wrong(format!(
                "{} bytes of boards and {} counts for {count} positions (expected 32 and 14 for each)",
                found.0, found.1
            )));
        }
        let boards = self.boards.chunks_exact(SQUARES);
        let boards = boards.zip(self.hidden.chunks_exact(PIECES));
        let position = |(index, ((board, hidden), turn)): (usize, ((&[u8], &[u8]), &u8))| {
            let position = setup(board, hidden, *turn).position();
            position.map_err(|error| wrong(format!("position {index}: {error}")))
        };
        boards
            .zip(self.turns.iter())
            .enumerate()
            .map(position)
            .collect()
    }
}

fn setup(board: &[u8], hidden: &[u8], turn: u8) -> Setup {
    let mut setup = Setup {
        turn: match turn {
            1 => Some(Color::Red),
            2 => Some(Color::Black),
            _ => None,
        },
        ..Setup::default()
    };
    for (square, &code) in Square::all().zip(board) {
        setup.board[square.index()] = match Piece::from_index(code.into()) {
            Some(piece) => Content::FaceUp(piece),
            None if code == FACE_DOWN => Content::FaceDown,
            None => Content::Empty,
        };
    }
    for (piece, &count) in Piece::all().zip(hidden) {
        setup.hidden[piece.index()] = count.into();
    }
    setup
}

/// Returns what the network sees of boards: its inputs and its last layers.
#[pyfunction]
pub fn board_features(
    py: Python<'_>,
    boards: Boards,
) -> PyResult<(Bound<'_, PyAny>, Bound<'_, PyAny>)> {
    arrays(py, &boards.positions()?)
}

/// Returns the sums of the hand-made terms for boards, with the weights of this text: float64 of shape (n), as
/// multiples of the sum that is half of a certain win.
#[pyfunction]
pub fn board_terms<'py>(
    py: Python<'py>,
    weights: &str,
    boards: Boards,
) -> PyResult<Bound<'py, PyAny>> {
    let weights = Weights::parse(weights).map_err(notation)?;
    let positions = boards.positions()?;
    let sums = detached(py, || {
        let of = |position: &Position| weights.relative_sum(position);
        positions.iter().map(of).collect::<Vec<f64>>()
    })?;
    numpy(py, Array::of(&sums, &[sums.len()])?)
}

/// Returns where each input goes: its four mirror images, int32 of shape (4, inputs), and the same
/// input in the other side's view, int32 of shape (inputs).
#[pyfunction]
pub fn input_images(py: Python<'_>) -> PyResult<(Bound<'_, PyAny>, Bound<'_, PyAny>)> {
    let images = Symmetry::ALL.into_iter().flat_map(|symmetry| {
        Input::all().map(move |input| input.mirrored(symmetry).index() as i32)
    });
    let images: Vec<i32> = images.collect();
    let views: Vec<i32> = Input::all()
        .map(|input| input.other_view().index() as i32)
        .collect();
    let images = numpy(py, Array::of(&images, &[Symmetry::ALL.len(), INPUTS])?)?;
    Ok((images, numpy(py, Array::of(&views, &[INPUTS])?)?))
}

/// Returns the file of the network that is built in.
#[pyfunction]
pub fn built_in_network(py: Python<'_>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &Network::built_in().to_bytes())
}

/// Returns what the engine's own arithmetic says of positions: int32, in units of the last layer.
#[pyfunction]
pub fn network_results<'py>(
    py: Python<'py>,
    file: &[u8],
    positions: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (network, positions) = parsed(file, &positions)?;
    let results = detached(py, || {
        positions
            .iter()
            .map(|position| network.result(position))
            .collect::<Vec<i32>>()
    })?;
    numpy(py, Array::of(&results, &[results.len()])?)
}

/// Returns the sums of the first layer, position by position.
pub fn accumulators(network: &Network, positions: &[Position]) -> Vec<i16> {
    let of = |position: &Position| network.accumulators(position).concat();
    positions.iter().flat_map(of).collect()
}

/// Returns what the engine's first layer sums up of positions: int16 of shape (n, 2, 4, filters).
#[pyfunction]
pub fn network_accumulators<'py>(
    py: Python<'py>,
    file: &[u8],
    positions: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (network, positions) = parsed(file, &positions)?;
    let sums = detached(py, || accumulators(&network, &positions))?;
    let filters = network.parameters().filters;
    let shape = [positions.len(), 2, Symmetry::ALL.len(), filters];
    numpy(py, Array::of(&sums, &shape)?)
}

/// Reads a network and the positions that it shall value.
fn parsed(file: &[u8], positions: &[Bound<'_, PyAny>]) -> PyResult<(Network, Vec<Position>)> {
    let positions = positions.iter().map(position).collect::<PyResult<_>>()?;
    let network = Network::parse(file).map_err(|error| notation(format!("the file {error}")))?;
    Ok((network, positions))
}
