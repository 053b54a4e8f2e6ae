//! The second pass: plies to the end of the game.
//!
//! The winner is known, the distance is not. Captures no longer all count one: each
//! leads to a position of a smaller unit whose own distance to the end is known. For each
//! position that the winner may decide by a capture, the least such distance plus one is
//! its **exit**; for each lost position, the greatest. Rounds then run as in
//! [`super::driver`], except that a win may also be found because the round has reached its
//! exit, and that a loss must wait for its own.

use anqi_rules::Color;

use super::capture::{CaptureSink, Captures, OutcomeBit, Outer};
use super::children::Children;
use super::distance::DistanceOverflow;
use super::moves::Mover;
use super::solved::{NEVER, Solved, Wide};
use super::view::{View, WideView};
use crate::numbering::{BLOCK, Block, Layout, squares};

/// Adds the distances to the end to a solved unit; the children must have theirs.
///
/// # Errors
///
/// Fails if a distance does not fit.
pub(super) fn solve(solved: &mut Solved, children: &Children) -> Result<(), DistanceOverflow> {
    let blank = || vec![Wide([NEVER; BLOCK as usize]); solved.layout.blocks];
    let mut ends = [blank(), blank()];
    for winner in Color::ALL {
        chain_to_end(solved, winner, children, &mut ends)?;
    }
    solved.dtw = Some(ends);
    Ok(())
}

/// Exits of the positions of a block, [`NEVER`] where there is none.
struct Exits<'a> {
    views: &'a [WideView],
    /// Whether the capturing side minimises.
    least: bool,
    values: &'a mut Wide,
}

impl CaptureSink for Exits<'_> {
    fn note(&mut self, j: usize, mask: u32, lost: usize, word: usize, outcome: OutcomeBit) {
        for i in squares(mask) {
            let bit = match outcome {
                OutcomeBit::Same => i,
                OutcomeBit::Bit(bit) => bit,
            };
            let value = self.views[lost].value(word, bit);
            if value == NEVER {
                continue;
            }
            let exit = &mut self.values.0[j * 32 + i as usize];
            let worse = if self.least {
                value + 1 < *exit
            } else {
                value + 1 > *exit
            };
            if *exit == NEVER || worse {
                *exit = value + 1;
            }
        }
    }
}

/// The exits of one side, and the blocks that have them.
pub(super) struct ExitTable {
    /// For each position the plies by its best capture, [`NEVER`] where there is none.
    pub(super) values: Vec<Wide>,
    /// For each round, the blocks that have an exit in it.
    due: Vec<Vec<u32>>,
}

impl ExitTable {
    fn new(layout: &Layout, captures: &Captures<'_>, views: &[WideView], least: bool) -> ExitTable {
        let mut values = vec![Wide([NEVER; BLOCK as usize]); layout.blocks];
        let mut due: Vec<Vec<u32>> = Vec::new();
        for (block, values) in values.iter_mut().enumerate() {
            let outer = Outer::of(layout, block);
            if outer.clash {
                continue;
            }
            captures.of_block(
                &outer,
                &mut Exits {
                    views,
                    least,
                    values,
                },
            );
            for &exit in values.0.iter().filter(|&&exit| exit != NEVER) {
                let round = usize::from(exit);
                if due.len() <= round {
                    due.resize(round + 1, Vec::new());
                }
                if due[round].last() != Some(&(block as u32)) {
                    due[round].push(block as u32);
                }
            }
        }
        ExitTable { values, due }
    }

    /// The positions of a block whose exit is due by this round; `otherwise` for those without.
    fn due_by(&self, block: usize, round: u16, otherwise: bool) -> Block {
        let row = |j: usize| {
            let values = &self.values[block].0[j * 32..j * 32 + 32];
            values.iter().enumerate().fold(0, |word, (i, &exit)| {
                let due = if exit == NEVER {
                    otherwise
                } else {
                    exit <= round
                };
                word | u32::from(due) << i
            })
        };
        Block(std::array::from_fn(row))
    }
}

/// The exits of the winner's chain: by the winner's captures, and by the loser's.
pub(super) fn exits(layout: &Layout, winner: Color, children: &Children) -> [ExitTable; 2] {
    let parts = 0..layout.parts.len();
    let wide: Vec<WideView> = parts
        .clone()
        .map(|part| WideView::new(layout, part, winner, children))
        .collect();
    let shapes: Vec<View> = parts.map(|part| View::shape(layout, part)).collect();
    [(winner, true), (!winner, false)].map(|(hunters, least)| {
        let captures = Captures::new(layout, &shapes, hunters);
        ExitTable::new(layout, &captures, &wide, least)
    })
}

