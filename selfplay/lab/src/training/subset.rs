//! Drawing positions with unequal probabilities.
//!
//! A fit gains from seeing rare materials and surprising positions more often
//! than the common ones. Each position has its own inclusion probability, and a
//! draw includes it with exactly that probability, independently of the others.
//! Testing every position would cost n random numbers a draw. *Heterogeneous
//! subset sampling* (Tsai, Wang, Liau, Hsu) expects O(1 + n√p*) instead, where
//! p* is the mean probability or one minus it, whichever is less:
//!
//! - if the mean exceeds one half, the positions left *out* are drawn;
//! - a threshold of √p* splits the positions. Few can lie above it, at most
//!   n√p*, and these are tested one by one;
//! - the others are *sieved*: candidates are drawn as if each had the largest
//!   probability among them, and a candidate is kept with its own probability
//!   divided by that largest one.
//!
//! The paper draws the number of candidates from a binomial distribution and
//! then that many without replacement. Here the gaps between candidates come
//! from a geometric distribution: the same distribution of candidates, in
//! ascending order and without a memory of those already drawn.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Why probabilities cannot be drawn from.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SubsetError {
    /// A number is not a probability.
    #[error("element {index}: {value} is not a probability (expected 0 to 1)")]
    NotAProbability {
        /// The element.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// More elements than an index counts.
    #[error("{0} elements are too many (expected at most 4294967295)")]
    TooMany(usize),
}

/// Whether a draw names the elements of the subset or those outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Names {
    Included,
    Excluded,
}

/// An element with the probability of being named.
#[derive(Clone, Copy, Debug)]
struct Element {
    index: u32,
    probability: f64,
}

/// Draws subsets in which each element appears with its own probability.
///
/// # Examples
///
/// ```
/// use anqi_lab::training::subset::SubsetSampler;
/// use rand_pcg::{Pcg64, rand_core::SeedableRng};
///
/// let sampler = SubsetSampler::new(&[1.0, 0.0, 0.25])?;
/// let drawn = sampler.draw(&mut Pcg64::seed_from_u64(1));
/// assert!(drawn.contains(&0) && !drawn.contains(&1));
/// # Ok::<(), anqi_lab::training::subset::SubsetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubsetSampler {
    elements: usize,
    names: Names,
    /// Elements up to the threshold, tested only if the sieve lets them through.
    sieved: Vec<Element>,
    /// The largest probability among the sieved.
    ceiling: f64,
    /// Elements above the threshold, tested one by one.
    tested: Vec<Element>,
}

impl SubsetSampler {
    /// Prepares draws with these inclusion probabilities.
    ///
    /// # Errors
    ///
    /// Returns an error that names the first number that is not a probability.
    pub fn new(probabilities: &[f64]) -> Result<SubsetSampler, SubsetError> {
        let elements = probabilities.len();
        if u32::try_from(elements).is_err() {
            return Err(SubsetError::TooMany(elements));
        }
        let wrong = probabilities.iter().position(|p| !(0.0..=1.0).contains(p));
        if let Some(index) = wrong {
            let value = probabilities[index];
            return Err(SubsetError::NotAProbability { index, value });
        }
        let mean = probabilities.iter().sum::<f64>() / elements.max(1) as f64;
        let names = if mean > 0.5 {
            Names::Excluded
        } else {
            Names::Included
        };
        let threshold = mean.min(1.0 - mean).max(0.0).sqrt();
        let named = probabilities.iter().zip(0..).map(|(&p, index)| Element {
            index,
            probability: match names {
                Names::Included => p,
                Names::Excluded => 1.0 - p,
            },
        });
        let possible = named.filter(|element| element.probability > 0.0);
        let (sieved, tested): (Vec<_>, Vec<_>) =
            possible.partition(|element| element.probability <= threshold);
        let ceiling = sieved.iter().map(|e| e.probability).fold(0.0, f64::max);
        Ok(SubsetSampler {
            elements,
            names,
            sieved,
            ceiling,
            tested,
        })
    }

    /// Draws a subset and returns its elements in ascending order.
    pub fn draw(&self, generator: &mut Pcg64) -> Vec<u32> {
        let mut candidates = self.candidates(generator);
        candidates.retain(|e| unit(generator) * self.ceiling < e.probability);
        let mut named: Vec<u32> = candidates.iter().map(|e| e.index).collect();
        for element in &self.tested {
            if unit(generator) < element.probability {
                named.push(element.index);
            }
        }
        named.sort_unstable();
        match self.names {
            Names::Included => named,
            Names::Excluded => self.all_but(&named),
        }
    }

    /// Draws candidates as if each of the sieved had the largest probability among them.
    fn candidates(&self, generator: &mut Pcg64) -> Vec<Element> {
        let mut candidates = Vec::new();
        // Zero only if nothing is sieved: then there is no candidate.
        let log_rest = (-self.ceiling).ln_1p();
        let mut gap = || match log_rest {
            0.0 => f64::INFINITY,
            _ => ((1.0 - unit(generator)).ln() / log_rest).floor(),
        };
        let mut place = gap();
        while place < self.sieved.len() as f64 {
            candidates.push(self.sieved[place as usize]);
            place += 1.0 + gap();
        }
        candidates
    }

