//! Solving all phases of a unit with some pieces face down, from the values of what follows.

use std::collections::HashMap;
use std::sync::Arc;

use anqi_rules::Piece;

use super::block_levels;
use super::division::{PhaseFit, example};
use super::exit_rows::{ExitRows, FlipRows};
use super::face_up::FaceUp;
use super::key::PhaseKey;
use super::numbering::HiddenIndex;
use super::phase::{Units, whole};
use super::slots::{Ground, Slots};
use super::stored::UnitValues;
use super::unpacked::{LaterPhase, Standing, UnpackedValues};
use crate::classes::Unit;
use crate::numbering::{number_of, set_of};
use crate::solve::{Solved, Store};

/// What flips lead to.
#[derive(Debug)]
pub(crate) enum AfterFlips {
    /// All pieces stand face up.
    FaceUp(FaceUp),
    /// One piece fewer lies face down.
    Hidden(Arc<UnitValues>),
}

impl AfterFlips {
    /// Returns the unit's own values without face-down pieces; `None` if the store has not solved it
    /// with distances.
    pub(crate) fn face_up(store: &Store, unit: &Unit) -> Option<AfterFlips> {
        FaceUp::from_store(store, &unit.key).map(AfterFlips::FaceUp)
    }

    /// Returns a unit solved with distances, with a store of those that captures lead to.
    pub(crate) fn solved(solved: Solved, smaller: &Store) -> AfterFlips {
        AfterFlips::FaceUp(FaceUp::solved(solved, smaller))
    }

    /// Returns the longest wait from there to the end of the game.
    pub(crate) fn longest(&self) -> u32 {
        match self {
            AfterFlips::FaceUp(open) => open.longest(),
            AfterFlips::Hidden(values) => values.waits.iter().max().map_or(0, |&wait| wait.into()),
        }
    }
}

/// Solves the phases of a unit.
#[derive(Debug)]
pub(crate) struct UnitSolver {
    /// The numbering of the unit's positions.
    pub index: HiddenIndex,
    /// By division.
    slots: Vec<Slots>,
    flips: Flips,
    /// By the number of the smaller unit.
    captures: HashMap<usize, UnpackedValues>,
}

/// What flips lead to, unpacked.
#[derive(Debug)]
enum Flips {
    FaceUp(FaceUp),
    Hidden(UnpackedValues),
}

/// A solved phase, in the order of its numbers.
#[derive(Debug)]
pub(crate) struct PhaseValues {
    /// The values, in units of 1/h!.
    pub values: Vec<Units>,
    /// The plies to the capture or flip that the better side forces.
    pub plies: Vec<u8>,
    /// The most plies; where they are more than 255, `plies` does not hold them.
    pub most_plies: u32,
    /// The longest such wait from here to the end of the game.
    pub longest: u32,
}

/// Returns the units that captures lead to while this many pieces lie face down.
pub(crate) fn after_captures(unit: &Unit, hidden: usize) -> Vec<&'static Unit> {
    // A capture takes two face-up pieces.
    if unit.pieces() >= hidden + 2 {
        unit.children()
    } else {
        Vec::new()
    }
}

impl UnitSolver {
    /// Prepares the solution of a unit with `hidden` pieces face down; `captures` holds the values of
    /// all [`after_captures`].
    pub(crate) fn new(
        unit: &'static Unit,
        hidden: usize,
        flips: AfterFlips,
        captures: Vec<Arc<UnitValues>>,
    ) -> UnitSolver {
        let index = HiddenIndex::new(unit, hidden);
        let divisions = index.divisions.iter();
        let captures = captures.into_iter();
        UnitSolver {
            slots: divisions
                .map(|division| Slots::new(unit, &division.up))
                .collect(),
            index,
            flips: match flips {
                AfterFlips::FaceUp(open) => Flips::FaceUp(open),
                AfterFlips::Hidden(values) => Flips::Hidden(UnpackedValues::new(&values)),
            },
            captures: captures
                .map(|values| (values.index.unit.number, UnpackedValues::new(&values)))
                .collect(),
        }
    }

    /// Returns an example of a phase: its pieces and squares.
    pub(crate) fn key(&self, division: usize, orbit: usize) -> PhaseKey {
        let (face_up, bag) = example(self.index.unit, &self.index.divisions[division].up);
        PhaseKey {
            face_up,
            bag,
            face_down: set_of(self.index.squares(orbit)),
        }
    }

