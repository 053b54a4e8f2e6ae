//! Units: the sets that are solved together.
//!
//! A unit is a class of material sets with isomorphic capture graphs (twins
//! merged), joined with the class of exchanged colours. Its name, the **key**,
//! is its first set in the order of [`Material::all`]. A [`Fit`] maps a set to
//! its unit: whether the colours must be exchanged, and which **group** (node
//! of the unit's graph) each piece belongs to.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use anqi_rules::order::sort_few_by_key;
use anqi_rules::{Color, PIECES, Piece};
use smallvec::SmallVec;

use crate::classes::{Graph, GraphCode, MAX_PIECES, Material, Twins};

/// The most groups that a unit may have.
pub(crate) const MAX_GROUPS: usize = MAX_PIECES;

/// A class of material sets that share one table.
#[derive(Debug)]
pub struct Unit {
    /// The first of the sets: the unit's name. Its own fit exchanges nothing.
    pub key: Material,
    /// The capture graph of the key; its nodes are the unit's groups.
    pub graph: Graph,
    /// The unit's place among those with as many pieces.
    pub number: usize,
}

/// How a material set maps to its unit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The unit.
    pub unit: &'static Unit,
    /// Whether red in the set is black in the unit.
    pub swapped: bool,
    /// The group of each piece, by piece index; meaningless for absent pieces.
    pub groups: [u8; PIECES],
}

impl Unit {
    /// Returns the number of pieces.
    pub fn pieces(&self) -> usize {
        self.key.len()
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.graph.nodes.len()
    }

    /// Returns the colour (in the unit) of a group.
    pub fn color(&self, group: usize) -> Color {
        self.graph.nodes[group].color
    }

    /// Returns how many pieces a group has.
    pub fn count(&self, group: usize) -> usize {
        self.graph.nodes[group].count
    }

    /// Returns the unit of the set that is left when one piece of `group` is captured, with the
    /// map of this unit's groups to the smaller one's; `None` if that was its side's last piece.
    pub(crate) fn after_loss_of(&self, group: usize) -> Option<SubFit> {
        let node = &self.graph.nodes[group];
        // Any member of the group will do: twins are interchangeable.
        let role = node
            .roles
            .iter()
            .find(|&&role| self.key.count(Piece::new(node.color, role)) > 0);
        let piece = Piece::new(node.color, *role.expect("a node has pieces"));
        let rest = self.key.without(piece);
        if rest.side(node.color) == 0 {
            return None;
        }
        let fit = Fit::of(&rest);
        let mut groups = [0; MAX_GROUPS];
        for (kind, _) in rest.kinds() {
            let from = self
                .graph
                .node_of(kind)
                .expect("the kinds of the rest are kinds of the key");
            groups[from] = fit.groups[kind.index()];
        }
        Some(SubFit {
            unit: fit.unit,
            swapped: fit.swapped,
            groups,
        })
    }

    /// Returns the units that captures lead to, without repetition, in order of their numbers.
    pub fn children(&self) -> Vec<&'static Unit> {
        let mut units: Vec<_> = (0..self.groups())
            .filter_map(|group| self.after_loss_of(group))
            .map(|fit| fit.unit)
            .collect();
        sort_few_by_key(&mut units, |unit| unit.number);
        units.dedup_by_key(|unit| unit.number);
        units
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.key, f)
    }
}

/// How a unit without one of its pieces maps to a smaller unit.
#[derive(Clone, Debug)]
pub(crate) struct SubFit {
    /// The smaller unit.
    pub unit: &'static Unit,
    /// Whether red is black there.
    pub swapped: bool,
    /// For each group of the larger unit that is left, the group there.
    pub groups: [u8; MAX_GROUPS],
}

impl Fit {
    /// Returns the fit of a set.
    ///
    /// # Panics
    ///
    /// Panics if the set is one-sided or has more than [`MAX_PIECES`] pieces.
    pub fn of(set: &Material) -> Fit {
        let units = Units::of(set.len());
        let stored = units.fits.get(set);
        let stored = stored.expect("every two-sided set of the size was listed");
        Fit {
            unit: &units.list[stored.number as usize],
            swapped: stored.swapped,
            groups: stored.groups,
        }
    }
}

/// A fit as it is kept, with the unit's number.
#[derive(Debug)]
struct StoredFit {
    number: u32,
    swapped: bool,
    groups: [u8; PIECES],
}

/// The code of a set's graph, and the group of each piece.
struct Coded {
    code: GraphCode,
    groups: [u8; PIECES],
}

