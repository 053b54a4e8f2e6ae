//! All that is solved of a unit, wherever its planes are kept.

use anqi_rules::Color;

use super::children::Children;
use super::driver::{Chain, DistancePlanes, Rounds, chain, distance_planes};
use super::goal::Goal;
use super::planes::Storage;
use super::to_end::{Ends, to_end};
use crate::numbering::Layout;

/// The planes of a solved unit.
pub(super) struct UnitPlanes<S: Storage> {
    /// The chains that red and black win.
    pub(super) chains: [Chain<S>; 2],
    /// For each side to move, the plies to the next capture.
    pub(super) distances: Option<[DistancePlanes<S>; 2]>,
    /// The plies to the end.
    pub(super) ends: Option<Ends<S>>,
}

/// Solves a unit from the solved units that its captures lead to.
///
/// # Errors
///
/// Fails if a distance does not fit, or planes cannot be kept.
pub(super) fn solve_planes<S: Storage>(
    storage: &S,
    layout: &Layout,
    children: &Children,
    goal: Goal,
    rounds: Rounds,
) -> Result<UnitPlanes<S>, S::Error> {
    let mut distances = match goal {
        Goal::Values => None,
        Goal::Distances | Goal::ToEnd | Goal::Limited(_) => {
            Some(distance_planes(storage, layout.blocks)?)
        }
    };
    let [red, black] = Color::ALL.map(|winner| {
        let distances = distances.as_mut();
        chain(storage, layout, winner, children, distances, rounds)
    });
    let mut chains = [red?, black?];
    let ends = match goal {
        Goal::ToEnd => Some(to_end(storage, layout, children, &mut chains)?),
        Goal::Values | Goal::Distances | Goal::Limited(_) => None,
    };
    Ok(UnitPlanes {
        chains,
        distances,
        ends,
    })
}