    fn all_but(&self, excluded: &[u32]) -> Vec<u32> {
        let mut excluded = excluded.iter().peekable();
        (0..self.elements as u32)
            .filter(|index| excluded.next_if_eq(&index).is_none())
            .collect()
    }
}

/// Draws a number from 0 up to, but not including, 1.
pub(crate) fn unit(generator: &mut impl Rng) -> f64 {
    // The 53 bits that a double's mantissa holds.
    (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::rand_core::SeedableRng;

    /// Counts how often each subset of a few elements is drawn.
    fn subset_counts(probabilities: &[f64], draws: u32, seed: u64) -> Vec<u32> {
        let sampler = SubsetSampler::new(probabilities).unwrap();
        let mut generator = Pcg64::seed_from_u64(seed);
        let mut counts = vec![0; 1 << probabilities.len()];
        for _ in 0..draws {
            let drawn = sampler.draw(&mut generator);
            counts[drawn.iter().map(|index| 1 << index).sum::<usize>()] += 1;
        }
        counts
    }

    fn probability_of(subset: usize, probabilities: &[f64]) -> f64 {
        let factors = probabilities.iter().enumerate().map(|(index, p)| {
            if subset >> index & 1 == 1 {
                *p
            } else {
                1.0 - p
            }
        });
        factors.product()
    }

    /// Asserts a chi-square below its 0.1 % point, by Wilson and Hilferty's approximation.
    fn assert_fits(chi_square: f64, freedom: f64, what: &str) {
        let spread = 2.0 / (9.0 * freedom);
        let most = freedom * (1.0 - spread + 3.09 * spread.sqrt()).powi(3);
        assert!(chi_square < most, "{what}: {chi_square} of {most}");
    }

    #[test]
    fn every_subset_is_drawn_as_often_as_it_should_be() {
        let vectors: [&[f64]; 5] = [
            &[0.5, 0.5, 0.5, 0.5, 0.5],
            &[0.05, 0.1, 0.02, 0.3, 0.6, 0.01],
            &[0.95, 0.9, 0.99, 0.7, 0.4, 0.98],
            &[0.2, 0.2, 0.2, 0.2, 0.2, 0.2],
            &[1.0, 0.3, 0.0, 0.8, 0.1],
        ];
        for (seed, probabilities) in (0..).zip(vectors) {
            let draws = 200_000;
            let counts = subset_counts(probabilities, draws, seed);
            let (mut chi_square, mut freedom, mut rare) = (0.0, -1.0, (0.0, 0.0));
            for (subset, &count) in counts.iter().enumerate() {
                let expected = probability_of(subset, probabilities) * f64::from(draws);
                if expected < 10.0 {
                    rare = (rare.0 + expected, rare.1 + f64::from(count));
                } else {
                    chi_square += (f64::from(count) - expected).powi(2) / expected;
                    freedom += 1.0;
                }
            }
            if rare.0 >= 10.0 {
                chi_square += (rare.1 - rare.0).powi(2) / rare.0;
                freedom += 1.0;
            }
            assert!(rare.0 > 0.0 || rare.1 == 0.0, "an impossible subset");
            assert_fits(chi_square, freedom, &format!("{probabilities:?}"));
        }
    }

    #[test]
    fn many_elements_appear_each_with_its_own_probability() {
        let elements = 2_000;
        let draws = 4_000;
        // Skewed, nearly constant, and mostly included.
        let shapes: [fn(f64) -> f64; 3] = [
            |x| 0.002 / (0.002 + x * x),
            |x| 0.01 + 0.0001 * x,
            |x| 1.0 - 0.05 * x,
        ];
        for (seed, shape) in (7..).zip(shapes) {
            let probabilities: Vec<f64> = (0..elements)
                .map(|i| shape(f64::from(i) / f64::from(elements)))
                .collect();
            let sampler = SubsetSampler::new(&probabilities).unwrap();
            let mut generator = Pcg64::seed_from_u64(seed);
            let mut counts = vec![0.0; probabilities.len()];
            for _ in 0..draws {
                for index in sampler.draw(&mut generator) {
                    counts[index as usize] += 1.0;
                }
            }
            let (mut chi_square, mut freedom) = (0.0, 0.0);
            for (count, p) in counts.iter().zip(&probabilities) {
                let variance = f64::from(draws) * p * (1.0 - p);
                if variance >= 5.0 {
                    chi_square += (count - f64::from(draws) * p).powi(2) / variance;
                    freedom += 1.0;
                }
            }
            assert!(freedom > 100.0);
            assert_fits(chi_square, freedom, &format!("shape {seed}"));
        }
    }

    #[test]
    fn extremes_are_certain() {
        let mut generator = Pcg64::seed_from_u64(1);
        let mut draw = |p: &[f64]| SubsetSampler::new(p).unwrap().draw(&mut generator);
        assert!(draw(&[]).is_empty());
        assert!(draw(&[0.0; 9]).is_empty());
        assert_eq!(draw(&[1.0; 3]), [0, 1, 2]);
        assert_eq!(draw(&[0.0, 1.0, 0.0]), [1]);
        assert!(draw(&[1e-300; 5]).is_empty());
    }

    #[test]
    fn what_is_no_probability_is_refused_by_its_place() {
        for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            let error = SubsetSampler::new(&[0.5, wrong]).unwrap_err();
            assert!(error.to_string().starts_with("element 1: "), "{error}");
        }
    }
}
