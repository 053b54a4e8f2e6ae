//! Re-deriving plies to the end from those of the successors, a block at a time.
//!
//! A won position takes one ply more than the quickest lost one that a move of the winner leads to, a
//! lost one one more than the slowest won one, and 0 without a move. Each ply leads to a smaller
//! number, so no proof is circular, and the numbers prove the values too.

use anqi_rules::Color;

use super::capture::Outer;
use super::children::Children;
use super::moves::Mover;
use super::planes::Memory;
use super::solved::{NEVER, Solved, Wide};
use super::to_end::{Exits, exits};
use crate::numbering::{ADJACENT, BLOCK, Block, MIRROR_MASKS, squares};

/// Returns the first block in which some plies to the end do not follow from the others; `None` if all
/// do, or if they were not solved.
pub fn first_fault_to_end(solved: &Solved, children: &Children) -> Option<usize> {
    let ends = solved.dtw.as_ref()?;
    Color::ALL
        .into_iter()
        .find_map(|winner| chain_fault(solved, ends, winner, children))
}

fn chain_fault(
    solved: &Solved,
    ends: &[Vec<Wide>; 2],
    winner: Color,
    children: &Children,
) -> Option<usize> {
    let layout = &solved.layout;
    let loser = !winner;
    let [attacks, defences] =
        exits(&Memory, layout, winner, children).expect("memory keeps planes");
    let quick = Neighbours {
        mover: Mover::new(layout, winner),
        exits: attacks,
        plies: after_losses(&ends[loser.index()], &solved.loss[loser.index()]),
        better: u16::min,
        none: NEVER,
    };
    let slow = Neighbours {
        mover: Mover::new(layout, loser),
        exits: defences,
        plies: after_wins(&ends[winner.index()]),
        better: u16::max,
        none: 0,
    };
    (0..layout.blocks).find(|&block| {
        let outer = Outer::of(layout, block);
        let possible = outer.possible();
        let won = solved.win[winner.index()][block].and(&possible);
        let lost = &solved.loss[loser.index()][block];
        let decided = |side: Color| {
            let mut both = solved.win[side.index()][block].and(&possible);
            both.add(&solved.loss[side.index()][block]);
            both
        };
        let unfit = |side: Color| has_number_outside(&ends[side.index()][block], &decided(side));
        unfit(winner)
            || quick.differ(&ends[winner.index()][block], &won, block, &outer.codes)
            || slow.differ(&ends[loser.index()][block], lost, block, &outer.codes)
    })
}

/// One ply more than each lost position takes, [`NEVER`] elsewhere.
fn after_losses(ends: &[Wide], lost: &[Block]) -> Vec<Wide> {
    let after = |(ends, lost): (&Wide, &Block)| {
        let mut plies = Wide([NEVER; BLOCK as usize]);
        for at in positions(lost) {
            plies.0[at] = ends.0[at].saturating_add(1);
        }
        plies
    };
    ends.iter().zip(lost).map(after).collect()
}

/// One ply more than each position takes, 0 where there is no number.
fn after_wins(ends: &[Wide]) -> Vec<Wide> {
    let after = |ends: &Wide| Wide(ends.0.map(|plies| plies.wrapping_add(1)));
    ends.iter().map(after).collect()
}

/// The places in a block of the positions in a set.
fn positions(set: &Block) -> impl Iterator<Item = usize> + '_ {
    let rows = set.0.iter().enumerate();
    rows.flat_map(|(j, &word)| squares(word).map(move |i| j * 32 + i as usize))
}

/// Whether a position outside a set has a number.
fn has_number_outside(ends: &Wide, set: &Block) -> bool {
    let outside = Block(set.0.map(|word| !word));
    positions(&outside).any(|at| ends.0[at] != NEVER)
}

/// What the moves of one side lead to.
struct Neighbours<'a> {
    mover: Mover<'a>,
    exits: Exits<Memory>,
    /// The plies that a quiet move into each position makes.
    plies: Vec<Wide>,
    /// What the side prefers.
    better: fn(u16, u16) -> u16,
    /// The number that every other is preferred to.
    none: u16,
}

impl Neighbours<'_> {
    /// Whether one of these positions has other plies than its moves give.
    fn differ(&self, found: &Wide, these: &Block, block: usize, codes: &[u32]) -> bool {
        if these.is_empty() {
            return false;
        }
        let mut expected = self.quiet(block, codes);
        for (plies, &exit) in expected.0.iter_mut().zip(&self.exits.plies[block].0) {
            if exit != NEVER {
                *plies = (self.better)(*plies, exit);
            }
        }
        positions(these).any(|at| found.0[at] != expected.0[at])
    }

    /// The best that quiet moves from the positions of a block give.
    fn quiet(&self, block: usize, codes: &[u32]) -> Wide {
        let mut best = Wide([self.none; BLOCK as usize]);
        let mut take = |at: usize, plies: u16| best.0[at] = (self.better)(best.0[at], plies);
        let here = &self.plies[block].0;
        let [a, b] = self.mover.lanes();
        for (square, &near) in ADJACENT.iter().enumerate() {
            for next in squares(near).map(|next| next as usize) {
                for other in 0..32 {
                    if a {
                        take(other * 32 + square, here[other * 32 + next]);
                    }
                    if b {
                        take(square * 32 + other, here[next * 32 + other]);
                    }
                }
            }
        }
        self.mover.neighbours(block, codes, |there, symmetry| {
            // Both lanes are mirrored: five bits of the place for each.
            let mask = MIRROR_MASKS[symmetry] as usize * 33;
            let there = &self.plies[there].0;
            for at in 0..there.len() {
                take(at, there[at ^ mask]);
            }
            true
        });
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;
    use crate::solve::{Goal, Store, solve};

    #[test]
    fn each_number_is_one_more_than_its_best_successors() {
        let store = Store::solve(3, Goal::ToEnd).unwrap();
        let units = (2..=3).flat_map(|pieces| Units::of(pieces).list());
        let mut planted = [0; 3];
        for unit in units.chain(Units::of(4).list().iter().step_by(30)) {
            let children = store.children(unit);
            let mut solved = solve(unit, &children, Goal::ToEnd).unwrap();
            assert_eq!(first_fault_to_end(&solved, &children), None, "{unit}");
            for side in Color::ALL {
                let addresses = solved.layout.addresses();
                for address in (0..addresses).step_by(addresses as usize / 3 + 1) {
                    let (block, at) = ((address / BLOCK) as usize, (address % BLOCK) as usize);
                    let found = solved.dtw(side, address);
                    let put = |solved: &mut Solved, plies| {
                        solved.dtw.as_mut().unwrap()[side.index()][block].0[at] = plies;
                    };
                    // Another number where there is one, and a number where there is none.
                    let wrong = [
                        found.map_or(7, |plies| plies + 1),
                        found.map_or(NEVER, |_| NEVER),
                    ];
                    for (kind, wrong) in wrong.into_iter().enumerate() {
                        if wrong == found.unwrap_or(NEVER) {
                            continue;
                        }
                        put(&mut solved, wrong);
                        let fault = first_fault_to_end(&solved, &children);
                        assert!(fault.is_some(), "{unit} {side} {address} {wrong}");
                        put(&mut solved, found.unwrap_or(NEVER));
                        planted[if found.is_none() { 2 } else { kind }] += 1;
                    }
                }
            }
        }
        assert!(planted.iter().all(|&count| count > 10), "{planted:?}");
    }
}
