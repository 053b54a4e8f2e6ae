//! The values inside a phase, level by level, 1,024 placements at a time.
//!
//! The same levels as in [`levels`](super::levels), which solves phases on the spot one position
//! after another and shares no code with this: at each level |v|, from the top, the positions worth
//! v or -v are found in rounds, those of round n being n plies from their exit. A round looks only at
//! what the discoveries of the round before concern: their predecessors, pushed from block to block.

use anqi_rules::Color;

use super::exit_rows::ExitPlanes;
use super::phase::Units;
use super::slots::Ground;
use crate::numbering::{Block, squares};

/// A phase solved by blocks.
#[derive(Debug)]
pub(super) struct SolvedBlocks {
    /// For each side to move the value (low byte) and the plies (high byte) of every code.
    pub found: [Vec<u16>; 2],
    /// The most plies to an exit; beyond 255 those of the positions are not right.
    pub longest: u32,
}

/// Solves a phase with these exits.
pub(super) fn solve(ground: &Ground<'_>, exits: &ExitPlanes, whole: Units) -> SolvedBlocks {
    let sides = Color::ALL.map(|_| Side::new(ground));
    let mut levels = BlockLevels {
        ground,
        exits,
        sides,
        longest: 0,
    };
    for level in (1..=whole).rev() {
        levels.decide(level);
    }
    SolvedBlocks {
        longest: levels.longest,
        found: levels.sides.map(|side| side.found),
    }
}

struct BlockLevels<'a> {
    ground: &'a Ground<'a>,
    exits: &'a ExitPlanes,
    sides: [Side; 2],
    longest: u32,
}

/// The positions with one side to move.
struct Side {
    /// Not decided yet.
    open: Vec<Block>,
    /// Not known to be worth more than nothing; impossible placements are not among them.
    no_gain: Vec<Block>,
    found: Vec<u16>,
    /// What the round before concerns.
    concerned: Vec<Concerned>,
    /// The blocks in which it is not empty.
    touched: Vec<usize>,
}

/// The predecessors of the discoveries of one round, in one block.
#[derive(Clone, Copy)]
struct Concerned {
    touched: bool,
    /// A quiet move leads to a loss of the other side.
    gains: Block,
    /// A quiet move leads to a gain of the other side.
    doubts: Block,
}

/// What a round has found in one block.
struct Discovery {
    turn: Color,
    block: usize,
    gains: Block,
    losses: Block,
}

const NOTHING: Concerned = Concerned {
    touched: false,
    gains: Block::EMPTY,
    doubts: Block::EMPTY,
};

impl Side {
    fn new(ground: &Ground<'_>) -> Side {
        let open: Vec<Block> = (0..ground.blocks())
            .map(|block| ground.possible(block))
            .collect();
        Side {
            no_gain: open.clone(),
            open,
            found: vec![0; ground.slots.codes()],
            concerned: vec![NOTHING; ground.blocks()],
            touched: Vec::new(),
        }
    }

    fn concerned(&mut self, block: usize) -> &mut Concerned {
        let concerned = &mut self.concerned[block];
        if !concerned.touched {
            concerned.touched = true;
            self.touched.push(block);
        }
        concerned
    }

    fn note(&mut self, block: usize, placements: &Block, value: Units, plies: u32) {
        let found = u16::from(value as u8) | (plies as u16) << 8;
        for (word, &bits) in placements
            .0
            .iter()
            .enumerate()
            .filter(|(_, bits)| **bits != 0)
        {
            let row = (block << 5 | word) << 5;
            for square in squares(bits) {
                self.found[row | square as usize] = found;
            }
        }
    }
}

