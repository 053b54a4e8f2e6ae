//! The actions of a position in order of value.

use std::cmp::Reverse;

use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Piece, Position};

use super::endings::{Endings, Expectation, Refused};
use crate::fraction::Fraction;

/// An action and its value to the side that plays it, in unlimited play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedAction {
    /// The action.
    pub action: Action,
    /// The expected result.
    pub expected: Fraction,
    /// Plies to the capture or flip that the better side forces, this action included; zero if
    /// neither side is better.
    pub plies: u16,
    /// What a flip may reveal; empty for moves.
    pub outcomes: Vec<FlipOutcome>,
}

/// A piece that a flip may reveal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlipOutcome {
    /// The piece.
    pub piece: Piece,
    /// How likely it is.
    pub chance: Fraction,
    /// The expected result for the side that flips, if it appears.
    pub expected: Fraction,
    /// Plies to the capture or flip that the better side then forces, this flip included; zero
    /// if neither side is better.
    pub plies: u16,
}

impl RatedAction {
    /// Returns the place in the order from the best to the worst: the better side hurries, the
    /// other delays.
    pub fn place(&self) -> (Reverse<Fraction>, i32) {
        let plies = i32::from(self.plies);
        let hurry = if self.expected > Fraction::ZERO {
            plies
        } else {
            -plies
        };
        (Reverse(self.expected), hurry)
    }
}

/// Rates all actions of a position, the best first; equals come in text order.
///
/// # Errors
///
/// Fails as [`Endings::known`] does.
pub fn rated_by_expectation(
    endings: &Endings,
    position: &Position,
) -> Result<Vec<RatedAction>, Refused> {
    let mut rated = Vec::new();
    for action in position.actions() {
        rated.push(if action.is_flip() {
            flip(endings, position, action)?
        } else {
            step(endings, position, action)?
        });
    }
    sort_few_by_key(&mut rated, RatedAction::place);
    Ok(rated)
}

/// The plies to an exit, one ply earlier.
fn one_more(known: &Expectation) -> u16 {
    if known.expected == Fraction::ZERO {
        0
    } else {
        known.plies + 1
    }
}

fn step(endings: &Endings, position: &Position, action: Action) -> Result<RatedAction, Refused> {
    let mut next = *position;
    let undo = next.step_unchecked(action);
    let known = endings.known(&next)?;
    Ok(RatedAction {
        action,
        expected: -known.expected,
        plies: match undo.captured() {
            Some(_) => one_more(&known).min(1),
            None => one_more(&known),
        },
        outcomes: Vec::new(),
    })
}

fn flip(endings: &Endings, position: &Position, action: Action) -> Result<RatedAction, Refused> {
    let mut outcomes = Vec::new();
    for reveal in position.reveals() {
        let mut next = *position;
        let _ = next.flip_unchecked(action.from(), reveal.piece);
        let known = endings.known(&next)?;
        outcomes.push(FlipOutcome {
            piece: reveal.piece,
            chance: Fraction::new(reveal.weight.into(), reveal.total.into()),
            expected: -known.expected,
            plies: one_more(&known),
        });
    }
    let worth = outcomes
        .iter()
        .map(|outcome| outcome.chance * outcome.expected);
    let expected = worth.fold(Fraction::ZERO, |sum, part| sum + part);
    Ok(RatedAction {
        action,
        expected,
        plies: u16::from(expected != Fraction::ZERO),
        outcomes,
    })
}
