//! The positions of an ending as numbers, with their values, captures and quiet moves.

use std::sync::Arc;

use anqi_rules::{Color, Position};
use smallvec::SmallVec;

use crate::classes::{Fit, MAX_GROUPS, Material, SubFit, Unit};
use crate::numbering::{
    ADJACENT, DenseIndex, Groups, Lookup, jumps, locate, mirror, position_of, squares, usual_order,
};
use crate::parallel;
use crate::solve::{DistanceOverflow, Goal, Solved, Store, Wdl};

/// A position of an ending: twice the number of its placement, and one more if the unit's black is to move.
pub type Number = u32;

/// Placements that one task looks at.
const CHUNK: u32 = 1 << 14;

/// The solved positions of a material set, mirrors folded.
#[derive(Debug)]
pub struct Ending {
    set: Material,
    unit: &'static Unit,
    index: DenseIndex,
    solved: Arc<Solved>,
    /// What is left after each group has lost a piece.
    smaller: Vec<Option<Smaller>>,
    /// Whether some placements have several numbers, because a mirror leaves the pivot's set as it is.
    has_copies: bool,
    values: Vec<Wdl>,
    exits: Vec<Wdl>,
}

/// A smaller ending that a capture leads to.
#[derive(Debug)]
struct Smaller {
    fit: SubFit,
    solved: Arc<Solved>,
}

/// The quiet moves of a position.
type Moves = SmallVec<[Number; 24]>;

impl Ending {
    /// Solves an ending.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    ///
    /// # Panics
    ///
    /// Panics if the set has pieces of one side only.
    pub fn new(set: &Material) -> Result<Ending, DistanceOverflow> {
        let unit = Fit::of(set).unit;
        let mut store = Store::solve_unit(unit, Goal::Distances)?;
        store.forget_captures();
        let known = |unit: &Unit| Arc::clone(store.get(unit).expect("smaller units were solved"));
        let smaller = (0..unit.groups()).map(|group| {
            let fit = unit.after_loss_of(group)?;
            let solved = known(fit.unit);
            Some(Smaller { fit, solved })
        });
        let order = usual_order(unit);
        let mut ending = Ending {
            set: *set,
            unit,
            has_copies: unit.count(order[0].into()).is_multiple_of(2),
            index: DenseIndex::new(unit, order),
            solved: known(unit),
            smaller: smaller.collect(),
            values: Vec::new(),
            exits: Vec::new(),
        };
        ending.find_facts();
        Ok(ending)
    }

    /// Finds the value and the best capture of each position.
    fn find_facts(&mut self) {
        let placements = self.index.len() as u32;
        let starts: Vec<u32> = (0..placements).step_by(CHUNK as usize).collect();
        let facts = parallel::map(&starts, |&start| {
            let numbers = 2 * start..2 * (start + CHUNK).min(placements);
            let fact = |number| {
                let (groups, turn) = (self.groups(number), turn(number));
                let address = self.solved.layout.address(&groups);
                (self.solved.wdl(turn, address), self.exit(&groups, turn))
            };
            numbers.map(fact).collect::<Vec<_>>()
        });
        (self.values, self.exits) = facts.into_iter().flatten().unzip();
    }

    /// Returns the material set.
    pub fn set(&self) -> &Material {
        &self.set
    }

    /// Returns how many numbers there are.
    pub fn len(&self) -> Number {
        self.values.len() as Number
    }

