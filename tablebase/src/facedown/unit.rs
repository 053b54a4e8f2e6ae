//! Solving all phases of a unit with some pieces face down, from the values of what follows.

use std::collections::HashMap;
use std::sync::Arc;

use anqi_rules::{Color, SquareSet};

use super::division::{PhaseFit, example, groups_of_key};
use super::exits::{Exits, Next};
use super::face_up::FaceUp;
use super::key::PhaseKey;
use super::levels;
use super::numbering::HiddenIndex;
use super::phase::{Phase, Units};
use super::placement::{Placement, pieces_of};
use super::stored::{StoredPhase, UnitValues};
use crate::classes::Unit;
use crate::numbering::squares;
use crate::solve::{Solved, Store};

/// What flips lead to.
#[derive(Debug)]
pub enum AfterFlips {
    /// All pieces stand face up.
    FaceUp(FaceUp),
    /// One piece fewer lies face down.
    Hidden(Arc<UnitValues>),
}

impl AfterFlips {
    /// Returns the unit's own values without face-down pieces; `None` if the store has not solved it
    /// with distances.
    pub fn face_up(store: &Store, unit: &Unit) -> Option<AfterFlips> {
        FaceUp::from_store(store, &unit.key).map(AfterFlips::FaceUp)
    }

    /// Returns a unit solved with distances, with a store of those that captures lead to.
    pub fn solved(solved: Solved, smaller: &Store) -> AfterFlips {
        AfterFlips::FaceUp(FaceUp::solved(solved, smaller))
    }

    /// Returns the longest wait from there to the end of the game.
    pub fn longest(&self) -> u32 {
        match self {
            AfterFlips::FaceUp(open) => open.longest(),
            AfterFlips::Hidden(values) => values.waits.iter().max().map_or(0, |&wait| wait.into()),
        }
    }
}

/// Solves the phases of a unit.
#[derive(Debug)]
pub struct UnitSolver {
    /// The numbering of the unit's positions.
    pub index: HiddenIndex,
    flips: AfterFlips,
    /// By the number of the smaller unit.
    captures: HashMap<usize, Arc<UnitValues>>,
}

/// A solved phase, in the order of its numbers.
#[derive(Debug)]
pub struct PhaseValues {
    /// The values, in units of 1/h!.
    pub values: Vec<Units>,
    /// The plies to the capture or flip that the better side forces.
    pub plies: Vec<u16>,
    /// The longest such wait from here to the end of the game.
    pub longest: u32,
}

/// Returns the units that captures lead to while so many pieces lie face down.
pub fn after_captures(unit: &Unit, hidden: usize) -> Vec<&'static Unit> {
    // A capture takes two face-up pieces.
    match unit.pieces() >= hidden + 2 {
        true => unit.children(),
        false => Vec::new(),
    }
}

impl UnitSolver {
    /// Prepares the solution of a unit with `hidden` pieces face down; `captures` holds the values of
    /// all [`after_captures`].
    pub fn new(
        unit: &'static Unit,
        hidden: usize,
        flips: AfterFlips,
        captures: Vec<Arc<UnitValues>>,
    ) -> UnitSolver {
        let captures = captures.into_iter();
        UnitSolver {
            index: HiddenIndex::new(unit, hidden),
            flips,
            captures: captures
                .map(|values| (values.index.unit.number, values))
                .collect(),
        }
    }

    /// Returns an example of a phase: its pieces and squares.
    pub fn key(&self, division: usize, orbit: usize) -> PhaseKey {
        let (face_up, bag) = example(self.index.unit, &self.index.divisions[division].up);
        PhaseKey {
            face_up,
            bag,
            face_down: SquareSet(self.index.squares(orbit)),
        }
    }

    /// Returns what follows an exit: `None` stands for a capture of the last piece of a side.
    ///
    /// # Panics
    ///
    /// Panics if the values of a smaller unit are missing.
    fn next(&self, key: Option<PhaseKey>) -> Next {
        let Some(key) = key else {
            return Next::Won;
        };
        let captured = key.pieces() < self.index.unit.pieces();
        match &self.flips {
            AfterFlips::FaceUp(open) if !captured => Next::FaceUp(open.clone()),
            AfterFlips::Hidden(values) if !captured => {
                Next::Stored(StoredPhase::new(values.clone(), PhaseFit::of(&key)))
            }
            _ => {
                let fit = PhaseFit::of(&key);
                let values = self.captures.get(&fit.unit.number);
                let values = values.unwrap_or_else(|| panic!("{} was not gathered", fit.unit));
                Next::Stored(StoredPhase::new(values.clone(), fit))
            }
        }
    }

    /// Solves a phase.
    pub fn solve(&self, division: usize, orbit: usize) -> PhaseValues {
        let key = self.key(division, orbit);
        let gathered: Result<Exits, std::convert::Infallible> =
            Exits::gather(&key, |key| Ok(self.next(key)));
        let Ok(exits) = gathered;
        let phase = levels::solve(key, &exits);
        self.in_order(&phase, division, orbit)
    }

    fn in_order(&self, phase: &Phase, division: usize, orbit: usize) -> PhaseValues {
        let index = &self.index.divisions[division];
        let pieces = pieces_of(&phase.key().face_up);
        let groups = groups_of_key(self.index.unit);
        let places = 2 * index.placements() as usize;
        let mut values = PhaseValues {
            values: vec![0; places],
            plies: vec![0; places],
            longest: phase.longest(),
        };
        for number in 0..index.placements() {
            let mut left = index.groups(number, self.index.squares(orbit));
            let mut code = 0;
            for (place, piece) in pieces.iter().enumerate() {
                let set = &mut left[usize::from(groups[piece.index()])];
                let square = squares(*set).next().expect("a square for each piece");
                *set &= !(1 << square);
                code |= (square as usize) << (5 * place);
            }
            let placement = Placement::with_code(&pieces, code);
            for turn in Color::ALL {
                let at = number as usize + turn.index() * index.placements() as usize;
                values.values[at] = phase.units(&placement, turn);
                values.plies[at] = phase.plies(&placement, turn);
            }
        }
        values
    }
}
