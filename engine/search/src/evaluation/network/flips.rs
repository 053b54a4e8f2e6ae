//! All outcomes of a flip, computed from shared sums.
//!
//! A flip switches three inputs: the square is no longer face down, one piece fewer of
//! its kind is face down, and it stands on the square. The bag without a piece is
//! summed once per kind; the other two are one precomputed row of the network.

use super::accumulators::Accumulators;
use super::block::{Block, weighed_with};
use super::{Input, Network};
use anqi_rules::{Color, PIECES, Piece, Position, Square};
use smallvec::SmallVec;
use std::sync::Arc;

/// What all flips of one position share.
#[derive(Clone, Debug)]
pub(crate) struct LearnedFlips {
    network: Arc<Network>,
    bucket: usize,
    /// The side that moves after the flip.
    mover: Color,
    /// Where the sums of each kind begin.
    places: [usize; PIECES],
    /// By kind: the sums of red's view and of black's with one piece fewer of the kind in the bag.
    sums: SmallVec<[Block; 64]>,
}

impl Accumulators {
    /// Returns what all flips of a position share; `mover` moves after them.
    pub(crate) fn flips(&mut self, position: &Position, mover: Color) -> LearnedFlips {
        let network = Arc::clone(self.network());
        let before = self.sums(position);
        let (mut places, mut sums) = ([0; PIECES], SmallVec::new());
        for (piece, count) in position.hidden() {
            places[piece.index()] = sums.len();
            let fewer = network.rows(Input::hidden(piece, count as usize, Color::Red));
            sums.extend(before.iter().zip(fewer).map(|(sums, row)| sums.minus(*row)));
        }
        LearnedFlips {
            bucket: super::bucket(position),
            network,
            mover,
            places,
            sums,
        }
    }
}

impl LearnedFlips {
    /// Returns the network's value after a flip reveals a piece on a square, for the
    /// side that moves then.
    pub(crate) fn result(&self, square: Square, piece: Piece) -> i32 {
        let network = &*self.network;
        let row = network.revealed(Input::piece(piece, square, Color::Red));
        let sums = &self.sums[self.places[piece.index()]..][..row.len()];
        let weights = network.last_layer(self.bucket, self.mover);
        network.parameters.output_bias[self.bucket] + weighed_with(sums, row, weights)
    }
}
