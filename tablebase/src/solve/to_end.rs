//! The second pass: plies to the end of the game.
//!
//! The winner is known, the distance is not. Captures no longer all count one: each
//! leads to a position of a smaller unit whose own distance to the end is known. For each
//! position that the winner may decide by a capture, the least such distance plus one is
//! its **exit**; for each lost position, the greatest. Rounds then run as in
//! [`super::driver`], with the same storage, except that a win may also be found because the
//! round has reached its exit, and that a loss must wait for its own.

use std::ops::Range;

use anqi_rules::Color;

use super::capture::{CaptureSink, Captures, OutcomeBit, Outer};
use super::children::Children;
use super::distance::DistanceOverflow;
use super::driver::Chain;
use super::moves::Mover;
use super::planes::{Storage, windows};
use super::solved::{NEVER, Wide};
use super::view::{View, WideView};
use crate::numbering::{Block, Layout, squares};

/// The distances to the end of a unit.
pub(super) struct Ends<S: Storage> {
    /// For each side to move, [`NEVER`] in positions that are not decided.
    pub(super) planes: [S::Plane<Wide>; 2],
    pub(super) longest: u16,
}

/// Finds the distances to the end of a unit whose chains are solved; the children must have theirs.
///
/// # Errors
///
/// Fails if a distance does not fit, or planes cannot be kept.
pub(super) fn to_end<S: Storage>(
    storage: &S,
    layout: &Layout,
    children: &Children,
    chains: &mut [Chain<S>; 2],
) -> Result<Ends<S>, S::Error> {
    let [mut red, mut black] = [
        storage.blank::<Wide>(layout.blocks)?,
        storage.blank::<Wide>(layout.blocks)?,
    ];
    let mut longest = 0;
    for (winner, chain) in Color::ALL.into_iter().zip(chains) {
        let mut rounds = Rounds::new(storage, layout, winner, children, chain)?;
        let found = match winner {
            Color::Red => rounds.run(&mut red, &mut black)?,
            Color::Black => rounds.run(&mut black, &mut red)?,
        };
        longest = longest.max(found);
    }
    Ok(Ends {
        planes: [red, black],
        longest,
    })
}

/// Exits of the positions of a block, [`NEVER`] where there is none.
struct BestExits<'a> {
    views: &'a [WideView],
    /// Whether the capturing side minimises.
    least: bool,
    plies: &'a mut Wide,
}

impl CaptureSink for BestExits<'_> {
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
            let exit = &mut self.plies.0[j * 32 + i as usize];
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

/// The exits of one side.
pub(super) struct Exits<S: Storage> {
    /// For each position the plies by its best capture, [`NEVER`] where there is none.
    pub(super) plies: S::Plane<Wide>,
    agenda: Agenda,
}

/// The blocks of one side that a round must examine.
struct Agenda {
    /// Something has changed in the block or near it.
    dirty: Vec<bool>,
    /// For each block the least exit that no round has reached yet.
    next: Vec<u16>,
}

impl Agenda {
    /// Whether some block of a window must be examined in this round.
    fn holds(&self, mut window: Range<usize>, round: u16) -> bool {
        window.any(|block| self.dirty[block] || self.next[block] <= round)
    }

    /// Whether a block with these exits must be examined in this round; it is off the agenda then.
    fn take(&mut self, block: usize, exits: &Wide, round: u16) -> bool {
        let due = self.next[block] <= round;
        if due {
            let later = exits
                .0
                .iter()
                .map(|&exit| if exit > round { exit } else { NEVER });
            self.next[block] = later.fold(NEVER, u16::min);
        }
        std::mem::take(&mut self.dirty[block]) || due
    }

    /// Puts a block on the agenda, and those from which `mover` can move into it.
    fn mark(&mut self, mover: &Mover<'_>, block: usize, codes: &[u32]) {
        self.dirty[block] = true;
        mover.sources(block, codes, |source| self.dirty[source] = true);
    }

    /// Whether some exit has not been reached.
    fn waits(&self) -> bool {
        self.next.iter().any(|&next| next != NEVER)
    }
}

