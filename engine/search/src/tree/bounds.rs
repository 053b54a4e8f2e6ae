//! The arithmetic of chance nodes: bounds on outcomes, and the windows that follow.
//!
//! The average of a flip is Σ weight × value / Σ weight. Every outcome's value lies
//! between two bounds: at first the ends of the scale, later those of
//! the table or a probe, at last the value itself. So the average lies between the
//! weighted sums of lower and of upper bounds:
//!
//! - if the lower sum reaches beta, or the upper sum does not exceed alpha, the
//!   node is decided (all comparisons are of exact sums);
//! - an outcome need only be searched within the window in which it can still
//!   decide the node (Star1): at its top it alone lifts the lower sum to beta, at
//!   its bottom it drops the upper sum to alpha.
//!
//! [`Mixture`](crate::score::Mixture) defines the average: rounded toward zero, and
//! beyond ±10,000 only if every outcome is proven.

use crate::score::{UNPROVEN_BOUND, WIN};
use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Action, Piece, Position};
use smallvec::SmallVec;

/// The largest unproven value, in the type of a sum.
const SCALE: i64 = UNPROVEN_BOUND as i64;

/// A piece that may appear, and bounds on the value of that outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutcomeBounds {
    pub piece: Piece,
    pub weight: i64,
    pub lower: i64,
    pub upper: i64,
    /// The static evaluation after it, 0 before it is computed.
    pub estimate: i64,
}

impl OutcomeBounds {
    /// Whether nothing limits its value from above.
    pub(super) fn is_unlimited(&self) -> bool {
        self.upper >= SCALE
    }
}

pub(super) type Outcomes = SmallVec<[OutcomeBounds; 14]>;

/// Returns the outcomes of a flip, the most likely first; nothing is known of their values.
pub(super) fn outcomes(position: &Position) -> Outcomes {
    let kinds = position.hidden().iter();
    let mut outcomes: Outcomes = kinds
        .map(|(piece, count)| OutcomeBounds {
            piece,
            weight: i64::from(count),
            lower: -SCALE,
            upper: SCALE,
            estimate: 0,
        })
        .collect();
    sort_few_by_key(&mut outcomes, |outcome| -outcome.weight);
    outcomes
}

/// A value as it counts in an average: proofs are the ends of the scale.
pub(super) fn capped(value: i32) -> i64 {
    i64::from(value.clamp(-UNPROVEN_BOUND, UNPROVEN_BOUND))
}

/// The sums of bounds at a chance node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    lower: i64,
    upper: i64,
    /// The least sum whose average reaches beta.
    high: i64,
    /// The greatest sum whose average does not exceed alpha.
    low: i64,
    weight: i64,
}

impl Sums {
    /// Returns the sums of these outcomes, to be compared with a window.
    pub(super) fn new(outcomes: &[OutcomeBounds], (alpha, beta): (i32, i32)) -> Sums {
        let weight: i64 = outcomes.iter().map(|outcome| outcome.weight).sum();
        let (alpha, beta) = (i64::from(alpha), i64::from(beta));
        // The average is rounded toward zero.
        let high = if beta > 0 {
            beta * weight
        } else {
            (beta - 1) * weight + 1
        };
        let low = if alpha < 0 {
            alpha * weight
        } else {
            (alpha + 1) * weight - 1
        };
        Sums {
            lower: outcomes.iter().map(|o| o.weight * o.lower).sum(),
            upper: outcomes.iter().map(|o| o.weight * o.upper).sum(),
            high,
            low,
            weight,
        }
    }

    /// Replaces an outcome's bounds by narrower ones.
    pub(super) fn narrow(&mut self, outcome: &mut OutcomeBounds, lower: i64, upper: i64) {
        self.lower += outcome.weight * (lower - outcome.lower);
        self.upper += outcome.weight * (upper - outcome.upper);
        (outcome.lower, outcome.upper) = (lower, upper);
    }

    /// The bound that decides the node, if one does.
    pub(super) fn decided(&self) -> Option<i32> {
        if self.lower >= self.high {
            return Some((self.lower / self.weight) as i32);
        }
        (self.upper <= self.low).then(|| (self.upper / self.weight) as i32)
    }

    /// The window in which an outcome's value can still decide the node.
    pub(super) fn window(&self, outcome: &OutcomeBounds) -> (i32, i32) {
        let others_lower = self.lower - outcome.weight * outcome.lower;
        let others_upper = self.upper - outcome.weight * outcome.upper;
        let top = ceil_div(self.high - others_lower, outcome.weight);
        let bottom = floor_div(self.low - others_upper, outcome.weight);
        // Beyond the scale only proofs matter.
        let beta = if top > SCALE {
            WIN
        } else {
            top.max(-SCALE) as i32
        };
        let alpha = if bottom < -SCALE {
            -WIN
        } else {
            bottom.min(SCALE) as i32
        };
        (alpha, beta.max(alpha + 1))
    }

