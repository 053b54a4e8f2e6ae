//! Options shared by the paper's players.

use crate::evaluation::{PieceValues, PlainEvaluation};
use std::num::NonZeroU32;

/// The options of every plain search.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlainOptions {
    /// The values at the leaves.
    pub evaluation: PlainEvaluation,
    /// The piece values of the static evaluation.
    pub piece_values: PieceValues,
    /// Plies to search at most.
    pub depth: Option<NonZeroU32>,
}

impl PlainOptions {
    /// Returns the evaluation, with the piece values if it uses them.
    pub fn evaluation(&self) -> PlainEvaluation {
        match self.evaluation {
            PlainEvaluation::Static if self.piece_values != PieceValues::default() => {
                PlainEvaluation::Valued(self.piece_values)
            }
            other => other,
        }
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