    /// Returns whether there are no positions, which never happens.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the numbers of all positions, each position once.
    pub fn numbers(&self) -> impl Iterator<Item = Number> + '_ {
        (0..self.len()).filter(|&number| !self.is_copy(number))
    }

    /// Returns whether the position has another number by which it is known.
    pub fn is_copy(&self, number: Number) -> bool {
        self.has_copies && self.number(&self.groups(number), turn(number)) != number
    }

    /// Returns the value for the side to move.
    #[inline]
    pub fn value(&self, number: Number) -> Wdl {
        self.values[number as usize]
    }

    /// Returns the value of the best capture for the side to move, a loss if there is none.
    #[inline]
    pub(super) fn capture(&self, number: Number) -> Wdl {
        self.exits[number as usize]
    }

    /// Returns the plies to the next capture or the end, 0 for draws.
    pub fn distance(&self, number: Number) -> u16 {
        let address = self.solved.layout.address(&self.groups(number));
        let plies = self.solved.dtc(turn(number), address).unwrap_or(0);
        if self.value(number) == Wdl::Draw {
            0
        } else {
            plies
        }
    }

    /// Returns the position with a number.
    pub fn position(&self, number: Number) -> Position {
        position_of(&self.set, &self.groups(number), turn(number))
    }

    /// Returns the number of a position, `None` if its pieces are not this ending's.
    pub fn find(&self, position: &Position) -> Option<Number> {
        let pieces = self.unit.pieces();
        match locate(position, pieces as u32)? {
            Lookup::Placed(place)
                if (place.unit.pieces, place.unit.number) == (pieces, self.unit.number) =>
            {
                Some(self.number(&place.groups, place.unit.turn))
            }
            _ => None,
        }
    }

    /// Returns the positions that the side to move reaches by quiet moves.
    pub(super) fn after(&self, number: Number) -> Moves {
        let mover = turn(number);
        self.steps(&self.groups(number), mover, !mover)
    }

    /// Returns the positions from which a quiet move leads here: quiet moves go back as they came.
    pub fn before(&self, number: Number) -> Moves {
        let mover = !turn(number);
        self.steps(&self.groups(number), mover, mover)
    }

    /// The positions a quiet move of a side away, with `turn` to move there.
    fn steps(&self, groups: &Groups, mover: Color, turn: Color) -> Moves {
        let empty = !occupied(groups);
        let mut moves = Moves::new();
        for group in self.groups_of(mover) {
            for from in squares(groups[group]) {
                for to in squares(ADJACENT[from as usize] & empty) {
                    let mut next = *groups;
                    next[group] ^= 1 << from | 1 << to;
                    moves.push(self.number(&next, turn));
                }
            }
        }
        moves
    }

    /// The value of the best capture, a loss if there is none.
    fn exit(&self, groups: &Groups, mover: Color) -> Wdl {
        let occupied = occupied(groups);
        let mut best = Wdl::Loss;
        for hunter in self.groups_of(mover) {
            let jumper = self.unit.graph.nodes[hunter].jumps;
            for from in squares(groups[hunter]) {
                let reach = if jumper {
                    jumps(from, occupied)
                } else {
                    ADJACENT[from as usize]
                };
                for prey in (0..self.unit.groups()).filter(|&g| self.unit.graph.takes(hunter, g)) {
                    for to in squares(groups[prey] & reach) {
                        let mut next = *groups;
                        next[hunter] ^= 1 << from | 1 << to;
                        next[prey] ^= 1 << to;
                        best = best.max(self.after_capture(&next, prey, mover));
                    }
                }
            }
        }
        best
    }

    /// The value for `mover` of a placement in which `prey` has lost a piece to it.
    fn after_capture(&self, groups: &Groups, prey: usize, mover: Color) -> Wdl {
        let Some(Smaller { fit, solved }) = &self.smaller[prey] else {
            return Wdl::Win;
        };
        let mut there = [0; MAX_GROUPS];
        for (group, &set) in groups.iter().enumerate().filter(|(_, set)| **set != 0) {
            there[usize::from(fit.groups[group])] |= set;
        }
        let turn = if fit.swapped { mover } else { !mover };
        solved.wdl(turn, solved.layout.address(&there)).reversed()
    }

    fn groups_of(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        (0..self.unit.groups()).filter(move |&group| self.unit.color(group) == color)
    }

    fn groups(&self, number: Number) -> Groups {
        self.index.groups(u64::from(number / 2))
    }

    fn number(&self, groups: &Groups, turn: Color) -> Number {
        let index = if self.has_copies {
            let images = (0..4).map(|symmetry| groups.map(|set| mirror(set, symmetry)));
            let numbers = images.map(|image| self.index.index(&image));
            numbers.min().unwrap_or(0)
        } else {
            self.index.index(groups)
        };
        2 * index as Number + turn.index() as Number
    }
}

/// Returns the side to move, in the unit's colours.
pub(super) fn turn(number: Number) -> Color {
    Color::ALL[(number % 2) as usize]
}

fn occupied(groups: &Groups) -> u32 {
    groups.iter().fold(0, |all, set| all | set)
}
