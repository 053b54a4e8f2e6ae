//! The three flip policies of the paper.
//!
//! BASIC searches moves only. Having found the best move, it must decide
//! whether to play it or to flip a face-down piece instead. Flips are not
//! searched; a *null-move search* estimates their value: that of the position
//! after passing the turn.

use std::fmt;

/// How BASIC decides between its best move and a flip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum FlipPolicy {
    /// *Move-first*: if there is a move, play the best one. Flip only when there is none.
    MoveFirst,
    /// *Comparing*: flip if passing the turn is not worse than the best move.
    #[default]
    Compare,
    /// *Take-advantage-or-flip*: if the best move is worth more than the position's
    /// static evaluation, play it. Else flip if passing the turn is better than the
    /// best move.
    Advantage,
}

/// Shifts of the two comparisons, in units of the evaluation; zero in the paper's policies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Margins {
    /// The null move must be this much better than the paper requires for a flip to be played.
    pub null_move: i32,
    /// *Take-advantage-or-flip* plays a move at once only if it is worth this much more than the
    /// static evaluation.
    pub static_value: i32,
}

impl Margins {
    /// The greatest absolute margin: no two values are further apart.
    pub(crate) const MOST: i32 = 2 * crate::score::WIN;
}

/// What a policy decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// Play the best move.
    Move,
    /// Flip.
    Flip,
}

impl FlipPolicy {
    /// Names and policies.
    pub(crate) const ALL: [(&'static str, FlipPolicy); 3] = [
        ("move-first", FlipPolicy::MoveFirst),
        ("compare", FlipPolicy::Compare),
        ("advantage", FlipPolicy::Advantage),
    ];

    /// Returns the policy with this name.
    pub(crate) fn named(name: &str) -> Option<FlipPolicy> {
        let found = FlipPolicy::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, policy)| *policy)
    }

    /// Decides, given the margins, the value of the best move, the static evaluation,
    /// and a function for the value of the null move, called if it is needed. `None`
    /// if that function returns `None`.
    pub(crate) fn decide(
        self,
        margins: Margins,
        best_move: i32,
        as_it_stands: i32,
        null_move: impl FnOnce() -> Option<i32>,
    ) -> Option<Decision> {
        let flip = match self {
            FlipPolicy::MoveFirst => false,
            FlipPolicy::Compare => null_move()? >= best_move + margins.null_move,
            FlipPolicy::Advantage => {
                best_move <= as_it_stands + margins.static_value
                    && null_move()? > best_move + margins.null_move
            }
        };
        Some(if flip { Decision::Flip } else { Decision::Move })
    }
}

impl fmt::Display for FlipPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = FlipPolicy::ALL.iter().find(|(_, policy)| policy == self);
        f.write_str(named.map_or("", |(name, _)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_decide_as_the_paper_says() {
        let decide = |policy: FlipPolicy, best, stands, null| {
            let margins = Margins::default();
            policy.decide(margins, best, stands, || Some(null)).unwrap()
        };
        use {Decision::*, FlipPolicy::*};
        assert_eq!(decide(MoveFirst, -5, 0, 9), Move);
        assert_eq!(decide(Compare, 3, 0, 3), Flip);
        assert_eq!(decide(Compare, 3, 0, 2), Move);
        assert_eq!(decide(Advantage, 3, 2, 9), Move);
        assert_eq!(decide(Advantage, 2, 2, 3), Flip);
        assert_eq!(decide(Advantage, 2, 2, 2), Move);
    }

    #[test]
    fn margins_shift_both_comparisons() {
        let decide = |policy: FlipPolicy, margins: [i32; 2], best, stands, null| {
            let [null_move, static_value] = margins;
            let margins = Margins {
                null_move,
                static_value,
            };
            policy.decide(margins, best, stands, || Some(null)).unwrap()
        };
        use {Decision::*, FlipPolicy::*};
        assert_eq!(decide(Compare, [10, 0], 3, 0, 12), Move);
        assert_eq!(decide(Compare, [10, 0], 3, 0, 13), Flip);
        assert_eq!(decide(Compare, [-10, 0], 3, 0, -7), Flip);
        // A move that gains 5 is played at once unless it must gain more.
        assert_eq!(decide(Advantage, [0, 0], 5, 0, 9), Move);
        assert_eq!(decide(Advantage, [0, 5], 5, 0, 9), Flip);
        assert_eq!(decide(Advantage, [4, 5], 5, 0, 9), Move);
        let never = [Margins::MOST, 0];
        assert_eq!(decide(Compare, never, -11_000, 0, 10_999), Move);
    }

    #[test]
    fn the_null_move_is_searched_only_when_it_matters() {
        let never = || unreachable!("not needed");
        assert_eq!(
            FlipPolicy::MoveFirst.decide(Margins::default(), 0, 0, never),
            Some(Decision::Move)
        );
        assert_eq!(
            FlipPolicy::Advantage.decide(Margins::default(), 1, 0, never),
            Some(Decision::Move)
        );
        assert_eq!(
            FlipPolicy::Compare.decide(Margins::default(), 1, 0, || None),
            None
        );
    }
}
