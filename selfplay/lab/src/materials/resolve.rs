//! Conflict resolution: scores that contradict one another, made consistent.
//!
//! Both algorithms are those of Chen, Liu, Hsu and Hsu. Take the node of the highest *conflict rank*,
//! give it the score that minimises the *corrected score* of the whole lattice, and go on until no
//! candidate is left; fixed nodes are never candidates.
//!
//! | | basic | refined |
//! |---|---|---|
//! | conflict rank of a node | the share of its neighbours in conflict with it | conflicts × neighbours |
//! | corrected score | nodes in a conflict | Σ 2^i · I_i over the levels of inconsistency, I_i nodes at level i |
//! | after a change | – | *diffusing*: a neighbour for which only one score is in conflict with nothing gets it at once, and so on from there |
//!
//! What their text leaves open: an *iteration* takes every inconsistent node once, ranks being those
//! of the moment; a score changes only if that lowers the corrected score, to the nearest among equals;
//! the iterations end with the first that changes nothing, which is not counted.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::lattice::{Lattice, TOP_SCORE, height, level_of};

/// Which algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Ranks shares and counts inconsistent nodes.
    Basic,
    /// Ranks products, weighs levels of inconsistency, and diffuses.
    Refined,
}

/// What resolving took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resolution {
    /// Iterations that changed a score.
    pub iterations: usize,
    /// Changes of scores by the corrected score.
    pub corrected: usize,
    /// Changes of scores by diffusing.
    pub diffused: usize,
}

impl Method {
    /// What a node adds to the corrected score.
    fn weight(self, wrong: u32, neighbours: u32) -> i64 {
        level_of(wrong, neighbours).map_or(0, |level| match self {
            Method::Basic => 1,
            Method::Refined => 1 << level,
        })
    }

    /// The conflict rank of a node.
    fn rank(self, wrong: u32, neighbours: u32) -> u64 {
        let (wrong, neighbours) = (u64::from(wrong), u64::from(neighbours));
        match self {
            // As a fraction of 2^32, finer than any two shares differ.
            Method::Basic => (wrong << 32) / neighbours.max(1),
            Method::Refined => wrong * neighbours,
        }
    }
}

/// The candidates of an iteration, the highest conflict rank first.
struct Candidates {
    method: Method,
    queue: BTreeSet<(Reverse<u64>, usize)>,
    ranks: Vec<Option<u64>>,
}

impl Candidates {
    fn new(lattice: &Lattice, method: Method) -> Candidates {
        let mut candidates = Candidates {
            method,
            queue: BTreeSet::new(),
            ranks: vec![None; lattice.len()],
        };
        for node in 0..lattice.len() {
            if lattice.wrong(node) > 0 && !lattice.is_fixed(node) {
                candidates.insert(lattice, node);
            }
        }
        candidates
    }

    fn insert(&mut self, lattice: &Lattice, node: usize) {
        let rank = self.method.rank(lattice.wrong(node), lattice.degree(node));
        self.ranks[node] = Some(rank);
        self.queue.insert((Reverse(rank), node));
    }

    fn pop(&mut self) -> Option<usize> {
        let (_, node) = self.queue.pop_first()?;
        self.ranks[node] = None;
        Some(node)
    }

    /// Ranks a waiting node anew; without a conflict it is a candidate no more.
    fn update(&mut self, lattice: &Lattice, node: usize) {
        if let Some(rank) = self.ranks[node].take() {
            self.queue.remove(&(Reverse(rank), node));
            if lattice.wrong(node) > 0 {
                self.insert(lattice, node);
            }
        }
    }

    fn update_around(&mut self, lattice: &Lattice, node: usize) {
        self.update(lattice, node);
        for neighbour in lattice.neighbours(node) {
            self.update(lattice, neighbour.node);
        }
    }
}

