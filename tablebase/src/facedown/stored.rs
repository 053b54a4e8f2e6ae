//! Phases whose values are known from elsewhere: the exits of a phase that is solved now.

use std::sync::Arc;

use anqi_rules::{Color, Square};

use super::division::PhaseFit;
use super::numbering::{HiddenIndex, PhaseReader};
use super::phase::Units;
use super::placement::Placement;
use crate::classes::MAX_GROUPS;
use crate::numbering::Groups;

/// The values of one unit with some pieces face down.
#[derive(Debug)]
pub struct UnitValues {
    /// The numbering.
    pub index: HiddenIndex,
    /// The value of each position, in units of 1/h!.
    pub values: Vec<Units>,
    /// The longest wait from each phase on.
    pub waits: Vec<u16>,
}

/// One phase of them.
#[derive(Clone, Debug)]
pub struct StoredPhase {
    unit: Arc<UnitValues>,
    reader: PhaseReader,
}

impl StoredPhase {
    /// Returns the phase with this fit, which must be of the same unit.
    pub fn new(unit: Arc<UnitValues>, fit: PhaseFit) -> StoredPhase {
        StoredPhase {
            unit,
            reader: PhaseReader::new(fit),
        }
    }

    /// Returns the value of a placement for the side to move, in units of 1/h!.
    #[inline]
    pub fn units(&self, placement: &Placement, turn: Color) -> Units {
        let mut groups: Groups = [0; MAX_GROUPS];
        for (piece, square) in placement.iter() {
            let group = self.reader.fit().groups[piece.index()];
            groups[usize::from(group)] |= Square::set(square).0;
        }
        self.unit.values[self.reader.number(&self.unit.index, &groups, turn) as usize]
    }

    /// Returns the longest wait for a capture or flip from there to the end of the game.
    pub fn longest(&self) -> u32 {
        let fit = self.reader.fit();
        self.unit.waits[self.unit.index.divisions[fit.division].phase(fit.orbit)].into()
    }
}
