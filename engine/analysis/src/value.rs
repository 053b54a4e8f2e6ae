//! Values for display: an expected result, and how far it is proven.

use anqi_search::{LineStep, Score, score};
use serde::{Deserialize, Serialize, Serializer};

/// The value of a position or an action for one side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Value {
    /// Expected result, −1 to +1.
    #[serde(serialize_with = "rounded")]
    pub expected: f64,
    /// How far it is proven.
    pub kind: Certainty,
    /// Plies to the win or loss; from a table, to the next capture unless `plies_to_end` says more.
    pub plies: Option<u32>,
    /// Plies to the end of the game, where a table has told them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub plies_to_end: Option<u32>,
    /// What proves it.
    pub source: Option<ValueSource>,
}

/// How far a value is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Certainty {
    /// Not proven.
    Estimate,
    /// A proven win.
    Win,
    /// A proven draw.
    Draw,
    /// A proven loss.
    Loss,
}

/// What proves a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ValueSource {
    /// A search to the end.
    Search,
    /// An endgame table.
    Table,
    /// The game is over.
    Rules,
}

/// One step of a displayed line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LineStep"))]
pub struct Step {
    /// The action.
    pub action: String,
    /// The expected result of a flip, for the side that flips.
    #[serde(serialize_with = "rounded_option")]
    pub expected: Option<f64>,
}

impl Value {
    /// Returns an estimate.
    pub fn estimate(expected: f64) -> Value {
        Value {
            expected,
            kind: Certainty::Estimate,
            plies: None,
            plies_to_end: None,
            source: None,
        }
    }

    /// Returns a value proven by `source`; from a table, `plies` count to the next capture.
    pub fn proven(kind: Certainty, plies: Option<u32>, source: ValueSource) -> Value {
        Value {
            expected: match kind {
                Certainty::Win => 1.0,
                Certainty::Loss => -1.0,
                Certainty::Draw | Certainty::Estimate => 0.0,
            },
            kind,
            plies,
            plies_to_end: None,
            source: Some(source),
        }
    }

    /// Returns the value with the plies to the end of the game, if a table knows them.
    #[must_use]
    pub fn ending_in(self, plies: Option<u32>) -> Value {
        Value {
            plies: plies.or(self.plies),
            plies_to_end: plies.or(self.plies_to_end),
            ..self
        }
    }

    /// Returns a player's score as a value.
    pub fn of(score: Score) -> Value {
        let origin = |source| match source {
            score::ProofSource::Proof => ValueSource::Search,
            score::ProofSource::Table | score::ProofSource::TableEnd => ValueSource::Table,
        };
        let end = |plies, source| Some(plies).filter(|_| source == score::ProofSource::TableEnd);
        match score {
            Score::Estimate(_) => Value::estimate(score.expected_result()),
            Score::Win { plies, source } => {
                Value::proven(Certainty::Win, Some(plies), origin(source))
                    .ending_in(end(plies, source))
            }
            Score::Loss { plies, source } => {
                Value::proven(Certainty::Loss, Some(plies), origin(source))
                    .ending_in(end(plies, source))
            }
            Score::Draw => Value::proven(Certainty::Draw, None, ValueSource::Table),
        }
    }

    /// Returns whether it is proven.
    pub fn is_exact(self) -> bool {
        self.kind != Certainty::Estimate
    }

    /// Returns the value for the other side, one ply earlier.
    #[must_use]
    pub fn before(self) -> Value {
        Value {
            expected: -self.expected,
            kind: match self.kind {
                Certainty::Win => Certainty::Loss,
                Certainty::Loss => Certainty::Win,
                other => other,
            },
            plies: self.plies.map(|plies| plies + 1),
            plies_to_end: self.plies_to_end.map(|plies| plies + 1),
            ..self
        }
    }
}

/// Returns a principal variation for display.
pub fn steps(line: &[LineStep]) -> Vec<Step> {
    let step = |step: &LineStep| Step {
        action: step.action.to_string(),
        expected: step
            .expectation
            .map(|value| (f64::from(value) / f64::from(score::UNPROVEN_BOUND)).clamp(-1.0, 1.0)),
    };
    line.iter().map(step).collect()
}

/// Serializes a number with four decimals; more would be noise.
pub fn rounded<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(round(*value))
}

/// Like [`rounded`], for a number that may be missing.
pub fn rounded_option<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    value.map(round).serialize(to)
}

/// Like [`rounded`], for several numbers.
pub fn rounded_all<S: Serializer>(values: &[f64], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(values.iter().map(|value| round(*value)))
}

fn round(value: f64) -> f64 {
    // Adding zero turns −0 into 0.
    (value * 10_000.0).round() / 10_000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_turn_with_the_side() {
        let win = Value::of(Score::from_value(score::TABLE_WIN - 5));
        assert_eq!(
            win,
            Value::proven(Certainty::Win, Some(5), ValueSource::Table)
        );
        assert_eq!(
            win.before(),
            Value::proven(Certainty::Loss, Some(6), ValueSource::Table)
        );
        let lost = Value::of(Score::from_value(6 - score::TABLE_END)).before();
        assert_eq!((lost.kind, lost.plies), (Certainty::Win, Some(7)));
        assert_eq!(lost.plies_to_end, Some(7));
        assert_eq!((win.plies_to_end, win.before().plies_to_end), (None, None));
        assert_eq!(Value::estimate(0.25).before().expected, -0.25);
        assert!(!Value::of(Score::Estimate(9_000)).is_exact());
    }

    #[test]
    fn numbers_are_written_short() {
        let text = serde_json::to_string(&Value::estimate(-0.000_01)).unwrap();
        assert!(text.contains("\"expected\":0.0,"), "{text}");
        let text = serde_json::to_string(&Value::estimate(1.0 / 3.0)).unwrap();
        assert!(text.contains("0.3333,"), "{text}");
    }
}
