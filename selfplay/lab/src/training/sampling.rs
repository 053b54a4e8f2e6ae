//! Which positions a fit draws, and with which weights.
//!
//! Most positions of many games say much the same. A fit may draw a share of them, with
//! chances that favour rare materials or positions that the initial weights predict
//! badly. A position drawn with the chance p then counts 1/p times (Horvitz–Thompson):
//! every sum over the positions, and so the loss and its gradient, keeps its expectation
//! whatever the chances are; only its variance depends on them. Held-out positions are
//! the yardstick and never sampled.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use anqi_rules::random::mix;
use anqi_rules::{Color, Piece, Position, Role};
use anqi_search::evaluation::Curve;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::SeedableRng;

use super::curve;
use super::features::FeatureMatrix;
use super::rows::Rows;
use super::subset::SubsetSampler;

/// Added to every surprise, which is 1 for a won position predicted lost.
///
/// Chances in proportion to the surprise alone would give the best-predicted positions
/// unbounded weights.
const LEAST_SURPRISE: f64 = 0.05;
/// Bisections for the factor of the chances: to the last digit of a double.
const HALVINGS: u32 = 100;

/// Which positions have higher chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Favour {
    /// None.
    #[default]
    None,
    /// Those with rare living pieces: by one over the root of how many positions share them.
    Rare,
    /// Those whose targets the old weights predict badly.
    Surprising,
}

/// Why a text is not a kind of favour.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' cannot be favoured (expected none, rare or surprising)")]
pub struct ParseFavourError(String);

impl FromStr for Favour {
    type Err = ParseFavourError;

    fn from_str(text: &str) -> Result<Favour, ParseFavourError> {
        match text {
            "none" => Ok(Favour::None),
            "rare" => Ok(Favour::Rare),
            "surprising" => Ok(Favour::Surprising),
            _ => Err(ParseFavourError(text.to_owned())),
        }
    }
}

impl fmt::Display for Favour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Favour::None => "none",
            Favour::Rare => "rare",
            Favour::Surprising => "surprising",
        })
    }
}

/// How many positions to draw, and which.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampling {
    /// The share of the positions that is drawn on average.
    pub share: f64,
    /// Which have higher chances.
    pub favour: Favour,
}

/// Returns a number for the living pieces of a position, the same for exchanged colours.
pub fn material(position: &Position) -> u64 {
    let side = |color: Color| {
        let living = Role::ALL.map(|role| position.living_of(Piece::new(color, role)));
        living.iter().fold(0, |key, &n| mix(key, n.into()))
    };
    // A sum is symmetric in the colours.
    side(Color::Red).wrapping_add(side(Color::Black))
}

impl Sampling {
    /// Draws positions and weights each by one over its chance.
    ///
    /// Of all positions only their chances are in memory, and the drawn ones. `materials` returns
    /// the [`material`] of each row; `weights`, divided by half, and the curve give the
    /// predictions.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be read.
    pub fn draw<R: Rows>(
        self,
        rows: &R,
        count: usize,
        materials: impl FnOnce() -> Result<Vec<u64>, R::Error>,
        (weights, curve): (&[f64], Curve),
        seed: u64,
    ) -> Result<FeatureMatrix, R::Error> {
        let weights = match self.favour {
            Favour::None => vec![1.0; count],
            Favour::Rare => rarities(&materials()?),
            Favour::Surprising => surprises(rows, weights, curve)?,
        };
        let chances = chances(&weights, self.share);
        let sampler = SubsetSampler::new(&chances).expect("chances are probabilities");
        let drawn = sampler.draw(&mut Pcg64::seed_from_u64(seed));
        picked(rows, &drawn, &chances)
    }
}

