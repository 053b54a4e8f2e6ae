//! Rows of features, a chunk at a time: what a regression sums over.
//!
//! The positions of a fit may be in memory or stream by. Either way they come in chunks of one
//! size, which threads work on and whose results are added in order, so that neither the number
//! of threads nor where the rows come from changes a digit.

use std::convert::Infallible;
use std::ops::Range;

use rayon::prelude::*;

use super::features::FeatureMatrix;

/// Rows in a thread's unit of work.
pub const CHUNK: usize = 8192;

/// Positions that can be gone through more than once.
pub trait Rows: Sync {
    /// Why they cannot be read.
    type Error;

    /// Hands each chunk of [`CHUNK`] rows, the last one shorter, to `work` on any thread, and the
    /// results to `seen` in order.
    ///
    /// # Errors
    ///
    /// Fails if the rows cannot be read.
    fn in_chunks<T: Send>(
        &self,
        work: impl Fn(&FeatureMatrix, Range<usize>) -> T + Sync,
        seen: impl FnMut(T),
    ) -> Result<(), Self::Error>;
}

impl Rows for FeatureMatrix {
    type Error = Infallible;

    fn in_chunks<T: Send>(
        &self,
        work: impl Fn(&FeatureMatrix, Range<usize>) -> T + Sync,
        seen: impl FnMut(T),
    ) -> Result<(), Infallible> {
        work_on(self, 0..self.len(), work, seen);
        Ok(())
    }
}

/// Works on the chunks of some rows, a few on each thread at a time.
pub(super) fn work_on<T: Send>(
    rows: &FeatureMatrix,
    range: Range<usize>,
    work: impl Fn(&FeatureMatrix, Range<usize>) -> T + Sync,
    mut seen: impl FnMut(T),
) {
    let ends = range.end;
    let starts: Vec<usize> = range.step_by(CHUNK).collect();
    for group in starts.chunks(2 * rayon::current_num_threads()) {
        let results: Vec<T> = group
            .par_iter()
            .map(|&start| work(rows, start..(start + CHUNK).min(ends)))
            .collect();
        results.into_iter().for_each(&mut seen);
    }
}

/// Sums over all rows that a regression needs before it begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// How many rows there are.
    pub rows: usize,
    /// The sum of their weights.
    pub total: f64,
    /// The sum of their targets.
    pub targets: f64,
    /// In how many positions each feature occurs, and the sum of its squares.
    pub occurrences: Vec<(f64, f64)>,
}

/// Sums over rows with this many features.
///
/// # Errors
///
/// Fails if the rows cannot be read.
pub fn survey<R: Rows>(rows: &R, features: usize) -> Result<Survey, R::Error> {
    let mut all = Survey {
        rows: 0,
        total: 0.0,
        targets: 0.0,
        occurrences: vec![(0.0, 0.0); features],
    };
    let work = |rows: &FeatureMatrix, range: Range<usize>| {
        let rows = range.map(|index| rows.row(index));
        let parts = rows.map(|row| {
            let entries = row.columns.iter().zip(row.amounts);
            let squares =
                entries.map(|(&column, &amount)| (column, row.weight * f64::from(amount).powi(2)));
            (row.weight, row.weight * row.target, squares.collect())
        });
        parts.collect::<Vec<(f64, f64, Vec<(u16, f64)>)>>()
    };
    // Sums of weights that are no whole numbers depend on their order: row by row.
    rows.in_chunks(work, |chunk| {
        for (weight, target, squares) in chunk {
            all.rows += 1;
            all.total += weight;
            all.targets += target;
            for (column, square) in squares {
                let (count, sum) = &mut all.occurrences[usize::from(column)];
                *count += weight;
                *sum += square;
            }
        }
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_in_order_whatever_the_threads() {
        let mut rows = FeatureMatrix::default();
        for number in 0..2 * CHUNK + 5 {
            rows.push(&[number as i32], 0.5, (1, 0));
        }
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let mut chunks = Vec::new();
            pool.expect("threads").install(|| {
                let Ok(()) = rows.in_chunks(|_, range| range, |range| chunks.push(range));
            });
            assert_eq!(
                chunks,
                [0..CHUNK, CHUNK..2 * CHUNK, 2 * CHUNK..2 * CHUNK + 5]
            );
        }
        let Ok(sums) = survey(&rows, 2);
        assert_eq!(
            (sums.rows, sums.targets),
            (2 * CHUNK + 5, (2 * CHUNK + 5) as f64 / 2.0)
        );
        assert_eq!(sums.occurrences[0].0, (2 * CHUNK + 4) as f64);
        assert_eq!(sums.occurrences[1], (0.0, 0.0));
    }
}
