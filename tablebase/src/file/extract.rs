//! From solved planes to the order and the values of a file.
//!
//! Where a capture already proves a win, the prober never reads the stored
//! value: it is a *don't-care*. Distances are stored for lost positions only: that
//! of a win is one more than the least among the lost positions it can move to,
//! which the prober looks up. Don't-cares are marked here; [`fill_dont_cares`]
//! repeats the value before them, which compresses best.

use std::io;
use std::ops::Range;

use anqi_rules::Color;

use super::Metric;
use crate::classes::MAX_GROUPS;
use crate::numbering::{
    Codes, DenseIndex, Groups, Layout, Orbits, PieceRow, bit, choose, rank, spread, squares,
    squeeze,
};
use crate::parallel;
use crate::solve::{SolvedPlanes, Wdl, Window};

/// A value that may be anything.
pub(super) const DONT_CARE: u16 = u16::MAX;

/// Stored values of a [`Metric::Wdl`] file.
pub(crate) const FILE_VALUES: [Wdl; 3] = [Wdl::Draw, Wdl::Win, Wdl::Loss];

/// Returns the stored values of one side to move for one orbit of the pivot, [`DONT_CARE`] included.
///
/// # Errors
///
/// Fails if the planes cannot be read.
pub(super) fn values(
    source: &dyn SolvedPlanes,
    index: &DenseIndex,
    metric: Metric,
    turn: Color,
    orbit: usize,
) -> io::Result<Vec<u16>> {
    values_of_some(source, index, metric, turn, orbit, 1)
}

/// Returns the stored values of an orbit, with only every `step`-th placement of the group that
/// is numbered after the pivot.
///
/// # Errors
///
/// Fails if the planes cannot be read.
pub(super) fn values_of_some(
    source: &dyn SolvedPlanes,
    index: &DenseIndex,
    metric: Metric,
    turn: Color,
    orbit: usize,
    step: usize,
) -> io::Result<Vec<u16>> {
    let layout = source.layout();
    let window = source.window(turn, blocks_of_orbit(layout, index, orbit))?;
    let reader = Reader {
        layout,
        sums: layout.sums_of_groups(index.order()[0].into()),
        window,
        metric,
    };
    let order = index.order();
    let Some(last) = index.last_single() else {
        let start = orbit as u64 * index.range_len();
        let numbers = start..start + index.range_len();
        return Ok(numbers
            .map(|number| {
                reader.value(layout.address(&index.groups(number)) - reader.window.base())
            })
            .collect());
    };
    let pivot = usize::from(order[0]);
    let size = layout.unit.count(pivot);
    let set = Codes::of(size).sets[Orbits::of(size).first[orbit] as usize];
    let mut groups = [0; MAX_GROUPS];
    groups[pivot] = set;
    let start = Placed {
        groups,
        base: reader
            .sums
            .map_or(0, |strides| orbit as u64 * strides[pivot]),
        free: !set,
    };
    if order.len() == 2 {
        let mut out = Vec::new();
        reader.nest(&order[1..], last, start, &mut out);
        return Ok(out);
    }
    let codes = choose(32 - size, layout.unit.count(order[1].into())) as usize;
    let some: Vec<u32> = (step / 2..codes)
        .step_by(step)
        .map(|code| code as u32)
        .collect();
    let tasks: Vec<&[u32]> = some.chunks(some.len().div_ceil(TASKS).max(1)).collect();
    let parts = parallel::map(&tasks, |codes| {
        let mut out = Vec::new();
        for &code in *codes {
            reader.nest_one(code, &order[1..], last, start, &mut out);
        }
        out
    });
    Ok(parts.concat())
}

/// The parts of an orbit that threads share.
const TASKS: usize = 8;

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
    /// If addresses are sums over the groups: how far apart two ranks of each group are.
    sums: Option<[u64; MAX_GROUPS]>,
    window: Window<'a>,
    metric: Metric,
}

/// The groups placed so far.
#[derive(Clone, Copy)]
struct Placed {
    groups: Groups,
    /// The sum of their terms, if addresses are sums.
    base: u64,
    /// The squares they leave free.
    free: u32,
}

