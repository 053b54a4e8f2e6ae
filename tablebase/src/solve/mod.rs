//! Solving a unit: captures first, then one retrograde chain for each side.

#[cfg(feature = "os")]
mod cache;
mod capture;
mod check;
mod distance;
mod driver;
mod memory;
mod moves;
mod oracle;
mod solved;
mod source;
mod stats;
mod store;
#[cfg(feature = "os")]
pub mod streaming;
mod to_end;
mod view;
mod wdl;

use anqi_rules::Color;

use crate::classes::Unit;
use crate::numbering::{BLOCK, Block, Layout};
use crate::parallel;

#[cfg(feature = "os")]
pub use cache::Cellar;
pub use check::first_fault;
pub use distance::Distance;
use driver::Depths;
pub use driver::DistanceOverflow;
pub use memory::{Need, Scheme, human_bytes, need};
pub use oracle::{Method, Oracle, Oracles};
use solved::Bytes;
pub use solved::{NEVER, Solved};
pub use source::{Source, Window};
pub use stats::{SideTotals, Totals, farthest, totals};
pub use store::{Children, Store};
pub use wdl::Wdl;

/// What to find out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Who wins.
    Values,
    /// Who wins, and the plies to the next capture.
    Distances,
    /// Who wins, the plies to the next capture, and the plies to the end.
    Ends,
    /// Values and distances for games that are drawn after so many plies without a capture.
    Limited(u32),
}

impl Goal {
    /// Returns the last round whose discoveries count.
    fn last_round(self) -> u32 {
        match self {
            Goal::Values | Goal::Distances | Goal::Ends => u32::MAX,
            Goal::Limited(plies) => plies,
        }
    }
}

/// Solves a unit from the solved units that its captures lead to.
///
/// # Errors
///
/// Fails if a distance does not fit a byte.
pub fn solve(
    unit: &'static Unit,
    children: &Children,
    goal: Goal,
) -> Result<Solved, DistanceOverflow> {
    let layout = Layout::new(unit);
    let blank = || vec![[Block::EMPTY; 8]; layout.blocks];
    let mut depths = (goal != Goal::Values).then(|| [blank(), blank()]);
    let red = driver::solve(
        &layout,
        Color::Red,
        children,
        &mut depths,
        goal.last_round(),
    )?;
    let black = driver::solve(
        &layout,
        Color::Black,
        children,
        &mut depths,
        goal.last_round(),
    )?;
    let longest = red.longest.max(black.longest);
    let won = |mut open: Vec<Block>| {
        for block in &mut open {
            *block = Block(block.0.map(|word| !word));
        }
        open
    };
    let mut solved = Solved {
        win: [won(red.open), won(black.open)],
        // Black to move loses in the chain that red wins.
        loss: [black.lost, red.lost],
        captures: Some([red.wins, black.wins]),
        dtc: depths.map(|sides| sides.map(|planes| to_bytes(&planes))),
        layout,
        dtw: None,
        longest,
    };
    if goal == Goal::Ends {
        to_end::solve(&mut solved, children)?;
    }
    Ok(solved)
}

/// Turns bit planes into one byte for each position.
pub(crate) fn to_bytes(planes: &[Depths]) -> Vec<Bytes> {
    let mut bytes = vec![Bytes([0; BLOCK as usize]); planes.len()];
    let tasks: Vec<_> = bytes.chunks_mut(64).zip(planes.chunks(64)).collect();
    parallel::for_each(tasks, |(bytes, planes)| {
        for (bytes, planes) in bytes.iter_mut().zip(planes) {
            transpose(planes, bytes);
        }
    });
    bytes
}

fn transpose(planes: &Depths, bytes: &mut Bytes) {
    for (j, row) in bytes.0.chunks_exact_mut(32).enumerate() {
        for (k, eight) in row.chunks_exact_mut(8).enumerate() {
            let matrix = planes.iter().enumerate().fold(0, |matrix, (p, plane)| {
                matrix | u64::from(plane.0[j] >> (8 * k) & 0xff) << (8 * p)
            });
            eight.copy_from_slice(&transpose_8x8(matrix).to_le_bytes());
        }
    }
}

/// Exchanges rows and columns of an 8 × 8 bit matrix, one row a byte.
const fn transpose_8x8(mut m: u64) -> u64 {
    let mut t = (m ^ m >> 7) & 0x00aa_00aa_00aa_00aa;
    m ^= t ^ t << 7;
    t = (m ^ m >> 14) & 0x0000_cccc_0000_cccc;
    m ^= t ^ t << 14;
    t = (m ^ m >> 28) & 0x0000_0000_f0f0_f0f0;
    m ^ t ^ t << 28
}

#[cfg(test)]
mod tests;
