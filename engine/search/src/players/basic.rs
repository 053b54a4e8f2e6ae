//! BASIC: a search over moves, and a policy that may prefer a flip.
//!
//! The best move comes from [`Negamax`] by iterative deepening; at each depth
//! the [`FlipPolicy`] decides whether to play it or to flip a random face-down
//! piece, with the null move searched to the same depth if the policy needs it.
//!
//! Three numbers shift that decision; at zero they give the paper's player. Two are
//! the [`Margins`] of the comparisons. The third replaces the null move by the mean
//! of this many kinds of piece that the flip may reveal, drawn at random and each
//! searched. With all kinds, that mean is exact.

use super::shared::{
    PlainOptions, bring_to_front, choice_of, depth_limit, plain_parameters, report_of,
};
use crate::budget::Budget;
use crate::deepening::deepen_plainly;
use crate::negamax::Negamax;
use crate::parameters::{self, Kind, Options, Parameter, Printing, Refused, Value};
use crate::player::{Choice, Player, Report, Request};
use crate::policy::{Decision, FlipPolicy, Margins};
use crate::random::Chance;
use crate::resources::Resources;
use crate::score::Mixture;
use crate::spec::{Spec, SpecError};
use anqi_rules::{Action, ActionList, PIECES, Piece, Position};
use std::sync::Arc;

/// The options of BASIC.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BasicOptions {
    /// When to flip.
    pub policy: FlipPolicy,
    /// Shifts of the policy's comparisons.
    pub margins: Margins,
    /// Kinds of piece whose mean is the value of a flip; 0 for the null move.
    pub reveals: u32,
    /// The options of all plain searches.
    pub plain: PlainOptions,
}

/// Declares a margin.
macro_rules! margin {
    ($name:literal, $field:ident, $meaning:literal) => {
        Parameter {
            name: $name,
            meaning: $meaning,
            kind: Kind::Integer {
                least: -Margins::MOST as i64,
                most: Margins::MOST as i64,
                step: 20,
                zero: None,
            },
            get: |options| options.margins.$field.into(),
            set: |options, value| {
                options.margins.$field = value.number();
                Ok(())
            },
        }
    };
}

impl Options for BasicOptions {
    const PARAMETERS: &'static [Parameter<BasicOptions>] = plain_parameters![
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
        margin!(
            "null-margin",
            null_move,
            "how much better than a move the null move must be for a flip"
        ),
        margin!(
            "static-margin",
            static_value,
            "how much a move must gain to be played at once (policy=advantage)"
        ),
        Parameter {
            name: "reveals",
            meaning: "kinds of piece, drawn at random, whose mean stands for a flip",
            kind: Kind::Integer {
                least: 0,
                most: PIECES as i64,
                step: 1,
                zero: Some("the null move"),
            },
            get: |options| options.reveals.into(),
            set: |options, value| {
                options.reveals = value.number();
                Ok(())
            },
        },
    ];
    const PRINTING: Printing = Printing::Always(&["policy", "eval", "depth"]);
    const RESOURCES: &'static [&'static str] = &["depth"];
}

/// The player `basic`.
#[derive(Clone, Debug)]
pub(super) struct Basic {
    options: BasicOptions,
    resources: Arc<Resources>,
}

