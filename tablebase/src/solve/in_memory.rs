//! Solving a unit in memory.

use anqi_rules::Color;

use super::children::Children;
use super::distance::{DistanceOverflow, Distances};
use super::driver::{Rounds, chain, distance_planes, won};
use super::goal::Goal;
use super::planes::Memory;
use super::solved::Solved;
use super::to_end;
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
    let mut solved = solve_rounds(unit, children, goal, goal.rounds())?;
    if goal == Goal::ToEnd {
        to_end::solve(&mut solved, children)?;
    }
    Ok(solved)
}

/// Solves a unit in memory in so many rounds.
pub(super) fn solve_rounds(
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