fn chain_to_end(
    solved: &Solved,
    winner: Color,
    children: &Children,
    ends: &mut [Vec<Wide>; 2],
) -> Result<(), DistanceOverflow> {
    let [attacks, defences] = exits(&solved.layout, winner, children);
    let mut rounds = Rounds::new(solved, winner);
    let last_exit = attacks.due.len().max(defences.due.len());
    for round in 0u16.. {
        if round == NEVER {
            return Err(DistanceOverflow);
        }
        rounds.due(&attacks, &defences, round);
        let losses = rounds.losses(&defences, round);
        let wins = rounds.wins(&attacks, round);
        let quiet = losses.is_empty() && wins.is_empty();
        rounds.settle(losses, wins, round, ends);
        if quiet && usize::from(round) > last_exit {
            return Ok(());
        }
    }
    Ok(())
}

/// The state of a chain's rounds.
struct Rounds<'a> {
    layout: &'a Layout,
    solved: &'a Solved,
    winner: Color,
    movers: [Mover<'a>; 2],
    /// The winner is to move and has not won yet, whether or not it will.
    open: Vec<Block>,
    /// The loser is to move and has lost by now.
    lost: Vec<Block>,
    dirty_open: Vec<bool>,
    dirty_lost: Vec<bool>,
}

impl<'a> Rounds<'a> {
    fn new(solved: &'a Solved, winner: Color) -> Rounds<'a> {
        let layout = &solved.layout;
        let open = (0..layout.blocks).map(|block| {
            let outer = Outer::of(layout, block);
            if outer.clash {
                Block::EMPTY
            } else {
                Block::possible(outer.occupied)
            }
        });
        Rounds {
            layout,
            solved,
            winner,
            movers: [Mover::new(layout, winner), Mover::new(layout, !winner)],
            open: open.collect(),
            lost: vec![Block::EMPTY; layout.blocks],
            dirty_open: vec![true; layout.blocks],
            dirty_lost: vec![true; layout.blocks],
        }
    }

    fn due(&mut self, attacks: &ExitTable, defences: &ExitTable, round: u16) {
        let round = usize::from(round);
        for &block in attacks.due.get(round).into_iter().flatten() {
            self.dirty_open[block as usize] = true;
        }
        for &block in defences.due.get(round).into_iter().flatten() {
            self.dirty_lost[block as usize] = true;
        }
    }

    fn losses(&mut self, defences: &ExitTable, round: u16) -> Vec<(usize, Block)> {
        let mut fresh = Vec::new();
        for block in 0..self.layout.blocks {
            if !std::mem::take(&mut self.dirty_lost[block]) {
                continue;
            }
            let all = &self.solved.loss[(!self.winner).index()][block];
            let hopeful = all.and_not(&self.lost[block]);
            if hopeful.is_empty() {
                continue;
            }
            let hopeful = hopeful.and(&defences.due_by(block, round, true));
            let codes = self.layout.outer_codes(block);
            let stuck = hopeful.and_not(&self.movers[1].reach(&self.open, block, &codes, &hopeful));
            if !stuck.is_empty() {
                fresh.push((block, stuck));
            }
        }
        fresh
    }

    fn wins(&mut self, attacks: &ExitTable, round: u16) -> Vec<(usize, Block)> {
        let mut fresh = Vec::new();
        for block in 0..self.layout.blocks {
            if !std::mem::take(&mut self.dirty_open[block]) {
                continue;
            }
            let open = self.open[block].and(&self.solved.win[self.winner.index()][block]);
            if open.is_empty() {
                continue;
            }
            let codes = self.layout.outer_codes(block);
            let mut found = self.movers[0].reach(&self.lost, block, &codes, &open);
            found.add(&attacks.due_by(block, round, false));
            let found = found.and(&open);
            if !found.is_empty() {
                fresh.push((block, found));
            }
        }
        fresh
    }

    /// Makes the round's discoveries visible to the next one.
    fn settle(
        &mut self,
        losses: Vec<(usize, Block)>,
        wins: Vec<(usize, Block)>,
        round: u16,
        ends: &mut [Vec<Wide>; 2],
    ) {
        for (block, fresh) in losses {
            self.lost[block].add(&fresh);
            write(&mut ends[(!self.winner).index()][block], &fresh, round);
            self.dirty_open[block] = true;
            let (codes, dirty) = (self.layout.outer_codes(block), &mut self.dirty_open);
            self.movers[0].sources(block, &codes, |source| dirty[source] = true);
        }
        for (block, fresh) in wins {
            self.open[block] = self.open[block].and_not(&fresh);
            write(&mut ends[self.winner.index()][block], &fresh, round);
            self.dirty_lost[block] = true;
            let (codes, dirty) = (self.layout.outer_codes(block), &mut self.dirty_lost);
            self.movers[1].sources(block, &codes, |source| dirty[source] = true);
        }
    }
}

fn write(values: &mut Wide, fresh: &Block, round: u16) {
    for (j, &word) in fresh.0.iter().enumerate() {
        for i in squares(word) {
            values.0[j * 32 + i as usize] = round;
        }
    }
}
