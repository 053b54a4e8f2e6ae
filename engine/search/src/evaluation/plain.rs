//! The evaluations that plain searches can use by name.
//!
//! Those of the paper's players depend only on the living pieces, face up or face
//! down, so they change only with captures. The champion's are here too, with and
//! without its network, so that plain searches can be compared with the champion.

use super::piece_values::{PieceValues, STATIC_VALUES, dynamic_values, living};
use super::{Evaluation, Evaluator};
use crate::score::ESTIMATE_BOUND;
use anqi_rules::{Color, Position};
use std::cell::RefCell;
use std::fmt;

thread_local! {
    /// The hand-made terms, with their cache.
    static HAND_MADE: RefCell<Evaluator> = RefCell::default();
    /// The champion's evaluation, terms and network, with its cache.
    static LEARNED: RefCell<Evaluator> =
        RefCell::new(Evaluator::new(Evaluation::learned()));
}

/// How to value a position without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PlainEvaluation {
    /// Fixed piece values.
    #[default]
    Static,
    /// Other fixed piece values.
    Valued(PieceValues),
    /// Values that follow the living enemy pieces.
    Dynamic,
    /// The champion's hand-made terms, which know the squares too.
    Full,
    /// The evaluation with the built-in network.
    Learned,
}

impl PlainEvaluation {
    /// Names and evaluations.
    pub const ALL: [(&'static str, PlainEvaluation); 4] = [
        ("static", PlainEvaluation::Static),
        ("dynamic", PlainEvaluation::Dynamic),
        ("full", PlainEvaluation::Full),
        ("learned", PlainEvaluation::Learned),
    ];

    /// Returns the evaluation with this name.
    pub fn named(name: &str) -> Option<PlainEvaluation> {
        // These terms were once called `judged`, as in old records.
        let name = if name == "judged" { "full" } else { name };
        let found = PlainEvaluation::ALL
            .iter()
            .find(|(known, _)| *known == name);
        found.map(|(_, evaluation)| *evaluation)
    }

    /// Returns the value of a position for the side to move (for red before the first flip).
    pub fn value(self, position: &Position) -> i32 {
        let evaluator = match self {
            PlainEvaluation::Full => Some(&HAND_MADE),
            PlainEvaluation::Learned => Some(&LEARNED),
            PlainEvaluation::Static | PlainEvaluation::Valued(_) | PlainEvaluation::Dynamic => None,
        };
        if let Some(evaluator) = evaluator {
            return evaluator.with_borrow_mut(|evaluator| evaluator.value(position));
        }
        let side = position.turn().unwrap_or(Color::Red);
        self.side(position, side) - self.side(position, !side)
    }

    fn side(self, position: &Position, color: Color) -> i32 {
        let own = living(position, color);
        let values = match self {
            PlainEvaluation::Static => STATIC_VALUES,
            PlainEvaluation::Valued(PieceValues(values)) => values,
            _ => dynamic_values(&living(position, !color)),
        };
        let sum: i32 = own.iter().zip(values).map(|(n, value)| n * value).sum();
        sum.min(ESTIMATE_BOUND)
    }
}

/// Prints the name; piece values are separate parameters.
impl fmt::Display for PlainEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            PlainEvaluation::Valued(_) => &PlainEvaluation::Static,
            other => other,
        };
        let named = PlainEvaluation::ALL.iter().find(|(_, known)| known == kind);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::Role;

    #[test]
    fn the_start_is_even_and_extremes_stay_estimates() {
        for (_, evaluation) in PlainEvaluation::ALL {
            assert_eq!(evaluation.value(&Position::start()), 0);
            let crushing = "KGGM/MRRN/NCCP/PPPP/4/4/4/p3 r - 0 0".parse().unwrap();
            let value = evaluation.value(&crushing);
            assert!((1_000..=ESTIMATE_BOUND).contains(&value), "{value}");
        }
    }

    #[test]
    fn other_piece_values_change_what_is_on_the_board() {
        let position: Position = "K3/4/4/4/4/4/4/p2p r - 0 0".parse().unwrap();
        let mut values = PieceValues::default();
        let valued = |values| PlainEvaluation::Valued(values).value(&position);
        assert_eq!(valued(values), PlainEvaluation::Static.value(&position));
        values.0[Role::Pawn.index()] += 100;
        let static_value = PlainEvaluation::Static.value(&position);
        assert_eq!(valued(values), static_value - 200);
        values.0 = [PieceValues::MOST; anqi_rules::ROLES];
        let crushing = "KGGM/MRRN/NCCP/PPPP/4/4/4/p3 r - 0 0".parse().unwrap();
        let value = PlainEvaluation::Valued(values).value(&crushing);
        assert!(value <= ESTIMATE_BOUND);
    }

    #[test]
    fn taking_a_piece_never_lowers_the_dynamic_value() {
        let before: Position = "KGGM/MRRN/NCCP/4/4/kg2/mrnc/pppp r - 0 0".parse().unwrap();
        for square in before.color(Color::Black) {
            let mut setup = anqi_rules::Setup::from(&before);
            setup.board[square.index()] = anqi_rules::Content::Empty;
            let after = setup.position().unwrap();
            let values = [before, after].map(|p| PlainEvaluation::Dynamic.value(&p));
            assert!(values[0] < values[1], "{square}: {values:?}");
        }
    }
}