/// Returns the rows with these numbers, which ascend, each weighted by one over its chance.
fn picked<R: Rows>(rows: &R, drawn: &[u32], chances: &[f64]) -> Result<FeatureMatrix, R::Error> {
    let mut kept = FeatureMatrix::default();
    let (mut before, mut rest) = (0, drawn);
    let copy = |rows: &FeatureMatrix, range| rows.rows_in(range);
    rows.in_chunks(copy, |chunk| {
        let end = before + chunk.len();
        let here = rest.partition_point(|&number| (number as usize) < end);
        for number in rest[..here].iter().map(|&number| number as usize) {
            kept.push_row(&chunk, number - before, 1.0 / chances[number]);
        }
        (before, rest) = (end, &rest[here..]);
    })?;
    Ok(kept)
}

fn rarities(materials: &[u64]) -> Vec<f64> {
    let mut counts = HashMap::<u64, u32>::new();
    for &material in materials {
        *counts.entry(material).or_default() += 1;
    }
    let rarity = |material| 1.0 / f64::from(counts[material]).sqrt();
    materials.iter().map(rarity).collect()
}

fn surprises<R: Rows>(rows: &R, weights: &[f64], curve: Curve) -> Result<Vec<f64>, R::Error> {
    let mut all = Vec::new();
    let work = |rows: &FeatureMatrix, range: Range<usize>| {
        let surprise = |index| {
            let row = rows.row(index);
            LEAST_SURPRISE + (curve::chance(curve, row.sum(weights)) - row.target).abs()
        };
        range.map(surprise).collect::<Vec<f64>>()
    };
    rows.in_chunks(work, |part| all.extend(part))?;
    Ok(all)
}

