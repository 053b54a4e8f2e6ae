//! The generalised sequential probability ratio test over pairs.
//!
//! Two hypotheses say how much stronger A is, `elo0` and `elo1`. For each of
//! them we look for the distribution over the five pair results that satisfies
//! the hypothesis and makes the observed counts most likely; the logarithm of
//! the ratio of the two likelihoods (LLR) is compared with two bounds, which
//! follow from the error rates allowed. The test may be checked after every pair.
//!
//! **The constrained maximum.** Let the observed frequencies be `f`, the scores
//! `a`, and the hypothesis a condition `G(p) = 0` on the distribution. Setting
//! the derivative of `sum f log p` with two multipliers to zero gives
//! `p_i = f_i / (1 + x h_i)`, where `h_i` is the derivative of `G` by `p_i`,
//! shifted so that `sum p h = 0`; then `sum p = 1` follows, and `x` is the single
//! root of `sum f h / (1 + x h)`.
//! - *Logistic*: `G = mean - s`, so `h_i = a_i - s`, and one root is enough.
//! - *Normalised*: `G = (mean - 1/2) - t sigma`, whose derivative contains the mean
//!   and sigma of the unknown `p`; the root is recomputed with the new mean and
//!   sigma until they converge.
//!
//! **The normal approximation.** Where pairs are many and hypotheses close, pair
//! results may be taken as normal with unknown spread, and the ratio for
//! `mean / sigma` is `n/2 ln((1 + (t - t0)^2) / (1 + (t - t1)^2))`. Other tools
//! print this figure, so it is reported beside ours; it does not decide, because it
//! goes to zero where the evidence is strongest: when nearly every pair ends alike.

use std::f64::consts::SQRT_2;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::adjusted::RunningAdjustment;
use super::elo::{NORMALIZED_ELO_PER_SIGMA, expected_score};
use super::moments::Sample;
use super::pentanomial::{Pentanomial, SCORES};

/// The count of a result that has not occurred.
///
/// Without it a likelihood could be zero, and one surprise would decide the test.
const NEVER_SEEN: f64 = 1e-3;

/// The scale in which the two hypotheses are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalised Elo.
    #[default]
    Normalized,
    /// Logistic Elo.
    Logistic,
}

/// Which scores of pairs a test looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scores {
    /// Those of the games.
    #[default]
    Raw,
    /// Those with the luck taken out.
    Adjusted,
}

impl Scores {
    fn are_raw(&self) -> bool {
        *self == Scores::Raw
    }
}

/// Least pairs for a decision on adjusted scores, whose variance is only estimated.
const LEAST_ADJUSTED_PAIRS: u64 = 20;
/// Prior pairs in the variance of adjusted scores.
const PRIOR_PAIRS: f64 = 2.0;
/// Variance of the prior pairs, about that of raw pairs between equals.
const PRIOR_VARIANCE: f64 = 1.0 / 16.0;

/// The hypotheses of a test and the errors allowed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative hypothesis.
    pub elo1: f64,
    /// Chance to accept `elo1` where `elo0` is true.
    pub alpha: f64,
    /// Chance to accept `elo0` where `elo1` is true.
    pub beta: f64,
    /// The scale of the two differences.
    pub model: EloModel,
    /// The scores it looks at.
    #[serde(default, skip_serializing_if = "Scores::are_raw")]
    pub scores: Scores,
}

/// The decision of a test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More pairs are needed.
    Continue,
    /// A is not better by `elo1`.
    Elo0,
    /// A is better by more than `elo0`.
    Elo1,
}

/// The state of a test after some pairs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtState {
    /// The hypotheses.
    #[serde(flatten)]
    pub test: Sprt,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// The same by the normal approximation, for comparison with other tools.
    pub llr_normal: f64,
    /// At or below this, `elo0` is accepted.
    pub lower: f64,
    /// At or above this, `elo1` is accepted.
    pub upper: f64,
    /// The decision.
    pub decision: Decision,
}

