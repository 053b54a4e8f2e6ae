//! The value of a position or an action, with its proof or its exact expectation.

use anqi_search::Score;
use anqi_search::score::ProofSource;
use anqi_tablebase::{Fraction, Wdl};
use std::fmt;

/// A value for one side: an estimate, or how the game ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Valuation {
    /// The expected result, -1 to 1.
    Estimate(f64),
    /// The exact expectation over every arrangement of the face-down pieces.
    Exact(Fraction),
    /// A win, and how far it is, if that is known.
    Win(Option<Distance>),
    /// A draw.
    Draw,
    /// A loss, and how far it is, if that is known.
    Loss(Option<Distance>),
}

/// How far a win or loss is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// Plies to the end of the game.
    ToEnd(u32),
    /// Plies to the next capture or flip, or to the end if that comes first.
    ToCapture(u32),
}

impl Distance {
    /// Returns the plies, whatever they lead to.
    pub fn plies(self) -> u32 {
        match self {
            Distance::ToEnd(plies) | Distance::ToCapture(plies) => plies,
        }
    }

    /// Returns the plies if they lead to the end of the game.
    pub fn plies_to_end(self) -> Option<u32> {
        match self {
            Distance::ToEnd(plies) => Some(plies),
            Distance::ToCapture(_) => None,
        }
    }

    /// Returns the distance one ply earlier.
    #[must_use]
    pub fn before(self) -> Distance {
        match self {
            Distance::ToEnd(plies) => Distance::ToEnd(plies + 1),
            Distance::ToCapture(plies) => Distance::ToCapture(plies + 1),
        }
    }

    /// Returns the greater distance; only two to the end make one to the end.
    #[must_use]
    pub fn longer(self, other: Distance) -> Distance {
        let plies = self.plies().max(other.plies());
        match (self, other) {
            (Distance::ToEnd(_), Distance::ToEnd(_)) => Distance::ToEnd(plies),
            _ => Distance::ToCapture(plies),
        }
    }
}

impl Valuation {
    /// Returns a table value; `end` counts the plies to the end, if no limit can come before it,
    /// `capture` those to the next capture or the end.
    pub fn from_table(wdl: Wdl, end: Option<u16>, capture: Option<u16>) -> Valuation {
        let end = end.map(|plies| Distance::ToEnd(plies.into()));
        let distance = end.or(capture.map(|plies| Distance::ToCapture(plies.into())));
        match wdl {
            Wdl::Win => Valuation::Win(distance),
            Wdl::Draw => Valuation::Draw,
            Wdl::Loss => Valuation::Loss(distance),
        }
    }

    /// Converts the exact expectation of a position with this many face-down pieces. Certain
    /// results become wins, draws and losses; `plies` counts to the next capture or flip.
    pub fn from_expectation(expected: Fraction, plies: u16, face_down: usize) -> Valuation {
        match expected {
            Fraction::ONE => Valuation::Win(Some(Distance::ToCapture(plies.into()))),
            expected if expected == -Fraction::ONE => {
                Valuation::Loss(Some(Distance::ToCapture(plies.into())))
            }
            // At most one piece is face down, so zero is no average but a certain draw.
            Fraction::ZERO if face_down <= 1 => Valuation::Draw,
            expected => Valuation::Exact(expected),
        }
    }

    /// Returns the value one ply earlier, for the side that played it.
    pub fn before(self) -> Valuation {
        let one_more = |distance: Option<Distance>| distance.map(Distance::before);
        match self {
            Valuation::Estimate(expected) => Valuation::Estimate(-expected),
            Valuation::Exact(expected) => Valuation::Exact(-expected),
            Valuation::Win(plies) => Valuation::Loss(one_more(plies)),
            Valuation::Draw => Valuation::Draw,
            Valuation::Loss(plies) => Valuation::Win(one_more(plies)),
        }
    }

    /// Returns how far a win or loss is, if that is known.
    pub fn distance(self) -> Option<Distance> {
        match self {
            Valuation::Win(distance) | Valuation::Loss(distance) => distance,
            Valuation::Estimate(_) | Valuation::Exact(_) | Valuation::Draw => None,
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
        let distance = |plies: u32, source: ProofSource| {
            Some(if source.is_to_end() {
                Distance::ToEnd(plies)
            } else {
                Distance::ToCapture(plies)
            })
        };
        match score {
            Score::Estimate(_) => Valuation::Estimate(score.expected_result()),
            Score::Win { plies, source } => Valuation::Win(distance(plies, source)),
            Score::Loss { plies, source } => Valuation::Loss(distance(plies, source)),
            Score::Draw => Valuation::Draw,
        }
    }
}

impl fmt::Display for Valuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Valuation::Estimate(expected) => format!("{expected:+.3}"),
            Valuation::Exact(expected) => format!("exact {expected}"),
            Valuation::Win(Some(distance)) => format!("win {}", distance.plies()),
            Valuation::Win(None) => "win".to_owned(),
            Valuation::Draw => "draw".to_owned(),
            Valuation::Loss(Some(distance)) => format!("loss {}", distance.plies()),
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
            (
                Valuation::Win(Some(Distance::ToEnd(4))),
                Valuation::Loss(Some(Distance::ToEnd(5))),
                "loss 5",
            ),
            (
                Valuation::Loss(Some(Distance::ToCapture(4))),
                Valuation::Win(Some(Distance::ToCapture(5))),
                "win 5",
            ),
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
