//! The material lattice: what each material is worth, made consistent.
//!
//! An extra piece never hurts its owner. Shares of won positions need not obey that:
//! they are averages over all placements, including those in which the extra piece
//! stands where it blocks. Chen, Liu, Hsu and Hsu give materials scores from 0 to 9 and
//! repair the order by *conflict resolution*. This is a variant of it: the material with
//! the greatest product of conflicts and neighbours gets the level with the least weight
//! of conflicts, until no change helps. The levels are our own, and so is the weight of a
//! conflict by i levels, 2^i; theirs sums 2^i over the nodes at the i-th level of
//! inconsistency. If conflicts are left, each material goes half-way between the greatest
//! level among those that must not be above it and the least among those that must not be
//! below. Two materials that differ only in their colours change together.

use std::collections::HashMap;

use anqi_rules::Color;

use anqi_tablebase::classes::Material;

/// The level of a material that always wins.
pub const TOP_LEVEL: u8 = 10;

/// Materials in levels, with the order that these must obey.
#[derive(Clone, Debug)]
pub struct Lattice {
    levels: Vec<u8>,
    /// The same material with the colours exchanged.
    twins: Vec<usize>,
    /// Materials that must not be above.
    below: Vec<Vec<usize>>,
    /// Materials that must not be below.
    above: Vec<Vec<usize>>,
}

/// Returns the level of a worth between -1 and 1.
pub(crate) fn level_of(worth: f64) -> u8 {
    // Symmetric about the middle, ties included.
    let half = f64::from(TOP_LEVEL) / 2.0;
    (half + (worth * half).round()).clamp(0.0, f64::from(TOP_LEVEL)) as u8
}

impl Lattice {
    /// Takes materials with their worth to red, between -1 and 1. Materials that differ by one
    /// piece are neighbours.
    pub fn new(worths: &[(Material, f64)]) -> Lattice {
        let places: HashMap<Material, usize> = worths
            .iter()
            .enumerate()
            .map(|(place, (set, _))| (*set, place))
            .collect();
        let none = || vec![Vec::new(); worths.len()];
        let mut lattice = Lattice {
            levels: worths.iter().map(|(_, worth)| level_of(*worth)).collect(),
            twins: Vec::new(),
            below: none(),
            above: none(),
        };
        for (place, (set, _)) in worths.iter().enumerate() {
            let twin = places.get(&set.swapped()).copied().unwrap_or(place);
            lattice.twins.push(twin);
            for (piece, _) in set.kinds() {
                let Some(&less) = places.get(&set.without(piece)) else {
                    continue;
                };
                let (low, high) = match piece.color() {
                    Color::Red => (less, place),
                    Color::Black => (place, less),
                };
                lattice.below[high].push(low);
                lattice.above[low].push(high);
            }
        }
        lattice
    }

    /// Returns the level of a material by its place.
    pub fn level(&self, place: usize) -> u8 {
        self.levels[place]
    }

    /// Returns the number of pairs of neighbours.
    pub fn pairs(&self) -> usize {
        self.below.iter().map(Vec::len).sum()
    }

    /// Returns the number of pairs of neighbours in which an extra piece hurts its owner.
    pub fn conflicts(&self) -> usize {
        let each = (0..self.levels.len()).map(|place| self.conflicts_of(place, self.levels[place]));
        // Both members of a pair count it.
        each.map(|(conflicts, _)| conflicts).sum::<usize>() / 2
    }

    /// Repairs the order by conflict ranking; returns how many materials changed their level.
    pub fn resolve(&mut self) -> usize {
        let before = self.levels.clone();
        while let Some((place, level)) = self.best_change() {
            let twin = self.twins[place];
            self.levels[place] = level;
            if twin != place {
                self.levels[twin] = TOP_LEVEL - level;
            }
        }
        self.meet_half_way();
        let changed = before.iter().zip(&self.levels);
        changed.filter(|(before, after)| before != after).count()
    }