impl Sprt {
    /// Returns the bounds of the LLR, lower and upper.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// Returns the logarithm of the likelihood ratio of the two hypotheses.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        let (total, frequencies) = seen(pairs);
        let p0 = self.most_likely(&frequencies, self.elo0);
        let p1 = self.most_likely(&frequencies, self.elo1);
        let per_pair: f64 = (0..5).map(|i| frequencies[i] * (p1[i] / p0[i]).ln()).sum();
        total * per_pair
    }

    /// Returns the LLR by the normal approximation.
    pub fn llr_normal(&self, pairs: &Pentanomial) -> f64 {
        let (total, frequencies) = seen(pairs);
        let (mean, sigma) = mean_and_sigma(&frequencies);
        let t = (mean - 0.5) / sigma;
        let target = |elo: f64| match self.model {
            EloModel::Normalized => elo * SQRT_2 / NORMALIZED_ELO_PER_SIGMA,
            EloModel::Logistic => (expected_score(elo) - 0.5) / sigma,
        };
        let misfit = |elo: f64| 1.0 + (t - target(elo)).powi(2);
        total / 2.0 * (misfit(self.elo0) / misfit(self.elo1)).ln()
    }

    /// Returns the state of the test.
    pub fn state(&self, pairs: &Pentanomial) -> SprtState {
        let (lower, upper) = self.bounds();
        let (llr, llr_normal) = match pairs.pairs() {
            0 => (0.0, 0.0),
            _ => (self.llr(pairs), self.llr_normal(pairs)),
        };
        let decision = decision(llr, lower, upper);
        SprtState {
            test: *self,
            llr,
            llr_normal,
            lower,
            upper,
            decision,
        }
    }

    /// Returns the state of a test on scores with the luck taken out.
    ///
    /// These scores are no longer one of five values, so the likelihood is that of
    /// a normal distribution with unknown variance. The hypotheses are those of the
    /// raw test: normalised Elo keeps the spread of the raw scores as its unit.
    pub fn adjusted_state(&self, pairs: &RunningAdjustment) -> SprtState {
        let (lower, upper) = self.bounds();
        let count = pairs.adjusted().count();
        let llr = self.adjusted_llr(pairs).unwrap_or(0.0);
        let decision = if count < LEAST_ADJUSTED_PAIRS {
            Decision::Continue
        } else {
            decision(llr, lower, upper)
        };
        SprtState {
            test: *self,
            llr,
            llr_normal: llr,
            lower,
            upper,
            decision,
        }
    }

    fn adjusted_llr(&self, pairs: &RunningAdjustment) -> Option<f64> {
        let mean = pairs.adjusted().estimate()?.mean;
        let variance = likely_variance(pairs.adjusted());
        let sigma = likely_variance(pairs.raw()).sqrt();
        let misfit = |elo: f64| {
            let expected = match self.model {
                EloModel::Normalized => 0.5 + elo * SQRT_2 / NORMALIZED_ELO_PER_SIGMA * sigma,
                EloModel::Logistic => expected_score(elo),
            };
            variance + (mean - expected).powi(2)
        };
        let count = pairs.adjusted().count() as f64;
        Some(count / 2.0 * (misfit(self.elo0) / misfit(self.elo1)).ln())
    }

    fn most_likely(&self, frequencies: &[f64; 5], elo: f64) -> [f64; 5] {
        match self.model {
            EloModel::Logistic => with_mean(frequencies, expected_score(elo)),
            EloModel::Normalized => {
                with_mean_over_sigma(frequencies, elo * SQRT_2 / NORMALIZED_ELO_PER_SIGMA)
            }
        }
    }
}

fn decision(llr: f64, lower: f64, upper: f64) -> Decision {
    if llr >= upper {
        Decision::Elo1
    } else if llr <= lower {
        Decision::Elo0
    } else {
        Decision::Continue
    }
}

/// Returns the maximum-likelihood variance of a sample and the prior pairs.
fn likely_variance(sample: &Sample) -> f64 {
    let count = sample.count() as f64;
    let squares = sample.variance().unwrap_or(0.0) * (count - 1.0).max(0.0);
    (squares + PRIOR_PAIRS * PRIOR_VARIANCE) / (count + PRIOR_PAIRS)
}

/// Returns how many pairs were seen, and the frequency of each result.
fn seen(pairs: &Pentanomial) -> (f64, [f64; 5]) {
    let seen = pairs.0.map(|count| (count as f64).max(NEVER_SEEN));
    let total: f64 = seen.iter().sum();
    (total, seen.map(|count| count / total))
}

/// Returns the most likely distribution whose mean is `mean`.
fn with_mean(frequencies: &[f64; 5], mean: f64) -> [f64; 5] {
    tilted(frequencies, &SCORES.map(|score| score - mean))
}