    /// Returns the least upper bound on the average, rounded up.
    pub(super) fn upper_bound(&self) -> i32 {
        match ceil_div(self.upper, self.weight) as i32 {
            // Nothing is known: all outcomes may be proven wins.
            upper if upper >= UNPROVEN_BOUND => WIN,
            upper => upper,
        }
    }

    /// The first outcome's share for the node to fail low: its greatest value if all
    /// unknown outcomes (those that may be as high as the scale) lie equally far from
    /// their estimates.
    pub(super) fn target(&self, outcomes: &[OutcomeBounds]) -> i32 {
        let (mut weight, mut known) = (0, self.upper);
        for outcome in outcomes.iter().filter(|outcome| outcome.is_unlimited()) {
            weight += outcome.weight;
            known -= outcome.weight * (outcome.upper - outcome.estimate);
        }
        let beyond = floor_div(self.low - known, weight.max(1));
        (outcomes[0].estimate + beyond).clamp(-SCALE, SCALE - 1) as i32
    }

    /// Returns the outcome to test next in a null window that is not decided, and the bound to test it
    /// against: is its value at most this?
    ///
    /// By the estimates, which lie between the bounds, the node fails high or low. It is decided
    /// once each outcome lies at most so far on the wrong side of its estimate that the sum
    /// just allows it. An outcome whose bound is nearer leaves the rest of its share to the others.
    /// The one is tested of which most is still in doubt, one that waits only if all do.
    pub(super) fn next_test(
        &self,
        outcomes: &[OutcomeBounds],
        waits: impl Fn(&OutcomeBounds) -> bool,
    ) -> Option<(usize, i32)> {
        let expected: i64 = outcomes.iter().map(|o| o.weight * o.estimate).sum();
        let is_high = expected >= self.high;
        let doubt = |outcome: &OutcomeBounds| {
            if is_high {
                outcome.estimate - outcome.lower
            } else {
                outcome.upper - outcome.estimate
            }
        };
        let mut room = if is_high {
            expected - self.high
        } else {
            self.low - expected
        };
        let mut open: SmallVec<[usize; 14]> = (0..outcomes.len()).collect();
        let share = loop {
            let weight: i64 = open.iter().map(|&index| outcomes[index].weight).sum();
            let share = floor_div(room, weight.max(1));
            let settled = |index: &usize| doubt(&outcomes[*index]) <= share;
            let Some(place) = open.iter().position(settled) else {
                break share;
            };
            let outcome = &outcomes[open.remove(place)];
            room -= outcome.weight * doubt(outcome);
        };
        let excess = |index: &usize| outcomes[*index].weight * (doubt(&outcomes[*index]) - share);
        let most = |among: &[usize]| among.iter().copied().rev().max_by_key(excess);
        let mut index = most(&open)?;
        if waits(&outcomes[index]) {
            open.retain(|index| !waits(&outcomes[*index]));
            index = most(&open).unwrap_or(index);
        }
        let estimate = outcomes[index].estimate;
        let bound = if is_high {
            estimate - share - 1
        } else {
            estimate + share
        };
        Some((index, bound as i32))
    }
}

fn floor_div(a: i64, b: i64) -> i64 {
    a.div_euclid(b)
}

fn ceil_div(a: i64, b: i64) -> i64 {
    -(-a).div_euclid(b)
}

/// Actions with upper bounds on their values.
pub(super) type ActionBounds = Vec<(Action, i32)>;

