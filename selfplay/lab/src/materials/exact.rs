//! What materials of few pieces are worth, by their exact values.

use anqi_tablebase::classes::{Fit, Material, Units};
use anqi_tablebase::counts::{CountsError, KeptCounts};
use anqi_tablebase::solve::{Goal, SideTotals, Totals, UnitCache};
use rayon::prelude::*;

/// Bytes of the cache of solved units.
const MEMORY: u64 = 1 << 30;

/// A material with its totals over all placements.
#[derive(Clone, Copy, Debug)]
pub struct MaterialWorth {
    /// The material.
    pub set: Material,
    /// Red to move, black to move, in percent: won, drawn, lost.
    pub shares: [[f64; 3]; 2],
    /// Its worth to red, between −1 and 1, averaged over the side to move.
    pub worth: f64,
}

impl MaterialWorth {
    fn of(set: Material, totals: &Totals, swapped: bool) -> MaterialWorth {
        let [first, second] = totals;
        let sides = if swapped {
            [second, first]
        } else {
            [first, second]
        };
        let shares = sides.map(shares);
        let gain = |[won, _, lost]: [f64; 3]| (won - lost) / 100.0;
        MaterialWorth {
            set,
            shares,
            worth: (gain(shares[0]) - gain(shares[1])) / 2.0,
        }
    }
}

fn shares(side: &SideTotals) -> [f64; 3] {
    let all = (side.win + side.draw + side.loss).max(1) as f64;
    [side.win, side.draw, side.loss].map(|count| count as f64 * 100.0 / all)
}

/// Counts all materials of up to this many pieces.
///
/// # Errors
///
/// Fails if a unit cannot be counted, or its counts cannot be kept.
pub fn worths(pieces: usize, counts: &KeptCounts) -> Result<Vec<MaterialWorth>, CountsError> {
    let cache = UnitCache::new(pieces, MEMORY, Goal::Values)?;
    let mut worths = Vec::new();
    for count in 2..=pieces {
        let units = Units::of(count).list();
        let solved = units
            .par_iter()
            .map(|unit| Ok(counts.counted(unit, &cache)?.totals));
        let solved: Vec<Totals> = solved.collect::<Result<_, CountsError>>()?;
        worths.extend(Material::all(count).into_iter().map(|set| {
            let fit = Fit::of(&set);
            MaterialWorth::of(set, &solved[fit.unit.number], fit.swapped)
        }));
    }
    Ok(worths)
}