impl Reader<'_> {
    /// What a group on these squares adds to an address.
    #[inline]
    fn term(&self, group: usize, set: u32) -> u64 {
        self.sums
            .map_or(0, |strides| u64::from(rank(set)) * strides[group])
    }

    /// Appends the values of all placements of the groups `left`.
    fn nest(&self, left: &[u8], last: usize, placed: Placed, out: &mut Vec<u16>) {
        if left.len() == 1 {
            let row = match self.sums {
                Some(strides) => PieceRow::along_squares(placed.base, strides[last]),
                None => PieceRow::find(self.layout, &placed.groups, last),
            };
            self.row(&row.shifted(self.window.base()), placed.free, out);
            return;
        }
        let size = self.layout.unit.count(left[0].into());
        if size == 1 {
            for square in squares(placed.free) {
                self.nest_set(1 << square, left, last, placed, out);
            }
            return;
        }
        for code in 0..choose(placed.free.count_ones() as usize, size) as u32 {
            self.nest_one(code, left, last, placed, out);
        }
    }

    /// The same with one placement of the first group of `left`.
    #[inline]
    fn nest_one(&self, code: u32, left: &[u8], last: usize, placed: Placed, out: &mut Vec<u16>) {
        let size = self.layout.unit.count(left[0].into());
        let set = spread(Codes::of(size).sets[code as usize], placed.free);
        self.nest_set(set, left, last, placed, out);
    }

    #[inline]
    fn nest_set(&self, set: u32, left: &[u8], last: usize, placed: Placed, out: &mut Vec<u16>) {
        let group = usize::from(left[0]);
        let mut next = placed;
        next.groups[group] = set;
        next.base += self.term(group, set);
        next.free &= !set;
        self.nest(&left[1..], last, next, out);
    }

    fn row(&self, row: &PieceRow, free: u32, out: &mut Vec<u16>) {
        match self.metric {
            Metric::Wdl => self.row_of_values(row, free, out),
            Metric::Dtc | Metric::Dtw => self.row_of_distances(row, free, out),
        }
    }

    fn row_of_values(&self, row: &PieceRow, free: u32, out: &mut Vec<u16>) {
        let window = &self.window;
        let captures = window.captures.as_ref();
        let proven = captures.map_or(0, |planes| row.bits(planes));
        let planes = [row.bits(&window.win), row.bits(&window.loss), proven];
        let [win, loss, proven] = planes.map(|word| squeeze(word, !free));
        let end = out.len() + free.count_ones() as usize;
        for shift in (0..free.count_ones()).step_by(4) {
            let four = |word: u32| FOUR[(word >> shift & 15) as usize];
            let values = four(win) | (four(loss) << 1) | (four(proven) * u64::from(DONT_CARE));
            out.extend([0, 16, 32, 48].map(|at| (values >> at) as u16));
        }
        out.truncate(end);
    }

    /// Only lost positions have a stored distance, and in those no capture wins.
    fn row_of_distances(&self, row: &PieceRow, free: u32, out: &mut Vec<u16>) {
        let start = out.len();
        out.resize(start + free.count_ones() as usize, DONT_CARE);
        for square in squares(row.bits(&self.window.loss) & free) {
            let below = free & ((1 << square) - 1);
            if let Some(address) = row.address(square) {
                out[start + below.count_ones() as usize] = self.distance(address);
            }
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

    /// The distance of a lost position; `DONT_CARE` if it has no move.
    fn distance(&self, address: u64) -> u16 {
        let distance = match self.metric {
            Metric::Dtw => self.window.dtw(address),
            _ => self.window.dtc(address),
        };
        distance.filter(|&plies| plies > 0).unwrap_or(DONT_CARE)
    }
}

/// Spreads four bits, to sixteen bits each.
const FOUR: [u64; 16] = {
    let mut table = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut i = 0;
        while i < 4 {
            table[bits] |= (bits as u64 >> i & 1) << (16 * i);
            i += 1;
        }
        bits += 1;
    }
    table
};

/// Replaces each don't-care by the value before it, those at the start by the first real value.
pub(super) fn fill_dont_cares(values: &mut [u16]) {
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