/// Returns the upper bound on an action, if there is one.
pub(super) fn bound_of(bounds: &ActionBounds, action: Action) -> Option<i32> {
    let known = bounds.iter().find(|(known, _)| *known == action);
    known.map(|(_, upper)| *upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Mixture;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Random outcomes, each with a value inside its bounds.
    fn random(chance: &mut Pcg64Mcg) -> (Outcomes, Vec<i32>) {
        let count = chance.random_range(1..=14);
        let mut values = Vec::new();
        let outcome = |piece| {
            let mut ends: [i64; 3] = std::array::from_fn(|_| chance.random_range(-SCALE..=SCALE));
            ends.sort_unstable();
            values.push(ends[1] as i32);
            OutcomeBounds {
                piece,
                weight: chance.random_range(1..=5),
                lower: ends[0],
                upper: ends[2],
                estimate: 0,
            }
        };
        let outcomes = Piece::all().take(count).map(outcome).collect();
        (outcomes, values)
    }

    fn average(outcomes: &[OutcomeBounds], values: &[i32]) -> i32 {
        let mut mixture = Mixture::default();
        for (outcome, value) in outcomes.iter().zip(values) {
            mixture.add(*value, outcome.weight as u32);
        }
        mixture.average()
    }

    #[test]
    fn a_decided_node_is_decided_whatever_the_values_are() {
        let mut chance = Pcg64Mcg::seed_from_u64(1);
        let mut decided = [0, 0];
        for _ in 0..20_000 {
            let (outcomes, values) = random(&mut chance);
            let alpha = chance.random_range(-10_000..10_000);
            let beta = chance.random_range(alpha + 1..=10_000);
            let average = average(&outcomes, &values);
            match Sums::new(&outcomes, (alpha, beta)).decided() {
                Some(bound) if bound >= beta => {
                    assert!(average >= bound);
                    decided[0] += 1;
                }
                Some(bound) => {
                    assert!(bound <= alpha && average <= bound);
                    decided[1] += 1;
                }
                None => {}
            }
        }
        assert!(decided.iter().all(|&n| n > 500), "{decided:?}");
    }

    #[test]
    fn known_values_decide_exactly_as_the_rounded_average_does() {
        let mut chance = Pcg64Mcg::seed_from_u64(2);
        for _ in 0..20_000 {
            let (mut outcomes, values) = random(&mut chance);
            for (outcome, value) in outcomes.iter_mut().zip(&values) {
                (outcome.lower, outcome.upper) = (capped(*value), capped(*value));
            }
            let average = average(&outcomes, &values);
            // Windows that end at the average itself, where rounding matters.
            for (alpha, beta) in [
                (average - 1, average),
                (average, average + 1),
                (average - 1, average + 1),
            ] {
                let decided = Sums::new(&outcomes, (alpha, beta)).decided();
                let is_inside = alpha < average && average < beta;
                assert_eq!(decided, (!is_inside).then_some(average), "{alpha} {beta}");
            }
        }
    }

    #[test]
    fn a_value_at_the_end_of_its_window_decides_and_one_inside_does_not() {
        let mut chance = Pcg64Mcg::seed_from_u64(3);
        let mut checked = 0;
        for _ in 0..20_000 {
            let (outcomes, _) = random(&mut chance);
            let alpha = chance.random_range(-9_000..9_000);
            let beta = chance.random_range(alpha + 1..=9_000);
            let sums = Sums::new(&outcomes, (alpha, beta));
            let (bottom, top) = sums.window(&outcomes[0]);
            let is_clamped = top.abs() >= UNPROVEN_BOUND || bottom.abs() >= UNPROVEN_BOUND;
            if sums.decided().is_some() || is_clamped || top <= bottom + 1 {
                continue;
            }
            let with = |value: i32| {
                let mut sums = sums;
                let mut outcome = outcomes[0];
                sums.narrow(&mut outcome, value.into(), value.into());
                sums.decided()
            };
            assert!(with(top).is_some_and(|bound| bound >= beta));
            assert!(with(bottom).is_some_and(|bound| bound <= alpha));
            assert!(with(top - 1).is_none_or(|bound| bound < beta));
            assert!(with(bottom + 1).is_none_or(|bound| bound > alpha));
            checked += 1;
        }
        assert!(checked > 1_000, "{checked}");
    }

    #[test]
    fn an_upper_bound_holds_and_nothing_known_may_be_a_win() {
        let mut chance = Pcg64Mcg::seed_from_u64(4);
        for _ in 0..5_000 {
            let (mut outcomes, values) = random(&mut chance);
            let sums = Sums::new(&outcomes, (0, WIN));
            assert!(average(&outcomes, &values) <= sums.upper_bound());
            for outcome in &mut outcomes {
                outcome.upper = SCALE;
            }
            assert_eq!(Sums::new(&outcomes, (0, WIN)).upper_bound(), WIN);
        }
    }

    /// Every outcome of which nothing is known lies as far from its estimate.
    #[test]
    fn targets_are_what_just_suffices() {
        let mut chance = Pcg64Mcg::seed_from_u64(5);
        let mut checked = 0;
        for _ in 0..20_000 {
            let (mut outcomes, _) = random(&mut chance);
            for outcome in &mut outcomes {
                outcome.estimate = chance.random_range(-1_000..=1_000);
                if chance.random_bool(0.5) {
                    (outcome.lower, outcome.upper) = (-SCALE, SCALE);
                }
            }
            (outcomes[0].lower, outcomes[0].upper) = (-SCALE, SCALE);
            let alpha = chance.random_range(-2_000..2_000);
            let sums = Sums::new(&outcomes, (alpha, alpha + 1));
            let decided = |first: i32| {
                let beyond = i64::from(first) - outcomes[0].estimate;
                let mut sums = sums;
                for outcome in outcomes.iter().filter(|outcome| outcome.is_unlimited()) {
                    let worth = outcome.estimate + beyond;
                    sums.narrow(&mut outcome.clone(), outcome.lower.min(worth), worth);
                }
                sums.decided()
            };
            let target = sums.target(&outcomes);
            if i64::from(target.abs()) < SCALE - 1 {
                assert!(decided(target).is_some_and(|bound| bound <= alpha));
                assert!(decided(target + 1).is_none_or(|bound| bound > alpha));
                checked += 1;
            }
            // A question to which the scale leaves both answers.
            assert!((-SCALE..SCALE).contains(&target.into()));
        }
        assert!(checked > 1_000, "{checked}");
    }

    /// Answers every test by the outcomes' true values, `slack` from the truth on the safe side.
    fn tests_until_decided(
        mut outcomes: Outcomes,
        values: &[i32],
        alpha: i32,
        slack: i64,
    ) -> (i32, usize) {
        let mut sums = Sums::new(&outcomes, (alpha, alpha + 1));
        for tests in 0.. {
            if let Some(bound) = sums.decided() {
                return (bound, tests);
            }
            let (index, bound) = sums.next_test(&outcomes, |_| false).expect("not decided");
            let (outcome, value) = (&mut outcomes[index], i64::from(values[index]));
            let bound = i64::from(bound);
            assert!((outcome.lower..outcome.upper).contains(&bound));
            let (lower, upper) = if value <= bound {
                (outcome.lower, (value + slack).min(bound))
            } else {
                ((value - slack).max(bound + 1), outcome.upper)
            };
            sums.narrow(outcome, lower, upper);
            outcome.estimate = outcome.estimate.clamp(lower, upper);
        }
        unreachable!("each test narrows an outcome")
    }

    #[test]
    fn tests_of_shares_decide_every_node_as_the_average_does() {
        let mut chance = Pcg64Mcg::seed_from_u64(6);
        let (mut high, mut total) = (0, [0, 0]);
        for round in 0..5_000 {
            let (mut outcomes, values) = random(&mut chance);
            let slack = chance.random_range(0..400);
            let error = if round % 2 == 0 { 0 } else { 500 };
            for (outcome, &value) in outcomes.iter_mut().zip(&values) {
                let estimate = i64::from(value) + chance.random_range(-error..=error);
                outcome.estimate = estimate.clamp(outcome.lower, outcome.upper);
            }
            let alpha = chance.random_range(-5_000..=5_000);
            let average = average(&outcomes, &values);
            let (bound, tests) = tests_until_decided(outcomes, &values, alpha, slack);
            assert_eq!(bound > alpha, average > alpha, "{bound} {average} {alpha}");
            assert!(if bound > alpha {
                bound <= average
            } else {
                bound >= average
            });
            high += u32::from(bound > alpha);
            total[round % 2] += tests;
        }
        assert!((1_000..4_000).contains(&high), "{high}");
        // With true estimates each outcome needs one test at most, and near the average all of them do.
        assert!(total[0] < 2_500 * 14 && total[0] < total[1], "{total:?}");
    }

    #[test]
    fn a_share_is_what_the_others_leave() {
        let outcome = |index: usize, weight, (lower, upper), estimate| OutcomeBounds {
            piece: Piece::all().nth(index).expect("a piece"),
            weight,
            lower,
            upper,
            estimate,
        };
        let outcomes: Outcomes = [
            outcome(0, 2, (-900, 900), 100),
            outcome(1, 1, (-900, 900), -200),
            // It can lie 10 above its estimate at most.
            outcome(2, 1, (-900, 10), 0),
        ]
        .into_iter()
        .collect();
        // They add up to 0; up to 4 × 50 + 3 the average does not exceed 50.
        let sums = Sums::new(&outcomes, (50, 51));
        let share = (203 - 10) / 3;
        let next = |waits: fn(&OutcomeBounds) -> bool| sums.next_test(&outcomes, waits);
        assert_eq!(next(|_| false), Some((0, 100 + share)));
        // While one waits, the other is tested, but never the one that needs no test.
        assert_eq!(next(|outcome| outcome.weight == 2), Some((1, -200 + share)));
        assert_eq!(next(|outcome| outcome.upper > 10), Some((0, 100 + share)));
        // They may lie 200 below, and -49 is reached by sums from -199 on.
        let sums = Sums::new(&outcomes, (-50, -49));
        assert_eq!(
            sums.next_test(&outcomes, |_| false),
            Some((0, 100 - 199 / 4 - 1))
        );
    }
}