impl Basic {
    /// Reads the player's settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is unknown or its value is wrong.
    pub(super) fn from_spec(spec: &Spec, resources: &Arc<Resources>) -> Result<Basic, SpecError> {
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
        let budget = Budget::in_position(&request.limits, position, request.stop);
        let mut budget = budget.with_delays(delays);
        let (flips, mut moves): (ActionList, ActionList) = request
            .actions()
            .into_iter()
            .partition(|action| action.is_flip());
        let flip = chance.pick(&flips);
        chance.shuffle(&mut moves);
        let Some(&any_move) = moves.first() else {
            return Choice::plain(flip.expect("asked for an action where there is none"));
        };
        let flip = flip.map(|action| Flip {
            action,
            reveals: self.drawn_reveals(position, &mut chance),
        });
        let deepest = deepen_plainly(
            &mut budget,
            depth_limit(self.options.plain.depth, request.limits.depth),
            |budget, depth| {
                let (best, value) = self.decide(budget, position, &moves, flip.as_ref(), depth)?;
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
    /// Returns the best move or the flip, as the policy decides at this depth, and its value.
    fn decide(
        &self,
        budget: &mut Budget<'_>,
        position: &Position,
        moves: &[Action],
        flip: Option<&Flip>,
        depth: u32,
    ) -> Option<(Action, i32)> {
        let evaluation = self.options.plain.evaluation();
        let mut search = Negamax::new(evaluation, budget);
        let (best, value) = search.best_move(position, moves, depth)?;
        let Some(flip) = flip else {
            return Some((best, value));
        };
        let BasicOptions {
            policy, margins, ..
        } = self.options;
        let as_it_stands = evaluation.value(position);
        let mut flip_value = value;
        let decision = policy.decide(margins, value, as_it_stands, || {
            flip_value = flip.value(&mut search, position, depth)?;
            Some(flip_value)
        })?;
        Some(match decision {
            Decision::Move => (best, value),
            Decision::Flip => (flip.action, flip_value),
        })
    }

    /// Draws the kinds of piece whose mean is the value of a flip, with their weights.
    fn drawn_reveals(&self, position: &Position, chance: &mut Chance) -> Vec<(Piece, u32)> {
        if self.options.reveals == 0 {
            return Vec::new();
        }
        let mut kinds: Vec<(Piece, u32)> = position.hidden().iter().collect();
        chance.shuffle(&mut kinds);
        kinds.truncate(self.options.reveals as usize);
        kinds
    }
}

/// The one flip that may be played.
struct Flip {
    action: Action,
    /// The reveals whose mean is its value; none for the null move.
    reveals: Vec<(Piece, u32)>,
}

impl Flip {
    /// Returns the value of the flip, or `None` if the budget runs out.
    fn value(&self, search: &mut Negamax<'_, '_>, position: &Position, depth: u32) -> Option<i32> {
        if self.reveals.is_empty() {
            return search.null_move(position, depth);
        }
        let mut mixture = Mixture::default();
        for &(piece, weight) in &self.reveals {
            mixture.add(
                search.flip(position, self.action.from(), piece, depth)?,
                weight,
            );
        }
        Some(mixture.average())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectimax::{Expectimax, Flips, Kinds, PlainSettings};
    use crate::player::{Limits, Stop};

    fn basic(spec: &str) -> Basic {
        let spec = Spec::parse(spec).unwrap();
        Basic::from_spec(&spec, &Resources::of_process()).unwrap()
    }

    #[test]
    fn all_reveals_average_to_the_exact_worth_of_a_flip() {
        let position: Position = "K1p1/1?2/4/c?P1/4/2r1/4/1G?? r GNpR 0 20".parse().unwrap();
        let stop = Stop::new();
        let mut budget = Budget::new(&Limits::NONE, &stop);
        let mut chance = Chance::new(1, &position);
        let player = basic("basic:reveals=14");
        let action = Action::flip(position.face_down().first().unwrap());
        let flip = Flip {
            action,
            reveals: player.drawn_reveals(&position, &mut chance),
        };
        let evaluation = player.options.plain.evaluation();
        let mut search = Negamax::new(evaluation, &mut budget);
        let value = flip.value(&mut search, &position, 3).unwrap();
        // VAR1's search: flips at the root alone.
        let settings = PlainSettings {
            evaluation,
            flips: Flips::First(1),
            kinds: Kinds::All,
        };
        let mut oracle = Expectimax::new(settings, &mut budget, &mut chance);
        let (_, exact) = oracle.best_action(&position, &[action], 3).unwrap();
        assert_eq!(value, exact);
    }

    #[test]
    fn a_margin_as_wide_as_all_values_never_flips() {
        let position: Position = "K1p1/1?2/4/c?P1/4/2r1/4/1G?? r GNpR 0 20".parse().unwrap();
        let game = anqi_rules::Game::new(position, anqi_rules::Rules::OLYMPIAD);
        let stop = Stop::new();
        let flips = |spec: &str| {
            let request = Request {
                game: &game,
                among: None,
                limits: Limits {
                    depth: Some(2),
                    ..Limits::NONE
                },
                seed: 1,
                stop: &stop,
            };
            basic(spec).choose(&request, &mut |_| {}).action.is_flip()
        };
        let widest = Margins::MOST;
        assert!(!flips(&format!("basic:null-margin={widest}")));
        assert!(flips(&format!("basic:null-margin=-{widest}")));
        assert!(flips(&format!("basic:reveals=2,null-margin=-{widest}")));
    }
}