/// Returns the most likely distribution with `(mean - 1/2) / sigma = t`.
fn with_mean_over_sigma(frequencies: &[f64; 5], t: f64) -> [f64; 5] {
    const ROUNDS: usize = 100;
    let mut p = [0.2; 5];
    for _ in 0..ROUNDS {
        let (mean, sigma) = mean_and_sigma(&p);
        let slope =
            SCORES.map(|a| a - 0.5 - t * sigma * (1.0 + ((a - mean) / sigma).powi(2)) / 2.0);
        let next = tilted(frequencies, &slope);
        let change = (0..5).map(|i| (next[i] - p[i]).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-12 {
            break;
        }
    }
    p
}

fn mean_and_sigma(p: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = (0..5).map(|i| p[i] * SCORES[i]).sum();
    let variance: f64 = (0..5).map(|i| p[i] * (SCORES[i] - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// Returns `f_i / (1 + x h_i)` for the `x` that makes `sum p h` vanish.
///
/// The sum decreases between the two poles nearest to zero, so bisection finds
/// the root.
fn tilted(frequencies: &[f64; 5], h: &[f64; 5]) -> [f64; 5] {
    const HALVINGS: usize = 80;
    let highest = h.iter().copied().fold(f64::MIN, f64::max);
    let lowest = h.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        let sum: f64 = (0..5)
            .map(|i| frequencies[i] * h[i] / (1.0 + middle * h[i]))
            .sum();
        if sum > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| frequencies[i] / (1.0 + x * h[i]))
}

/// Why a text does not describe a test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseSprtError {
    /// A part is not `name=value`.
    #[error(
        "'{0}' is not name=value (expected elo0=…,elo1=…[,alpha=…][,beta=…][,model=normalized|logistic][,adjusted])"
    )]
    NotASetting(String),
    /// The name is unknown.
    #[error("unknown setting '{0}' (expected elo0, elo1, alpha, beta, model or adjusted)")]
    UnknownName(String),
    /// The value does not fit the name.
    #[error("'{value}' is not a value for {name} ({expected})")]
    BadValue {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would fit.
        expected: &'static str,
    },
    /// One of the hypotheses is missing.
    #[error("{0} is missing (a test needs elo0 and elo1)")]
    Missing(&'static str),
    /// The hypotheses are in the wrong order.
    #[error("elo0={0} must be below elo1={1}")]
    Order(f64, f64),
}

impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let (mut elo0, mut elo1) = (None, None);
        let (mut alpha, mut beta, mut model) = (0.05, 0.05, EloModel::Normalized);
        let mut scores = Scores::Raw;
        for part in text.split(',') {
            if part.trim() == "adjusted" {
                scores = Scores::Adjusted;
                continue;
            }
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| ParseSprtError::NotASetting(part.to_owned()))?;
            match name.trim() {
                "elo0" => elo0 = Some(parse_elo("elo0", value)?),
                "elo1" => elo1 = Some(parse_elo("elo1", value)?),
                "alpha" => alpha = parse_rate("alpha", value)?,
                "beta" => beta = parse_rate("beta", value)?,
                "model" => model = parse_model(value)?,
                other => return Err(ParseSprtError::UnknownName(other.to_owned())),
            }
        }
        let elo0 = elo0.ok_or(ParseSprtError::Missing("elo0"))?;
        let elo1 = elo1.ok_or(ParseSprtError::Missing("elo1"))?;
        if elo0 >= elo1 {
            return Err(ParseSprtError::Order(elo0, elo1));
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
            scores,
        })
    }
}

fn parse_elo(name: &'static str, value: &str) -> Result<f64, ParseSprtError> {
    let parsed: Option<f64> = value.trim().parse().ok();
    parsed
        .filter(|elo| elo.abs() <= 1000.0)
        .ok_or_else(|| ParseSprtError::BadValue {
            name,
            value: value.to_owned(),
            expected: "a number between -1000 and 1000",
        })
}

fn parse_rate(name: &'static str, value: &str) -> Result<f64, ParseSprtError> {
    let parsed: Option<f64> = value.trim().parse().ok();
    parsed
        .filter(|&rate| 0.0 < rate && rate < 0.5)
        .ok_or_else(|| ParseSprtError::BadValue {
            name,
            value: value.to_owned(),
            expected: "a number between 0 and 0.5",
        })
}

