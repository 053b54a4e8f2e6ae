//! Solving a unit: captures first, then one retrograde chain for each side.
//!
//! [`solve`] keeps everything in memory, [`solve_on_disk`] one bitmap; both run
//! the same [`driver`]. The plies to the end of the game take a second pass
//! ([`to_end`]) over a unit in memory. Two slow solvers ([`Oracles`]) share no code
//! with these and check them.

#[cfg(feature = "os")]
mod cache;
mod capture;
mod check;
mod children;
mod compare;
#[cfg(feature = "os")]
mod disk;
mod distance;
mod driver;
mod goal;
mod memory;
mod moves;
mod oracle;
mod passes;
mod planes;
mod solved;
mod source;
mod stats;
mod store;
#[cfg(feature = "os")]
mod streamed;
mod to_end;
mod view;
mod wdl;

use anqi_rules::Color;

use crate::classes::Unit;
use crate::numbering::{Block, Layout};

#[cfg(feature = "os")]
pub use cache::UnitCache;
pub use check::first_fault;
pub use children::Children;
pub use compare::{Difference, compare};
#[cfg(feature = "os")]
pub use disk::DiskError;
pub use distance::{Distance, DistanceOverflow, Distances};
use driver::{DistancePlanes, Rounds, chain};
#[cfg(feature = "os")]
pub use goal::DiskGoal;
pub use goal::Goal;
pub use memory::{Need, Scheme, human_bytes, need, parse_bytes};
pub use oracle::{Method, Oracle, Oracles};
use planes::{Memory, Storage};
pub use solved::{NEVER, Solved};
pub use source::{SolvedPlanes, Window};
pub use stats::{SideTotals, Tempo, Totals, farthest, tempo, totals};
pub use store::Store;
#[cfg(feature = "os")]
pub use streamed::{StreamedUnit, solve_on_disk};
pub use wdl::Wdl;

/// Solves a unit in memory from the solved units that its captures lead to.
///
/// # Errors
///
/// Fails if a distance does not fit.
pub fn solve(
    unit: &'static Unit,
    children: &Children,
    goal: Goal,
) -> Result<Solved, DistanceOverflow> {
    let mut solved = solve_rounds(unit, children, goal, goal.rounds())?;
    if goal == Goal::ToEnd {
        to_end::solve(&mut solved, children)?;
    }
    Ok(solved)
}

/// Makes planes for the distances of both sides to move.
fn distance_planes<S: Storage>(
    storage: &S,
    blocks: usize,
) -> Result<[DistancePlanes<S>; 2], S::Error> {
    let blank = || -> Result<DistancePlanes<S>, S::Error> {
        Ok(DistancePlanes {
            low: storage.blank(blocks)?,
            high: None,
        })
    };
    Ok([blank()?, blank()?])
}

fn solve_rounds(
    unit: &'static Unit,
    children: &Children,
    goal: Goal,
    rounds: Rounds,
) -> Result<Solved, DistanceOverflow> {
    let layout = Layout::new(unit);
    let mut distances = match goal {
        Goal::Values => None,
        _ => Some(distance_planes(&Memory, layout.blocks)?),
    };
    let [red, black] = Color::ALL.map(|winner| {
        let distances = distances.as_mut();
        chain(&Memory, &layout, winner, children, distances, rounds)
    });
    let (red, black) = (red?, black?);
    let longest = red.longest.max(black.longest);
    let (red, black) = (red.planes, black.planes);
    Ok(Solved {
        win: [won(red.open), won(black.open)],
        // Black to move loses in the chain that red wins.
        loss: [black.lost, red.lost],
        captures: Some([red.wins, black.wins]),
        dtc: distances.map(|sides| {
            sides.map(|planes| Distances::from_bits(&planes.low, planes.high.as_deref()))
        }),
        layout,
        dtw: None,
        longest,
    })
}

/// Positions that are not open are won; so are impossible placements.
fn won(mut open: Vec<Block>) -> Vec<Block> {
    for block in &mut open {
        *block = Block(block.0.map(|word| !word));
    }
    open
}

/// Solves a unit with all distances but zero made longer.
#[cfg(test)]
pub(crate) fn solve_late(unit: &'static Unit, offset: u32) -> Result<Solved, DistanceOverflow> {
    let children = Store::solve(unit.pieces() - 1, Goal::Values).unwrap();
    let rounds = Rounds {
        offset,
        ..Rounds::ALL
    };
    let children = children.children(unit);
    solve_rounds(unit, &children, Goal::Distances, rounds)
}

#[cfg(test)]
mod tests;
