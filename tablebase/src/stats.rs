//! Totals over all positions of a solved unit.
//!
//! Counts run over all placements: mirrors separately, identical pieces once.

use anqi_rules::Color;

use crate::block::Block;
use crate::layout::{BLOCK, Layout, orbit_length};
use crate::solve::capture::Outer;
use crate::solved::Solved;

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
    /// How many wins have each distance; empty if distances are not known.
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
        if let Some(sides) = &solved.dtc {
            let bytes = &sides[turn.index()][block].0;
            for (j, (&won, &lost)) in win.0.iter().zip(&loss.0).enumerate() {
                add_distances(&mut totals, won, lost, &bytes[j * 32..j * 32 + 32], weight);
            }
        }
    }
    let redundancy = redundancy(layout);
    for count in [
        &mut totals.win,
        &mut totals.draw,
        &mut totals.loss,
        &mut totals.sum,
    ] {
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

/// Returns an address with the greatest distance, with the side to move, if distances are known.
pub fn farthest(solved: &Solved) -> Option<(Color, u64)> {
    let sides = solved.dtc.as_ref()?;
    let mut best: Option<(u8, Color, u64)> = None;
    for turn in Color::ALL {
        for (block, bytes) in sides[turn.index()].iter().enumerate() {
            for (i, &distance) in bytes.0.iter().enumerate() {
                if best.is_none_or(|(least, ..)| distance > least) {
                    best = Some((distance, turn, block as u64 * BLOCK + i as u64));
                }
            }
        }
    }
    best.map(|(_, turn, address)| (turn, address))
}
