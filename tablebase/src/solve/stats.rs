//! Totals over all positions of a solved unit.
//!
//! Counts run over all placements: mirrors separately, identical pieces once.

use std::io;

use anqi_rules::Color;

use super::capture::Outer;
use super::distance::Distance;
use super::solved::{NEVER, Solved};
use super::source::{SolvedPlanes, Window};
use super::wdl::Wdl;
use crate::numbering::{BLOCK, Block, Layout, orbit_length, squares};

/// Totals for one side to move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideTotals {
    /// Positions that the side to move wins.
    pub win: u64,
    /// Drawn positions.
    pub draw: u64,
    /// Positions that the side to move loses.
    pub loss: u64,
    /// The greatest distance, if distances are known.
    pub longest: u32,
    /// The sum of all distances.
    pub sum: u64,
    /// The greatest number of plies to the end, if those are known.
    pub longest_to_end: u32,
    /// The sum of all plies to the end.
    pub sum_to_end: u64,
    /// How many wins have each distance to the next capture, up to the greatest.
    pub wins_at: Vec<u64>,
}

impl SideTotals {
    /// Returns how many wins are more than this many plies from the next capture.
    pub fn wins_beyond(&self, plies: usize) -> u64 {
        self.wins_at.iter().skip(plies + 1).sum()
    }
}

/// Totals of a unit, for each side to move, in the unit's colours.
pub type Totals = [SideTotals; 2];

/// Returns by how much addresses overcount placements, because lanes distinguish like pieces.
fn redundancy(layout: &Layout) -> u64 {
    let unit = layout.unit;
    let (a, b) = (layout.parts[0].group, layout.parts[1].group);
    let (of_a, of_b) = (unit.count(a) as u64, unit.count(b) as u64);
    if a == b {
        of_a * (of_a - 1)
    } else {
        of_a * of_b
    }
}

/// Blocks that are read at a time.
const WINDOW: usize = 4096;

/// Counts a solved unit.
///
/// # Errors
///
/// Fails if its planes cannot be read.
pub fn totals(source: &dyn SolvedPlanes) -> io::Result<Totals> {
    Ok([
        side_totals(source, Color::Red)?,
        side_totals(source, Color::Black)?,
    ])
}

/// Placements that have the same result whichever side is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tempo {
    /// The side to move wins, whichever it is.
    pub both_win: u64,
    /// A draw, whichever side is to move.
    pub both_draw: u64,
    /// The side to move loses, whichever it is: mutual zugzwang.
    pub both_lose: u64,
}

/// Counts the placements of a solved unit that have the same result whichever side is to move.
///
/// # Errors
///
/// Fails if its planes cannot be read.
pub fn tempo(source: &dyn SolvedPlanes) -> io::Result<Tempo> {
    let layout = source.layout();
    let mut tempo = Tempo::default();
    for first in (0..layout.blocks).step_by(WINDOW) {
        let blocks = first..(first + WINDOW).min(layout.blocks);
        let red = source.window(Color::Red, blocks.clone())?;
        let black = source.window(Color::Black, blocks)?;
        for i in 0..red.win.len() {
            let outer = Outer::of(layout, first + i);
            if outer.clash {
                continue;
            }
            let possible = Block::possible(outer.occupied);
            let weight = orbit_length(layout, first + i);
            let both = |block: Block| weight * u64::from(block.len());
            let undecided = possible
                .and_not(&red.win[i])
                .and_not(&red.loss[i])
                .and_not(&black.win[i])
                .and_not(&black.loss[i]);
            tempo.both_win += both(possible.and(&red.win[i]).and(&black.win[i]));
            tempo.both_draw += both(undecided);
            tempo.both_lose += both(red.loss[i].and(&black.loss[i]));
        }
    }
    let redundancy = redundancy(layout);
    Ok(Tempo {
        both_win: tempo.both_win / redundancy,
        both_draw: tempo.both_draw / redundancy,
        both_lose: tempo.both_lose / redundancy,
    })
}

