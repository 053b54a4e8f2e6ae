//! Error distances: how far scores are from verified ones.
//!
//! As Chen, Liu, Hsu and Hsu count them: the difference between a node's score and its verified score,
//! none between 4 and 5; a score that names the wrong side is *inverted*.

use anqi_rules::random::{shuffle, split_mix};

use super::lattice::{Lattice, TOP_SCORE};
use super::resolve::Method;

/// Verified nodes by the error distance of their scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Distances {
    /// All verified nodes.
    pub nodes: usize,
    /// Those at distance 0.
    pub right: usize,
    /// Those at distance 1.
    pub near: usize,
    /// Those further off whose score names the wrong side.
    pub inverted: usize,
}

/// Error distances of the estimated scores, of those that the basic algorithm makes of them, and of
/// those of the refined one.
pub type Compared = [Distances; 3];

/// Returns the error distance between two scores.
pub fn distance(score: u8, verified: u8) -> u8 {
    let is_even = |score: u8| score == TOP_SCORE / 2 || score == TOP_SCORE / 2 + 1;
    if is_even(score) && is_even(verified) {
        0
    } else {
        score.abs_diff(verified)
    }
}

impl Distances {
    /// Counts a node.
    pub fn add(&mut self, score: u8, verified: u8) {
        let middle = TOP_SCORE / 2;
        self.nodes += 1;
        match distance(score, verified) {
            0 => self.right += 1,
            1 => self.near += 1,
            _ => {}
        }
        self.inverted +=
            usize::from(score.min(verified) < middle && score.max(verified) > middle + 1);
    }

    /// Returns the number of nodes more than one off.
    pub fn far(&self) -> usize {
        self.nodes - self.right - self.near
    }

    /// Returns a count in percent of all nodes, and its standard error.
    pub fn percent(&self, count: usize) -> (f64, f64) {
        let all = self.nodes.max(1) as f64;
        let share = count as f64 / all;
        (100.0 * share, 100.0 * (share * (1.0 - share) / all).sqrt())
    }
}

/// Resolves a lattice by both algorithms and compares its scores with verified ones, in rounds: each
/// compares a random sample, whose nodes are fixed at their verified scores in the rounds that follow.
pub fn in_rounds(
    start: &Lattice,
    verified: &[(usize, u8)],
    sample: usize,
    rounds: usize,
) -> Compared {
    let mut order = verified.to_vec();
    let mut state = 1;
    shuffle(&mut order, || split_mix(&mut state));
    let mut known = start.clone();
    let mut compared = Compared::default();
    for sample in order.chunks(sample.max(1)).take(rounds) {
        add(&mut compared, &known, sample);
        for &(node, score) in sample {
            known.verify(node, score);
        }
    }
    compared
}

/// Resolves a lattice by both algorithms and compares the scores of these nodes with verified ones.
pub fn add(compared: &mut Compared, start: &Lattice, sample: &[(usize, u8)]) {
    let mut lattices = [start.clone(), start.clone(), start.clone()];
    lattices[1].resolve(Method::Basic);
    lattices[2].resolve(Method::Refined);
    for (distances, lattice) in compared.iter_mut().zip(&lattices) {
        for &(node, score) in sample {
            distances.add(lattice.score(node), score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::NodeScore;
    use super::*;

    #[test]
    fn four_and_five_are_alike_and_the_wrong_side_is_inverted() {
        let mut distances = Distances::default();
        for (score, verified) in [(4, 5), (7, 7), (3, 4), (3, 5), (3, 6), (9, 0), (5, 6)] {
            distances.add(score, verified);
        }
        let expected = Distances {
            nodes: 7,
            right: 2,
            near: 2,
            inverted: 2,
        };
        assert_eq!((distances, distances.far()), (expected, 3));
        let (percent, error) = distances.percent(2);
        assert!((percent - 28.571).abs() < 1e-3 && (error - 17.075).abs() < 1e-3);
    }

    #[test]
    fn a_round_compares_before_it_verifies() {
        let node =
            |set: &str, score, is_fixed| (set.parse().unwrap(), NodeScore { score, is_fixed });
        // Black has a piece more, yet red is said to win: 5 is the nearest score without a conflict.
        let lattice = Lattice::new(&[
            node("Kk", 4, true),
            node("Kkg", 8, false),
            node("Kkm", 8, false),
        ]);
        let compared = in_rounds(&lattice, &[(1, 3), (2, 3)], 1, 2);
        let distances = |inverted| Distances {
            nodes: 2,
            right: 0,
            near: 0,
            inverted,
        };
        assert_eq!(compared, [distances(2), distances(0), distances(0)]);
        let [one, ..] = in_rounds(&lattice, &[(1, 8), (2, 8)], 1, 1);
        assert_eq!((one.nodes, one.right), (1, 1));
    }
}
