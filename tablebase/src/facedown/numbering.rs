//! The numbers of positions with face-down pieces in files: dense and exactly invertible.
//!
//! A file holds one unit with a number of pieces face down. Its divisions follow one another; in
//! each, the orbits of the face-down squares under the board's mirrors; in each of these (a phase),
//! red to move and then black; and there the placements of the face-up groups, numbered by their
//! squares among those that the face-down pieces and the groups before have left free.

use smallvec::SmallVec;

use anqi_rules::Color;

use super::division::{Divisions, FaceUpCounts, PhaseFit};
use crate::classes::{MAX_GROUPS, Unit};
use crate::numbering::{Codes, Groups, Orbits, choose, compress, mirror, rank, spread, unrank};

/// The numbering of one unit's positions with some pieces face down.
#[derive(Clone, Debug)]
pub struct HiddenIndex {
    /// The unit.
    pub unit: &'static Unit,
    /// How many pieces lie face down.
    pub hidden: usize,
    /// Its divisions, in order.
    pub divisions: Vec<DivisionIndex>,
    positions: u64,
}

/// The numbering of one division's positions.
#[derive(Clone, Debug)]
pub struct DivisionIndex {
    /// How many pieces of each group stand face up.
    pub up: FaceUpCounts,
    /// The groups that stand face up, their sizes, and what one step of their ranks spans.
    groups: SmallVec<[(usize, usize, u64); MAX_GROUPS]>,
    /// Placements of a phase.
    placements: u64,
    /// The number of the first position.
    start: u64,
    /// The number of the first phase.
    first_phase: usize,
}

impl HiddenIndex {
    /// Numbers the positions of a unit with this many pieces face down.
    pub fn new(unit: &'static Unit, hidden: usize) -> HiddenIndex {
        let orbits = Orbits::of(hidden).len();
        let mut positions = 0;
        let mut divisions = Vec::new();
        for (number, up) in Divisions::of(unit).list(hidden).iter().enumerate() {
            let mut division = DivisionIndex {
                up: *up,
                groups: SmallVec::new(),
                placements: 1,
                start: positions,
                first_phase: number * orbits,
            };
            let mut free = 32 - unit.pieces();
            for group in (0..unit.groups()).rev().filter(|&group| up[group] > 0) {
                let size = usize::from(up[group]);
                free += size;
                division.groups.push((group, size, division.placements));
                division.placements *= choose(free, size);
            }
            division.groups.reverse();
            positions += 2 * division.placements * orbits as u64;
            divisions.push(division);
        }
        HiddenIndex {
            unit,
            hidden,
            divisions,
            positions,
        }
    }

    /// Returns the number of positions, both sides to move, mirrors of the face-down squares folded.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Returns the number of phases.
    pub fn phases(&self) -> usize {
        self.divisions.len() * self.orbits()
    }

    /// Returns the number of orbits of face-down squares.
    pub fn orbits(&self) -> usize {
        Orbits::of(self.hidden).len()
    }

    /// Returns the first set of squares of an orbit.
    pub fn squares(&self, orbit: usize) -> u32 {
        Codes::of(self.hidden).sets[Orbits::of(self.hidden).first[orbit] as usize]
    }
}

impl DivisionIndex {
    /// Returns the number of placements of a phase.
    pub fn placements(&self) -> u64 {
        self.placements
    }

    /// Returns the number of a phase in the file.
    pub fn phase(&self, orbit: usize) -> usize {
        self.first_phase + orbit
    }

    /// Returns the number of a phase's first position with one side to move.
    pub fn first(&self, orbit: usize, turn: Color) -> u64 {
        self.start + self.placements * (2 * orbit as u64 + turn.index() as u64)
    }

    /// Returns the number of a placement in its phase; `symmetry` leads the face-down squares to
    /// `face_down`, the first set of their orbit.
    #[inline]
    pub fn number(&self, groups: &Groups, symmetry: usize, face_down: u32) -> u64 {
        let mut free = !face_down;
        let mut number = 0;
        for &(group, _, stride) in &self.groups {
            let set = mirror(groups[group], symmetry);
            number += u64::from(rank(compress(set, free))) * stride;
            free &= !set;
        }
        number
    }

    /// Returns the squares of each group in the placement with this number.
    pub fn groups(&self, number: u64, face_down: u32) -> Groups {
        let mut groups = [0; MAX_GROUPS];
        let mut free = !face_down;
        let mut left = number;
        for &(group, size, stride) in &self.groups {
            let set = spread(unrank((left / stride) as u32, size), free);
            left %= stride;
            groups[group] = set;
            free &= !set;
        }
        groups
    }
}

/// Reads one phase's numbers from the squares of pieces, whatever their colours and mirrors.
#[derive(Clone, Debug)]
pub(crate) struct PhaseReader {
    fit: PhaseFit,
    face_down: u32,
}

impl PhaseReader {
    /// Returns the reader of a phase that has this fit.
    pub(crate) fn new(fit: PhaseFit) -> PhaseReader {
        let orbits = Orbits::of(fit.hidden);
        PhaseReader {
            fit,
            face_down: Codes::of(fit.hidden).sets[orbits.first[fit.orbit] as usize],
        }
    }

    /// Returns the fit.
    pub(crate) fn fit(&self) -> &PhaseFit {
        &self.fit
    }

    /// Returns the number of a position in its file.
    #[inline]
    pub(crate) fn number(&self, index: &HiddenIndex, groups: &Groups, turn: Color) -> u64 {
        let division = &index.divisions[self.fit.division];
        division.first(self.fit.orbit, self.fit.turn(turn))
            + division.number(groups, self.fit.mirror, self.face_down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;

    #[test]
    fn numbers_have_no_gaps_and_invert() {
        for unit in (2..=3).flat_map(|pieces| Units::of(pieces).list()) {
            for hidden in 1..unit.pieces() {
                let index = HiddenIndex::new(unit, hidden);
                let mut next = 0;
                for division in &index.divisions {
                    for orbit in (0..index.orbits()).step_by(5) {
                        let face_down = index.squares(orbit);
                        for number in 0..division.placements() {
                            let groups = division.groups(number, face_down);
                            assert_eq!(division.number(&groups, 0, face_down), number);
                        }
                    }
                    for (orbit, turn) in
                        (0..index.orbits()).flat_map(|o| Color::ALL.map(|t| (o, t)))
                    {
                        assert_eq!(division.first(orbit, turn), next);
                        next += division.placements();
                    }
                }
                assert_eq!(next, index.positions());
            }
        }
    }
}
