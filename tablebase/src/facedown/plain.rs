//! Our game for the slow solver: positions of the rules crate, nothing else.

use std::hash::{Hash, Hasher};

use anqi_rules::{PIECES, Piece, Position};

use crate::fraction::Fraction;
use crate::slow::Game;

/// The rules of unlimited play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnlimitedPlay;

/// A position without its counters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing(pub Position);

impl PartialEq for Standing {
    fn eq(&self, other: &Standing) -> bool {
        let (a, b) = (&self.0, &other.0);
        let same = |piece: Piece| a.pieces(piece) == b.pieces(piece);
        (a.turn(), a.hidden(), a.face_down()) == (b.turn(), b.hidden(), b.face_down())
            && (0..PIECES).filter_map(Piece::from_index).all(same)
    }
}

impl Eq for Standing {}

impl Hash for Standing {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.key().hash(state);
    }
}

impl Game for UnlimitedPlay {
    type State = Standing;

    fn result(&self, state: &Standing) -> Option<Fraction> {
        let (loser, _) = state.0.loser()?;
        let is_lost = Some(loser) == state.0.turn();
        Some(if is_lost {
            -Fraction::ONE
        } else {
            Fraction::ONE
        })
    }

    fn for_each_action(&self, state: &Standing, mut visit: impl FnMut(&[(u32, Standing)])) {
        for action in state.0.actions() {
            let mut next = state.0;
            if !action.is_flip() {
                let _ = next.step_unchecked(action);
                visit(&[(1, Standing(next))]);
                continue;
            }
            let outcomes = state.0.reveals().map(|reveal| {
                let mut next = state.0;
                let _ = next.flip_unchecked(action.from(), reveal.piece);
                (reveal.weight, Standing(next))
            });
            visit(&outcomes.collect::<Vec<_>>());
        }
    }
}
