//! The learned evaluation: a network over the pieces on the squares, added to the hand-made terms.
//!
//! From the bottom: `inputs` (what the network sees), `parameters` (its numbers), `file`
//! (how they are kept), `block` (vector arithmetic), `accumulators` (the sums of the first layer, kept up to date along
//! the line), `flips` (all outcomes of a flip from the same sums), and the [`Network`].
//!
//! ```text
//! inputs that are on, as the mover sees them ── rows ──> sums ──┐
//!                                                               ├─> last layer of the bucket ─> number
//! inputs that are on, as the other sees them ── rows ──> sums ──┘
//! ```
//!
//! Each input has a row; the rows of the inputs that are on, summed, feed the units of the first
//! layer. A unit outputs the square of its sum clamped to 0–1. The number of living pieces
//! selects the last layer that weighs the outputs.
//!
//! **Mirrors.** The free parameters belong to a few *filters*. Each filter is applied to the
//! board in all four mirrors, and its four units have the same weight in the last layer.
//! Mirroring a position only permutes units, so its value is exactly the same, and positions
//! need no standard orientation, which would break the incremental update along the line.
//!
//! **Integers.** Sums are 16-bit numbers in units of 1/255, weights of the last layer are within
//! ±127 in units of 1/128: the value is the same on every machine. A network in which a sum might
//! overflow is refused when it is read.

mod accumulators;
mod block;
mod file;
mod flips;
mod inputs;
mod parameters;

pub(super) use accumulators::Accumulators;
pub use block::SUM_UNIT;
pub use file::{NetworkError, NetworkSource};
pub(super) use flips::LearnedFlips;
pub use inputs::{INPUTS, Input, InputList, inputs};
pub use parameters::{MOST_OUTPUT, NetworkFault, Parameters};

use super::{Curve, Weights};
use anqi_rules::{Color, PIECES, Position, SQUARES, Square, Symmetry};
use block::{Block, LANES, weighed};
use std::sync::Arc;

/// The number of last layers, one of which is chosen by the number of living pieces.
pub const BUCKETS: usize = 8;
/// The unit of the last layers' weights.
pub const OUTPUT_UNIT: i32 = 128;
/// The unit of a last layer's output: half of a certain win.
pub const RESULT_UNIT: i32 = SUM_UNIT * SUM_UNIT * OUTPUT_UNIT;

/// A network, ready for use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    parameters: Parameters,
    weights: Arc<Weights>,
    /// Blocks of the first layer.
    blocks: usize,
    /// By input and view: its row, then that of the same input in the other side's view.
    rows: Vec<Block>,
    /// By piece and square, in the order of inputs, and view: what a reveal there adds, without the bag.
    reveals: Vec<Block>,
    bias: Vec<Block>,
    /// By bucket, side to move and colour: the weights of red's view, then those of black's.
    output: Vec<Block>,
}

/// Returns the index of the last layer for a position.
#[inline]
pub fn bucket(position: &Position) -> usize {
    let face_up = position.color(Color::Red) | position.color(Color::Black);
    let living = (face_up | position.face_down()).len();
    living.saturating_sub(1) / (32 / BUCKETS)
}

impl Network {
    /// Makes a network from its parameters.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many or too few numbers, or one is too great.
    pub fn new(parameters: Parameters) -> Result<Network, NetworkFault> {
        parameters.check()?;
        let filters = parameters.filters;
        let units = Symmetry::ALL.len() * filters;
        let row = |input: Input| {
            let images = Symmetry::ALL.map(|symmetry| input.mirrored(symmetry).index());
            images
                .map(|image| &parameters.rows[image * filters..][..filters])
                .concat()
        };
        let both = |input: Input| [row(input), row(input.other_view())].concat();
        let rows: Vec<i16> = Input::all().flat_map(both).collect();
        let output = parameters.output.chunks_exact(2 * filters);
        let of_bucket = |weights: &[i16]| {
            let (own, other) = weights.split_at(filters);
            let (own, other) = (own.repeat(4), other.repeat(4));
            [&own[..], &other, &other, &own].concat()
        };
        let output: Vec<i16> = output.flat_map(of_bucket).collect();
        let rows = Block::cut(&rows);
        let blocks = units / LANES;
        Ok(Network {
            reveals: reveals(&rows, blocks),
            weights: Arc::new(parameters.weights.clone()),
            blocks,
            rows,
            bias: Block::cut(&parameters.bias.repeat(4)),
            output: Block::cut(&output),
            parameters,
        })
    }

    /// Returns the same network with another curve.
    #[must_use]
    pub fn with_curve(&self, curve: Curve) -> Network {
        let weights = self.parameters.weights.with_curve(curve);
        let mut network = self.clone();
        network.weights = Arc::new(weights.clone());
        network.parameters.weights = weights;
        network
    }

