//! Times a draw with unequal probabilities against testing every element.
//!
//!     cargo run --release -p anqi-lab --example subset_speed

use std::hint::black_box;
use std::time::Instant;

use anqi_lab::training::subset::SubsetSampler;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

const ELEMENTS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("  mean p    prepare      draw     naive    ratio  mean size");
    for mean in [1e-3, 1e-5] {
        let probabilities = skewed(mean);
        let start = Instant::now();
        let sampler = SubsetSampler::new(&probabilities)?;
        let prepared = start.elapsed().as_secs_f64();
        let (fast, size) = time(2_000, |generator| sampler.draw(generator).len());
        let (slow, _) = time(20, |generator| naive(&probabilities, generator).len());
        println!(
            "{mean:>8.0e} {:>7.2} ms {:>6.1} us {:>6.0} us {:>8.1} {size:>10.1}",
            prepared * 1e3,
            fast * 1e6,
            slow * 1e6,
            slow / fast
        );
    }
    Ok(())
}

/// Probabilities with this mean, a tenth of the elements ten times as likely as the others.
fn skewed(mean: f64) -> Vec<f64> {
    let common = mean / 1.9;
    let of = |index| {
        if index % 10 == 0 {
            10.0 * common
        } else {
            common
        }
    };
    (0..ELEMENTS).map(of).collect()
}

/// Tests every element.
fn naive(probabilities: &[f64], generator: &mut Pcg64) -> Vec<u32> {
    let mut drawn = Vec::new();
    for (index, p) in probabilities.iter().enumerate() {
        if (generator.next_u64() >> 11) as f64 / ((1_u64 << 53) as f64) < *p {
            drawn.push(index as u32);
        }
    }
    drawn
}

/// Returns seconds and elements per draw.
fn time(draws: u32, mut draw: impl FnMut(&mut Pcg64) -> usize) -> (f64, f64) {
    let mut generator = Pcg64::seed_from_u64(1);
    let start = Instant::now();
    let size: usize = (0..draws).map(|_| black_box(draw(&mut generator))).sum();
    let seconds = start.elapsed().as_secs_f64() / f64::from(draws);
    (seconds, size as f64 / f64::from(draws))
}
