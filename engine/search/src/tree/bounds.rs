//! The arithmetic of chance nodes: bounds on outcomes, and the windows that follow.
//!
//! The average of a flip is Σ weight × value / Σ weight. Every outcome's value lies
//! between two bounds: at first the ends of the scale or a likely range, later those of
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

/// Two bounds on a value.
pub(super) type Range = (i64, i64);

/// The range of an unknown value.
pub(super) const ANYWHERE: Range = (-SCALE, SCALE);

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

pub(super) type Outcomes = SmallVec<[OutcomeBounds; 14]>;

/// Returns the outcomes of a flip, the most likely first, each within a range.
pub(super) fn outcomes(position: &Position, (lower, upper): Range) -> Outcomes {
    let kinds = position.hidden().iter();
    let mut outcomes: Outcomes = kinds
        .map(|(piece, count)| OutcomeBounds {
            piece,
            weight: i64::from(count),
            lower,
            upper,
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
    /// unknown outcomes (those with the upper end of the range) lie equally far from
    /// their estimates.
    pub(super) fn target(&self, outcomes: &[OutcomeBounds], (_, most): Range) -> i32 {
        let (mut weight, mut known) = (0, self.upper);
        for outcome in outcomes.iter().filter(|outcome| outcome.upper >= most) {
            weight += outcome.weight;
            known -= outcome.weight * (outcome.upper - outcome.estimate);
        }
        let beyond = floor_div(self.low - known, weight.max(1));
        (outcomes[0].estimate + beyond).clamp(-SCALE, SCALE - 1) as i32
    }

    /// The first outcome's share for the node to fail high: its least value if all
    /// unknown outcomes (those with the lower end of the range) lie equally far from
    /// their estimates.
    pub(super) fn goal(&self, outcomes: &[OutcomeBounds], (least, _): Range) -> i32 {
        let (mut weight, mut known) = (0, self.lower);
        for outcome in outcomes.iter().filter(|outcome| outcome.lower <= least) {
            weight += outcome.weight;
            known += outcome.weight * (outcome.estimate - outcome.lower);
        }
        let beyond = ceil_div(self.high - known, weight.max(1));
        (outcomes[0].estimate + beyond).clamp(1 - SCALE, SCALE) as i32
    }

    /// Whether the node fails high if every outcome has its estimated value.
    pub(super) fn is_high_by_estimates(&self, outcomes: &[OutcomeBounds]) -> bool {
        let expected: i64 = outcomes.iter().map(|o| o.weight * o.estimate).sum();
        expected >= self.high
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
    fn targets_and_goals_are_what_just_suffices() {
        let mut chance = Pcg64Mcg::seed_from_u64(5);
        let mut checked = [0, 0];
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
            let is_open =
                |outcome: &OutcomeBounds| outcome.upper >= SCALE && outcome.lower <= -SCALE;
            let decided = |first: i32| {
                let beyond = i64::from(first) - outcomes[0].estimate;
                let mut sums = sums;
                for outcome in outcomes.iter().filter(|outcome| is_open(outcome)) {
                    let worth = outcome.estimate + beyond;
                    sums.narrow(&mut outcome.clone(), worth, worth);
                }
                sums.decided()
            };
            let is_known =
                |end: fn(&OutcomeBounds) -> bool| outcomes.iter().all(|o| is_open(o) || !end(o));
            let target = sums.target(&outcomes, ANYWHERE);
            if is_known(|o| o.upper >= SCALE) && i64::from(target.abs()) < SCALE - 1 {
                assert!(decided(target).is_some_and(|bound| bound <= alpha));
                assert!(decided(target + 1).is_none_or(|bound| bound > alpha));
                checked[0] += 1;
            }
            let goal = sums.goal(&outcomes, ANYWHERE);
            // A question to which the scale leaves both answers.
            assert!((-SCALE..SCALE).contains(&target.into()));
            assert!((1 - SCALE..=SCALE).contains(&goal.into()));
            if is_known(|o| o.lower <= -SCALE) && i64::from(goal.abs()) < SCALE - 1 {
                assert!(decided(goal).is_some_and(|bound| bound > alpha));
                assert!(decided(goal - 1).is_none_or(|bound| bound <= alpha));
                checked[1] += 1;
            }
        }
        assert!(checked.iter().all(|&n| n > 1_000), "{checked:?}");
    }

    #[test]
    fn estimates_lift_a_node_to_beta_as_values_would() {
        let mut chance = Pcg64Mcg::seed_from_u64(6);
        let mut high = 0;
        for _ in 0..5_000 {
            let (mut outcomes, values) = random(&mut chance);
            for (outcome, value) in outcomes.iter_mut().zip(values) {
                outcome.estimate = i64::from(value);
            }
            let beta = chance.random_range(-5_000..=5_000);
            let sums = Sums::new(&outcomes, (beta - 1, beta));
            let mut as_estimated = sums;
            for outcome in &mut outcomes.clone() {
                let estimate = outcome.estimate;
                as_estimated.narrow(outcome, estimate, estimate);
            }
            let reached = as_estimated.decided().expect("every value is known") >= beta;
            assert_eq!(sums.is_high_by_estimates(&outcomes), reached);
            high += u32::from(reached);
        }
        assert!((1_000..4_000).contains(&high), "{high}");
    }
}