impl Lattice {
    /// Resolves conflicts.
    pub fn resolve(&mut self, method: Method) -> Resolution {
        let mut resolution = Resolution::default();
        while self.iterate(method, &mut resolution) {
            resolution.iterations += 1;
        }
        resolution
    }

    /// Takes every inconsistent node once; returns whether a score changed.
    fn iterate(&mut self, method: Method, resolution: &mut Resolution) -> bool {
        let mut candidates = Candidates::new(self, method);
        let before = resolution.corrected;
        while let Some(node) = candidates.pop() {
            let Some(score) = self.better_score(node, method) else {
                continue;
            };
            self.set(node, score);
            resolution.corrected += 1;
            candidates.update_around(self, node);
            if method == Method::Refined {
                resolution.diffused += self.diffuse(node, &mut candidates);
            }
        }
        resolution.corrected > before
    }

    /// Returns the score that minimises the corrected score, if that lowers it.
    fn better_score(&self, node: usize, method: Method) -> Option<u8> {
        let here = self.score(node);
        let scores = (0..=TOP_SCORE).map(|score| (self.change(node, score, method), score));
        let best = scores.min_by_key(|&(change, score)| (change, score.abs_diff(here), score));
        best.filter(|&(change, _)| change < 0)
            .map(|(_, score)| score)
    }

    /// By how much the corrected score changes with a score of a node.
    fn change(&self, node: usize, score: u8, method: Method) -> i64 {
        let mut own = 0;
        let mut change = 0;
        for &neighbour in self.neighbours(node) {
            let was = self.conflicts(self.score(node), neighbour);
            let is = self.conflicts(score, neighbour);
            own += u32::from(is);
            if is != was {
                let (wrong, degree) = (self.wrong(neighbour.node), self.degree(neighbour.node));
                let after = wrong + u32::from(is) - u32::from(was);
                change += method.weight(after, degree) - method.weight(wrong, degree);
            }
        }
        let degree = self.degree(node);
        change + method.weight(own, degree) - method.weight(self.wrong(node), degree)
    }