/// Returns chances in proportion to the weights, none above one, whose mean is the share.
///
/// Merits are positive.
fn chances(weights: &[f64], share: f64) -> Vec<f64> {
    let chance = |weight: f64, factor: f64| (factor * weight).min(1.0);
    let wanted = share * weights.len() as f64;
    let sum = |factor: f64| weights.iter().map(|&m| chance(m, factor)).sum::<f64>();
    let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
    // With the least weight at one, every chance is one.
    let (mut low, mut high) = (0.0, 1.0 / least);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if sum(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    weights.iter().map(|&weight| chance(weight, high)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::rows::CHUNK;
    use rand_pcg::rand_core::Rng;

    /// Rows with a feature that is large where materials are rare, and targets that do not quite follow it.
    fn rows(count: usize) -> (FeatureMatrix, Vec<u64>) {
        let mut lots = Pcg64::seed_from_u64(4);
        let mut unit = || (lots.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let (mut rows, mut materials) = (FeatureMatrix::default(), Vec::new());
        for game in 0..count {
            let material = (unit().powi(4) * 100.0) as i32;
            let amount = if unit() < 0.5 { -material } else { material };
            let exact = curve::chance(Curve::Ratio, f64::from(amount) / 50.0);
            let target = (exact + 0.4 * (unit() - 0.5)).clamp(0.0, 1.0);
            rows.push(&[amount, 1], target, (1, game as u32));
            materials.push(material as u64);
        }
        (rows, materials)
    }

    const WEIGHTS: [f64; 2] = [1.0 / 50.0, 0.0];

    fn draw(
        sampling: Sampling,
        rows: &FeatureMatrix,
        materials: &[u64],
        seed: u64,
    ) -> FeatureMatrix {
        let (materials, model) = (|| Ok(materials.to_vec()), (&WEIGHTS[..], Curve::Ratio));
        let Ok(drawn) = sampling.draw(rows, rows.len(), materials, model, seed);
        drawn
    }

    #[test]
    fn rows_are_picked_across_chunks() {
        let mut rows = FeatureMatrix::default();
        for number in 0..2 * CHUNK as u32 + 5 {
            rows.push(&[number as i32 + 1], 0.5, (1, number));
        }
        let wanted = [0, 7, CHUNK as u32 - 1, CHUNK as u32, 2 * CHUNK as u32 + 4];
        let Ok(kept) = picked(&rows, &wanted, &vec![0.25; rows.len()]);
        let amounts: Vec<u32> = (0..kept.len())
            .map(|i| kept.row(i).amounts[0] as u32 - 1)
            .collect();
        assert_eq!(amounts, wanted);
        assert_eq!(kept.row(3).weight, 4.0);
    }

    #[test]
    fn chances_follow_the_merits_and_have_the_share_as_their_mean() {
        let weights: Vec<f64> = (1..=1_000).map(|i| f64::from(i).powi(2)).collect();
        for share in [0.001, 0.1, 0.5, 0.9, 1.0] {
            let chances = chances(&weights, share);
            let mean = chances.iter().sum::<f64>() / 1_000.0;
            assert!((mean - share).abs() < 1e-9, "{mean} {share}");
            for (pair, weight) in chances.windows(2).zip(weights.windows(2)) {
                let in_proportion = (pair[1] / pair[0] - weight[1] / weight[0]).abs() < 1e-9;
                assert!(pair[1] == 1.0 || in_proportion, "{pair:?}");
            }
        }
        assert!(chances(&[], 0.5).is_empty());
    }

    #[test]
    fn sums_over_a_draw_are_those_over_all_whatever_is_favoured() {
        const DRAWS: u64 = 300;
        let (rows, materials) = rows(3_000);
        let sum_over = |rows: &FeatureMatrix| {
            // Large where positions are favoured, so that uncorrected chances would show.
            let favoured = |index| {
                let row = rows.row(index);
                let surprise = curve::slope(Curve::Ratio, row.sum(&WEIGHTS), row.target).abs();
                let rarity = f64::from(row.amounts[0].abs()) / 100.0;
                row.weight * (1.0 + 3.0 * surprise + rarity)
            };
            (0..rows.len()).map(favoured).sum::<f64>()
        };
        let whole = sum_over(&rows);
        for favour in [Favour::None, Favour::Rare, Favour::Surprising] {
            let sampling = Sampling { share: 0.1, favour };
            let (mut drawn, mut sums) = (0, Vec::new());
            for seed in 0..DRAWS {
                let draw = draw(sampling, &rows, &materials, seed);
                drawn += draw.len();
                sums.push(sum_over(&draw));
            }
            let mean = sums.iter().sum::<f64>() / DRAWS as f64;
            let squares = sums.iter().map(|sum| (sum - mean).powi(2)).sum::<f64>();
            let error = squares.sqrt() / DRAWS as f64;
            assert!(
                (mean - whole).abs() < 3.5 * error,
                "{favour}: {mean} ± {error}, {whole}"
            );
            let share = drawn as f64 / (3_000 * DRAWS) as f64;
            assert!((share - 0.1).abs() < 0.001, "{favour}: {share}");
        }
    }

    #[test]
    fn the_favoured_are_drawn_more_often() {
        let (rows, materials) = rows(3_000);
        let rare = rarities(&materials);
        let surprising = surprises(&rows, &WEIGHTS, Curve::Ratio).expect("memory");
        for (favour, weights) in [(Favour::Rare, rare), (Favour::Surprising, surprising)] {
            let sampling = Sampling { share: 0.1, favour };
            let draw = draw(sampling, &rows, &materials, 1);
            let drawn = draw.games();
            let mean = |is_drawn: bool| {
                let all = (0..3_000_u32).filter(|&i| drawn.contains(&(1, i)) == is_drawn);
                let weights: Vec<f64> = all.map(|i| weights[i as usize]).collect();
                weights.iter().sum::<f64>() / weights.len() as f64
            };
            assert!(mean(true) > 1.05 * mean(false), "{favour}");
        }
    }

    #[test]
    fn exchanged_colours_are_the_same_material() {
        let key = |text: &str| material(&text.parse().expect("a position"));
        let one = key("K3/4/4/4/4/4/4/?2p r P 0 0");
        assert_eq!(one, key("k3/4/4/4/4/4/4/?2P b p 0 0"));
        assert_ne!(one, key("K3/4/4/4/4/4/4/?2p r p 0 0"));
    }
}
