//! Material without face-down pieces: a unit of the ordinary tables.

use std::sync::Arc;

use anqi_rules::{Color, Piece};

use super::placement::Placement;
use crate::classes::{Fit, MAX_GROUPS, Material, Unit};
use crate::numbering::{Groups, PieceRow, number_of};
use crate::solve::{DistanceOverflow, Goal, Solved, Store, Wdl};

/// A material set without face-down pieces, solved for unlimited play.
#[derive(Clone, Debug)]
pub(crate) struct FaceUp {
    fit: Arc<Fit>,
    solved: Arc<Solved>,
    /// The longest wait for a capture in this set and in those that captures lead to.
    longest: u32,
}

impl FaceUp {
    /// Solves a set.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub(crate) fn solve(set: &Material) -> Result<FaceUp, DistanceOverflow> {
        let mut store = Store::solve_unit(Fit::of(set).unit, Goal::Distances)?;
        store.forget_captures();
        Ok(FaceUp::from_store(&store, set).expect("the store was asked to solve this unit"))
    }

    /// Returns a set that a store has solved, with distances and what it depends on.
    pub(crate) fn from_store(store: &Store, set: &Material) -> Option<FaceUp> {
        let fit = Fit::of(set);
        Some(FaceUp {
            solved: store.get(fit.unit)?.clone(),
            longest: longest(store, fit.unit),
            fit: Arc::new(fit),
        })
    }

    /// Returns the key of a solved unit, with a store of those that captures lead to.
    pub(crate) fn solved(solved: Solved, smaller: &Store) -> FaceUp {
        let unit = solved.layout.unit;
        let later = unit.children().into_iter();
        let later = later.map(|child| longest(smaller, child));
        FaceUp {
            longest: later.fold(solved.longest, u32::max),
            fit: Arc::new(Fit::of(&unit.key)),
            solved: Arc::new(solved),
        }
    }

    /// Returns the value of a placement for the side to move.
    pub(crate) fn value(&self, placement: &Placement, turn: Color) -> Wdl {
        self.solved.wdl(self.turn(turn), self.address(placement))
    }

    /// Returns the plies to the next capture or the end in a decided placement.
    pub(crate) fn plies(&self, placement: &Placement, turn: Color) -> u16 {
        let turn = self.turn(turn);
        let plies = self.solved.dtc(turn, self.address(placement));
        plies.unwrap_or(0)
    }

    /// Returns the group of a piece of the set.
    pub(crate) fn group(&self, piece: Piece) -> usize {
        self.fit.groups[piece.index()].into()
    }

    /// Returns, for each side to move, on which squares a piece of `group` makes it a win and on which
    /// a loss, the other pieces standing on `others`.
    #[inline]
    pub(crate) fn rows(&self, others: &Groups, group: usize) -> [(u32, u32); 2] {
        let row = PieceRow::find(&self.solved.layout, others, group);
        Color::ALL.map(|turn| {
            let side = self.turn(turn).index();
            let (win, loss) = (&self.solved.win[side], &self.solved.loss[side]);
            (row.bits(win), row.bits(loss))
        })
    }

    /// Returns the longest wait for a capture from here to the end of the game.
    pub(crate) fn longest(&self) -> u32 {
        self.longest
    }

    /// Returns about how much memory the solution takes.
    pub(crate) fn bytes(&self) -> usize {
        self.solved.bytes() as usize
    }

    fn turn(&self, turn: Color) -> Color {
        if self.fit.swapped { !turn } else { turn }
    }

    fn address(&self, placement: &Placement) -> u64 {
        let mut groups: Groups = [0; MAX_GROUPS];
        for (piece, square) in placement.iter() {
            let group = self.fit.groups[piece.index()];
            groups[usize::from(group)] |= 1 << number_of(square);
        }
        self.solved.layout.address(&groups)
    }
}

fn longest(store: &Store, unit: &Unit) -> u32 {
    let own = store.get(unit).map_or(0, |solved| solved.longest);
    let later = unit
        .children()
        .into_iter()
        .map(|child| longest(store, child));
    later.fold(own, u32::max)
}
