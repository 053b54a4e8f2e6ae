//! How much memory a unit needs, said before any is taken.

use crate::layout::predicted_addresses;
use crate::solve::Goal;
use crate::unit::Unit;

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
    /// Streaming.
    pub streaming: u64,
}

/// Bytes that do not depend on the unit: the small units, code tables, the program.
const BASE: u64 = 24 << 20;

/// Predicts what a unit needs.
pub fn need(unit: &Unit, goal: Goal) -> Need {
    let blocks = predicted_addresses(unit) / 1024;
    let views = blocks * 128 / 2 + views_of(unit);
    // Results of both chains (four planes and the winning captures) and one chain at work (five).
    let planes = blocks * (6 + 5) * 128 + blocks * 3;
    // Eight bit planes for each side, and the bytes they become.
    let distances = if goal == Goal::Values { 0 } else { blocks * 2 * 1024 * 2 };
    let children: u64 = unit.children().iter().map(|child| predicted_addresses(child) / 2).sum();
    let common = BASE + children + blocks * 64;
    Need {
        in_memory: common + views + planes + distances,
        streaming: common + views_of(unit).max(blocks * 128) + blocks * 3 + (8 << 20),
    }
}

/// The views of all parts: one bit for each placement of all pieces but one.
fn views_of(unit: &Unit) -> u64 {
    let placements: u64 = (0..unit.groups())
        .filter_map(|group| unit.after_loss_of(group))
        .map(|fit| predicted_addresses(fit.unit) * 4 / 8)
        .sum();
    placements * 5 / 4
}

impl Need {
    /// Returns the quickest way that fits into so many bytes.
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
pub fn text(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} bytes") } else { format!("{size:.1} {}", units[unit]) }
}