fn parse_model(value: &str) -> Result<EloModel, ParseSprtError> {
    match value.trim() {
        "normalized" => Ok(EloModel::Normalized),
        "logistic" => Ok(EloModel::Logistic),
        other => Err(ParseSprtError::BadValue {
            name: "model",
            value: other.to_owned(),
            expected: "normalized or logistic",
        }),
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = match self.model {
            EloModel::Normalized => "normalized",
            EloModel::Logistic => "logistic",
        };
        write!(
            f,
            "elo0={},elo1={},alpha={},beta={},model={model}",
            self.elo0, self.elo1, self.alpha, self.beta
        )?;
        match self.scores {
            Scores::Raw => Ok(()),
            Scores::Adjusted => f.write_str(",adjusted"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::adjusted::{Coefficient, PairResult};
    use super::*;

    const REFERENCE: Pentanomial = Pentanomial([379, 10_170, 21_828, 10_640, 343]);

    fn test(text: &str) -> Sprt {
        text.parse().expect("a test")
    }

    #[test]
    fn meets_the_reference() {
        let state = test("elo0=0,elo1=2").state(&REFERENCE);
        assert!((state.llr_normal - 2.945_98).abs() < 5e-6, "{state:?}");
        assert!((state.llr - 2.945_98).abs() < 1e-3, "{state:?}");
        assert!((state.upper - 2.944_439).abs() < 1e-6);
        assert_eq!(state.decision, Decision::Elo1);
    }

    #[test]
    fn the_approximation_is_one_and_is_slow_on_one_sided_matches() {
        let close = Pentanomial([90, 480, 900, 510, 95]);
        for text in ["elo0=0,elo1=5", "elo0=0,elo1=5,model=logistic"] {
            let state = test(text).state(&close);
            assert!(
                (state.llr / state.llr_normal - 1.0).abs() < 0.02,
                "{state:?}"
            );
        }
        let whitewash = test("elo0=0,elo1=20").state(&Pentanomial([0, 0, 0, 0, 80]));
        assert_eq!(whitewash.decision, Decision::Elo1);
        assert!(whitewash.llr_normal < whitewash.upper, "{whitewash:?}");
    }

    #[test]
    fn mirrored_results_give_mirrored_decisions() {
        let there = test("elo0=-1,elo1=3").llr(&REFERENCE);
        let mut mirrored = REFERENCE;
        mirrored.0.reverse();
        let back = test("elo0=-3,elo1=1").llr(&mirrored);
        assert!((there + back).abs() < 1e-6, "{there} {back}");
    }

    /// Climbs the likelihood on the constraint surface by small random steps.
    ///
    /// Uses no multipliers: a candidate is moved, scaled to sum to one,
    /// pulled back onto the constraint by shifting weight between its ends, and
    /// kept if it is more likely.
    fn climbed(frequencies: &[f64; 5], condition: &dyn Fn(&[f64; 5]) -> f64) -> f64 {
        let likelihood = |p: &[f64; 5]| -> f64 { (0..5).map(|i| frequencies[i] * p[i].ln()).sum() };
        let pulled = |mut p: [f64; 5]| -> Option<[f64; 5]> {
            let (mut low, mut high) = (-p[4] + 1e-9, p[0] - 1e-9);
            let (first, last) = (p[0], p[4]);
            for _ in 0..60 {
                let shift = (low + high) / 2.0;
                (p[0], p[4]) = (first - shift, last + shift);
                if condition(&p) < 0.0 {
                    low = shift;
                } else {
                    high = shift;
                }
            }
            (condition(&p).abs() < 1e-9).then_some(p)
        };
        let mut best = pulled([0.2; 5]).expect("reachable from the middle");
        let mut state = 12345_u64;
        let mut step = 0.1;
        for round in 0..30_000 {
            if round % 2_000 == 1_999 {
                step /= 2.0;
            }
            let mut next = best.map(|p| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let unit = (state >> 33) as f64 / f64::from(1_u32 << 31);
                (p * (1.0 + step * (unit - 0.5))).max(1e-9)
            });
            let total: f64 = next.iter().sum();
            next = next.map(|p| p / total);
            let next = pulled(next).filter(|next| likelihood(next) > likelihood(&best));
            best = next.unwrap_or(best);
        }
        likelihood(&best)
    }

    #[test]
    fn multipliers_find_what_a_blind_climber_finds() {
        let frequencies = [0.1, 0.15, 0.3, 0.25, 0.2];
        let likelihood = |p: &[f64; 5]| -> f64 { (0..5).map(|i| frequencies[i] * p[i].ln()).sum() };
        for t in [-0.2, 0.0, 0.3] {
            let found = with_mean_over_sigma(&frequencies, t);
            let climbed = climbed(&frequencies, &|p| {
                let (mean, sigma) = mean_and_sigma(p);
                mean - 0.5 - t * sigma
            });
            assert!((likelihood(&found) - climbed).abs() < 1e-6, "t = {t}");
        }
        for mean in [0.45, 0.6] {
            let found = with_mean(&frequencies, mean);
            let climbed = climbed(&frequencies, &|p| mean_and_sigma(p).0 - mean);
            assert!((likelihood(&found) - climbed).abs() < 1e-6, "mean = {mean}");
        }
    }

    #[test]
    fn empty_and_one_sided_matches_stay_finite() {
        let sprt = test("elo0=0,elo1=5");
        assert_eq!(
            sprt.state(&Pentanomial::default()).decision,
            Decision::Continue
        );
        for counts in [
            [0, 0, 0, 0, 1],
            [0, 0, 0, 0, 5000],
            [5000, 0, 0, 0, 0],
            [0, 0, 9, 0, 0],
        ] {
            let llr = sprt.llr(&Pentanomial(counts));
            assert!(llr.is_finite(), "{counts:?}: {llr}");
        }
    }

    #[test]
    fn without_luck_the_adjusted_test_is_the_normal_one() {
        let counts = [90, 480, 900, 510, 95];
        let mut adjusted = RunningAdjustment::new(Coefficient::Fixed(1.0));
        for (score, count) in SCORES.into_iter().zip(counts) {
            (0..count).for_each(|_| adjusted.add(PairResult { score, luck: 0.0 }));
        }
        for text in ["elo0=0,elo1=5", "elo0=0,elo1=5,model=logistic"] {
            let (ours, normal) = (
                test(text).adjusted_state(&adjusted).llr,
                test(text).llr_normal(&Pentanomial(counts)),
            );
            assert!(
                (ours / normal - 1.0).abs() < 0.01,
                "{text}: {ours} {normal}"
            );
        }
    }

    #[test]
    fn settings_are_read_and_refused() {
        let sprt = test("elo0=0,elo1=5,alpha=0.01,beta=0.02,model=logistic");
        assert_eq!(sprt.to_string().parse(), Ok(sprt));
        let adjusted = test("elo0=0,elo1=5,adjusted");
        assert_eq!(adjusted.scores, Scores::Adjusted);
        assert_eq!(adjusted.to_string().parse(), Ok(adjusted));
        for bad in [
            "",
            "elo0=0",
            "elo1=5",
            "elo0=5,elo1=5",
            "elo0=0,elo1=5,alpha=0",
            "elo0=0,elo1=5,gamma=1",
            "elo0=x,elo1=5",
            "elo0=nan,elo1=5",
            "elo0=0,elo1=5,model=other",
        ] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_saved_test_keeps_which_scores_it_looks_at() {
        for (text, named) in [("elo0=0,elo1=5", false), ("elo0=0,elo1=5,adjusted", true)] {
            let sprt: Sprt = text.parse().unwrap();
            let saved = serde_json::to_string(&sprt).unwrap();
            // Tests of raw scores are saved as before there were others.
            assert_eq!(saved.contains("scores"), named, "{saved}");
            assert_eq!(serde_json::from_str::<Sprt>(&saved).unwrap(), sprt);
        }
    }

    /// By its definition: the squares around the mean, and those of the prior pairs.
    #[test]
    fn the_prior_pairs_count_like_pairs() {
        for values in [&[][..], &[0.5], &[0.0, 0.25, 1.0, 0.5], &[0.75; 6]] {
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let expected =
                (squares + PRIOR_PAIRS * PRIOR_VARIANCE) / (values.len() as f64 + PRIOR_PAIRS);
            let sample: Sample = values.iter().copied().collect();
            assert!((likely_variance(&sample) - expected).abs() < 1e-12);
        }
    }
}
