//! Results with the luck taken out.
//!
//! Luck has mean zero ([`crate::luck`]), so a multiple of it can be subtracted
//! from a score without shifting its mean: a control variate. The multiple that
//! leaves the least variance is `Cov(score, luck) / Var(luck)`. If it came from
//! all pairs at once, each pair would influence its own correction and bias the
//! mean. Therefore a pair's coefficient comes from the other pairs (leave one
//! out) in a report, and from the pairs before it in a sequential test: either
//! way it is independent of the pair it is used for. It may also be fixed
//! beforehand.

use super::moments::{Estimate, Sample};

/// The coefficient before anything is known: luck taken at its face value.
const PRIOR: f64 = 1.0;
/// The sum of squares of luck that the prior counts for, about that of five pairs.
///
/// The mean is unbiased whatever it is; without it the first few pairs would
/// get wild coefficients.
const PRIOR_WEIGHT: f64 = 0.1;

/// A's score in a pair, and its luck.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairResult {
    /// A's mean score per game, from 0 to 1.
    pub score: f64,
    /// A's luck in the same units, positive if luck was with A.
    pub luck: f64,
}

/// Where the coefficient of luck comes from.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Coefficient {
    /// Estimated for each pair from others.
    #[default]
    Estimated,
    /// Fixed before the match.
    Fixed(f64),
}

/// Scores beside scores with the luck taken out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Adjustment {
    /// The coefficient, on average over the pairs.
    pub coefficient: f64,
    /// Mean luck of A, whose expectation is zero.
    pub luck: Estimate,
    /// Mean raw score of A.
    pub raw: Estimate,
    /// Mean score of A with the luck taken out.
    pub adjusted: Estimate,
    /// Variance of an adjusted pair over that of a raw one.
    pub variance_ratio: Option<f64>,
}

/// Sums from which coefficients follow.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Sums {
    pairs: f64,
    score: f64,
    luck: f64,
    product: f64,
    square: f64,
}

impl Sums {
    fn plus(self, pair: PairResult, weight: f64) -> Sums {
        let PairResult { score, luck } = pair;
        Sums {
            pairs: self.pairs + weight,
            score: self.score + weight * score,
            luck: self.luck + weight * luck,
            product: self.product + weight * score * luck,
            square: self.square + weight * luck * luck,
        }
    }

    /// Returns the coefficient that these pairs give for others.
    fn coefficient(self) -> f64 {
        let mean = self.score / self.pairs.max(1.0);
        let covariance = self.product - mean * self.luck;
        (covariance + PRIOR * PRIOR_WEIGHT) / (self.square + PRIOR_WEIGHT)
    }
}

/// Returns the coefficient for each pair.
pub fn coefficients(
    pairs: impl Iterator<Item = PairResult> + Clone,
    coefficient: Coefficient,
) -> impl Iterator<Item = f64> {
    let all = pairs
        .clone()
        .fold(Sums::default(), |sums, pair| sums.plus(pair, 1.0));
    pairs.map(move |pair| match coefficient {
        Coefficient::Fixed(fixed) => fixed,
        Coefficient::Estimated => all.plus(pair, -1.0).coefficient(),
    })
}

/// Takes the luck out of the scores of finished pairs; `None` without pairs.
pub fn adjust(
    pairs: impl Iterator<Item = PairResult> + Clone,
    coefficient: Coefficient,
) -> Option<Adjustment> {
    let (mut raw, mut adjusted) = (Sample::default(), Sample::default());
    let (mut luck, mut coefficients) = (Sample::default(), Sample::default());
    let used = self::coefficients(pairs.clone(), coefficient);
    for (pair, used) in pairs.zip(used) {
        raw.add(pair.score);
        luck.add(pair.luck);
        adjusted.add(pair.score - used * pair.luck);
        coefficients.add(used);
    }
    let ratio = |raw: f64, adjusted: f64| (raw > 0.0).then(|| adjusted / raw);
    Some(Adjustment {
        coefficient: coefficients.estimate()?.mean,
        luck: luck.estimate()?,
        raw: raw.estimate()?,
        adjusted: adjusted.estimate()?,
        variance_ratio: raw
            .variance()
            .zip(adjusted.variance())
            .and_then(|(raw, adjusted)| ratio(raw, adjusted)),
    })
}

/// Adjusted scores in the order of the pairs, for a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RunningAdjustment {
    coefficient: Coefficient,
    before: Sums,
    raw: Sample,
    adjusted: Sample,
}

impl RunningAdjustment {
    /// Begins before the first pair.
    pub fn new(coefficient: Coefficient) -> RunningAdjustment {
        RunningAdjustment {
            coefficient,
            ..RunningAdjustment::default()
        }
    }

    /// Counts the next pair.
    pub fn add(&mut self, pair: PairResult) {
        let used = match self.coefficient {
            Coefficient::Fixed(fixed) => fixed,
            Coefficient::Estimated => self.before.coefficient(),
        };
        self.raw.add(pair.score);
        self.adjusted.add(pair.score - used * pair.luck);
        self.before = self.before.plus(pair, 1.0);
    }

    /// Returns the raw scores.
    pub fn raw(&self) -> &Sample {
        &self.raw
    }

