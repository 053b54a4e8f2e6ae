//! Chases, flights, and the ban on perpetual chasing.
//!
//! A quiet move is a **chase** if the piece that moved could now capture the enemy
//! piece that moved on the ply before, by a step or a jump. Protection does not
//! matter, nor do attacks by other pieces. A quiet move is a **flight** if it
//! moves the piece that was just chased. A move that is both (two cannons that
//! chase each other) is ordinary, like one that is neither.
//!
//! Under [`Repetition::ChaseBan`](crate::Repetition::ChaseBan) a chase may not make
//! the repetition that would draw, unless the side to move has no other legal
//! action; and only ordinary moves end a game by repetition.

use crate::moves::{Action, jump_targets};
use crate::position::Position;
use crate::square::Square;

/// The part of a ply in a chase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Manner {
    /// Neither of the others, or both at once.
    Ordinary,
    /// The piece that moved could now capture the one that moved just before.
    Chase,
    /// The piece that was chased has moved away.
    Flight,
}

/// The part of the past that decides whether the next ply is a chase or a flight.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pursuit {
    /// The square of the piece that moved on the last ply; `None` after a flip.
    moved: Option<Square>,
    /// The square of the piece that the last ply chases, if any.
    chased: Option<Square>,
}

impl Pursuit {
    /// No past, or none that matters.
    pub const NONE: Pursuit = Pursuit {
        moved: None,
        chased: None,
    };

    /// Returns the part of a legal action in a chase; `position` is the one before it.
    #[inline]
    pub fn manner(self, position: &Position, action: Action) -> Manner {
        if action.is_flip() || position.piece_at(action.to()).is_some() {
            return Manner::Ordinary;
        }
        let flees = self.chased == Some(action.from());
        match (self.prey_of(position, action).is_some(), flees) {
            (true, false) => Manner::Chase,
            (false, true) => Manner::Flight,
            _ => Manner::Ordinary,
        }
    }

    /// Returns the pursuit after a legal action in this position.
    #[inline]
    #[must_use]
    pub fn after(self, position: &Position, action: Action) -> Pursuit {
        if action.is_flip() {
            return Pursuit::NONE;
        }
        let is_quiet = position.piece_at(action.to()).is_none();
        Pursuit {
            moved: Some(action.to()),
            chased: is_quiet.then(|| self.prey_of(position, action)).flatten(),
        }
    }

    /// The square of the piece that moved just before, if a quiet move attacks it.
    #[inline]
    fn prey_of(self, position: &Position, action: Action) -> Option<Square> {
        let (from, to) = (action.from(), action.to());
        let square = self.moved?;
        let (piece, prey) = (position.piece_at(from)?, position.piece_at(square)?);
        let attacks = if piece.role().jumps() {
            let mut occupied = position.occupied();
            occupied.remove(from);
            occupied.insert(to);
            jump_targets(to, occupied).contains(square)
        } else {
            to.neighbours().contains(square) && piece.role().captures(prey.role())
        };
        attacks.then_some(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Ply, Rules};

    /// Plays the plies and returns the manner of the last.
    fn manner(position: &str, plies: &str) -> Manner {
        let game = Game::from_text(&format!("{position} moves {plies}"), Rules::MISTBOARD);
        game.unwrap().last_manner()
    }

    #[test]
    fn chases_flights_and_moves_that_are_both_or_neither() {
        let guard_and_rook = "4/4/4/1r2/4/2G1/4/4 b - 0 0";
        assert_eq!(manner(guard_and_rook, "b5-b4"), Manner::Ordinary);
        assert_eq!(manner(guard_and_rook, "b5-b4 c3-b3"), Manner::Chase);
        assert_eq!(manner(guard_and_rook, "b5-b4 c3-b3 b4-c4"), Manner::Flight);
        assert_eq!(manner(guard_and_rook, "b5-b4 c3-c4"), Manner::Chase);
        assert_eq!(manner(guard_and_rook, "b5-b4 c3-d3"), Manner::Ordinary);
        // The piece that attacks must be the one that moved.
        let discovered = "4/4/4/1r2/4/G1P1/4/4 b - 0 0";
        assert_eq!(manner(discovered, "b5-b4 c3-c4"), Manner::Ordinary);
        // Two cannons over one screen: each flees from the other and attacks it.
        let cannons = "4/4/4/4/4/3c/2p1/C3 b - 0 0";
        let plies = "d3-d2 a1-a2";
        assert_eq!(manner(cannons, plies), Manner::Chase);
        assert_eq!(manner(cannons, &format!("{plies} d2-d1")), Manner::Flight);
        let plies = "d3-d2 a1-a2 c2-c1 a2-a1 d2-d1 a1-a2 d1-d2";
        assert_eq!(manner(cannons, plies), Manner::Ordinary);
    }

    #[test]
    fn a_capture_may_come_before_a_chase_and_a_pawn_may_chase_a_king() {
        let king = "4/4/4/4/4/1k2/1P2/2P1 b - 0 0";
        assert_eq!(manner(king, "b3-a3 b2-a2"), Manner::Chase);
        let capture = "4/4/4/4/1r2/1P2/4/2G1 b - 0 0";
        assert_eq!(manner(capture, "b4-b3 c1-c2"), Manner::Ordinary);
        assert_eq!(manner(capture, "b4-b3 c1-b1 b3-b2"), Manner::Ordinary);
        // A capture is no chase, so no move is a flight from it.
        let beside = "4/4/4/4/4/1r2/p3/G3 b - 0 0";
        assert_eq!(manner(beside, "b3-b2 a1-a2 b2-c2"), Manner::Ordinary);
        let near = "4/4/4/4/1r2/1P2/2G1/4 b - 0 0";
        assert_eq!(manner(near, "b4-b3 c2-b2"), Manner::Chase);
    }

    #[test]
    fn nothing_counts_across_a_flip() {
        let mut pursuit = Pursuit::NONE;
        let mut position: Position = "?3/4/4/1r2/4/2G1/4/4 b p 0 0".parse().unwrap();
        for text in ["b5-b4", "c3-b3"] {
            let ply: Ply = text.parse().unwrap();
            pursuit = pursuit.after(&position, ply.action);
            let _ = position.play_unchecked(ply);
        }
        assert_ne!(pursuit, Pursuit::NONE);
        let flip: Ply = "a8(p)".parse().unwrap();
        assert_eq!(pursuit.after(&position, flip.action), Pursuit::NONE);
    }
}
