//! Features and targets of many positions.
//!
//! Most features of a position are zero, so only the others are stored.

use std::collections::BTreeSet;
use std::ops::Range;

/// A game, by the seed of its file and its number.
pub type GameId = (u64, u32);

/// One position's nonzero features.
#[derive(Clone, Copy, Debug)]
pub struct FeatureRow<'a> {
    /// Which features.
    pub columns: &'a [u16],
    /// The amount of each.
    pub amounts: &'a [i32],
    /// The target, from 0 for a loss to 1 for a win.
    pub target: f64,
    /// How many positions it counts for.
    pub weight: f64,
}

/// A sparse matrix of positions and features.
#[derive(Clone, Debug, Default)]
pub struct FeatureMatrix {
    /// Where each row's entries end.
    ends: Vec<usize>,
    columns: Vec<u16>,
    amounts: Vec<i32>,
    targets: Vec<f64>,
    weights: Vec<f64>,
    games: Vec<GameId>,
}

impl FeatureMatrix {
    /// Appends a position.
    pub fn push(&mut self, features: &[i32], target: f64, game: GameId) {
        for (column, &amount) in features.iter().enumerate() {
            if amount != 0 {
                self.columns.push(column as u16);
                self.amounts.push(amount);
            }
        }
        self.ends.push(self.columns.len());
        self.targets.push(target);
        self.weights.push(1.0);
        self.games.push(game);
    }

    /// Appends a position of `others` with this weight.
    pub fn push_row(&mut self, others: &FeatureMatrix, index: usize, weight: f64) {
        let row = others.row(index);
        self.columns.extend_from_slice(row.columns);
        self.amounts.extend_from_slice(row.amounts);
        self.ends.push(self.columns.len());
        self.targets.push(row.target);
        self.weights.push(weight);
        self.games.push(others.games[index]);
    }

    /// Appends all of `others`.
    pub fn append(&mut self, others: &FeatureMatrix) {
        let before = self.columns.len();
        self.ends.extend(others.ends.iter().map(|end| before + end));
        self.columns.extend_from_slice(&others.columns);
        self.amounts.extend_from_slice(&others.amounts);
        self.targets.extend_from_slice(&others.targets);
        self.weights.extend_from_slice(&others.weights);
        self.games.extend_from_slice(&others.games);
    }

    /// Returns the positions with these numbers.
    pub fn rows_in(&self, numbers: Range<usize>) -> FeatureMatrix {
        let mut some = FeatureMatrix::default();
        for index in numbers {
            some.push_row(self, index, self.weights[index]);
        }
        some
    }

    /// Returns how many positions there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the position with this number.
    pub fn row(&self, index: usize) -> FeatureRow<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let entries = start..self.ends[index];
        FeatureRow {
            columns: &self.columns[entries.clone()],
            amounts: &self.amounts[entries],
            target: self.targets[index],
            weight: self.weights[index],
        }
    }

    /// Returns the games that the positions are from.
    pub fn games(&self) -> BTreeSet<GameId> {
        self.games.iter().copied().collect()
    }
}

impl FeatureRow<'_> {
    /// Returns the scalar product of these weights and the amounts.
    pub fn sum(&self, weights: &[f64]) -> f64 {
        let entries = self.columns.iter().zip(self.amounts);
        entries
            .map(|(&column, &amount)| weights[usize::from(column)] * f64::from(amount))
            .sum()
    }
}