    /// Returns the adjusted scores.
    pub fn adjusted(&self) -> &Sample {
        &self.adjusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs whose score is luck times `effect` and noise around a mean.
    fn pairs(count: usize, mean: f64, effect: f64, seed: u64) -> Vec<PairResult> {
        let mut state = seed;
        let mut unit = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 31) - 0.5
        };
        let pair = |_| {
            let luck = 0.4 * unit();
            let noise = 0.5 * unit();
            PairResult {
                score: mean + effect * luck + noise,
                luck,
            }
        };
        (0..count).map(pair).collect()
    }

    /// The coefficient of each pair computed from all others, one by one.
    fn left_out(pairs: &[PairResult], index: usize) -> f64 {
        let others = pairs.iter().enumerate().filter(|(i, _)| *i != index);
        let others: Vec<PairResult> = others.map(|(_, pair)| *pair).collect();
        let mean = others.iter().map(|p| p.score).sum::<f64>() / others.len() as f64;
        let covariance: f64 = others.iter().map(|p| (p.score - mean) * p.luck).sum();
        let square: f64 = others.iter().map(|p| p.luck * p.luck).sum();
        (covariance + PRIOR * PRIOR_WEIGHT) / (square + PRIOR_WEIGHT)
    }

    #[test]
    fn sums_give_what_leaving_out_one_by_one_gives() {
        let pairs = pairs(50, 0.5, 1.4, 3);
        let adjustment = adjust(pairs.iter().copied(), Coefficient::Estimated).expect("pairs");
        let scores = pairs.iter().enumerate();
        let slow: Sample = scores
            .map(|(i, pair)| pair.score - left_out(&pairs, i) * pair.luck)
            .collect();
        let slow = slow.estimate().expect("pairs");
        assert!((adjustment.adjusted.mean - slow.mean).abs() < 1e-12);
        let error = adjustment.adjusted.standard_error.zip(slow.standard_error);
        assert!(error.is_some_and(|(fast, slow)| (fast - slow).abs() < 1e-12));
    }

    #[test]
    fn luck_goes_and_the_mean_stays() {
        let pairs = pairs(4_000, 0.55, 1.4, 1);
        let adjustment = adjust(pairs.iter().copied(), Coefficient::Estimated).expect("pairs");
        assert!((adjustment.coefficient - 1.4).abs() < 0.1, "{adjustment:?}");
        // Noise alone has 0.25/12 of variance, luck adds 0.16/12 times 1.4 squared.
        let expected = 0.25 / (0.25 + 0.16 * 1.96);
        let ratio = adjustment.variance_ratio.expect("scores vary");
        assert!((ratio - expected).abs() < 0.03, "{ratio} {expected}");
        let error = adjustment.adjusted.standard_error.expect("pairs");
        assert!((adjustment.adjusted.mean - 0.55).abs() < 3.5 * error);
    }

    #[test]
    fn small_matches_are_unbiased_and_their_intervals_cover() {
        const MATCHES: u64 = 4_000;
        let (mut means, mut covered) = (Sample::default(), 0);
        for seed in 0..MATCHES {
            let pairs = pairs(40, 0.5, 1.0, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let Estimate {
                mean,
                standard_error,
            } = adjust(pairs.iter().copied(), Coefficient::Estimated)
                .expect("pairs")
                .adjusted;
            means.add(mean);
            let error = standard_error.expect("pairs");
            covered += u64::from((mean - 0.5).abs() < 2.02 * error);
        }
        let Estimate {
            mean,
            standard_error,
        } = means.estimate().expect("matches");
        let error = standard_error.expect("matches");
        assert!((mean - 0.5).abs() < 3.5 * error, "{mean} ± {error}");
        let share = covered as f64 / MATCHES as f64;
        assert!(
            (0.93..0.97).contains(&share),
            "{share} of the intervals hold the mean"
        );
    }

    #[test]
    fn luck_that_has_nothing_to_do_with_results_does_no_harm() {
        let pairs = pairs(4_000, 0.5, 0.0, 5);
        let adjustment = adjust(pairs.iter().copied(), Coefficient::Estimated).expect("pairs");
        let ratio = adjustment.variance_ratio.expect("scores vary");
        assert!(ratio < 1.01, "{ratio}");
    }

    #[test]
    fn a_fixed_coefficient_is_used_as_it_is() {
        let pairs = pairs(100, 0.5, 1.0, 9);
        let none = adjust(pairs.iter().copied(), Coefficient::Fixed(0.0)).expect("pairs");
        assert_eq!(none.raw, none.adjusted);
        assert_eq!(none.variance_ratio, Some(1.0));
        assert_eq!(adjust([].into_iter(), Coefficient::Estimated), None);
    }

    #[test]
    fn a_running_adjustment_never_looks_ahead() {
        let pairs = pairs(60, 0.5, 1.0, 2);
        let mut running = RunningAdjustment::new(Coefficient::Estimated);
        pairs.iter().for_each(|&pair| running.add(pair));
        let before: Sums = pairs[..59]
            .iter()
            .fold(Sums::default(), |s, &p| s.plus(p, 1.0));
        let last = pairs[59].score - before.coefficient() * pairs[59].luck;
        let mut shorter = RunningAdjustment::new(Coefficient::Estimated);
        pairs[..59].iter().for_each(|&pair| shorter.add(pair));
        let mut sample = *shorter.adjusted();
        sample.add(last);
        let (whole, sample) = (running.adjusted().estimate(), sample.estimate());
        assert_eq!(whole, sample);
    }

    #[test]
    fn scores_that_are_all_the_same_have_no_variance_to_compare_with() {
        let pair = |luck| PairResult { score: 0.5, luck };
        let pairs = [pair(0.1), pair(-0.2), pair(0.3)];
        let adjustment = adjust(pairs.iter().copied(), Coefficient::Estimated).expect("pairs");
        assert_eq!(adjustment.variance_ratio, None);
    }
}
