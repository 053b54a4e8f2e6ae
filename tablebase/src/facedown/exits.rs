//! The exits of a phase, captures and flips, and their values.

use std::sync::Arc;

use anqi_rules::moves::jump_targets;
use anqi_rules::{Color, PIECES, Piece, Square, SquareSet};

use super::face_up::FaceUp;
use super::key::PhaseKey;
use super::phase::{Phase, Units, whole};
use super::placement::Placement;
use crate::solve::Wdl;

/// What follows a capture or flip.
#[derive(Clone, Debug)]
pub(super) enum Next {
    /// The captured piece was its owner's last.
    Won,
    /// Some pieces are still face down.
    Phase(Arc<Phase>),
    /// No piece is face down.
    FaceUp(FaceUp),
}

impl Next {
    /// Returns the value for the side to move, in the units of the next phase.
    fn units(&self, placement: &Placement, turn: Color) -> Units {
        match self {
            Next::Won => unreachable!("nobody is to move in a game that is over"),
            Next::Phase(phase) => phase.units(placement, turn),
            Next::FaceUp(open) => match open.value(placement, turn) {
                Wdl::Win => 1,
                Wdl::Draw => 0,
                Wdl::Loss => -1,
            },
        }
    }

    /// Returns the longest wait for a capture or flip from there on.
    pub(super) fn longest(&self) -> u32 {
        match self {
            Next::Won => 0,
            Next::Phase(phase) => phase.longest(),
            Next::FaceUp(open) => open.longest(),
        }
    }
}

impl Flip {
    /// Returns the value of the flip: in the units of the phase a plain sum, without a division.
    fn units(&self, placement: &Placement, turn: Color) -> Units {
        let outcomes = self.outcomes.iter();
        outcomes
            .map(|(piece, count, next)| {
                -count * next.units(&placement.revealed(*piece, self.square), !turn)
            })
            .sum()
    }
}

/// What the exits of a phase lead to.
#[derive(Debug)]
pub(super) struct Exits {
    face_down: SquareSet,
    /// By the captured piece.
    captures: [Option<Next>; PIECES],
    flips: Vec<Flip>,
}

/// The flip of one square.
#[derive(Debug)]
struct Flip {
    square: Square,
    /// The kinds of the bag, how many there are of each, and what follows.
    outcomes: Vec<(Piece, Units, Next)>,
}

impl Exits {
    /// Gathers what follows the exits of a phase.
    pub(super) fn gather<E>(
        key: &PhaseKey,
        mut next: impl FnMut(Option<PhaseKey>) -> Result<Next, E>,
    ) -> Result<Exits, E> {
        let mut exits = Exits {
            face_down: key.face_down,
            captures: [const { None }; PIECES],
            flips: Vec::new(),
        };
        for (prey, _) in key.face_up.kinds() {
            // Only a face-up enemy can capture.
            if key.face_up.side(!prey.color()) > 0 {
                exits.captures[prey.index()] = Some(next(key.after_capture(prey))?);
            }
        }
        for square in key.face_down {
            let mut outcomes = Vec::new();
            for (piece, count) in key.bag {
                let follows = next(Some(key.after_flip(square, piece)))?;
                outcomes.push((piece, count as Units, follows));
            }
            exits.flips.push(Flip { square, outcomes });
        }
        Ok(exits)
    }

    /// Returns the longest wait after the exits.
    pub(super) fn longest(&self) -> u32 {
        let captures = self.captures.iter().flatten();
        let flips = self.flips.iter().flat_map(|flip| &flip.outcomes);
        let nexts = captures.chain(flips.map(|(_, _, next)| next));
        nexts.map(Next::longest).max().unwrap_or(0)
    }

    /// Returns the best exit for the side to move; a flip is always one.
    pub(super) fn best(&self, placement: &Placement, turn: Color) -> Units {
        let flips = self.flips.iter();
        let flips = flips.map(|flip| flip.units(placement, turn));
        let most = whole(self.face_down.len());
        let best = flips.fold(-most, Units::max);
        self.captures(placement, turn).fold(best, Units::max)
    }

    fn captures<'a>(
        &'a self,
        placement: &'a Placement,
        turn: Color,
    ) -> impl Iterator<Item = Units> + 'a {
        let occupied = placement.squares().unwrap_or_default() | self.face_down;
        let hunters = placement.iter().enumerate();
        let hunters = hunters.filter(move |(_, (piece, _))| piece.color() == turn);
        hunters.flat_map(move |(hunter, (piece, from))| {
            let preys = placement.iter().enumerate();
            preys
                .filter(move |(_, (prey, to))| captures(piece, from, *prey, *to, occupied))
                .filter_map(move |(index, (prey, _))| {
                    let next = self.captures[prey.index()].as_ref()?;
                    Some(match next {
                        Next::Won => whole(self.face_down.len()),
                        _ => -next.units(&placement.captured(hunter, index), !turn),
                    })
                })
        })
    }
}

/// Whether a piece can capture another from its square.
fn captures(piece: Piece, from: Square, prey: Piece, to: Square, occupied: SquareSet) -> bool {
    let reaches = if piece.role().jumps() {
        jump_targets(from, occupied).contains(to)
    } else {
        from.neighbours().contains(to) && piece.role().captures(prey.role())
    };
    reaches && piece.color() != prey.color()
}
