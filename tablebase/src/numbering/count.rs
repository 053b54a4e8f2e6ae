//! The number of placements, and the saving by merging sets into units.

use std::collections::HashMap;

use anqi_rules::SQUARES;

use super::combination::choose;
use crate::classes::{Graph, GraphCode, Material, Twins, Unit, Units};

/// Returns the number of placements of groups of this many identical pieces each.
pub(crate) fn placements(groups: impl Iterator<Item = usize>) -> u128 {
    let mut free = SQUARES;
    groups.fold(1, |product, count| {
        let ways = choose(free, count);
        free -= count;
        product * u128::from(ways)
    })
}

impl Material {
    /// Returns the number of placements on the board, identical pieces counted once.
    pub fn placements(&self) -> u128 {
        placements(self.kinds().map(|(_, count)| count))
    }
}

impl Unit {
    /// Returns the number of placements, mirrors counted separately.
    pub fn placements(&self) -> u64 {
        placements(self.graph.nodes.iter().map(|node| node.count)) as u64
    }
}

/// How many sets, classes and positions there are with a number of pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Census {
    /// The number of pieces.
    pub pieces: usize,
    /// Material sets.
    pub sets: usize,
    /// Classes of isomorphic capture graphs, as the paper counts them.
    pub classes: usize,
    /// The same with twins merged.
    pub twin_classes: usize,
    /// Twin classes joined with their colour-swapped ones.
    pub units: usize,
    /// Placements of all sets.
    pub set_positions: u128,
    /// Placements of one set of each class.
    pub class_positions: u128,
    /// Placements of each twin class, twins being identical.
    pub twin_positions: u128,
    /// Placements of each unit.
    pub unit_positions: u128,
}

/// Counts the sets and classes of one number of pieces.
///
/// # Panics
///
/// Panics if `pieces` exceeds [`MAX_PIECES`](crate::classes::MAX_PIECES).
pub fn census(pieces: usize) -> Census {
    let sets = Material::all(pieces);
    let mut apart: HashMap<GraphCode, u128> = HashMap::new();
    let mut merged: HashMap<GraphCode, u128> = HashMap::new();
    for set in &sets {
        apart
            .entry(Graph::new(set, Twins::Apart).code)
            .or_insert_with(|| set.placements());
        let graph = Graph::new(set, Twins::Merged);
        merged
            .entry(graph.code)
            .or_insert_with(|| placements(graph.nodes.iter().map(|node| node.count)));
    }
    let units = Units::of(pieces);
    Census {
        pieces,
        sets: sets.len(),
        classes: apart.len(),
        twin_classes: merged.len(),
        units: units.list().len(),
        set_positions: sets.iter().map(Material::placements).sum(),
        class_positions: apart.values().sum(),
        twin_positions: merged.values().sum(),
        unit_positions: units
            .list()
            .iter()
            .map(|unit| u128::from(unit.placements()))
            .sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_counted_as_published() {
        let rows: Vec<Census> = (2..=6).map(census).collect();
        let column = |f: fn(&Census) -> usize| rows.iter().map(f).collect::<Vec<_>>();
        assert_eq!(column(|c| c.classes), [8, 46, 186, 672, 2240]);
        assert_eq!(column(|c| c.twin_classes), [8, 40, 144, 466, 1406]);
        assert_eq!(column(|c| c.units), [5, 20, 75, 233, 709]);
        assert_eq!(rows[1].class_positions, 1_130_880);
        assert_eq!(rows[1].twin_positions, 952_320);
    }

    #[test]
    fn placements_are_counted_as_published() {
        let positions: u128 = Material::all(3).iter().map(Material::placements).sum();
        assert_eq!(positions, 9_999_360);
    }
}
