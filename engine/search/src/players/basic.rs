//! BASIC: a search over moves, and a policy that may prefer a flip.
//!
//! The best move comes from [`Negamax`] by iterative deepening; at each depth
//! the [`FlipPolicy`] says whether to play it or to flip a random face-down
//! piece, with the null move searched to the same depth where it is asked for.

use super::{bring_to_front, choice_of, report_of};
use crate::clock::Budget;
use crate::deepening::deepen;
use crate::evaluate::Evaluation;
use crate::negamax::{MOST_DEPTH, Negamax};
use crate::player::{Choice, Player, Report, Request};
use crate::policy::{Decision, FlipPolicy};
use crate::random::Chance;
use crate::spec::{self, Spec, SpecError};
use anqi_rules::{Action, Position};

/// The player `basic`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Basic {
    policy: FlipPolicy,
    evaluation: Evaluation,
    /// Plies to look ahead at most, 0 for as many as the limits allow.
    depth: u32,
}

impl Basic {
    /// Reads the player's settings.
    ///
    /// # Errors
    ///
    /// Says which value is not one.
    pub fn from_spec(spec: &mut Spec) -> Result<Basic, SpecError> {
        Ok(Basic {
            policy: spec.take(
                "policy",
                FlipPolicy::default(),
                "move-first, compare or advantage",
                FlipPolicy::named,
            )?,
            evaluation: evaluation_setting(spec)?,
            depth: depth_setting(spec)?,
        })
    }
}

/// Reads the setting `eval`.
pub(super) fn evaluation_setting(spec: &mut Spec) -> Result<Evaluation, SpecError> {
    let default = Evaluation::default();
    spec.take(
        "eval",
        default,
        "static, dynamic or judged",
        Evaluation::named,
    )
}

/// Reads the setting `depth`.
pub(super) fn depth_setting(spec: &mut Spec) -> Result<u32, SpecError> {
    spec.number(
        "depth",
        0,
        0..=MOST_DEPTH,
        "0 to 64, 0 for no limit of its own",
    )
}

/// The smaller of a player's own depth (0 for none) and the one asked for.
pub(super) fn depth_limit(own: u32, asked: Option<u32>) -> Option<u32> {
    let own = (own > 0).then_some(own);
    own.into_iter().chain(asked).min()
}

impl Player for Basic {
    fn spec(&self) -> String {
        spec::write(
            "basic",
            &[
                ("policy", &self.policy),
                ("eval", &self.evaluation),
                ("depth", &self.depth),
            ],
        )
    }

    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice {
        let position = request.game.position();
        let mut chance = Chance::new(request.seed, position);
        let mut budget = Budget::new(&request.limits, request.stop);
        let flip = random_flip(position, &mut chance);
        let mut moves = position.actions();
        moves.retain(|action| !action.is_flip());
        chance.shuffle(&mut moves);
        let Some(&any_move) = moves.first() else {
            return Choice::plain(flip.expect("asked for an action where there is none"));
        };
        let deepest = deepen(
            &mut budget,
            depth_limit(self.depth, request.limits.depth),
            |budget, depth| {
                let (best, value) = self.decide(budget, position, &moves, flip, depth)?;
                bring_to_front(&mut moves, best);
                Some((best, value))
            },
            |budget, deepest| {
                let (action, value) = (deepest.found, deepest.value);
                report(&report_of(budget, action, value, deepest.depth));
            },
        );
        choice_of(&budget, deepest, any_move)
    }
}

impl Basic {
    /// Returns the best move or the flip, and its value, as the policy decides at this depth.
    fn decide(
        &self,
        budget: &mut Budget<'_>,
        position: &Position,
        moves: &[Action],
        flip: Option<Action>,
        depth: u32,
    ) -> Option<(Action, i32)> {
        let mut search = Negamax::new(self.evaluation, budget);
        let (best, value) = search.best_move(position, moves, depth)?;
        let Some(flip) = flip else {
            return Some((best, value));
        };
        let as_it_stands = self.evaluation.value(position);
        let mut null_value = value;
        let decision = self.policy.decide(value, as_it_stands, || {
            null_value = search.null_move(position, depth)?;
            Some(null_value)
        })?;
        Some(match decision {
            Decision::Move => (best, value),
            Decision::Flip => (flip, null_value),
        })
    }
}

/// Returns the flip of a random face-down square.
fn random_flip(position: &Position, chance: &mut Chance) -> Option<Action> {
    let flips: Vec<Action> = position.face_down().into_iter().map(Action::flip).collect();
    chance.pick(&flips)
}
