//! All outcomes of a flip from the sums before it.
//!
//! A flip switches three inputs: the square is face down no longer, one piece fewer of
//! its kind is face down, and it stands on the square. Every outcome takes these from the same
//! sums on the fly.

use super::accumulators::Accumulators;
use super::{Block, Input, LANES, Network, weigh_blocks};
use anqi_rules::{Color, Piece, Position, Square};
use smallvec::SmallVec;
use std::sync::Arc;

/// The sums before a flip.
#[derive(Clone, Debug)]
pub(in crate::evaluation) struct LearnedFlips {
    network: Arc<Network>,
    bucket: usize,
    /// By view, the side that moves after the flip first.
    views: [(Color, SmallVec<[Block; 8]>); 2],
}

impl Accumulators {
    /// Returns what all flips of a position share; `mover` moves after them.
    pub fn flips(&mut self, position: &Position, mover: Color) -> LearnedFlips {
        let network = Arc::clone(self.network());
        let (red, black) = self.sums(position);
        let views = [mover, !mover].map(|view| {
            let sums = if view == Color::Red { red } else { black };
            (view, sums.into())
        });
        LearnedFlips {
            network,
            bucket: super::bucket(position),
            views,
        }
    }
}

impl LearnedFlips {
    /// Returns what the network says if a piece appears on a square, of which so many are
    /// face down, for the side that moves then.
    pub fn result(&self, square: Square, piece: Piece, count: u32) -> i32 {
        let network = &*self.network;
        let (of_own, of_other) = network.last_layer(self.bucket);
        let mut lanes = [0; LANES];
        for ((view, sums), weights) in self.views.iter().zip([of_own, of_other]) {
            let gone = network.row(Input::face_down(square));
            let fewer = network.row(Input::hidden(piece, count as usize, *view));
            let come = network.row(Input::piece(piece, square, *view));
            let rows = gone.iter().zip(fewer).zip(come);
            for ((sums, ((gone, fewer), come)), weights) in sums.iter().zip(rows).zip(weights) {
                let mut after = *sums;
                for lane in 0..LANES {
                    let off = gone[lane].wrapping_add(fewer[lane]);
                    after[lane] = after[lane].wrapping_sub(off).wrapping_add(come[lane]);
                }
                weigh_blocks(&[after], std::slice::from_ref(weights), &mut lanes);
            }
        }
        network.finish(self.bucket, &lanes)
    }
}
