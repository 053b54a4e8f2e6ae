//! Plays any legal action.

use crate::player::{Choice, Player, Report, Request};
use crate::random::Chance;

/// The player `random`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Random;

impl Player for Random {
    fn spec(&self) -> String {
        "random".to_string()
    }

    fn choose(&mut self, request: &Request<'_>, _report: &mut dyn FnMut(&Report)) -> Choice {
        let position = request.game.position();
        let action = Chance::new(request.seed, position).pick(&request.actions());
        Choice::plain(action.expect("asked for an action where there is none"))
    }
}
