//! Actions of a position with their values, and the captures of a line.

use anqi_rules::{Action, Color, Piece, Position};

use crate::solve::Wdl;

/// An action with what follows from it, for the side that plays it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rating {
    pub(super) action: Action,
    pub(super) wdl: Wdl,
    /// Plies to the end, this action included; `None` for draws.
    pub(super) plies: Option<u16>,
}

/// A capture of a line.
pub(super) struct Capture {
    /// Its number, from 1.
    pub(super) ply: usize,
    pub(super) side: Color,
    pub(super) hunter: Piece,
    pub(super) prey: Piece,
}

/// Returns the captures of a line.
pub(super) fn captures(start: Position, line: &[Action]) -> Vec<Capture> {
    let mut position = start;
    let mut found = Vec::new();
    for (ply, &action) in (1..).zip(line) {
        let (side, hunter) = (position.turn(), position.piece_at(action.from()));
        let captured = position.step_unchecked(action).captured();
        if let (Some(side), Some(hunter), Some(prey)) = (side, hunter, captured) {
            found.push(Capture {
                ply,
                side,
                hunter,
                prey,
            });
        }
    }
    found
}
