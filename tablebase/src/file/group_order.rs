//! The order of a file's groups: the one that compresses best on a sample.

use std::io;

use anqi_rules::Color;

use super::codec::rough_len;
use super::extract::{fill_dont_cares, values_of_some};
use super::metric::Metric;
use crate::numbering::{DenseIndex, GroupOrder, usual_order};
use crate::solve::SolvedPlanes;

/// Tries each group as the innermost one on a sample and returns the order that compresses best.
pub(super) fn best_order(
    source: &dyn SolvedPlanes,
    metric: Metric,
    width: u8,
    frame: usize,
) -> GroupOrder {
    let unit = source.layout().unit;
    let usual = usual_order(unit);
    let candidates = (1..usual.len()).map(|last| {
        let mut order = usual.clone();
        let group = order.remove(last);
        order.push(group);
        order
    });
    let singles = candidates.filter(|order| {
        let last = usize::from(order[order.len() - 1]);
        unit.count(last) == 1 || *order == usual
    });
    singles
        .map(|order| (sample_len(source, metric, width, frame, &order), order))
        .min_by_key(|(len, _)| *len)
        .map_or(usual, |(_, order)| order)
}

/// Estimates the compressed length from a sample: one orbit in eight, every fourth placement of
/// the next group, both sides to move.
fn sample_len(
    source: &dyn SolvedPlanes,
    metric: Metric,
    width: u8,
    frame: usize,
    order: &GroupOrder,
) -> u64 {
    let index = DenseIndex::new(source.layout().unit, order.clone());
    let len = |turn: Color, orbit: usize| -> io::Result<u64> {
        let mut values = values_of_some(source, &index, metric, turn, orbit, 4)?;
        fill_dont_cares(&mut values);
        let mut total = 0;
        for frame in values.chunks(frame) {
            total += rough_len(frame, width)? as u64;
        }
        Ok(total)
    };
    let mut total = 0;
    for turn in Color::ALL {
        for orbit in (4..index.pivots()).step_by(8) {
            match len(turn, orbit) {
                Ok(bytes) => total += bytes,
                // Writing will fail too, and report why.
                Err(_) => return u64::MAX,
            }
        }
    }
    total
}
