//! The rules of a course: another counter, and another order of looking for the end.
//!
//! The counter is the number of moves since the last capture: a flip leaves it as it is. After a ply the limit is looked at
//! first, then whether black can do anything, then whether red can, whoever is to move. A side without pieces can
//! still flip.

use super::rules::{NaiveRules, Outcome};
use super::{Naive, opponent, shows};

impl Naive {
    /// Returns the same game under the rules of a course from here on.
    pub fn of_course(&self) -> Naive {
        Naive {
            course: true,
            ..self.clone()
        }
    }

    /// Returns the side that can do nothing if it were to move, black first.
    pub(crate) fn without_action(&self) -> Option<char> {
        let is_stuck = |turn: &char| self.with_turn(*turn).actions().is_empty();
        ['b', 'r'].into_iter().find(is_stuck)
    }

    /// Returns how the game stands.
    pub(crate) fn outcome_of_course(&self, rules: &NaiveRules) -> Outcome {
        if self.quiet >= rules.quiet_limit {
            return Outcome::Quiet;
        }
        let Some(loser) = self.without_action() else {
            return Outcome::Playing;
        };
        let winner = opponent(loser);
        if self
            .board
            .iter()
            .flatten()
            .any(|&piece| shows(piece, loser))
        {
            Outcome::NoAction(winner)
        } else {
            Outcome::WipedOut(winner)
        }
    }
}
