//! The memory that a unit needs, computed before any is allocated.

use super::goal::Goal;
use crate::classes::Unit;
use crate::numbering::{DenseIndex, pivot_group, predicted_addresses, usual_order};

/// Ways of solving a unit, the quickest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// Everything in memory.
    InMemory,
    /// One bitmap in memory, all else streamed from disk in order (Wu and Beal).
    Streaming,
}

/// The memory that each way of solving a unit takes, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// Everything in memory.
    pub in_memory: u64,
    /// One bitmap in memory, the rest on disk.
    pub streaming: u64,
}

/// Blocks of a window when streaming.
pub(super) const WINDOW: usize = 1024;

/// Bytes that do not depend on the unit: the small units, code tables, the program.
fn base(goal: Goal) -> u64 {
    match goal {
        // The small units have their plies, too.
        Goal::ToEnd => 110 << 20,
        Goal::Values | Goal::Distances | Goal::Limited(_) => 28 << 20,
    }
}

/// Predicts what a unit needs.
///
/// A unit with distances beyond 255, which cannot be predicted, needs two bytes more for each
/// address; none of up to five pieces has any. Files are written after solving and need less,
/// except when streaming: then the planes of one orbit of the pivot, or all of one side if the
/// file has another pivot.
pub fn need(unit: &'static Unit, goal: Goal) -> Need {
    let blocks = predicted_addresses(unit) / 1024;
    let exact = goal != Goal::Values;
    // Results of both chains (six planes) and one chain at work (five), with three marks a block.
    let planes = blocks * ((6 + 5) * 128 + 3);
    // Eight bit planes for each side and the bytes they become; ends and exits of two bytes.
    let distances = if exact { blocks * 2 * 1024 * 2 } else { 0 };
    let to_end = goal == Goal::ToEnd;
    let ends = u64::from(to_end) * blocks * 1024 * 2 * 4;
    // Four planes of each smaller unit; plies of two bytes for each side.
    let smaller = unit.children();
    let smaller = smaller.iter().map(|child| predicted_addresses(child));
    let children = smaller.sum::<u64>() * (1 + 8 * u64::from(to_end)) / 2;
    let views = views_of(unit) * if to_end { 17 } else { 1 };
    let positions = DenseIndex::new(unit, usual_order(unit));
    let file = positions.range_len() * 2 * 3 + positions.len() / 2;
    let window = if pivot_group(unit).is_some() {
        blocks / positions.pivots() as u64
    } else {
        blocks
    };
    let common = base(goal) + children + views;
    let mut one_bitmap = blocks * 131 + WINDOW as u64 * 128 * (4 + 8 * u64::from(exact) * 2);
    if to_end {
        // The next exits of both sides; windows of three planes, of exits and of plies.
        one_bitmap = one_bitmap.max(blocks * (131 + 4) + WINDOW as u64 * (3 * 128 + 2 * 2048));
    }
    let distances_read = 2048 * (u64::from(exact) + u64::from(to_end));
    let read_back = window * (3 * 128 + distances_read) + file;
    Need {
        in_memory: common + planes + distances + ends + file,
        streaming: common + one_bitmap.max(read_back),
    }
}

/// The views of all parts: one bit for each placement of all pieces but one.
fn views_of(unit: &'static Unit) -> u64 {
    let placements: u64 = (0..unit.groups())
        .filter_map(|group| unit.after_loss_of(group))
        .map(|fit| predicted_addresses(fit.unit) * 4 / 8)
        .sum();
    placements * 5 / 4
}

impl Need {
    /// Returns the quickest way that fits into this many bytes.
    pub fn cheapest(&self, allowed: u64) -> Option<Scheme> {
        if self.in_memory <= allowed {
            Some(Scheme::InMemory)
        } else if self.streaming <= allowed {
            Some(Scheme::Streaming)
        } else {
            None
        }
    }
}

/// Returns a number of bytes as people write it.
pub fn human_bytes(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} bytes")
    } else {
        format!("{size:.1} {}", units[unit])
    }
}

