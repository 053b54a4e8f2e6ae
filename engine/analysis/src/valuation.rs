//! The value of a position or an action, with its proof or its exact expectation.

use anqi_search::Score;
use anqi_tablebase::{Fraction, Wdl};
use std::fmt;

/// A value for one side: an estimate, or how the game ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Valuation {
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

impl Valuation {
    /// Returns a table value; `plies` counts to the next capture or the end.
    pub fn from_table(wdl: Wdl, plies: Option<u16>) -> Valuation {
        let plies = plies.map(u32::from);
        match wdl {
            Wdl::Win => Valuation::Win(plies),
            Wdl::Draw => Valuation::Draw,
            Wdl::Loss => Valuation::Loss(plies),
        }
    }

    /// Converts the exact expectation of a position with this many face-down pieces. Certain
    /// results become wins, draws and losses; `plies` counts to the next capture or flip.
    pub fn from_expectation(expected: Fraction, plies: u16, face_down: usize) -> Valuation {
        match expected {
            Fraction::ONE => Valuation::Win(Some(plies.into())),
            expected if expected == -Fraction::ONE => Valuation::Loss(Some(plies.into())),
            // At most one piece is face down, so zero is no average but a certain draw.
            Fraction::ZERO if face_down <= 1 => Valuation::Draw,
            expected => Valuation::Exact(expected),
        }
    }

    /// Returns the value one ply earlier, for the side that played it.
    pub fn before(self) -> Valuation {
        let one_more = |plies: Option<u32>| plies.map(|plies| plies + 1);
        match self {
            Valuation::Estimate(expected) => Valuation::Estimate(-expected),
            Valuation::Exact(expected) => Valuation::Exact(-expected),
            Valuation::Win(plies) => Valuation::Loss(one_more(plies)),
            Valuation::Draw => Valuation::Draw,
            Valuation::Loss(plies) => Valuation::Win(one_more(plies)),
        }
    }

    /// Returns the expected result, -1 to 1.
    pub fn expected(self) -> f64 {
        match self {
            Valuation::Estimate(expected) => expected,
            Valuation::Exact(expected) => expected.into(),
            Valuation::Win(_) => 1.0,
            Valuation::Draw => 0.0,
            Valuation::Loss(_) => -1.0,
        }
    }
}

impl From<Score> for Valuation {
    fn from(score: Score) -> Valuation {
        match score {
            Score::Estimate(_) => Valuation::Estimate(score.expected_result()),
            Score::Win { plies, .. } => Valuation::Win(Some(plies)),
            Score::Loss { plies, .. } => Valuation::Loss(Some(plies)),
            Score::Draw => Valuation::Draw,
        }
    }
}

impl fmt::Display for Valuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Valuation::Estimate(expected) => format!("{expected:+.3}"),
            Valuation::Exact(expected) => format!("exact {expected}"),
            Valuation::Win(Some(plies)) => format!("win {plies}"),
            Valuation::Win(None) => "win".to_owned(),
            Valuation::Draw => "draw".to_owned(),
            Valuation::Loss(Some(plies)) => format!("loss {plies}"),
            Valuation::Loss(None) => "loss".to_owned(),
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
            (
                Valuation::Estimate(0.25),
                Valuation::Estimate(-0.25),
                "-0.250",
            ),
            (
                Valuation::Exact(Fraction::new(2, 3)),
                Valuation::Exact(Fraction::new(-2, 3)),
                "exact -2/3",
            ),
            (Valuation::Win(Some(4)), Valuation::Loss(Some(5)), "loss 5"),
            (Valuation::Loss(None), Valuation::Win(None), "win"),
            (Valuation::Draw, Valuation::Draw, "draw"),
        ];
        for (after, before, text) in cases {
            assert_eq!(after.before(), before);
            assert_eq!(before.to_string(), text);
            assert_eq!(before.expected(), -after.expected());
        }
        assert_eq!(format!("{:<7}|", Valuation::Draw), "draw   |");
    }

    #[test]
    fn proven_scores_are_no_numbers_beyond_one() {
        for value in [-11_000, -10_482, -10_000, 0, 9_000, 10_000, 10_482, 11_000] {
            let shown = Valuation::from(Score::from_value(value));
            assert!(shown.expected().abs() <= 1.0, "{value}");
            assert_eq!(
                matches!(shown, Valuation::Estimate(_)),
                value.abs() <= 10_000
            );
        }
    }
}
