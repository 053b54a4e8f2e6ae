//! The lattice of materials, and where their scores contradict one another.
//!
//! Chen, Liu, Hsu and Hsu score each material from 0 (the other side wins) to 9 and join two that
//! differ in one piece. One piece more never hurts its owner: a pair that says otherwise is a
//! *conflict*. The share of a node's neighbours that it is in conflict with falls into one of ten
//! *levels of inconsistency*, each a tenth wide; [`super::resolve`] repairs the scores by these.
//!
//! A material and its colour swap are one node, read in one orientation with score s and in the
//! other with 9 − s. Scores 4 and 5 are alike: neither of them is a conflict beside the other, so
//! that a material that is its own colour swap can be both.

use std::collections::HashMap;

use anqi_rules::Color;
use anqi_tablebase::classes::Material;

/// The score of a material that always wins.
pub const TOP_SCORE: u8 = 9;
/// Levels of inconsistency.
pub const LEVELS: usize = 10;

/// The height of the top score.
const TOP_HEIGHT: u8 = 8;

/// A node beside another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Neighbour {
    /// Which node.
    pub node: usize,
    /// Whether its colours are exchanged beside this node.
    pub is_swapped: bool,
    /// Whether it must not be below; if not, it must not be above.
    pub is_above: bool,
}

/// What is known of a node before conflicts are resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeScore {
    /// The score.
    pub score: u8,
    /// Whether it is verified, and must not change.
    pub is_fixed: bool,
}

/// Nodes with their scores and neighbours.
#[derive(Clone, Debug)]
pub struct Lattice {
    scores: Vec<u8>,
    fixed: Vec<bool>,
    neighbours: Vec<Vec<Neighbour>>,
    /// How many neighbours a node is in conflict with.
    wrong: Vec<u32>,
}

/// Returns the score of a worth between −1 and 1; that of the opposite worth is 9 less it.
pub fn score_of(worth: f64) -> u8 {
    let half = f64::from(TOP_SCORE) / 2.0;
    let strong = (half + worth.abs().min(1.0) * half).round() as u8;
    if worth < 0.0 {
        TOP_SCORE - strong
    } else {
        strong
    }
}

/// Returns the material in the orientation of its node, and whether the colours were exchanged.
pub fn oriented(set: &Material) -> (Material, bool) {
    let swapped = set.swapped();
    if swapped < *set {
        (swapped, true)
    } else {
        (*set, false)
    }
}

/// Returns the place of a score in the order, in which 4 and 5 are one.
pub fn height(score: u8) -> u8 {
    score - u8::from(score > TOP_SCORE / 2)
}

impl Lattice {
    /// Takes oriented materials, each once, and joins those that differ in one piece.
    ///
    /// A material that is its own colour swap is worth as much to either side: it is fixed.
    pub fn new(nodes: &[(Material, NodeScore)]) -> Lattice {
        let places: HashMap<Material, usize> = nodes
            .iter()
            .enumerate()
            .map(|(place, (set, _))| (*set, place))
            .collect();
        let mut neighbours = vec![Vec::new(); nodes.len()];
        for (place, (set, _)) in nodes.iter().enumerate() {
            let is_even = set.swapped() == *set;
            for (piece, _) in set.kinds() {
                // Of a material that is its own swap, what holds for black is the same again.
                if is_even && piece.color() == Color::Black {
                    continue;
                }
                let (less, is_swapped) = oriented(&set.without(piece));
                let Some(&node) = places.get(&less) else {
                    continue;
                };
                let is_above = piece.color() == Color::Black;
                join(&mut neighbours, place, node, is_swapped, is_above);
            }
        }
        let even = NodeScore {
            score: TOP_SCORE / 2,
            is_fixed: true,
        };
        let scores = nodes.iter().map(|(set, score)| {
            let is_even = set.swapped() == *set;
            if is_even { even } else { *score }
        });
        Lattice::of(&scores.collect::<Vec<_>>(), neighbours)
    }

