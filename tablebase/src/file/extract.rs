//! From solved planes to the order and the values of a file.
//!
//! Where a capture already proves a win, the prober never looks, so the stored
//! value is free. Distances are stored of lost positions only: that of a win is
//! one more than the least among the lost positions it can move to, which the
//! prober looks up. Free values are marked here and filled in by [`fill_dont_cares`]
//! with whatever came before, which compresses best.

use std::io;
use std::ops::Range;

use anqi_rules::Color;

use super::Metric;
use crate::classes::MAX_GROUPS;
use crate::numbering::{
    Codes, DenseIndex, Groups, Layout, Orbits, PieceRow, bit, choose, spread, squares, unrank,
};
use crate::solve::{SolvedPlanes, Wdl, Window};

/// A value that may be anything.
pub const DONT_CARE: u16 = u16::MAX;

/// Stored values of a [`Metric::Wdl`] file.
pub const FILE_VALUES: [Wdl; 3] = [Wdl::Draw, Wdl::Win, Wdl::Loss];

/// Returns the stored values of one side to move for one orbit of the pivot, [`DONT_CARE`] included.
///
/// # Errors
///
/// Fails if the planes cannot be read.
pub fn values(
    source: &dyn SolvedPlanes,
    index: &DenseIndex,
    metric: Metric,
    turn: Color,
    orbit: usize,
) -> io::Result<Vec<u16>> {
    let layout = source.layout();
    let mut out = Vec::with_capacity(index.range_len() as usize);
    let window = source.window(turn, blocks_of_orbit(layout, index, orbit))?;
    let reader = Reader {
        layout,
        window,
        metric,
    };
    let order = index.order();
    let Some(last) = index.last_single() else {
        let start = orbit as u64 * index.range_len();
        out.extend((start..start + index.range_len()).map(|number| {
            reader.value(layout.address(&index.groups(number)) - reader.window.base())
        }));
        return Ok(out);
    };
    let pivot = usize::from(order[0]);
    let size = layout.unit.count(pivot);
    let set = Codes::of(size).sets[Orbits::of(size).first[orbit] as usize];
    let mut groups = [0; MAX_GROUPS];
    groups[pivot] = set;
    reader.nest(&order[1..], last, &mut groups, !set, &mut out);
    Ok(out)
}

/// The blocks that hold the positions of an orbit of the file's pivot: few if the solver has the
/// same pivot, otherwise all.
fn blocks_of_orbit(layout: &Layout, index: &DenseIndex, orbit: usize) -> Range<usize> {
    match layout.parts.get(2) {
        Some(pivot)
            if pivot.group == usize::from(index.order()[0])
                && pivot.size == layout.unit.count(pivot.group) =>
        {
            let stride = layout.block_stride(2);
            orbit * stride..(orbit + 1) * stride
        }
        _ => 0..layout.blocks,
    }
}

struct Reader<'a> {
    layout: &'a Layout,
    window: Window<'a>,
    metric: Metric,
}

impl Reader<'_> {
    /// Appends the values of all placements of the groups `left` on the squares `free`.
    fn nest(&self, left: &[u8], last: usize, groups: &mut Groups, free: u32, out: &mut Vec<u16>) {
        let group = usize::from(left[0]);
        if left.len() == 1 {
            let row = PieceRow::find(self.layout, groups, last).shifted(self.window.base());
            self.row(&row, free, out);
            return;
        }
        let size = self.layout.unit.count(group);
        for code in 0..choose(free.count_ones() as usize, size) as u32 {
            let set = spread(unrank(code, size), free);
            groups[group] = set;
            self.nest(&left[1..], last, groups, free & !set, out);
        }
        groups[group] = 0;
    }

    fn row(&self, row: &PieceRow, free: u32, out: &mut Vec<u16>) {
        match self.metric {
            Metric::Wdl => self.row_of_values(row, free, out),
            Metric::Dtc | Metric::Dtw => self.row_of_distances(row, free, out),
        }
    }

    fn row_of_values(&self, row: &PieceRow, free: u32, out: &mut Vec<u16>) {
        let window = &self.window;
        let (win, loss) = (row.bits(&window.win), row.bits(&window.loss));
        let proven = window
            .captures
            .as_ref()
            .map_or(0, |planes| row.bits(planes));
        for square in squares(free) {
            let is = |word: u32| word >> square & 1 != 0;
            out.push(if is(proven) {
                DONT_CARE
            } else {
                u16::from(is(win)) | u16::from(is(loss)) << 1
            });
        }
    }

    /// Only lost positions have a stored distance, and no capture wins in any of those.
    fn row_of_distances(&self, row: &PieceRow, free: u32, out: &mut Vec<u16>) {
        let loss = row.bits(&self.window.loss) & free;
        if loss == 0 {
            out.extend(std::iter::repeat_n(DONT_CARE, free.count_ones() as usize));
            return;
        }
        for square in squares(free) {
            let address = row.address(square).filter(|_| loss >> square & 1 != 0);
            out.push(address.map_or(DONT_CARE, |address| self.distance(address)));
        }
    }

    fn value(&self, address: u64) -> u16 {
        let proven = self
            .window
            .captures
            .as_ref()
            .is_some_and(|planes| bit(planes, address));
        match (self.metric, self.window.wdl(address)) {
            _ if proven => DONT_CARE,
            (Metric::Wdl, wdl) => FILE_VALUES
                .iter()
                .position(|&w| w == wdl)
                .map_or(DONT_CARE, |i| i as u16),
            (_, Wdl::Draw | Wdl::Win) => DONT_CARE,
            _ => self.distance(address),
        }
    }

    /// The distance of a lost position; none for positions without a move.
    fn distance(&self, address: u64) -> u16 {
        let distance = match self.metric {
            Metric::Dtw => self.window.dtw(address),
            _ => self.window.dtc(address),
        };
        distance.filter(|&plies| plies > 0).unwrap_or(DONT_CARE)
    }
}

/// Replaces each free value by the one before it, and those at the start by the first that counts.
pub fn fill_dont_cares(values: &mut [u16]) {
    let mut last = values
        .iter()
        .copied()
        .find(|&value| value != DONT_CARE)
        .unwrap_or(0);
    for value in values {
        if *value == DONT_CARE {
            *value = last;
        }
        last = *value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dont_cares_are_filled_in() {
        const X: u16 = DONT_CARE;
        let filled = |values: &[u16]| {
            let mut values = values.to_vec();
            fill_dont_cares(&mut values);
            values
        };
        assert_eq!(filled(&[X, X, 2, X, 0, X, X, 7]), [2, 2, 2, 2, 0, 0, 0, 7]);
        assert_eq!(filled(&[X, X]), [0, 0]);
        assert_eq!(filled(&[3, 1, 4]), [3, 1, 4]);
        assert_eq!(filled(&[]), [0; 0]);
    }
}