    /// Returns its free parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Returns the weights of the hand-made terms that it is added to.
    pub fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// Returns the network's value of a position for the side to move, in units of
    /// 1/[`RESULT_UNIT`], computed from scratch; 0 before the first flip.
    pub fn result(&self, position: &Position) -> i32 {
        let turn = position.turn();
        turn.map_or(0, |turn| self.result_for(position, turn))
    }

    /// Returns the network's value of a position if it were this side's turn.
    fn result_for(&self, position: &Position, turn: Color) -> i32 {
        self.result_of(&inputs(position, turn), bucket(position))
    }

    /// Returns the network's value for the inputs in the mover's view.
    pub fn result_of(&self, inputs: &[Input], bucket: usize) -> i32 {
        let own = self.sums(inputs.iter().copied());
        let other = self.sums(inputs.iter().map(|input| input.other_view()));
        // As if red were to move.
        self.weigh(bucket, Color::Red, &[own, other].concat())
    }

    /// Returns the sums of the first layer in the mover's view and in the other's, computed from scratch: those
    /// of all filters for each mirror in turn. Before the first flip the first view is red's.
    pub fn accumulators(&self, position: &Position) -> [Vec<i16>; 2] {
        let own = position.turn().unwrap_or(Color::Red);
        [own, !own].map(|view| block::joined(&self.sums(inputs(position, view).into_iter())))
    }

    /// Returns the sums of the first layer, computed from scratch.
    fn sums(&self, inputs: impl Iterator<Item = Input>) -> Vec<Block> {
        let mut sums = self.bias.clone();
        for input in inputs {
            block::add(&mut sums, self.row(input));
        }
        sums
    }

    #[inline]
    fn row(&self, input: Input) -> &[Block] {
        &self.rows(input)[..self.blocks]
    }

    /// An input's rows in its own view and in the other.
    #[inline]
    fn rows(&self, input: Input) -> &[Block] {
        &self.rows[2 * input.index() * self.blocks..][..2 * self.blocks]
    }

    /// The output of the last layer for the sums in red's view and in black's.
    #[inline]
    fn weigh(&self, bucket: usize, turn: Color, sums: &[Block]) -> i32 {
        let bias = self.parameters.output_bias[bucket];
        bias + weighed(sums, self.last_layer(bucket, turn))
    }

    /// What a piece's input adds in both views if its square was face down, without the bag.
    #[inline]
    fn revealed(&self, piece: Input) -> &[Block] {
        &self.reveals[2 * piece.index() * self.blocks..][..2 * self.blocks]
    }

    #[inline]
    fn last_layer(&self, bucket: usize, turn: Color) -> &[Block] {
        let place = 2 * bucket + turn.index();
        &self.output[2 * place * self.blocks..][..2 * self.blocks]
    }
}

/// For each piece on each square, its rows less those of the square face down.
fn reveals(rows: &[Block], blocks: usize) -> Vec<Block> {
    let both = 2 * blocks;
    let face_down = &rows[Input::face_down(Square::new(0)).index() * both..][..SQUARES * both];
    let of_pieces = &rows[..PIECES * SQUARES * both];
    let pairs = of_pieces.iter().zip(face_down.iter().cycle());
    pairs
        .map(|(row, face_down)| row.minus(*face_down))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last layer, number by number.
    fn weighed_plainly(network: &Network, position: &Position) -> i32 {
        let parameters = network.parameters();
        let (filters, bucket) = (parameters.filters, bucket(position));
        let weights = parameters.output[2 * bucket * filters..].chunks_exact(filters);
        let views = network.accumulators(position).into_iter().zip(weights);
        let of_view = |(sums, weights): (Vec<i16>, &[i16])| {
            assert_eq!(sums.len(), Symmetry::ALL.len() * filters);
            let cut = sums.iter().map(|&sum| i32::from(sum).clamp(0, SUM_UNIT));
            let weights = weights.iter().cycle().map(|&weight| i32::from(weight));
            cut.zip(weights)
                .map(|(cut, weight)| cut * cut * weight)
                .sum::<i32>()
        };
        parameters.output_bias[bucket] + views.map(of_view).sum::<i32>()
    }

    #[test]
    fn accumulators_are_the_first_layer() {
        let network = Network::built_in();
        for text in [
            "K3/1r2/4/4/4/4/4/?2g r p 3 40",
            "?2k/1?2/2?1/4/4/4/G3/C3 b cPP 0 9",
        ] {
            let position: Position = text.parse().expect("a position");
            assert_eq!(
                weighed_plainly(network, &position),
                network.result(&position)
            );
            // A mirror image exchanges the mirrors of each view.
            let image = Symmetry::ALL[1].position(&position);
            let [own, _] = network.accumulators(&position);
            let [mirrored, _] = network.accumulators(&image);
            let filters = network.parameters().filters;
            assert_eq!(own[..filters], mirrored[filters..2 * filters]);
            assert_ne!(own, mirrored);
        }
        let start = Position::start();
        let [red, black] = network.accumulators(&start);
        assert_eq!(red, black);
    }
}
