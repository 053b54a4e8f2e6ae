//! Error rates of sequential tests, raw and with the luck taken out, by simulation.
//!
//! Pairs are drawn from a model of a match: the mean score of a pair is skill,
//! luck of which the appraiser sees a part, and noise, cut into quarter points.
//! Each hypothesis is made true in turn, and 2,000 tests are run to their end.

use anqi_match::sequential::Tally;
use anqi_match::statistics::adjusted::{Coefficient, PairResult};
use anqi_match::statistics::elo::expected_score;
use anqi_match::statistics::sprt::{Decision, Sprt};

const TESTS: u64 = 2_000;
/// Tests that are not decided by then count as wrong.
const MOST_PAIRS: u64 = 20_000;
/// Pairs between two looks of a test.
const BETWEEN_LOOKS: u64 = 10;

/// A small generator of uniform numbers from -1/2 to 1/2.
struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f64 {
        let word = anqi_rules::random::split_mix(&mut self.0);
        (word >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    }

    /// A sum of four uniform numbers: nearly normal, with this deviation.
    fn bell(&mut self, deviation: f64) -> f64 {
        let sum: f64 = (0..4).map(|_| self.unit()).sum();
        sum * deviation * 3.0_f64.sqrt()
    }
}

/// Draws a pair; returns A's half points and the result that the test sees.
fn pair(skill: f64, noise: &mut Noise) -> (u64, PairResult) {
    let luck = noise.bell(0.15);
    let latent = 0.5 + skill + 1.3 * luck + noise.bell(0.2);
    let half_points = (4.0 * latent).round().clamp(0.0, 4.0) as u64;
    let score = half_points as f64 / 4.0;
    (half_points, PairResult { score, luck })
}

/// Finds the skill that gives pairs this mean score.
fn skill_for(score: f64) -> f64 {
    let mean = |skill: f64| {
        let mut noise = Noise(9);
        let draws = 100_000;
        let sum: f64 = (0..draws).map(|_| pair(skill, &mut noise).1.score).sum();
        sum / f64::from(draws)
    };
    let (mut low, mut high) = (-0.3, 0.3);
    for _ in 0..14 {
        let middle = (low + high) / 2.0;
        if mean(middle) < score {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Runs a test to its end; returns the decision and the number of pairs.
fn run(sprt: &Sprt, skill: f64, noise: &mut Noise) -> (Decision, u64) {
    let mut tally = Tally::new(Coefficient::Estimated);
    for pairs in 1..=MOST_PAIRS {
        let (half_points, result) = pair(skill, noise);
        tally.add(half_points, result);
        if pairs % BETWEEN_LOOKS != 0 {
            continue;
        }
        let decision = tally.state(sprt).decision;
        if decision != Decision::Continue {
            return (decision, pairs);
        }
    }
    (Decision::Continue, MOST_PAIRS)
}

/// Returns how often the right hypothesis is not accepted, and the mean number of pairs.
fn wrong(sprt: &Sprt, skill: f64, right: Decision) -> (f64, f64) {
    let mut noise = Noise(right as u64 + 77);
    let (mut errors, mut pairs) = (0, 0);
    for _ in 0..TESTS {
        let (decision, used) = run(sprt, skill, &mut noise);
        errors += u64::from(decision != right);
        pairs += used;
    }
    (errors as f64 / TESTS as f64, pairs as f64 / TESTS as f64)
}

#[test]
fn error_rates_are_those_promised_and_taking_luck_out_saves_pairs() {
    let test = |text: &str| -> Sprt { text.parse().expect("a test") };
    let raw = test("elo0=0,elo1=30,model=logistic");
    let adjusted = test("elo0=0,elo1=30,model=logistic,adjusted");
    let cases = [(Decision::Elo0, raw.elo0), (Decision::Elo1, raw.elo1)];
    for (right, elo) in cases {
        let skill = skill_for(expected_score(elo));
        let (raw_errors, raw_pairs) = wrong(&raw, skill, right);
        let (errors, pairs) = wrong(&adjusted, skill, right);
        println!(
            "{right:?} true: raw {:.1} % wrong, {raw_pairs:.0} pairs; adjusted {:.1} % wrong, {pairs:.0} pairs",
            100.0 * raw_errors,
            100.0 * errors
        );
        // 5 % are promised; three standard deviations of 2,000 tests are 1.5 %.
        assert!(raw_errors < 0.065, "raw, {right:?}: {raw_errors}");
        assert!(errors < 0.065, "adjusted, {right:?}: {errors}");
        // Luck makes up 1.69 × 0.0225 of a variance of about 0.08.
        assert!(pairs < 0.75 * raw_pairs, "{pairs} of {raw_pairs} pairs");
    }
}