fn side_totals(source: &dyn SolvedPlanes, turn: Color) -> io::Result<SideTotals> {
    let layout = source.layout();
    let mut totals = SideTotals::default();
    for first in (0..layout.blocks).step_by(WINDOW) {
        let window = source.window(turn, first..(first + WINDOW).min(layout.blocks))?;
        for i in 0..window.win.len() {
            add_block(&mut totals, layout, &window, i);
        }
    }
    let redundancy = redundancy(layout);
    let SideTotals {
        win,
        draw,
        loss,
        sum,
        sum_to_end,
        wins_at,
        ..
    } = &mut totals;
    for count in [win, draw, loss, sum, sum_to_end]
        .into_iter()
        .chain(wins_at)
    {
        *count /= redundancy;
    }
    Ok(totals)
}

fn add_block(totals: &mut SideTotals, layout: &Layout, window: &Window<'_>, i: usize) {
    let outer = Outer::of(layout, window.first + i);
    if outer.clash {
        return;
    }
    let possible = Block::possible(outer.occupied);
    let win = window.win[i].and(&possible);
    let loss = &window.loss[i];
    let weight = orbit_length(layout, window.first + i);
    totals.win += weight * u64::from(win.len());
    totals.loss += weight * u64::from(loss.len());
    totals.draw += weight * u64::from(possible.len() - win.len() - loss.len());
    if let Some(ends) = &window.dtw {
        for &plies in ends[i].0.iter().filter(|&&plies| plies != NEVER) {
            totals.sum_to_end += u64::from(plies) * weight;
            totals.longest_to_end = totals.longest_to_end.max(plies.into());
        }
    }
    if let Some(distances) = &window.dtc {
        for (j, (&won, &lost)) in win.0.iter().zip(&loss.0).enumerate() {
            let first = i as u64 * BLOCK + j as u64 * 32;
            add_distances(totals, won, lost, weight, |at| distances.get(first + at));
        }
    }
}

fn add_distances(
    totals: &mut SideTotals,
    won: u32,
    lost: u32,
    weight: u64,
    distance: impl Fn(u64) -> u16,
) {
    for i in squares(won | lost) {
        let distance = distance(i.into());
        totals.sum += u64::from(distance) * weight;
        totals.longest = totals.longest.max(distance.into());
        if won >> i & 1 != 0 {
            let at = usize::from(distance);
            if at >= totals.wins_at.len() {
                totals.wins_at.resize(at + 1, 0);
            }
            totals.wins_at[at] += weight;
        }
    }
}

/// Returns the greatest distance, the side to move and the first address that has it; `None` if no
/// position is decided or distances of this kind are unknown.
///
/// # Errors
///
/// Fails if the planes cannot be read.
pub fn farthest(
    source: &dyn SolvedPlanes,
    kind: Distance,
) -> io::Result<Option<(u16, Color, u64)>> {
    // Draws and impossible placements have a zero. So have positions without a move,
    // but the move that led there has a one.
    let Some(longest) = source.longest(kind).filter(|&plies| plies > 0) else {
        return Ok(None);
    };
    let blocks = source.layout().blocks;
    for turn in Color::ALL {
        for first in (0..blocks).step_by(WINDOW) {
            let window = source.window(turn, first..(first + WINDOW).min(blocks))?;
            let is_longest = |&address: &u64| {
                Some(longest)
                    == match kind {
                        Distance::ToCapture => window.dtc(address),
                        Distance::ToEnd => window.dtw(address),
                    }
            };
            if let Some(found) = (0..window.win.len() as u64 * BLOCK).find(is_longest) {
                return Ok(Some((longest, turn, window.base() + found)));
            }
        }
    }
    Ok(None)
}

