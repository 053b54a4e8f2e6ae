//! Solving a unit in memory.

use super::children::Children;
use super::distance::{DistanceOverflow, Distances};
use super::driver::{Rounds, won};
use super::goal::Goal;
use super::planes::Memory;
use super::solved::Solved;
use super::unit::solve_planes;
use crate::classes::Unit;
use crate::numbering::Layout;

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
    solve_rounds(unit, children, goal, goal.rounds())
}

/// Solves a unit in memory in so many rounds.
pub(super) fn solve_rounds(
    unit: &'static Unit,
    children: &Children,
    goal: Goal,
    rounds: Rounds,
) -> Result<Solved, DistanceOverflow> {
    let layout = Layout::new(unit);
    let solved = solve_planes(&Memory, &layout, children, goal, rounds)?;
    let [red, black] = solved.chains;
    let longest = red.longest.max(black.longest);
    Ok(Solved {
        win: [won(red.open), won(black.open)],
        // Black to move loses in the chain that red wins.
        loss: [black.lost, red.lost],
        captures: Some([red.wins, black.wins]),
        dtc: solved.distances.map(|sides| {
            sides.map(|planes| Distances::from_bits(&planes.low, planes.high.as_deref()))
        }),
        layout,
        dtw: solved.ends.map(|ends| ends.planes),
        longest,
    })
}