impl<S: Storage> Exits<S> {
    fn new(
        storage: &S,
        layout: &Layout,
        captures: &Captures<'_>,
        views: &[WideView],
        least: bool,
    ) -> Result<Exits<S>, S::Error> {
        let mut plane = storage.blank::<Wide>(layout.blocks)?;
        let mut agenda = Agenda {
            dirty: vec![true; layout.blocks],
            next: vec![NEVER; layout.blocks],
        };
        for window in windows(layout.blocks, storage.window(layout.blocks)) {
            let mut part = S::part(&mut plane, window.clone())?;
            for (block, plies) in window.zip(part.iter_mut()) {
                let outer = Outer::of(layout, block);
                if outer.clash {
                    continue;
                }
                let mut best = BestExits {
                    views,
                    least,
                    plies,
                };
                captures.of_block(&outer, &mut best);
                agenda.next[block] = plies.0.iter().copied().fold(NEVER, u16::min);
            }
            S::keep(part)?;
        }
        Ok(Exits {
            plies: plane,
            agenda,
        })
    }
}

/// The positions of a block whose exit is due by this round; `otherwise` for those without.
fn due_by(plies: &Wide, round: u16, otherwise: bool) -> Block {
    let row = |j: usize| {
        let plies = &plies.0[j * 32..j * 32 + 32];
        plies.iter().enumerate().fold(0, |word, (i, &exit)| {
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

/// The exits of the winner's chain: by the winner's captures, and by the loser's.
///
/// # Errors
///
/// Fails if planes cannot be kept.
pub(super) fn exits<S: Storage>(
    storage: &S,
    layout: &Layout,
    winner: Color,
    children: &Children,
) -> Result<[Exits<S>; 2], S::Error> {
    let parts = 0..layout.parts.len();
    let wide: Vec<WideView> = parts
        .clone()
        .map(|part| WideView::new(layout, part, winner, children))
        .collect();
    let shapes: Vec<View> = parts.map(|part| View::shape(layout, part)).collect();
    let [attacks, defences] = [(winner, true), (!winner, false)].map(|(hunters, least)| {
        let captures = Captures::new(layout, &shapes, hunters);
        Exits::new(storage, layout, &captures, &wide, least)
    });
    Ok([attacks?, defences?])
}

/// The state of a chain's rounds.
struct Rounds<'a, S: Storage> {
    storage: &'a S,
    layout: &'a Layout,
    /// Moves of the winner, and of the loser.
    movers: [Mover<'a>; 2],
    /// The values, which do not change.
    chain: &'a mut Chain<S>,
    attacks: Exits<S>,
    defences: Exits<S>,
    /// The winner is to move and has not won yet, whether or not it will.
    open: S::Plane<Block>,
    /// The loser is to move and has lost by now.
    lost: S::Plane<Block>,
    /// The round's losses, held back from its wins.
    pending: S::Plane<Block>,
    /// Blocks with losses held back.
    fresh: Vec<bool>,
}

impl<'a, S: Storage> Rounds<'a, S> {
    fn new(
        storage: &'a S,
        layout: &'a Layout,
        winner: Color,
        children: &Children,
        chain: &'a mut Chain<S>,
    ) -> Result<Rounds<'a, S>, S::Error> {
        let [attacks, defences] = exits(storage, layout, winner, children)?;
        let mut open = storage.blank::<Block>(layout.blocks)?;
        for window in windows(layout.blocks, storage.window(layout.blocks)) {
            let mut part = S::part(&mut open, window.clone())?;
            for (block, open) in window.zip(part.iter_mut()) {
                *open = Outer::of(layout, block).possible();
            }
            S::keep(part)?;
        }
        Ok(Rounds {
            storage,
            layout,
            movers: [Mover::new(layout, winner), Mover::new(layout, !winner)],
            chain,
            attacks,
            defences,
            open,
            lost: storage.blank(layout.blocks)?,
            pending: storage.blank(layout.blocks)?,
            fresh: vec![false; layout.blocks],
        })
    }

    /// Runs rounds until nothing changes, and returns the greatest distance.
    fn run(
        &mut self,
        of_winner: &mut S::Plane<Wide>,
        of_loser: &mut S::Plane<Wide>,
    ) -> Result<u16, S::Error> {
        let mut longest = 0;
        for round in 0..NEVER {
            let lost = self.losses(round, of_loser)?;
            let won = self.wins(round, of_winner)?;
            self.commit()?;
            let found = lost || won;
            if found {
                longest = round;
            }
            if !found && !self.waits() {
                return Ok(longest);
            }
        }
        Err(DistanceOverflow.into())
    }

    /// Whether some exit has not been reached.
    fn waits(&self) -> bool {
        self.attacks.agenda.waits() || self.defences.agenda.waits()
    }

    /// Finds the round's losses, which stay hidden until [`Rounds::commit`].
    fn losses(&mut self, round: u16, ends: &mut S::Plane<Wide>) -> Result<bool, S::Error> {
        let blocks = self.layout.blocks;
        let open = S::whole(&self.open, blocks)?;
        let mut found = false;
        for window in windows(blocks, self.storage.window(blocks)) {
            if !self.defences.agenda.holds(window.clone(), round) {
                continue;
            }
            let all = S::part(&mut self.chain.lost, window.clone())?;
            let lost = S::part(&mut self.lost, window.clone())?;
            let exits = S::part(&mut self.defences.plies, window.clone())?;
            let mut pending = S::part(&mut self.pending, window.clone())?;
            let mut ends = S::part(ends, window.clone())?;
            let mut changed = false;
            for (i, block) in window.enumerate() {
                if !self.defences.agenda.take(block, &exits[i], round) {
                    continue;
                }
                let hopeful = all[i].and_not(&lost[i]);
                if hopeful.is_empty() {
                    continue;
                }
                let hopeful = hopeful.and(&due_by(&exits[i], round, true));
                let codes = self.layout.outer_codes(block);
                let moves = self.movers[1].reach(&open, block, &codes, &hopeful);
                let stuck = hopeful.and_not(&moves);
                if !stuck.is_empty() {
                    pending[i] = stuck;
                    write(&mut ends[i], &stuck, round);
                    (self.fresh[block], changed) = (true, true);
                }
            }
            if changed {
                S::keep(pending)?;
                S::keep(ends)?;
                found = true;
            }
        }
        Ok(found)
    }

    /// Finds the round's wins.
    fn wins(&mut self, round: u16, ends: &mut S::Plane<Wide>) -> Result<bool, S::Error> {
        let blocks = self.layout.blocks;
        let lost = S::whole(&self.lost, blocks)?;
        let mut found = false;
        for window in windows(blocks, self.storage.window(blocks)) {
            if !self.attacks.agenda.holds(window.clone(), round) {
                continue;
            }
            let never = S::part(&mut self.chain.open, window.clone())?;
            let mut open = S::part(&mut self.open, window.clone())?;
            let exits = S::part(&mut self.attacks.plies, window.clone())?;
            let mut ends = S::part(ends, window.clone())?;
            let mut changed = false;
            for (i, block) in window.enumerate() {
                if !self.attacks.agenda.take(block, &exits[i], round) {
                    continue;
                }
                let hopeful = open[i].and_not(&never[i]);
                if hopeful.is_empty() {
                    continue;
                }
                let codes = self.layout.outer_codes(block);
                let mut won = self.movers[0].reach(&lost, block, &codes, &hopeful);
                won.add(&due_by(&exits[i], round, false));
                let won = won.and(&hopeful);
                if won.is_empty() {
                    continue;
                }
                open[i] = open[i].and_not(&won);
                write(&mut ends[i], &won, round);
                changed = true;
                self.defences.agenda.mark(&self.movers[1], block, &codes);
            }
            if changed {
                S::keep(open)?;
                S::keep(ends)?;
                found = true;
            }
        }
        Ok(found)
    }

    /// Makes the losses held back visible, and marks what they may concern.
    fn commit(&mut self) -> Result<(), S::Error> {
        let blocks = self.layout.blocks;
        for window in windows(blocks, self.storage.window(blocks)) {
            if !self.fresh[window.clone()].contains(&true) {
                continue;
            }
            let mut lost = S::part(&mut self.lost, window.clone())?;
            let pending = S::part(&mut self.pending, window.clone())?;
            for (i, block) in window.enumerate() {
                if !std::mem::take(&mut self.fresh[block]) {
                    continue;
                }
                lost[i].add(&pending[i]);
                let codes = self.layout.outer_codes(block);
                self.attacks.agenda.mark(&self.movers[0], block, &codes);
            }
            S::keep(lost)?;
        }
        Ok(())
    }
}

fn write(values: &mut Wide, fresh: &Block, round: u16) {
    for (j, &word) in fresh.0.iter().enumerate() {
        for i in squares(word) {
            values.0[j * 32 + i as usize] = round;
        }
    }
}