    pub(super) fn of(scores: &[NodeScore], neighbours: Vec<Vec<Neighbour>>) -> Lattice {
        let mut lattice = Lattice {
            wrong: vec![0; scores.len()],
            fixed: scores.iter().map(|node| node.is_fixed).collect(),
            scores: scores.iter().map(|node| node.score).collect(),
            neighbours,
        };
        for node in 0..lattice.len() {
            lattice.wrong[node] = lattice.wrong_with(node, lattice.scores[node]);
        }
        lattice
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// Returns the number of pairs of neighbours.
    pub fn pairs(&self) -> usize {
        self.neighbours.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// Returns the number of fixed nodes.
    pub fn fixed(&self) -> usize {
        self.fixed.iter().filter(|is_fixed| **is_fixed).count()
    }

    /// Returns whether a node is fixed.
    pub fn is_fixed(&self, node: usize) -> bool {
        self.fixed[node]
    }

    /// Returns the score of a node.
    pub fn score(&self, node: usize) -> u8 {
        self.scores[node]
    }

    /// Gives a node a verified score, which no longer changes.
    pub fn verify(&mut self, node: usize, score: u8) {
        self.set(node, score);
        self.fixed[node] = true;
    }

    /// Returns how many nodes are in conflict with a neighbour.
    pub fn inconsistent(&self) -> usize {
        self.wrong.iter().filter(|wrong| **wrong > 0).count()
    }

    /// Returns how many nodes are at each level of inconsistency.
    pub fn levels(&self) -> [usize; LEVELS] {
        let mut levels = [0; LEVELS];
        for node in 0..self.len() {
            if let Some(level) = level_of(self.wrong[node], self.degree(node)) {
                levels[level] += 1;
            }
        }
        levels
    }

    pub(super) fn degree(&self, node: usize) -> u32 {
        self.neighbours[node].len() as u32
    }

    pub(super) fn wrong(&self, node: usize) -> u32 {
        self.wrong[node]
    }

    pub(super) fn neighbours(&self, node: usize) -> &[Neighbour] {
        &self.neighbours[node]
    }

    /// Returns the height of a neighbour, seen from the node that it stands beside.
    pub(super) fn seen_height(&self, neighbour: Neighbour) -> u8 {
        let height = height(self.scores[neighbour.node]);
        if neighbour.is_swapped {
            TOP_HEIGHT - height
        } else {
            height
        }
    }

    /// Returns whether a node with this score would be in conflict with a neighbour.
    pub(super) fn conflicts(&self, score: u8, neighbour: Neighbour) -> bool {
        let (own, other) = (height(score), self.seen_height(neighbour));
        if neighbour.is_above {
            other < own
        } else {
            other > own
        }
    }

    /// Returns with how many neighbours a node would be in conflict with this score.
    pub(super) fn wrong_with(&self, node: usize, score: u8) -> u32 {
        let wrong = |&&neighbour: &&Neighbour| self.conflicts(score, neighbour);
        self.neighbours[node].iter().filter(wrong).count() as u32
    }

    /// Returns the only score of a node that is in conflict with nothing; of 4 and 5 the nearer.
    pub(super) fn only_score(&self, node: usize) -> Option<u8> {
        let (mut low, mut high) = (0, TOP_HEIGHT);
        for &neighbour in &self.neighbours[node] {
            let seen = self.seen_height(neighbour);
            if neighbour.is_above {
                high = high.min(seen);
            } else {
                low = low.max(seen);
            }
        }
        let here = self.scores[node];
        let fits = |score: &u8| height(*score) == low;
        let nearest = (0..=TOP_SCORE)
            .filter(fits)
            .min_by_key(|score| score.abs_diff(here));
        nearest.filter(|_| low == high)
    }

    /// Changes the score of a node.
    pub(super) fn set(&mut self, node: usize, score: u8) {
        let before = self.scores[node];
        for place in 0..self.neighbours[node].len() {
            let neighbour = self.neighbours[node][place];
            let [was, is] = [before, score].map(|score| self.conflicts(score, neighbour));
            let wrong = &mut self.wrong[neighbour.node];
            *wrong = *wrong + u32::from(is) - u32::from(was);
        }
        self.wrong[node] = self.wrong_with(node, score);
        self.scores[node] = score;
    }
}

/// Puts two nodes beside each other; `is_above` and `is_swapped` say how the second stands to the first.
pub(super) fn join(
    neighbours: &mut [Vec<Neighbour>],
    first: usize,
    second: usize,
    is_swapped: bool,
    is_above: bool,
) {
    neighbours[first].push(Neighbour {
        node: second,
        is_swapped,
        is_above,
    });
    neighbours[second].push(Neighbour {
        node: first,
        is_swapped,
        // a ≥ 9 − b says of b what it says of a.
        is_above: is_above == is_swapped,
    });
}

/// Returns the level of inconsistency: 0 up to a tenth of the neighbours, 9 beyond nine tenths.
pub(super) fn level_of(wrong: u32, neighbours: u32) -> Option<usize> {
    let tenths = (wrong * LEVELS as u32).div_ceil(neighbours.max(1));
    (wrong > 0).then(|| tenths as usize - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_symmetric() {
        for worth in [0.05, 0.1, 0.5, 0.7, 1.0] {
            assert_eq!(score_of(worth) + score_of(-worth), TOP_SCORE, "{worth}");
        }
        assert_eq!([0.0, 0.1, 0.12, 1.0].map(score_of), [5, 5, 5, 9]);
        assert_eq!([0.33, 0.34, 0.56].map(score_of), [6, 6, 7]);
    }

    #[test]
    fn levels_are_tenths_of_the_neighbours() {
        assert_eq!(level_of(0, 10), None);
        let levels = [1, 2, 9, 10].map(|wrong| level_of(wrong, 10));
        assert_eq!(levels, [Some(0), Some(1), Some(8), Some(9)]);
        assert_eq!([level_of(1, 20), level_of(1, 3)], [Some(0), Some(3)]);
    }

    #[test]
    fn a_material_and_its_swap_are_one_node() {
        let node = |set: &str, score| {
            let (set, swapped) = oriented(&set.parse::<Material>().unwrap());
            let score = if swapped { TOP_SCORE - score } else { score };
            let is_fixed = false;
            (set, NodeScore { score, is_fixed })
        };
        // One guard more hurts, one pawn more does not: KGk is below Kk, KPkg above Kkg.
        let lattice = Lattice::new(&[
            node("Kk", 9),
            node("KGk", 2),
            node("KPkg", 8),
            node("KPk", 4),
            node("KGPkp", 0),
        ]);
        // Kk is its own swap, hence even and fixed.
        assert_eq!((lattice.score(0), lattice.is_fixed(0)), (4, true));
        assert_eq!(lattice.pairs(), 5);
        let wrong: Vec<u32> = (0..5).map(|node| lattice.wrong(node)).collect();
        // KGk = 2 is worth less than Kk. KPkg = 8 is worth more than KPk = 4, as it must not be, and
        // than Kkg = 7, as it may. KGPkp = 0 is worth less than KGkp = 9 − 8.
        assert_eq!(wrong, [1, 1, 2, 1, 1]);
        assert_eq!(lattice.inconsistent(), 5);
        assert_eq!(lattice.levels(), [0, 0, 0, 0, 3, 0, 1, 0, 0, 1]);
        // With KGk at 6 it is worth more than Kk, as it must be.
        let mut verified = lattice.clone();
        verified.verify(1, 3);
        assert!(verified.is_fixed(1) && verified.inconsistent() == 3);
    }
}
