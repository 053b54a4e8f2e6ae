//! All outcomes of a flip, computed from shared sums.
//!
//! A flip switches three inputs: the square is no longer face down, one piece fewer of
//! its kind is face down, and it stands on the square. The bag without a piece is
//! summed once per kind; the other two are one precomputed row of the network.

use super::accumulators::Accumulators;
use super::{Block, Input, Network, weighed};
use anqi_rules::{Color, PIECES, Piece, Position, Square};
use smallvec::SmallVec;
use std::sync::Arc;

/// What all flips of one position share.
#[derive(Clone, Debug)]
pub struct LearnedFlips {
    network: Arc<Network>,
    bucket: usize,
    /// The side that moves after the flip, and the other.
    views: [Color; 2],
    /// Where the sums of each kind begin.
    places: [usize; PIECES],
    /// By kind and view: the sums with one piece fewer of the kind in the bag.
    sums: SmallVec<[Block; 64]>,
}

impl Accumulators {
    /// Returns what all flips of a position share; `mover` moves after them.
    pub fn flips(&mut self, position: &Position, mover: Color) -> LearnedFlips {
        let network = Arc::clone(self.network());
        let views = [mover, !mover];
        let (red, black) = self.sums(position);
        let (mut places, mut all) = ([0; PIECES], SmallVec::new());
        for (piece, count) in position.hidden() {
            places[piece.index()] = all.len();
            for view in views {
                let sums = if view == Color::Red { red } else { black };
                let fewer = network.row(Input::hidden(piece, count as usize, view));
                all.extend(sums.iter().zip(fewer).map(|(sums, row)| {
                    let less: Block = std::array::from_fn(|i| sums[i].wrapping_sub(row[i]));
                    less
                }));
            }
        }
        LearnedFlips {
            bucket: super::bucket(position),
            network,
            views,
            places,
            sums: all,
        }
    }
}

impl LearnedFlips {
    /// Returns the network's value after a flip reveals a piece on a square, for the
    /// side that moves then.
    pub fn result(&self, square: Square, piece: Piece) -> i32 {
        let network = &*self.network;
        let (of_own, of_other) = network.last_layer(self.bucket);
        let sums = self.sums[self.places[piece.index()]..].chunks_exact(network.blocks);
        let views = self.views.iter().zip(sums).zip([of_own, of_other]);
        let of_views = views.map(|((view, sums), weights)| {
            let row = network.reveal(piece, square, *view);
            let blocks = sums.iter().zip(row).zip(weights);
            let of_blocks = blocks.map(|((sums, row), weights)| {
                let after: Block = std::array::from_fn(|i| sums[i].wrapping_add(row[i]));
                weighed(&[after], std::slice::from_ref(weights))
            });
            of_blocks.sum::<i32>()
        });
        network.parameters.output_bias[self.bucket] + of_views.sum::<i32>()
    }
}
