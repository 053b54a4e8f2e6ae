//! Looks one ply ahead: takes the most valuable piece it can.
//!
//! Without a capture it flips, without a face-down piece it moves anywhere.

use crate::evaluation::PlainEvaluation;
use crate::player::{Choice, Player, Report, Request};
use crate::random::Chance;
use anqi_rules::{Action, Position};

/// The player `greedy`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Greedy;

impl Player for Greedy {
    fn spec(&self) -> String {
        "greedy".to_string()
    }

    fn choose(&mut self, request: &Request<'_>, _report: &mut dyn FnMut(&Report)) -> Choice {
        let position = request.game.position();
        let actions = request.actions();
        let gains = actions
            .iter()
            .map(|&action| (gain(position, action), action));
        let most = gains.clone().map(|(gain, _)| gain).max();
        let best: Vec<Action> = gains
            .filter(|(gain, _)| Some(*gain) == most)
            .map(|(_, action)| action)
            .collect();
        let action = Chance::new(request.seed, position).pick(&best);
        let mut choice = Choice::plain(action.expect("asked for an action where there is none"));
        choice.nodes = actions.len() as u64;
        choice
    }
}

/// The immediate gain of an action; a flip counts 1, so that it is preferred to a quiet move.
fn gain(position: &Position, action: Action) -> i32 {
    if action.is_flip() {
        return 1;
    }
    if position.piece_at(action.to()).is_none() {
        return 0;
    }
    let mut after = *position;
    let before = PlainEvaluation::Static.value(position);
    let _ = after.step_unchecked(action);
    -PlainEvaluation::Static.value(&after) - before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_gain_flips_are_a_trifle_and_moves_nothing() {
        let position: Position = "4/4/4/4/4/4/p?2/Kg2 r P 0 0".parse().unwrap();
        let gain_of = |text: &str| gain(&position, text.parse().unwrap());
        assert_eq!(gain_of("a1-b1"), 480);
        assert_eq!(gain_of("b2-b2"), 1);
        let quiet: Position = "4/4/4/4/4/4/4/K2g r - 0 0".parse().unwrap();
        assert_eq!(gain(&quiet, "a1-b1".parse().unwrap()), 0);
    }
}
