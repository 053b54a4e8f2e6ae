//! Solving with one bitmap in memory and everything else on disk.
//!
//! The rounds and passes are those that solve in memory, so the result is the
//! same bit for bit.

use std::io;
use std::ops::Range;
use std::path::Path;

use anqi_rules::Color;

use super::children::Children;
use super::disk::{Disk, DiskError, DiskPlane};
use super::distance::{Bits, Distance, Distances};
use super::driver::{DistancePlanes, Rounds, won};
use super::goal::Goal;
use super::solved::Wide;
use super::source::{SolvedPlanes, Window};
use super::unit::{UnitPlanes, solve_planes};
use crate::classes::Unit;
use crate::numbering::{Block, Layout};

/// A unit solved on disk.
pub struct StreamedUnit<'d> {
    layout: Layout,
    planes: UnitPlanes<Disk<'d>>,
}

/// Solves a unit with its planes in nameless files in the folder `dir`.
///
/// # Errors
///
/// Fails if the disk does, or if a distance is too long.
pub fn solve_on_disk<'d>(
    unit: &'static Unit,
    children: &Children,
    goal: Goal,
    dir: &'d Path,
) -> Result<StreamedUnit<'d>, DiskError> {
    solve_rounds(unit, children, goal, &Disk::new(dir), goal.rounds())
}

fn solve_rounds<'d>(
    unit: &'static Unit,
    children: &Children,
    goal: Goal,
    disk: &Disk<'d>,
    rounds: Rounds,
) -> Result<StreamedUnit<'d>, DiskError> {
    let layout = Layout::new(unit);
    let planes = solve_planes(disk, &layout, children, goal, rounds)?;
    Ok(StreamedUnit { layout, planes })
}

impl DistancePlanes<Disk<'_>> {
    fn read(&self, blocks: &Range<usize>) -> io::Result<Distances> {
        let bits = |plane: &DiskPlane| plane.read::<Bits>(blocks.clone());
        let high = self.high.as_ref().map(bits).transpose()?;
        Ok(Distances::from_bits(&bits(&self.low)?, high.as_deref()))
    }
}

impl SolvedPlanes for StreamedUnit<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn window(&self, turn: Color, blocks: Range<usize>) -> io::Result<Window<'_>> {
        let [own, other] = [turn, !turn].map(|side| &self.planes.chains[side.index()]);
        let distances = self.planes.distances.as_ref();
        let dtc = distances.map(|sides| sides[turn.index()].read(&blocks));
        let ends = self.planes.ends.as_ref();
        let dtw = ends.map(|ends| ends.planes[turn.index()].read::<Wide>(blocks.clone()));
        Ok(Window {
            first: blocks.start,
            win: won(own.open.read(blocks.clone())?).into(),
            loss: other.lost.read::<Block>(blocks.clone())?.into(),
            captures: Some(own.wins.read::<Block>(blocks)?.into()),
            dtc: dtc.transpose()?.map(Into::into),
            dtw: dtw.transpose()?.map(Into::into),
        })
    }

    fn longest(&self, kind: Distance) -> Option<u16> {
        let longest = self.planes.chains.iter().map(|chain| chain.longest).max();
        match kind {
            Distance::ToCapture => longest.map(|plies| plies as u16),
            Distance::ToEnd => self.planes.ends.as_ref().map(|ends| ends.longest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Fit;
    use crate::solve::{Goal, Solved, Store, solve, solve_late};

    fn assert_same(streamed: &StreamedUnit<'_>, solved: &Solved) {
        let blocks = 0..streamed.layout.blocks;
        for turn in Color::ALL {
            let there = streamed.window(turn, blocks.clone()).unwrap();
            let here = solved.window(turn, blocks.clone()).unwrap();
            let unit = solved.layout.unit;
            assert!(there.win == here.win && there.loss == here.loss, "{unit}");
            assert!(there.captures == here.captures, "{unit}");
            assert_eq!(there.dtc.is_some(), here.dtc.is_some());
            assert!(there.dtw == here.dtw, "{unit}");
            // Windows may begin anywhere.
            let first = streamed.layout.blocks / 3;
            let part = streamed.window(turn, first..first + 2).unwrap();
            assert_eq!(part.win[..], here.win[first..first + 2]);
            for address in 0..solved.layout.addresses() {
                assert_eq!(there.dtc(address), here.dtc(address), "{unit} {address}");
            }
            for address in 0..2 * crate::numbering::BLOCK {
                assert_eq!(part.dtc(address), here.dtc(part.base() + address));
                assert_eq!(part.dtw(address), here.dtw(part.base() + address));
            }
        }
    }

    #[test]
    fn any_window_gives_what_memory_gives() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::solve(3, Goal::ToEnd).unwrap();
        for set in ["Kkg", "KGgp", "CCkp"] {
            let unit = Fit::of(&set.parse().unwrap()).unit;
            let children = store.children(unit);
            for goal in [Goal::Values, Goal::Distances, Goal::ToEnd] {
                let solved = solve(unit, &children, goal).unwrap();
                for window in [3, 64, 100_000] {
                    let disk = Disk {
                        dir: dir.path(),
                        window,
                    };
                    let all = Rounds::ALL;
                    let streamed = solve_rounds(unit, &children, goal, &disk, all).unwrap();
                    assert_same(&streamed, &solved);
                    let ends = Distance::ToEnd;
                    assert_eq!(streamed.longest(ends), solved.longest(ends), "{unit}");
                    if goal != Goal::Values {
                        let longest = streamed.longest(Distance::ToCapture);
                        assert_eq!(longest, solved.longest(Distance::ToCapture));
                        assert_eq!(longest, Some(solved.longest as u16));
                    }
                }
            }
        }
    }

    #[test]
    fn long_distances_have_a_second_byte_on_disk_too() {
        let dir = tempfile::tempdir().unwrap();
        let unit = Fit::of(&"Kkg".parse().unwrap()).unit;
        let children = Store::solve(2, Goal::Values).unwrap().children(unit);
        let disk = Disk {
            dir: dir.path(),
            window: 5,
        };
        let rounds = Rounds {
            offset: 250,
            ..Rounds::ALL
        };
        let goal = Goal::Distances;
        let streamed = solve_rounds(unit, &children, goal, &disk, rounds).unwrap();
        assert_same(&streamed, &solve_late(unit, 250).unwrap());
    }
}