    /// Gives neighbours of a changed node their only scores, and so on; returns how many changed.
    fn diffuse(&mut self, changed: usize, candidates: &mut Candidates) -> usize {
        let mut waiting = vec![changed];
        let mut count = 0;
        while let Some(node) = waiting.pop() {
            for place in 0..self.neighbours(node).len() {
                let other = self.neighbours(node)[place].node;
                if self.is_fixed(other) {
                    continue;
                }
                let Some(score) = self.only_score(other) else {
                    continue;
                };
                // The node was in conflict, so each change leaves fewer conflicts, and this ends.
                if height(score) != height(self.score(other)) {
                    self.set(other, score);
                    candidates.update_around(self, other);
                    waiting.push(other);
                    count += 1;
                }
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::{NodeScore, join};
    use super::*;
    use anqi_rules::random::{below, split_mix};

    /// A lattice of scores, `true` for fixed ones, with pairs (low, high).
    fn lattice(nodes: &[(u8, bool)], pairs: &[(usize, usize)]) -> Lattice {
        let mut neighbours = vec![Vec::new(); nodes.len()];
        for &(low, high) in pairs {
            join(&mut neighbours, low, high, false, true);
        }
        let node = |&(score, is_fixed): &(u8, bool)| NodeScore { score, is_fixed };
        Lattice::of(&nodes.iter().map(node).collect::<Vec<_>>(), neighbours)
    }

    fn scores(lattice: &Lattice) -> Vec<u8> {
        (0..lattice.len()).map(|node| lattice.score(node)).collect()
    }

    /// A node at 4 above two sixes and below a two, all verified; each six has nine other neighbours.
    fn quarrel() -> Lattice {
        let mut nodes = vec![(4, false), (2, true), (6, true), (6, true)];
        let mut pairs = vec![(0, 1), (2, 0), (3, 0)];
        for other in 4..22 {
            nodes.push((8, true));
            pairs.push((2 + other % 2, other));
        }
        lattice(&nodes, &pairs)
    }

    #[test]
    fn one_conflict_of_a_high_level_weighs_more_than_several_of_low_ones() {
        let mut basic = quarrel();
        assert_eq!(basic.inconsistent(), 4);
        assert_eq!(basic.levels(), [2, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
        let mut refined = basic.clone();
        let done = Resolution {
            iterations: 1,
            corrected: 1,
            diffused: 0,
        };
        // At 6 two nodes are inconsistent, at 2 three.
        assert_eq!(basic.resolve(Method::Basic), done);
        assert_eq!(basic.score(0), 6);
        assert_eq!(basic.levels(), [0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
        // At 6 the weights are 2^3 + 2^9, at 2 they are 2^6 + 1 + 1.
        assert_eq!(refined.resolve(Method::Refined), done);
        assert_eq!(refined.score(0), 2);
        assert_eq!(refined.levels(), [2, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn verified_nodes_do_not_change_and_changes_diffuse() {
        let nodes = [(7, true), (2, false), (2, false), (7, true)];
        let mut refined = lattice(&nodes, &[(0, 1), (1, 2), (2, 3)]);
        let mut basic = refined.clone();
        // The second at 7 puts the third in its place: two inconsistent nodes now, and two then.
        assert_eq!(basic.resolve(Method::Basic), Resolution::default());
        assert_eq!(
            (scores(&basic), basic.inconsistent()),
            (vec![7, 2, 2, 7], 2)
        );
        // 2^4 + 2^9 become 2^4 + 2^4; then 7 is the only score of the third.
        let done = Resolution {
            iterations: 1,
            corrected: 1,
            diffused: 1,
        };
        assert_eq!(refined.resolve(Method::Refined), done);
        assert_eq!((scores(&refined), refined.inconsistent()), (vec![7; 4], 0));
        // Two verified ones may contradict each other: so they stay.
        let mut stuck = lattice(&[(7, true), (2, true)], &[(0, 1)]);
        assert_eq!(stuck.resolve(Method::Refined), Resolution::default());
        assert_eq!(scores(&stuck), [7, 2]);
    }

    #[test]
    fn basic_ranks_shares_and_refined_products() {
        let [whole, most] = [(1, 1), (3, 10)];
        let rank = |method: Method, (wrong, neighbours)| method.rank(wrong, neighbours);
        assert!(rank(Method::Basic, whole) > rank(Method::Basic, most));
        assert!(rank(Method::Refined, whole) < rank(Method::Refined, most));
    }

    #[test]
    fn resolving_lowers_the_corrected_score_and_counts_conflicts_right() {
        let mut state = 7;
        let mut draw = |limit: u64| below(limit, || split_mix(&mut state)) as usize;
        for method in [Method::Basic, Method::Refined] {
            for _ in 0..20 {
                let nodes: Vec<(u8, bool)> =
                    (0..40).map(|_| (draw(10) as u8, draw(5) == 0)).collect();
                let pairs: BTreeSet<(usize, usize)> =
                    (0..120).map(|_| (draw(20), 20 + draw(20))).collect();
                let pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
                let before = lattice(&nodes, &pairs);
                let mut after = before.clone();
                after.resolve(method);
                let corrected = |lattice: &Lattice| -> i64 {
                    let each = (0..lattice.len())
                        .map(|node| method.weight(lattice.wrong(node), lattice.degree(node)));
                    each.sum()
                };
                assert!(corrected(&after) < corrected(&before));
                for (node, &(first, _)) in nodes.iter().enumerate() {
                    let wrong = after.wrong_with(node, after.score(node));
                    assert_eq!(after.wrong(node), wrong);
                    assert!(!after.is_fixed(node) || after.score(node) == first);
                    assert!(after.is_fixed(node) || after.better_score(node, method).is_none());
                }
            }
        }
    }
}
