//! Systems of linear equations with a symmetric, positive definite matrix.

/// A square matrix, row after row.
#[derive(Clone, PartialEq, Debug)]
pub struct SquareMatrix {
    size: usize,
    cells: Vec<f64>,
}

impl SquareMatrix {
    /// Returns a matrix of zeros.
    pub fn zeros(size: usize) -> SquareMatrix {
        SquareMatrix {
            size,
            cells: vec![0.0; size * size],
        }
    }

    /// Returns the entry in a row and a column.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Returns the mutable entry in a row and a column.
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.size + column]
    }

    /// Returns a mutable row.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.size..(row + 1) * self.size]
    }

    /// Adds another matrix of the same size.
    pub fn add(&mut self, other: &SquareMatrix) {
        for (cell, more) in self.cells.iter_mut().zip(&other.cells) {
            *cell += more;
        }
    }

    /// Solves `self` x = `right`, reading only the lower triangle of `self`; `None` if the matrix
    /// is not positive definite.
    ///
    /// By Cholesky's method: the matrix is factored into L Lᵀ with L lower triangular, then
    /// L y = `right` is solved forwards and Lᵀ x = y backwards.
    pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let lower = self.factor()?;
        let size = self.size;
        let mut x = right.to_vec();
        for row in 0..size {
            let known: f64 = (0..row).map(|j| lower.at(row, j) * x[j]).sum();
            x[row] = (x[row] - known) / lower.at(row, row);
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|j| lower.at(j, row) * x[j]).sum();
            x[row] = (x[row] - known) / lower.at(row, row);
        }
        Some(x)
    }

    fn factor(&self) -> Option<SquareMatrix> {
        let mut lower = SquareMatrix::zeros(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known: f64 = (0..column)
                    .map(|j| lower.at(row, j) * lower.at(column, j))
                    .sum();
                let left = self.at(row, column) - known;
                *lower.at_mut(row, column) = if row == column {
                    // NaN compares false, too.
                    (left > 0.0).then(|| left.sqrt())?
                } else {
                    left / lower.at(column, column)
                };
            }
        }
        Some(lower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::{Rng, SeedableRng};

    #[test]
    fn solutions_solve_and_bad_matrices_are_refused() {
        let mut lots = Pcg64::seed_from_u64(3);
        let mut draw = || (lots.next_u64() >> 40) as f64 / f64::from(1 << 24) - 0.5;
        for size in [1, 2, 7, 30] {
            let root: Vec<Vec<f64>> = (0..size)
                .map(|_| (0..size).map(|_| draw()).collect())
                .collect();
            let mut matrix = SquareMatrix::zeros(size);
            for i in 0..size {
                for j in 0..size {
                    let product: f64 = (0..size).map(|k| root[i][k] * root[j][k]).sum();
                    *matrix.at_mut(i, j) = product + if i == j { 0.1 } else { 0.0 };
                }
            }
            let wanted: Vec<f64> = (0..size).map(|_| draw()).collect();
            let right: Vec<f64> = (0..size)
                .map(|i| (0..size).map(|j| matrix.at(i, j) * wanted[j]).sum())
                .collect();
            let found = matrix.solve(&right).expect("positive");
            for (found, wanted) in found.iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-9);
            }
            *matrix.at_mut(size - 1, size - 1) = -1.0;
            assert_eq!(matrix.solve(&right), None);
            *matrix.at_mut(0, 0) = f64::NAN;
            assert_eq!(matrix.solve(&right), None);
        }
    }
}