    /// Solves a phase.
    pub(crate) fn solve(&self, division: usize, orbit: usize) -> PhaseValues {
        let key = self.key(division, orbit);
        let slots = &self.slots[division];
        let face_down = self.index.squares(orbit);
        let ground = Ground::new(self.index.unit, slots, &key.face_up, face_down);
        let whole = whole(self.index.hidden);
        let flips = self.flips(&key, &ground);
        let after_flips = flips.iter().map(FlipRows::longest).max().unwrap_or(0);
        let exits = ExitRows::new(&ground, flips, whole, |prey| {
            self.after_capture(&key, &ground, prey)
        });
        let solved = block_levels::solve(&ground, &exits.planes(whole), whole);
        let codes = slots.codes_in_order(face_down);
        let (mut values, mut plies) = (Vec::new(), Vec::new());
        for side in &solved.found {
            values.extend(codes.iter().map(|&code| side[code as usize] as Units));
            plies.extend(codes.iter().map(|&code| (side[code as usize] >> 8) as u8));
        }
        PhaseValues {
            values,
            plies,
            most_plies: solved.longest,
            longest: self
                .after_captures(&key)
                .max(after_flips)
                .max(solved.longest),
        }
    }

    /// Returns the flips of a phase.
    fn flips<'a>(&'a self, key: &PhaseKey, ground: &Ground<'_>) -> Vec<FlipRows<'a>> {
        let squares = key.face_down.into_iter();
        squares
            .map(|square| {
                let number = number_of(square);
                match &self.flips {
                    Flips::FaceUp(open) => FlipRows::FaceUp {
                        open,
                        revealed: (the_last(key), number),
                    },
                    Flips::Hidden(values) => {
                        let outcomes = key.bag.into_iter().map(|(piece, count)| {
                            let fit = PhaseFit::of(&key.after_flip(square, piece));
                            let mut pieces = standing(ground, None);
                            pieces.insert(0, (piece, Standing::Revealed(number)));
                            (count as Units, values.seen(&fit, &pieces))
                        });
                        FlipRows::Hidden(outcomes.collect())
                    }
                }
            })
            .collect()
    }

    /// Returns what follows the capture of a slot's piece; `None` if it was its owner's last.
    fn after_capture(
        &self,
        key: &PhaseKey,
        ground: &Ground<'_>,
        prey: usize,
    ) -> Option<LaterPhase<'_>> {
        let fit = PhaseFit::of(&key.after_capture(ground.pieces[prey])?);
        Some(self.smaller(&fit).seen(&fit, &standing(ground, Some(prey))))
    }

    /// Returns the values of a smaller unit.
    ///
    /// # Panics
    ///
    /// Panics if they are missing.
    fn smaller(&self, fit: &PhaseFit) -> &UnpackedValues {
        let values = self.captures.get(&fit.unit.number);
        values.unwrap_or_else(|| panic!("{} was not gathered", fit.unit))
    }

    /// Returns the longest wait after the captures of a phase.
    fn after_captures(&self, key: &PhaseKey) -> u32 {
        let preys = key.face_up.kinds().map(|(prey, _)| prey);
        let preys = preys.filter(|prey| key.face_up.side(!prey.color()) > 0);
        let captures = preys.filter_map(|prey| key.after_capture(prey));
        let waits = captures.map(|later| {
            let fit = PhaseFit::of(&later);
            self.smaller(&fit).longest(&fit)
        });
        waits.max().unwrap_or(0)
    }
}

/// Returns the only face-down piece.
fn the_last(key: &PhaseKey) -> Piece {
    let mut kinds = key.bag.into_iter();
    let (piece, _) = kinds.next().expect("a piece is face down");
    piece
}

/// Lists the pieces of a phase with their slots, a captured one left out.
fn standing(ground: &Ground<'_>, captured: Option<usize>) -> Vec<(Piece, Standing)> {
    let slots = ground.pieces.iter().enumerate();
    slots
        .filter(|&(slot, _)| Some(slot) != captured)
        .map(|(slot, &piece)| (piece, Standing::Slot(slot)))
        .collect()
}
