//! BASIC: a search over moves, and a policy that may prefer a flip.
//!
//! The best move comes from [`Negamax`] by iterative deepening; at each depth
//! the [`FlipPolicy`] says whether to play it or to flip a random face-down
//! piece, with the null move searched to the same depth where it is asked for.

use super::{bring_to_front, choice_of, depth_limit, report_of};
use crate::clock::Budget;
use crate::deepening::deepen_plainly;
use crate::evaluation::PlainEvaluation;
use crate::negamax::Negamax;
use crate::parameters::{self, Kind, Options, Parameter, Printing, Refused, Value};
use crate::player::{Choice, Player, Report, Request};
use crate::policy::{Decision, FlipPolicy};
use crate::random::Chance;
use crate::resources::Resources;
use crate::spec::{Spec, SpecError};
use anqi_rules::{Action, Position};
use std::num::NonZeroU32;
use std::sync::Arc;

/// What BASIC can be told.
#[derive(Clone, Copy, Debug, Default)]
pub struct BasicOptions {
    /// When to flip.
    pub policy: FlipPolicy,
    /// The values at the leaves.
    pub evaluation: PlainEvaluation,
    /// Plies to search at most.
    pub depth: Option<NonZeroU32>,
}

impl Options for BasicOptions {
    const PARAMETERS: &'static [Parameter<BasicOptions>] = &[
        Parameter {
            name: "policy",
            meaning: "when to flip instead of moving",
            kind: Kind::Choice(&["move-first", "compare", "advantage"]),
            get: |options| Value::Text(options.policy.to_string()),
            set: |options, value| {
                options.policy = FlipPolicy::named(value.text()).ok_or(Refused::Word)?;
                Ok(())
            },
        },
        super::evaluation_parameter!(),
        super::depth_parameter!(),
    ];

    const PRINTING: Printing = Printing::Everything;
}

/// The player `basic`.
#[derive(Clone, Debug)]
pub struct Basic {
    options: BasicOptions,
    resources: Arc<Resources>,
}

impl Basic {
    /// Reads the player's settings.
    ///
    /// # Errors
    ///
    /// Says which value is not one.
    pub fn from_spec(spec: &Spec, resources: &Arc<Resources>) -> Result<Basic, SpecError> {
        Ok(Basic {
            options: parameters::read(spec)?,
            resources: Arc::clone(resources),
        })
    }
}

impl Player for Basic {
    fn spec(&self) -> String {
        parameters::print("basic", &self.options)
    }

    fn choose(&mut self, request: &Request<'_>, report: &mut dyn FnMut(&Report)) -> Choice {
        let position = request.game.position();
        let mut chance = Chance::new(request.seed, position);
        let delays = Some(&self.resources.delays);
        let mut budget = Budget::new(&request.limits, request.stop).with_delays(delays);
        let flip = random_flip(position, &mut chance);
        let mut moves = position.actions();
        moves.retain(|action| !action.is_flip());
        chance.shuffle(&mut moves);
        let Some(&any_move) = moves.first() else {
            return Choice::plain(flip.expect("asked for an action where there is none"));
        };
        let deepest = deepen_plainly(
            &mut budget,
            depth_limit(self.options.depth, request.limits.depth),
            |budget, depth| {
                let (best, value) = self.decide(budget, position, &moves, flip, depth)?;
                bring_to_front(&mut moves, best);
                Some((best, value))
            },
            |budget, deepest| {
                let (action, value) = deepest.answer;
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
        let mut search = Negamax::new(self.options.evaluation, budget);
        let (best, value) = search.best_move(position, moves, depth)?;
        let Some(flip) = flip else {
            return Some((best, value));
        };
        let as_it_stands = self.options.evaluation.value(position);
        let mut null_value = value;
        let decision = self.options.policy.decide(value, as_it_stands, || {
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