impl Coded {
    fn of(set: &Material) -> Coded {
        let graph = Graph::new(set, Twins::Merged);
        let mut groups = [0; PIECES];
        for (piece, _) in set.kinds() {
            let group = graph.node_of(piece);
            groups[piece.index()] = group.expect("the graph was built from the set") as u8;
        }
        Coded {
            code: graph.code,
            groups,
        }
    }

    /// The groups of a set whose exchanged colours this is.
    fn exchanged(&self, set: &Material) -> [u8; PIECES] {
        let mut groups = [0; PIECES];
        for (piece, _) in set.kinds() {
            groups[piece.index()] = self.groups[piece.recolored().index()];
        }
        groups
    }
}

/// All units of one number of pieces.
#[derive(Debug)]
pub struct Units {
    list: Vec<Unit>,
    fits: HashMap<Material, StoredFit>,
}

impl Units {
    /// Returns the units of `pieces` pieces; they are computed on first use.
    ///
    /// # Panics
    ///
    /// Panics if `pieces` exceeds [`MAX_PIECES`].
    pub fn of(pieces: usize) -> &'static Units {
        static LISTS: [OnceLock<Units>; MAX_PIECES + 1] =
            [const { OnceLock::new() }; MAX_PIECES + 1];
        LISTS[pieces].get_or_init(|| Units::new(pieces))
    }

    // The graph of each set is built once: there are sixteen thousand sets of six pieces.
    fn new(pieces: usize) -> Units {
        let sets = Material::all(pieces);
        let coded: HashMap<Material, Coded> =
            sets.iter().map(|set| (*set, Coded::of(set))).collect();
        let mut units = Units {
            list: Vec::new(),
            fits: HashMap::with_capacity(sets.len()),
        };
        let mut numbers: HashMap<GraphCode, u32> = HashMap::new();
        let codes = |set: &Material| (&coded[set], &coded[&set.swapped()]);
        for set in &sets {
            let (plain, other) = codes(set);
            // Of a class and its colour-swapped twin, the lesser code names both.
            if plain.code <= other.code && !numbers.contains_key(&plain.code) {
                let number = units.list.len();
                numbers.insert(plain.code, number as u32);
                units.list.push(Unit {
                    key: *set,
                    graph: Graph::new(set, Twins::Merged),
                    number,
                });
            }
        }
        for set in &sets {
            let (plain, other) = codes(set);
            let swapped = other.code < plain.code;
            let (code, groups) = if swapped {
                (other.code, other.exchanged(set))
            } else {
                (plain.code, plain.groups)
            };
            let number = numbers[&code];
            units.fits.insert(
                *set,
                StoredFit {
                    number,
                    swapped,
                    groups,
                },
            );
        }
        units
    }

    /// Returns the units in the order of their keys.
    pub fn list(&'static self) -> &'static [Unit] {
        &self.list
    }
}

/// Returns the sets of one class: those whose graphs have this code.
pub fn members(code: GraphCode, pieces: usize, twins: Twins) -> SmallVec<[Material; 16]> {
    Material::all(pieces)
        .into_iter()
        .filter(|set| Graph::new(set, twins).code == code)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fit_is_an_isomorphism() {
        for pieces in 2..=5 {
            for set in Material::all(pieces) {
                let fit = Fit::of(&set);
                let kinds: Vec<(Piece, usize)> = set.kinds().collect();
                for &(hunter, _) in &kinds {
                    for &(prey, _) in kinds.iter().filter(|(p, _)| p.color() != hunter.color()) {
                        let (h, p) = (fit.groups[hunter.index()], fit.groups[prey.index()]);
                        let takes = hunter.role().jumps() || hunter.role().captures(prey.role());
                        assert_eq!(fit.unit.graph.takes(h.into(), p.into()), takes, "{set}");
                        assert_eq!(
                            fit.unit.graph.nodes[h as usize].jumps,
                            hunter.role().jumps()
                        );
                        let color = fit.unit.color(h.into());
                        assert_eq!(color != hunter.color(), fit.swapped, "{set}");
                    }
                }
                for group in 0..fit.unit.groups() {
                    let pieces: usize = kinds
                        .iter()
                        .filter(|(piece, _)| usize::from(fit.groups[piece.index()]) == group)
                        .map(|&(_, count)| count)
                        .sum();
                    assert_eq!(pieces, fit.unit.count(group), "{set}");
                }
            }
        }
    }

    #[test]
    fn keys_fit_themselves_and_captures_stay_among_units() {
        for pieces in 2..=5 {
            for unit in Units::of(pieces).list() {
                let fit = Fit::of(&unit.key);
                assert!(!fit.swapped && fit.unit.number == unit.number, "{unit}");
                for child in unit.children() {
                    assert_eq!(child.pieces(), pieces - 1);
                }
            }
        }
    }
}
