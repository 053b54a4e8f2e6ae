//! The value of a position or an action, as it is printed.

use anqi_search::Score;
use anqi_tablebase::{Fraction, Wdl};
use serde_json::{Value as Json, json};
use std::fmt;

/// A value for one side: an estimate, or how the game ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// The expected result, -1 to 1.
    Estimate(f64),
    /// The exact expectation over every arrangement of the face-down pieces.
    Exact(Fraction),
    /// A win in this many plies, if the distance is known.
    Win(Option<u32>),
    /// A draw.
    Draw,
    /// A loss in this many plies, if the distance is known.
    Loss(Option<u32>),
}

impl Value {
    /// Returns a table value; `plies` counts to the next capture or the end.
    pub fn from_table(wdl: Wdl, plies: Option<u16>) -> Value {
        let plies = plies.map(u32::from);
        match wdl {
            Wdl::Win => Value::Win(plies),
            Wdl::Draw => Value::Draw,
            Wdl::Loss => Value::Loss(plies),
        }
    }

    /// Converts the exact expectation of a position with this many face-down pieces. Certain
    /// results become wins, draws and losses; `plies` counts to the next capture or flip.
    pub fn from_expectation(expected: Fraction, plies: u16, face_down: usize) -> Value {
        match expected {
            Fraction::ONE => Value::Win(Some(plies.into())),
            expected if expected == -Fraction::ONE => Value::Loss(Some(plies.into())),
            // At most one piece is face down, so zero is no average but a certain draw.
            Fraction::ZERO if face_down <= 1 => Value::Draw,
            expected => Value::Exact(expected),
        }
    }

    /// Returns the value one ply earlier, for the side that played it.
    pub fn before(self) -> Value {
        let one_more = |plies: Option<u32>| plies.map(|plies| plies + 1);
        match self {
            Value::Estimate(expected) => Value::Estimate(-expected),
            Value::Exact(expected) => Value::Exact(-expected),
            Value::Win(plies) => Value::Loss(one_more(plies)),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(one_more(plies)),
        }
    }

    /// Returns the expected result, -1 to 1.
    pub fn expected(self) -> f64 {
        match self {
            Value::Estimate(expected) => expected,
            Value::Exact(expected) => expected.into(),
            Value::Win(_) => 1.0,
            Value::Draw => 0.0,
            Value::Loss(_) => -1.0,
        }
    }

    /// Returns the fields of the value in JSON.
    pub fn to_json(self) -> Json {
        let (verdict, plies) = match self {
            Value::Estimate(_) | Value::Exact(_) => (None, None),
            Value::Win(plies) => (Some("win"), plies),
            Value::Draw => (Some("draw"), None),
            Value::Loss(plies) => (Some("loss"), plies),
        };
        let exact = match self {
            Value::Exact(expected) => Some(expected.to_string()),
            _ => None,
        };
        json!({"expected": self.expected(), "verdict": verdict, "plies": plies, "exact": exact})
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        match score {
            Score::Estimate(_) => Value::Estimate(score.expected_result()),
            Score::Win { plies, .. } => Value::Win(Some(plies)),
            Score::Loss { plies, .. } => Value::Loss(Some(plies)),
            Score::Draw => Value::Draw,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Value::Estimate(expected) => format!("{expected:+.3}"),
            Value::Exact(expected) => format!("exact {expected}"),
            Value::Win(Some(plies)) => format!("win {plies}"),
            Value::Win(None) => "win".to_owned(),
            Value::Draw => "draw".to_owned(),
            Value::Loss(Some(plies)) => format!("loss {plies}"),
            Value::Loss(None) => "loss".to_owned(),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_one_ply_earlier_is_the_other_sides() {
        let cases = [
            (Value::Estimate(0.25), Value::Estimate(-0.25), "-0.250"),
            (
                Value::Exact(Fraction::new(2, 3)),
                Value::Exact(Fraction::new(-2, 3)),
                "exact -2/3",
            ),
            (Value::Win(Some(4)), Value::Loss(Some(5)), "loss 5"),
            (Value::Loss(None), Value::Win(None), "win"),
            (Value::Draw, Value::Draw, "draw"),
        ];
        for (after, before, text) in cases {
            assert_eq!(after.before(), before);
            assert_eq!(before.to_string(), text);
            assert_eq!(before.expected(), -after.expected());
        }
        assert_eq!(format!("{:<7}|", Value::Draw), "draw   |");
    }

    #[test]
    fn proven_scores_are_no_numbers_beyond_one() {
        for value in [-11_000, -10_482, -10_000, 0, 9_000, 10_000, 10_482, 11_000] {
            let shown = Value::from(Score::from_value(value));
            assert!(shown.expected().abs() <= 1.0, "{value}");
            assert_eq!(matches!(shown, Value::Estimate(_)), value.abs() <= 10_000);
        }
    }
}
