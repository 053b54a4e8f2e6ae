//! What the paper's players share: their options, and choices and reports of plain searches.

use crate::budget::Budget;
use crate::deepening::{Deepest, Valued};
use crate::evaluation::{PieceValues, PlainEvaluation};
use crate::player::{Choice, LineStep, Report};
use crate::score::Score;
use anqi_rules::Action;
use std::num::NonZeroU32;

/// The options of every plain search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlainOptions {
    /// The values at the leaves.
    pub evaluation: PlainEvaluation,
    /// The piece values of the static evaluation.
    pub piece_values: PieceValues,
    /// Plies to search at most.
    pub depth: Option<NonZeroU32>,
}

impl PlainOptions {
    /// Returns the evaluation, with the piece values if it uses them.
    pub(super) fn evaluation(&self) -> PlainEvaluation {
        match self.evaluation {
            PlainEvaluation::Static if self.piece_values != PieceValues::default() => {
                PlainEvaluation::Valued(self.piece_values)
            }
            other => other,
        }
    }
}

/// The smaller of a player's own depth and the requested one.
pub(super) fn depth_limit(own: Option<NonZeroU32>, asked: Option<u32>) -> Option<u32> {
    own.map(NonZeroU32::get).into_iter().chain(asked).min()
}

/// The report on a finished depth.
pub(super) fn report_of(budget: &Budget<'_>, action: Action, value: i32, depth: u32) -> Report {
    Report {
        depth,
        selective_depth: depth,
        score: Score::from_value(value),
        nodes: budget.nodes(),
        elapsed: budget.elapsed(),
        table_hits: 0,
        hash_permille: 0,
        rank: 1,
        line: line_of(action, value),
    }
}

/// The line of a single known action.
fn line_of(action: Action, value: i32) -> Vec<LineStep> {
    vec![LineStep {
        action,
        expectation: action.is_flip().then_some(value),
    }]
}

/// The choice of the deepest finished search, `otherwise` without one.
pub(super) fn choice_of(
    budget: &Budget<'_>,
    deepest: Option<Deepest<Valued<Action>>>,
    otherwise: Action,
) -> Choice {
    let mut choice = match deepest {
        None => Choice::plain(otherwise),
        Some(Deepest {
            answer: (action, value),
            depth,
        }) => Choice {
            score: Some(Score::from_value(value)),
            depth,
            line: line_of(action, value),
            ..Choice::plain(action)
        },
    };
    choice.nodes = budget.nodes();
    choice
}

/// Moves an action to the front of a list that holds it.
pub(super) fn bring_to_front(actions: &mut [Action], first: Action) {
    if let Some(place) = actions.iter().position(|&action| action == first) {
        actions[..=place].rotate_right(1);
    }
}

/// Declares a piece value.
macro_rules! piece_value {
    ($name:literal, $role:ident) => {
        Parameter {
            name: $name,
            meaning: concat!("what a ", $name, " is worth to the static evaluation"),
            kind: Kind::Integer {
                least: 0,
                most: $crate::evaluation::PieceValues::MOST as i64,
                step: 20,
                zero: None,
            },
            get: |options| {
                let values = &options.plain.piece_values.0;
                values[anqi_rules::Role::$role.index()].into()
            },
            set: |options, value| {
                let values = &mut options.plain.piece_values.0;
                values[anqi_rules::Role::$role.index()] = value.number();
                Ok(())
            },
        }
    };
}
pub(super) use piece_value;

/// Declares the parameters of options that have a field `plain`, the player's own ones first.
macro_rules! plain_parameters {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            Parameter {
                name: "eval",
                meaning: "the values at the leaves",
                kind: Kind::Choice(&["static", "dynamic", "full", "learned"]),
                get: |options| Value::Text(options.plain.evaluation.to_string()),
                set: |options, value| {
                    let named = $crate::evaluation::PlainEvaluation::named(value.text());
                    options.plain.evaluation = named.ok_or($crate::parameters::Refused::Word)?;
                    Ok(())
                },
            },
            Parameter {
                name: "depth",
                meaning: "plies to search at most",
                kind: Kind::Integer {
                    least: 0,
                    most: $crate::negamax::MOST_DEPTH as i64,
                    step: 1,
                    zero: Some("no limit of its own"),
                },
                get: |options| options.plain.depth.into(),
                set: |options, value| {
                    options.plain.depth = std::num::NonZeroU32::new(value.number());
                    Ok(())
                },
            },
            $crate::players::shared::piece_value!("king", King),
            $crate::players::shared::piece_value!("guard", Guard),
            $crate::players::shared::piece_value!("minister", Minister),
            $crate::players::shared::piece_value!("rook", Rook),
            $crate::players::shared::piece_value!("knight", Knight),
            $crate::players::shared::piece_value!("cannon", Cannon),
            $crate::players::shared::piece_value!("pawn", Pawn),
        ]
    };
}
pub(super) use plain_parameters;
