//! A solved phase: one set of face-down squares, one bag, one set of face-up pieces.

use anqi_rules::{Color, Piece};

use super::key::PhaseKey;
use super::placement::{Placement, pieces_of};
use crate::fraction::Fraction;

/// The most face-down pieces of a phase: six would have more levels than a byte holds.
pub(crate) const MOST_FACE_DOWN: usize = 5;

/// The value of a position in a phase, in units of 1/h!.
pub(super) type Units = i8;

/// Returns the value of a win in the units of a phase with this many pieces face down.
///
/// # Panics
///
/// Panics beyond [`MOST_FACE_DOWN`].
pub(crate) fn whole(face_down: usize) -> Units {
    assert!(face_down <= MOST_FACE_DOWN, "{face_down} pieces face down");
    (1..=face_down).product::<usize>() as Units
}

/// A phase with the value of every placement for either side to move.
#[derive(Debug)]
pub struct Phase {
    key: PhaseKey,
    pieces: Vec<Piece>,
    values: Vec<Units>,
    plies: Vec<u16>,
    longest: u32,
}

impl Phase {
    /// Takes values and plies by [`place`], and the longest wait in the later phases.
    pub(super) fn new(key: PhaseKey, values: Vec<Units>, plies: Vec<u16>, later: u32) -> Phase {
        let here = plies.iter().max().copied().unwrap_or(0);
        Phase {
            pieces: pieces_of(&key.face_up),
            key,
            values,
            longest: later.max(here.into()),
            plies,
        }
    }

    /// Returns the key of the phase.
    pub fn key(&self) -> &PhaseKey {
        &self.key
    }

    /// Returns the value of a placement for the side to move, in units of 1/h!.
    #[inline]
    pub fn units(&self, placement: &Placement, turn: Color) -> Units {
        self.values[place(placement.code(), turn)]
    }

    /// Returns the value of a placement for the side to move.
    pub fn expected(&self, placement: &Placement, turn: Color) -> Fraction {
        let whole = whole(self.key.face_down.len());
        Fraction::new(self.units(placement, turn).into(), whole.into())
    }

    /// Returns the plies to the capture or flip that the better side forces; zero where neither does.
    pub fn plies(&self, placement: &Placement, turn: Color) -> u16 {
        self.plies[place(placement.code(), turn)]
    }

    /// Returns the longest wait for a capture or flip from here to the end of the game.
    pub fn longest(&self) -> u32 {
        self.longest
    }

    /// Returns about how much memory the phase takes.
    pub fn bytes(&self) -> usize {
        size_of::<Phase>() + self.values.len() * (size_of::<Units>() + size_of::<u16>())
    }

    /// Iterates over all placements, the impossible ones left out, with the side to move.
    pub fn placements(&self) -> impl Iterator<Item = (Placement, Color)> + '_ {
        let codes = 0..self.values.len() / 2;
        codes.flat_map(|code| {
            let placement = Placement::with_code(&self.pieces, code);
            let free = placement
                .squares()
                .is_some_and(|squares| (squares & self.key.face_down).is_empty());
            let turns = if free { &Color::ALL[..] } else { &[] };
            turns.iter().map(move |&turn| (placement.clone(), turn))
        })
    }
}

/// The index of a placement's value with one side to move.
#[inline]
pub(super) fn place(code: usize, turn: Color) -> usize {
    code << 1 | turn.index()
}