/// Reads a number of bytes such as 256M or 2G.
///
/// # Errors
///
/// Fails with a sentence if the text is no such number.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size (expected a number with K, M or G, such as 2G)");
    let (digits, shift) = match text.trim_end_matches(['i', 'B']).char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        Some((at, 't' | 'T')) => (&text[..at], 40),
        _ => (text, 0),
    };
    let number: f64 = digits.trim().parse().map_err(|_| wrong())?;
    let bytes = number * (1u64 << shift) as f64;
    if (1.0..1e18).contains(&bytes) {
        Ok(bytes as u64)
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;

    /// What solving in memory holds, in bits for each address.
    fn by_hand(unit: &'static Unit, goal: Goal) -> f64 {
        let addresses = predicted_addresses(unit) as f64;
        let views = views_of(unit) as f64;
        let (bits, of_views, of_smaller) = match goal {
            Goal::Values => (11.0, 1.0, 4.0),
            Goal::Distances | Goal::Limited(_) => (11.0 + 2.0 * 16.0, 1.0, 4.0),
            Goal::ToEnd => (11.0 + 2.0 * 16.0 + 4.0 * 16.0, 17.0, 4.0 + 2.0 * 16.0),
        };
        let marks = addresses * 3.0 / 1024.0;
        let smaller = unit.children();
        let smaller = smaller.iter().map(|child| predicted_addresses(child));
        let smaller = smaller.sum::<u64>() as f64 * of_smaller / 8.0;
        let positions = DenseIndex::new(unit, usual_order(unit));
        let file = positions.range_len() as f64 * 6.0 + positions.len() as f64 / 2.0;
        base(goal) as f64 + addresses * bits / 8.0 + marks + views * of_views + smaller + file
    }

    #[test]
    fn what_is_held_is_counted() {
        for unit in Units::of(5).list().iter().step_by(7) {
            let [values, distances, ends] =
                [Goal::Values, Goal::Distances, Goal::ToEnd].map(|goal| {
                    let need = need(unit, goal);
                    let expected = by_hand(unit, goal);
                    let error = need.in_memory as f64 / expected - 1.0;
                    assert!(
                        error.abs() < 0.001,
                        "{unit} {goal:?}: {need:?}, not {expected}"
                    );
                    need
                });
            assert!(values.in_memory < distances.in_memory);
            // A bitmap with its marks and the windows; the file is read back in memory too.
            let blocks = predicted_addresses(unit) / 1024;
            let windows = |planes| WINDOW as u64 * 128 * planes;
            let needs = [
                (Goal::Values, values, 4, 1),
                (Goal::Distances, distances, 20, 1),
                (Goal::ToEnd, ends, 3 + 2 * 16, 17),
            ];
            let [least, more, most] = needs.map(|(goal, need, planes, of_views)| {
                let held = need.streaming - base(goal) - views_of(unit) * of_views;
                assert!(held >= blocks * 131 + windows(planes), "{unit}: {need:?}");
                held
            });
            assert!(least <= more && more <= most, "{unit}");
            let positions = DenseIndex::new(unit, usual_order(unit));
            let file = positions.range_len() * 6 + positions.len() / 2;
            let orbits = pivot_group(unit).map_or(1, |_| positions.pivots() as u64);
            for (held, of_a_block) in [(least, 384), (more, 384 + 2048), (most, 384 + 4096)] {
                assert!(held >= file + blocks / orbits * of_a_block, "{unit}");
            }
        }
    }

    #[test]
    fn streaming_needs_less_where_memory_matters() {
        let large = Units::of(5).list().iter();
        let large = large.max_by_key(|unit| predicted_addresses(unit)).unwrap();
        for goal in [Goal::Values, Goal::Distances, Goal::ToEnd] {
            let need = need(large, goal);
            let [fast, slow] = [need.in_memory, need.streaming].map(|bytes| bytes - base(goal));
            assert!(slow < fast, "{need:?}");
            assert_eq!(need.cheapest(need.in_memory), Some(Scheme::InMemory));
            assert_eq!(need.cheapest(need.in_memory - 1), Some(Scheme::Streaming));
            assert_eq!(need.cheapest(slow), None);
        }
    }

    #[test]
    fn bytes_are_written_in_the_largest_unit_that_they_fill() {
        let written = [0, 1_023, 1_024, 1_535, 1 << 20, 3 << 29, 1 << 40, 1 << 50].map(human_bytes);
        let expected = [
            "0 bytes",
            "1023 bytes",
            "1.0 KiB",
            "1.5 KiB",
            "1.0 MiB",
            "1.5 GiB",
            "1.0 TiB",
            "1024.0 TiB",
        ];
        assert_eq!(written, expected);
    }
}
