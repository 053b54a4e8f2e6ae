//! Means with standard errors, and the correlation inside pairs.

use serde::Serialize;

/// A mean and its standard error.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The mean of the sample.
    pub mean: f64,
    /// The standard error of that mean; unknown for fewer than two samples.
    pub standard_error: Option<f64>,
}

/// Running sums of a sample: its size, mean and variance.
///
/// The squares are summed by Welford's update, which keeps its precision when the
/// mean is large compared with the spread. The mean comes from a plain sum: scores
/// are quarters of a point, whose sums are exact.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Sample {
    /// Adds one value.
    pub fn add(&mut self, value: f64) {
        let before = self.deviation(value);
        self.count += 1;
        self.sum += value;
        self.squares += before * self.deviation(value);
    }

    /// Returns how far a value is from the mean so far.
    fn deviation(&self, value: f64) -> f64 {
        value - self.sum / self.count.max(1) as f64
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the unbiased variance, which needs two values.
    pub fn variance(&self) -> Option<f64> {
        (self.count >= 2).then(|| self.squares / (self.count - 1) as f64)
    }

    /// Returns mean and standard error, or nothing for an empty sample.
    pub fn estimate(&self) -> Option<Estimate> {
        (self.count > 0).then(|| Estimate {
            mean: self.sum / self.count as f64,
            standard_error: self.variance().map(|v| (v / self.count as f64).sqrt()),
        })
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Sample {
        let mut sample = Sample::default();
        for value in values {
            sample.add(value);
        }
        sample
    }
}

/// How the two games of a pair are correlated.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Pairing {
    /// Correlation of A's score in one game with its score in the other.
    pub correlation: Option<f64>,
    /// Variance of the pair mean over what two independent games would have.
    ///
    /// Below 1 the shared deal has taken luck out of the comparison: a match of
    /// pairs is worth `1 / variance_ratio` matches of independent games.
    pub variance_ratio: Option<f64>,
}

/// Running sums of A's scores in the two games of each pair.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PairedSample {
    first: Sample,
    second: Sample,
    mean: Sample,
}

impl PairedSample {
    /// Adds the scores of a pair.
    pub fn add(&mut self, [first, second]: [f64; 2]) {
        self.first.add(first);
        self.second.add(second);
        self.mean.add((first + second) / 2.0);
    }

    /// Measures how the two games of a pair are correlated.
    pub fn pairing(&self) -> Pairing {
        let variances = (
            self.first.variance(),
            self.second.variance(),
            self.mean.variance(),
        );
        let (Some(x), Some(y), Some(m)) = variances else {
            return Pairing {
                correlation: None,
                variance_ratio: None,
            };
        };
        // 4 var(mean) = var(x) + var(y) + 2 cov(x, y).
        let covariance = (4.0 * m - x - y) / 2.0;
        let scale = (x * y).sqrt();
        Pairing {
            correlation: (scale > 0.0).then(|| covariance / scale),
            variance_ratio: (x + y > 0.0).then(|| 4.0 * m / (x + y)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(scores: &[[f64; 2]]) -> Pairing {
        let mut sample = PairedSample::default();
        scores.iter().for_each(|&pair| sample.add(pair));
        sample.pairing()
    }

    #[test]
    fn sample_agrees_with_the_definition() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0];
        let estimate = values.iter().copied().collect::<Sample>().estimate();
        let mean = 23.0 / 6.0;
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        let expected = (squares / 5.0 / 6.0).sqrt();
        let estimate = estimate.expect("six values");
        assert!((estimate.mean - mean).abs() < 1e-12);
        let error = estimate.standard_error.expect("more than one value");
        assert!((error - expected).abs() < 1e-12);
    }

    #[test]
    fn too_few_values_have_no_error_bar() {
        assert_eq!(Sample::default().estimate(), None);
        let one: Sample = [0.5].into_iter().collect();
        let estimate = one.estimate().expect("one value");
        assert_eq!((estimate.mean, estimate.standard_error), (0.5, None));
    }

    #[test]
    fn luck_that_both_games_share_cancels() {
        // A wins whichever game it has the lucky seat in: x + y is always 1.
        let scores = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5]];
        let pairing = pairing(&scores);
        let correlation = pairing.correlation.expect("scores vary");
        let ratio = pairing.variance_ratio.expect("scores vary");
        assert!((correlation + 1.0).abs() < 1e-12);
        assert!(ratio.abs() < 1e-12);
    }

    #[test]
    fn correlation_agrees_with_pearson() {
        let scores = [[1.0, 0.5], [0.0, 0.0], [0.5, 1.0], [1.0, 1.0], [0.0, 0.5]];
        let n = scores.len() as f64;
        let mean = |i: usize| scores.iter().map(|s| s[i]).sum::<f64>() / n;
        let (mx, my) = (mean(0), mean(1));
        let sum = |f: &dyn Fn(&[f64; 2]) -> f64| scores.iter().map(f).sum::<f64>();
        let xy = sum(&|s| (s[0] - mx) * (s[1] - my));
        let xx = sum(&|s| (s[0] - mx).powi(2));
        let yy = sum(&|s| (s[1] - my).powi(2));
        let expected = xy / (xx * yy).sqrt();
        let measured = pairing(&scores).correlation.expect("scores vary");
        assert!((measured - expected).abs() < 1e-12);
    }

    #[test]
    fn a_game_that_always_ends_alike_is_independent_of_the_other() {
        let pairing = pairing(&[[1.0, 0.0], [1.0, 0.5], [1.0, 1.0]]);
        assert_eq!(pairing.correlation, None);
        let ratio = pairing.variance_ratio.expect("one game varies");
        assert!((ratio - 1.0).abs() < 1e-12);
    }
}
