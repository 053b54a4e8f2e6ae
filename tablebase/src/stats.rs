//! Totals over all positions of a solved unit.
//!
//! Counts run over all placements: mirrors separately, identical pieces once.

use anqi_rules::Color;

use crate::block::Block;
use crate::extract::Metric;
use crate::layout::{BLOCK, Layout, orbit_length};
use crate::solve::capture::Outer;
use crate::solved::{NEVER, Solved};

/// Totals for one side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideTotals {
    /// Positions that the side to move wins.
    pub win: u64,
    /// Positions that nobody wins.
    pub draw: u64,
    /// Positions that the side to move loses.
    pub loss: u64,
    /// The greatest distance, if distances are known.
    pub longest: u32,
    /// The sum of all distances.
    pub sum: u64,
    /// The greatest number of plies to the end, if those are known.
    pub longest_end: u32,
    /// The sum of all plies to the end.
    pub sum_end: u64,
    /// How many wins have each distance to the next capture.
    pub wins_at: [u64; 256],
}

impl SideTotals {
    /// Returns all zeros.
    pub const fn none() -> SideTotals {
        SideTotals {
            win: 0,
            draw: 0,
            loss: 0,
            longest: 0,
            sum: 0,
            longest_end: 0,
            sum_end: 0,
            wins_at: [0; 256],
        }
    }
}

/// Totals of a unit, for each side to move, in the unit's colours.
pub type Totals = [SideTotals; 2];

/// Returns by how much addresses overcount placements, because lanes tell like pieces apart.
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

/// Counts a solved unit.
pub fn totals(solved: &Solved) -> Totals {
    Color::ALL.map(|turn| side_totals(solved, turn))
}

fn side_totals(solved: &Solved, turn: Color) -> SideTotals {
    let layout = &solved.layout;
    let mut totals = SideTotals::none();
    for block in 0..layout.blocks {
        let outer = Outer::of(layout, block);
        if outer.clash {
            continue;
        }
        let possible = Block::possible(outer.occupied);
        let win = solved.win[turn.index()][block].and(&possible);
        let loss = &solved.loss[turn.index()][block];
        let weight = orbit_length(layout, block);
        totals.win += weight * u64::from(win.len());
        totals.loss += weight * u64::from(loss.len());
        totals.draw += weight * u64::from(possible.len() - win.len() - loss.len());
        if let Some(sides) = &solved.dtw {
            for &plies in sides[turn.index()][block].0.iter().filter(|&&plies| plies != NEVER) {
                totals.sum_end += u64::from(plies) * weight;
                totals.longest_end = totals.longest_end.max(plies.into());
            }
        }
        if let Some(sides) = &solved.dtc {
            let bytes = &sides[turn.index()][block].0;
            for (j, (&won, &lost)) in win.0.iter().zip(&loss.0).enumerate() {
                add_distances(&mut totals, won, lost, &bytes[j * 32..j * 32 + 32], weight);
            }
        }
    }
    let redundancy = redundancy(layout);
    for count in [&mut totals.win, &mut totals.draw, &mut totals.loss, &mut totals.sum, &mut totals.sum_end] {
        *count /= redundancy;
    }
    for count in &mut totals.wins_at {
        *count /= redundancy;
    }
    totals
}

fn add_distances(totals: &mut SideTotals, won: u32, lost: u32, bytes: &[u8], weight: u64) {
    for i in crate::combination::squares(won | lost) {
        let distance = bytes[i as usize];
        totals.sum += u64::from(distance) * weight;
        totals.longest = totals.longest.max(distance.into());
        if won >> i & 1 != 0 {
            totals.wins_at[usize::from(distance)] += weight;
        }
    }
}

/// Returns the greatest distance, the side to move and an address that has it, if distances of
/// this kind are known.
pub fn farthest(solved: &Solved, metric: Metric) -> Option<(u16, Color, u64)> {
    let mut best: Option<(u16, Color, u64)> = None;
    let mut note = |distance: u16, turn, address| {
        if best.is_none_or(|(least, ..)| distance > least) {
            best = Some((distance, turn, address));
        }
    };
    for turn in Color::ALL {
        for block in 0..solved.layout.blocks {
            let start = block as u64 * BLOCK;
            for i in 0..BLOCK {
                let distance = match metric {
                    Metric::Wdl => None,
                    Metric::Dtc => solved.dtc(turn, start + i).map(u16::from),
                    Metric::Dtw => solved.dtw(turn, start + i),
                };
                if let Some(distance) = distance {
                    note(distance, turn, start + i);
                }
            }
        }
    }
    best
}