    /// Puts every material between its bounds; without conflicts both are its own level.
    fn meet_half_way(&mut self) {
        let least = closed(&self.levels, &self.below, u8::max);
        let most = closed(&self.levels, &self.above, u8::min);
        for (level, (least, most)) in self.levels.iter_mut().zip(least.into_iter().zip(most)) {
            // Halves go towards the middle, so that the colours stay symmetric.
            let sum = least + most;
            *level = (sum + u8::from(sum < TOP_LEVEL)) / 2;
        }
    }

    /// The highest-ranking material that has a better level, and that level.
    fn best_change(&self) -> Option<(usize, u8)> {
        let mut ranked: Vec<(usize, usize)> = (0..self.levels.len())
            .map(|place| {
                let (conflicts, _) = self.conflicts_of(place, self.levels[place]);
                let neighbours = self.below[place].len() + self.above[place].len();
                (conflicts * neighbours, place)
            })
            .filter(|(rank, _)| *rank > 0)
            .collect();
        ranked.sort_by_key(|&(rank, place)| (std::cmp::Reverse(rank), place));
        ranked.into_iter().find_map(|(_, place)| {
            let level = self.best_level(place);
            (level != self.levels[place]).then_some((place, level))
        })
    }

    /// The level with the least weight of conflicts, the nearest to the present one among equals.
    fn best_level(&self, place: usize) -> u8 {
        let here = self.levels[place];
        let cost = |level: u8| self.conflicts_of(place, level).1;
        let levels = 0..=TOP_LEVEL;
        let best = levels.min_by_key(|&level| (cost(level), level.abs_diff(here), level));
        best.unwrap_or(here)
    }

    /// How many conflicts a material has at a level, and their weight.
    fn conflicts_of(&self, place: usize, level: u8) -> (usize, u64) {
        let too_high = self.below[place]
            .iter()
            .map(|&low| self.levels[low].saturating_sub(level));
        let too_low = self.above[place]
            .iter()
            .map(|&high| level.saturating_sub(self.levels[high]));
        let by = too_high.chain(too_low).filter(|&by| by > 0);
        by.fold((0, 0), |(count, weight), by| {
            (count + 1, weight + (1 << by))
        })
    }
}

/// Propagates levels along the order until nothing changes.
fn closed(levels: &[u8], order: &[Vec<usize>], join: impl Fn(u8, u8) -> u8) -> Vec<u8> {
    let mut closed = levels.to_vec();
    loop {
        let mut is_stable = true;
        for (place, others) in order.iter().enumerate() {
            let joined = others
                .iter()
                .fold(closed[place], |level, &other| join(level, closed[other]));
            is_stable &= joined == closed[place];
            closed[place] = joined;
        }
        if is_stable {
            return closed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(worths: &[(&str, f64)]) -> Lattice {
        let read = |&(set, worth): &(&str, f64)| (set.parse::<Material>().unwrap(), worth);
        Lattice::new(&worths.iter().map(read).collect::<Vec<_>>())
    }

    #[test]
    fn a_piece_more_that_hurts_is_a_conflict_and_gets_resolved() {
        let mut lattice = lattice(&[
            ("Kk", 0.0),
            ("KGk", 0.2),
            ("KGGk", -0.6),
            ("KGGPk", 0.4),
            ("Kkg", -0.2),
            ("Kkgg", 0.6),
            ("Kkggp", -0.4),
        ]);
        assert_eq!((lattice.pairs(), lattice.conflicts()), (6, 2));
        let changed = lattice.resolve();
        assert_eq!((lattice.conflicts(), changed), (0, 4));
        let levels: Vec<u8> = (0..7).map(|place| lattice.level(place)).collect();
        assert_eq!(levels, [5, 5, 5, 7, 5, 5, 3]);
    }

    #[test]
    fn levels_are_symmetric() {
        for worth in [-1.0, -0.7, -0.5, -0.1, 0.0, 0.1, 0.3] {
            assert_eq!(level_of(worth) + level_of(-worth), TOP_LEVEL, "{worth}");
        }
    }
}
