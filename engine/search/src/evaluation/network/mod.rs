//! The learned evaluation: a network over the pieces on the squares, added to the hand-made terms.
//!
//! From the bottom: `inputs` (what the network sees), `parameters` (its numbers), `file`
//! (how they are kept), `accumulators` (the sums of the first layer, kept up to date along
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
//! ±127 in units of 1/64: the value is the same on every machine. A network in which a sum might
//! overflow is refused when it is read.

mod accumulators;
mod file;
mod flips;
mod inputs;
mod parameters;

pub(super) use accumulators::Accumulators;
pub use file::{NetworkError, NetworkSource};
pub(super) use flips::LearnedFlips;
pub use inputs::{INPUTS, Input, InputList, inputs};
pub use parameters::{MOST_OUTPUT, NetworkFault, Parameters};

use super::Weights;
use anqi_rules::{Color, PIECES, Piece, Position, SQUARES, Square, Symmetry};
use std::sync::Arc;

/// The number of last layers, one of which is chosen by the number of living pieces.
pub const BUCKETS: usize = 8;
/// The unit of the first layer's sums.
pub const SUM_UNIT: i32 = 255;
/// The unit of the last layers' weights.
pub const OUTPUT_UNIT: i32 = 64;
/// The unit of a last layer's output: half of a certain win.
pub const RESULT_UNIT: i32 = SUM_UNIT * SUM_UNIT * OUTPUT_UNIT;

/// Numbers processed together, so that compilers use vector instructions.
const LANES: usize = 16;
/// Adjacent units of the first layer.
pub(super) type Block = [i16; LANES];

/// A network, ready for use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    parameters: Parameters,
    weights: Arc<Weights>,
    /// Blocks of the first layer.
    blocks: usize,
    /// By input.
    rows: Vec<Block>,
    /// By piece and square, in the order of inputs: what a reveal there adds, without the bag.
    reveals: Vec<Block>,
    bias: Vec<Block>,
    /// By bucket and view.
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
        let rows: Vec<i16> = Input::all().flat_map(row).collect();
        let output = parameters.output.chunks_exact(filters);
        let output: Vec<i16> = output.flat_map(|of_view| of_view.repeat(4)).collect();
        let rows = in_blocks(&rows);
        let blocks = units / LANES;
        Ok(Network {
            reveals: reveals(&rows, blocks),
            weights: Arc::new(parameters.weights.clone()),
            blocks,
            rows,
            bias: in_blocks(&parameters.bias.repeat(4)),
            output: in_blocks(&output),
            parameters,
        })
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
        self.weigh(bucket, &own, &other)
    }

    /// Returns the sums of the first layer, computed from scratch.
    fn sums(&self, inputs: impl Iterator<Item = Input>) -> Vec<Block> {
        let mut sums = self.bias.clone();
        for input in inputs {
            for (sums, row) in sums.iter_mut().zip(self.row(input)) {
                for lane in 0..LANES {
                    sums[lane] = sums[lane].wrapping_add(row[lane]);
                }
            }
        }
        sums
    }

    #[inline]
    fn row(&self, input: Input) -> &[Block] {
        &self.rows[input.index() * self.blocks..][..self.blocks]
    }

    /// The output of the last layer for the sums in both views.
    #[inline]
    fn weigh(&self, bucket: usize, own: &[Block], other: &[Block]) -> i32 {
        let (of_own, of_other) = self.last_layer(bucket);
        let bias = self.parameters.output_bias[bucket];
        bias + weighed(own, of_own) + weighed(other, of_other)
    }

    /// What revealing a piece on a square adds to the sums, without the bag.
    #[inline]
    fn reveal(&self, piece: Piece, square: Square, view: Color) -> &[Block] {
        self.revealed(Input::piece(piece, square, view))
    }

    /// What a piece's input adds if its square was face down, without the bag.
    #[inline]
    fn revealed(&self, piece: Input) -> &[Block] {
        &self.reveals[piece.index() * self.blocks..][..self.blocks]
    }

    #[inline]
    fn last_layer(&self, bucket: usize) -> (&[Block], &[Block]) {
        self.output[2 * bucket * self.blocks..][..2 * self.blocks].split_at(self.blocks)
    }
}

/// The sum of the units' outputs times their weights.
#[inline]
fn weighed(sums: &[Block], weights: &[Block]) -> i32 {
    // One flat loop of 16-bit products: compilers turn it into a vector instruction.
    let units = sums.as_flattened().iter().zip(weights.as_flattened());
    let products = units.map(|(&sum, &weight)| {
        let cut = sum.clamp(0, SUM_UNIT as i16);
        // At most 255 × 127, which 16 bits hold.
        i32::from(cut.wrapping_mul(weight)) * i32::from(cut)
    });
    products.sum()
}

/// For each piece on each square, its row less the row of the square face down.
fn reveals(rows: &[Block], blocks: usize) -> Vec<Block> {
    let face_down = &rows[Input::face_down(Square::new(0)).index() * blocks..][..SQUARES * blocks];
    let of_pieces = &rows[..PIECES * SQUARES * blocks];
    let less = |(row, face_down): (&Block, &Block)| {
        std::array::from_fn(|lane| row[lane].wrapping_sub(face_down[lane]))
    };
    of_pieces
        .iter()
        .zip(face_down.iter().cycle())
        .map(less)
        .collect()
}

fn in_blocks(numbers: &[i16]) -> Vec<Block> {
    let (blocks, _) = numbers.as_chunks();
    blocks.to_vec()
}