impl BlockLevels<'_> {
    /// Decides what is worth `level` or `-level` to the side to move.
    fn decide(&mut self, level: Units) {
        let mut discoveries = self.at_exits(level);
        let mut plies = 1;
        while !discoveries.is_empty() {
            self.longest = self.longest.max(plies);
            for discovery in &discoveries {
                self.commit(discovery, level, plies);
            }
            for discovery in &discoveries {
                self.push(discovery);
            }
            discoveries = self.next_round(level);
            plies += 1;
        }
    }

    /// The first round: gains by an exit, losses without a quiet move that helps.
    fn at_exits(&self, level: Units) -> Vec<Discovery> {
        let mut discoveries = Vec::new();
        for turn in Color::ALL {
            let open = &self.sides[turn.index()].open;
            let better = self.exits.at_least(turn, level);
            for (block, open) in open.iter().enumerate() {
                if open.is_empty() {
                    continue;
                }
                let gains = open.and(&better[block]);
                let losses = self.stuck(turn, block, open, level);
                discoveries.extend(Discovery::new(turn, block, gains, losses));
            }
        }
        discoveries
    }

    /// The positions among `doubts` with no exit worth more than `-level` and no quiet move but into
    /// gains of the other side.
    #[inline]
    fn stuck(&self, turn: Color, block: usize, doubts: &Block, level: Units) -> Block {
        let saved = &self.exits.at_least(turn, 1 - level)[block];
        let hopeless = doubts.and_not(saved);
        if hopeless.is_empty() {
            return hopeless;
        }
        let no_gain = &self.sides[(!turn).index()].no_gain;
        let mut moves = Block::EMPTY;
        self.ground
            .add_sources(block, turn, &mut moves, |next| &no_gain[next]);
        hopeless.and_not(&moves)
    }

    fn commit(&mut self, discovery: &Discovery, level: Units, plies: u32) {
        let &Discovery {
            turn,
            block,
            gains,
            losses,
        } = discovery;
        let side = &mut self.sides[turn.index()];
        side.open[block] = side.open[block].and_not(&gains).and_not(&losses);
        side.no_gain[block] = side.no_gain[block].and_not(&gains);
        side.note(block, &gains, level, plies);
        side.note(block, &losses, -level, plies);
    }

    /// Marks the predecessors of a discovery, which are the other side's positions.
    fn push(&mut self, discovery: &Discovery) {
        let Discovery {
            turn,
            block,
            gains,
            losses,
        } = discovery;
        let (mover, side) = (!*turn, &mut self.sides[(!*turn).index()]);
        let ground = self.ground;
        let here = side.concerned(*block);
        ground.add_lane_steps(mover, losses, &mut here.gains);
        ground.add_lane_steps(mover, gains, &mut here.doubts);
        let (any_gain, any_loss) = (!gains.is_empty(), !losses.is_empty());
        ground.for_each_neighbour(*block, mover, |next| {
            let there = side.concerned(next);
            if any_loss {
                there.gains.add(losses);
            }
            if any_gain {
                there.doubts.add(gains);
            }
        });
    }

    /// The later rounds: what follows from the round before.
    fn next_round(&mut self, level: Units) -> Vec<Discovery> {
        let mut discoveries = Vec::new();
        for turn in Color::ALL {
            let touched = std::mem::take(&mut self.sides[turn.index()].touched);
            for block in touched {
                let side = &mut self.sides[turn.index()];
                let concerned = std::mem::replace(&mut side.concerned[block], NOTHING);
                let open = side.open[block];
                let gains = open.and(&concerned.gains);
                let losses = self.stuck(turn, block, &open.and(&concerned.doubts), level);
                discoveries.extend(Discovery::new(turn, block, gains, losses));
            }
        }
        discoveries
    }
}

impl Discovery {
    fn new(turn: Color, block: usize, gains: Block, losses: Block) -> Option<Discovery> {
        let found = !gains.is_empty() || !losses.is_empty();
        found.then_some(Discovery {
            turn,
            block,
            gains,
            losses,
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::classes::Fit;
    use crate::facedown::key::PhaseKey;
    use crate::facedown::levels;
    use crate::facedown::phase::whole;
    use crate::facedown::placement::Placement;
    use crate::facedown::slots::Slots;
    use crate::facedown::{HiddenIndex, example};
    use crate::numbering::{number_of, set_of};

    /// Solves a phase with random exits in both ways; returns the longest wait.
    fn agree(set: &str, face_down: u32, seed: u64) -> u32 {
        let unit = Fit::of(&set.parse().unwrap()).unit;
        let hidden = face_down.count_ones() as usize;
        let division = &HiddenIndex::new(unit, hidden).divisions[0];
        let slots = Slots::new(unit, &division.up);
        let (face_up, bag) = example(unit, &division.up);
        let ground = Ground::new(unit, &slots, &face_up, face_down);
        let most = whole(hidden);
        let mut random = Pcg64::seed_from_u64(seed);
        // Enough gains that now and then all moves of a position lead to one.
        let mut draw = || match random.random_range(0..20) {
            0 => random.random_range(-most..=most),
            1..=7 => most,
            _ => -most,
        };
        let best: [Vec<Units>; 2] = [(); 2].map(|()| (0..slots.codes()).map(|_| draw()).collect());
        let planes = ExitPlanes::of_values(&ground, most, [&best[0], &best[1]]);
        let blocks = solve(&ground, &planes, most);
        let key = PhaseKey {
            face_up,
            bag,
            face_down: set_of(face_down),
        };
        let code = |placement: &Placement| {
            let mut left: Vec<_> = placement.iter().collect();
            let digits = ground.pieces.iter().map(|piece| {
                let next = left.iter().position(|(own, _)| own == piece).unwrap();
                number_of(left.remove(next).1) as usize
            });
            digits.fold(0, |code, digit| code << 5 | digit)
        };
        let exit = |placement: &Placement, turn: Color| best[turn.index()][code(placement)];
        let phase = levels::solve_from(key, exit, 0);
        for (placement, turn) in phase.placements() {
            let [value, plies] = blocks.found[turn.index()][code(&placement)].to_le_bytes();
            let here = (value as Units, u16::from(plies));
            let there = (phase.units(&placement, turn), phase.plies(&placement, turn));
            assert_eq!(here, there, "{set} {placement:?} {turn:?}");
        }
        assert_eq!(blocks.longest, phase.longest());
        blocks.longest
    }

    #[test]
    fn blocks_and_single_positions_are_solved_alike() {
        let sets = ["Kk", "Kgm", "KGgm", "KCgp"];
        let waits = sets.map(|set| agree(set, 1 << 13, 1));
        assert!(waits[3] > 2, "{waits:?}");
        for (set, face_down) in [("Kgm", 0b11), ("KGgmp", 1 << 8 | 1 << 21)] {
            agree(set, face_down, 2);
        }
        assert!(agree("KCgmp", 1 << 30, 3) > 2);
    }
}