/// Returns the greatest plies to the end among the positions of a unit with this value, the side to
/// move and the first address that has them; `None` if there is no such position or they were not
/// solved.
pub fn slowest(solved: &Solved, wdl: Wdl) -> Option<(u16, Color, u64)> {
    let mut greatest: Option<(u16, Color, u64)> = None;
    for turn in Color::ALL {
        for address in 0..solved.layout.addresses() {
            let plies = solved.dtw(turn, address);
            let is_more = plies > greatest.map(|(plies, ..)| plies);
            if let Some(plies) = plies.filter(|_| is_more && solved.wdl(turn, address) == wdl) {
                greatest = Some((plies, turn, address));
            }
        }
    }
    greatest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;
    use crate::solve::{Goal, Store};

    #[test]
    fn results_of_both_sides_to_move_are_counted_position_by_position() {
        let store = Store::solve(3, Goal::Values).unwrap();
        let mut seen = Tempo::default();
        for unit in (2..=3).flat_map(|pieces| Units::of(pieces).list()) {
            let solved = store.get(unit).unwrap().as_ref();
            let mut expected = Tempo::default();
            // Every address, mirrors counted and pieces of one group told apart once.
            for address in 0..solved.layout.addresses() {
                let block = (address / BLOCK) as usize;
                if solved.layout.groups_at(address).is_none() {
                    continue;
                }
                let weight = orbit_length(&solved.layout, block);
                match Color::ALL.map(|turn| solved.wdl(turn, address)) {
                    [Wdl::Win, Wdl::Win] => expected.both_win += weight,
                    [Wdl::Draw, Wdl::Draw] => expected.both_draw += weight,
                    [Wdl::Loss, Wdl::Loss] => expected.both_lose += weight,
                    _ => {}
                }
            }
            let times = redundancy(&solved.layout);
            let found = tempo(solved).unwrap();
            assert_eq!(found.both_win * times, expected.both_win, "{unit}");
            assert_eq!(found.both_draw * times, expected.both_draw, "{unit}");
            assert_eq!(found.both_lose * times, expected.both_lose, "{unit}");
            seen.both_win += found.both_win;
            seen.both_draw += found.both_draw;
            seen.both_lose += found.both_lose;
        }
        assert!(seen.both_win > 0 && seen.both_draw > 0 && seen.both_lose > 0);
    }

    #[test]
    fn the_slowest_win_and_loss_are_a_ply_apart_or_equal_and_one_is_the_farthest() {
        let store = Store::solve(3, Goal::ToEnd).unwrap();
        for unit in (2..=3).flat_map(|pieces| Units::of(pieces).list()) {
            let solved = store.get(unit).unwrap().as_ref();
            let [win, loss] = [Wdl::Win, Wdl::Loss].map(|wdl| {
                let found = slowest(solved, wdl);
                if let Some((plies, turn, address)) = found {
                    assert_eq!(solved.wdl(turn, address), wdl);
                    assert_eq!(solved.dtw(turn, address), Some(plies));
                    assert!(solved.layout.groups_at(address).is_some());
                }
                found.map_or(0, |(plies, ..)| plies)
            });
            let farthest = farthest(solved, Distance::ToEnd).unwrap();
            assert_eq!(
                win.max(loss),
                farthest.map_or(0, |(plies, ..)| plies),
                "{unit}"
            );
            assert!(win.abs_diff(loss) <= 1, "{unit}: {win} {loss}");
        }
    }

    #[test]
    fn the_farthest_position_has_the_greatest_distance_of_all() {
        let store = Store::solve(4, Goal::ToEnd).unwrap();
        for unit in (2..=4).flat_map(|pieces| Units::of(pieces).list()) {
            let solved = store.get(unit).unwrap().as_ref();
            let [red, black] = totals(solved).unwrap();
            for (kind, greatest) in [
                (Distance::ToCapture, red.longest.max(black.longest)),
                (
                    Distance::ToEnd,
                    red.longest_to_end.max(black.longest_to_end),
                ),
            ] {
                let found = farthest(solved, kind).unwrap();
                let plies = found.map_or(0, |(plies, ..)| plies);
                assert_eq!(u32::from(plies), greatest, "{unit} {kind:?}");
                if let Some((plies, turn, address)) = found {
                    let there = match kind {
                        Distance::ToCapture => solved.dtc(turn, address),
                        Distance::ToEnd => solved.dtw(turn, address),
                    };
                    assert_eq!(there, Some(plies), "{unit} {kind:?}");
                }
            }
        }
    }
}
