//! The sums of the first layer along the line, computed lazily.
//!
//! The search announces the positions it visits; a table entry or a cutoff ends most of
//! them before they are evaluated, so announcing computes nothing. To evaluate a position,
//! the accumulator goes back to the last one on the line whose sums are known and subtracts
//! and adds the rows of what has changed since, ply by ply: siblings share this work.
//!
//! The changes are read off the positions themselves, so callers pass no actions, and a
//! position that was never announced costs more but is valued correctly.

use super::block::{self, Block};
use super::{INPUTS, Input, Network, inputs};
use crate::evaluation::material;
use anqi_rules::{Action, Color, Piece, Position};
use smallvec::SmallVec;
use std::sync::Arc;

/// Sums of both views for each position of a line.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    network: Arc<Network>,
    levels: Vec<Level>,
    /// By level and view.
    sums: Vec<Block>,
    /// The level of the last announced position.
    last: usize,
    /// How many levels, from the top, have the sums of their positions.
    known: usize,
}

/// A position of the line.
#[derive(Clone, Debug)]
struct Level {
    position: Position,
    /// The signature of the material, known with the sums.
    material: (u64, u64),
}

/// The inputs that one ply switches off and on, in red's view.
#[derive(Clone, Copy, Debug)]
enum Switched {
    /// A pass: nothing.
    Nothing,
    /// The first goes off, the second on.
    Step(Input, Input),
    /// Off: the attacker, the victim and its living count. On: the attacker on its target. And the victim.
    Capture([Input; 3], Input, Piece),
    /// Off: the piece in the bag. On: the revealed piece, by a row that also takes off the square.
    /// And the piece.
    Flip(Input, Input, Piece),
}

/// The inputs that any change switches off and on, in red's view.
#[derive(Clone, Debug, Default)]
struct Change {
    off: SmallVec<[Input; 8]>,
    on: SmallVec<[Input; 8]>,
}

impl Accumulators {
    /// Begins a line at the start position.
    pub(crate) fn new(network: Arc<Network>) -> Accumulators {
        let mut accumulators = Accumulators {
            network,
            levels: Vec::new(),
            sums: Vec::new(),
            last: 0,
            known: 0,
        };
        accumulators.announce(&Position::start());
        accumulators
    }

    /// Begins another line, at this position.
    pub(crate) fn begin_at(&mut self, position: &Position) {
        self.last = 0;
        self.announce(position);
    }

    /// Returns the network.
    pub(crate) fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Announces the next position, one level down.
    #[inline]
    pub(crate) fn played(&mut self, position: &Position) {
        self.last += 1;
        self.announce(position);
    }

    /// Goes one level up.
    #[inline]
    pub(crate) fn taken_back(&mut self) {
        self.last -= 1;
    }

    #[inline]
    fn announce(&mut self, position: &Position) {
        self.known = self.known.min(self.last);
        let level = Level {
            position: *position,
            material: (0, 0),
        };
        if let Some(old) = self.levels.get_mut(self.last) {
            *old = level;
            return;
        }
        self.levels.push(level);
        self.sums
            .resize(self.levels.len() * 2 * self.network.blocks, Block::ZERO);
    }

    /// Returns the network's value of a position for the side to move; 0 before the first flip.
    pub(crate) fn result(&mut self, position: &Position) -> i32 {
        position
            .turn()
            .map_or(0, |turn| self.result_for(position, turn))
    }

    /// Returns the network's value of a position if it were this side's turn.
    #[inline]
    pub(crate) fn result_for(&mut self, position: &Position, turn: Color) -> i32 {
        self.settle(position);
        let bucket = super::bucket(position);
        let result = self.network.weigh(bucket, turn, self.last_sums());
        debug_assert_eq!(
            result,
            self.network.result_for(position, turn),
            "{position}"
        );
        result
    }

    /// Returns the signature of a position's material, as [`material::signature`].
    #[inline]
    pub(crate) fn material(&mut self, position: &Position) -> (u64, u64) {
        self.settle(position);
        let found = self.levels[self.last].material;
        debug_assert_eq!(found, material::signature(position), "{position}");
        found
    }

    /// Returns the sums of a position in red's view, then in black's.
    pub(super) fn sums(&mut self, position: &Position) -> &[Block] {
        self.settle(position);
        self.last_sums()
    }

    /// Makes the last level hold this position and computes its sums.
    #[inline]
    fn settle(&mut self, position: &Position) {
        if !is_same(&self.levels[self.last].position, position) {
            self.replace(position);
        }
        if self.known == 0 {
            // From level 0, every later position of the line profits.
            self.begin();
        }
        while self.known <= self.last {
            self.go_down();
        }
    }

    #[inline]
    fn last_sums(&self) -> &[Block] {
        let both = 2 * self.network.blocks;
        &self.sums[self.last * both..][..both]
    }

    /// Puts another position on the last level. If the sums there are known, the new ones
    /// are computed from them, as the two positions are usually alike.
    fn replace(&mut self, position: &Position) {
        let level = self.last;
        if self.known <= level {
            self.announce(position);
            return;
        }
        self.played(position);
        self.go_down();
        let both = 2 * self.network.blocks;
        let next = (level + 1) * both;
        self.sums.copy_within(next..next + both, level * both);
        self.levels[level] = self.levels[level + 1].clone();
        (self.last, self.known) = (level, level + 1);
    }

    /// Computes the sums of level 0 from scratch.
    fn begin(&mut self) {
        let level = &mut self.levels[0];
        level.material = material::signature(&level.position);
        let views = self.sums.chunks_exact_mut(self.network.blocks);
        for (view, sums) in Color::ALL.into_iter().zip(views) {
            let inputs = inputs(&level.position, view);
            sums.copy_from_slice(&self.network.sums(inputs.into_iter()));
        }
        self.known = 1;
    }

    /// Computes the sums of the first level without them from those of the level above.
    fn go_down(&mut self) {
        let level = self.known - 1;
        let network = &*self.network;
        let blocks = network.blocks;
        let (above, below) = self.sums.split_at_mut(2 * (level + 1) * blocks);
        let (above, below) = (&above[2 * level * blocks..], &mut below[..2 * blocks]);
        let (before, after) = (
            &self.levels[level].position,
            &self.levels[level + 1].position,
        );
        let material = match Switched::by_ply(before, after) {
            Some(switched) => {
                switched.apply(network, above, below);
                switched.material(self.levels[level].material)
            }
            None => {
                Change::between(before, after).apply(network, above, below);
                material::signature(after)
            }
        };
        self.levels[level + 1].material = material;
        self.known += 1;
    }
}

/// Whether two positions are the same, by key and ply.
#[inline]
fn is_same(one: &Position, other: &Position) -> bool {
    one.key() == other.key() && one.ply() == other.ply()
}

impl Switched {
    /// What one ply or a pass switches in red's view; `None` if more lies between the positions.
    #[inline]
    fn by_ply(before: &Position, after: &Position) -> Option<Switched> {
        let turn = before.turn()?;
        let red = Color::Red;
        if let Some(square) = (before.face_down() & !after.face_down()).first() {
            let piece = after.piece_at(square)?;
            let count = before.hidden().count(piece) as usize;
            if count == 0 || before.key_after_flip(square, piece) != after.key() {
                return None;
            }
            let revealed = Input::piece(piece, square, red);
            let hidden = Input::hidden(piece, count, red);
            return Some(Switched::Flip(hidden, revealed, piece));
        }
        let (old, new) = (before.color(turn), after.color(turn));
        let Some((from, to)) = (old & !new).first().zip((new & !old).first()) else {
            return (before.key_after_pass() == after.key()).then_some(Switched::Nothing);
        };
        if before.key_after_step(Action::step(from, to)) != after.key() {
            return None;
        }
        let piece = after.piece_at(to)?;
        let (gone, come) = (Input::piece(piece, from, red), Input::piece(piece, to, red));
        Some(match before.piece_at(to) {
            None => Switched::Step(gone, come),
            Some(victim) => {
                let living = Input::living(victim, before.living_of(victim) as usize, red);
                let off = [gone, Input::piece(victim, to, red), living];
                Switched::Capture(off, come, victim)
            }
        })
    }

    /// Returns the signature of the material afterwards.
    #[inline]
    fn material(self, (living, hidden): (u64, u64)) -> (u64, u64) {
        let one = |piece: Piece| 1 << (4 * piece.index());
        match self {
            Switched::Nothing | Switched::Step(..) => (living, hidden),
            Switched::Capture(_, _, victim) => (living - one(victim), hidden),
            Switched::Flip(_, _, piece) => (living, hidden - one(piece)),
        }
    }

    /// Subtracts and adds rows, of red's view and then of black's.
    #[inline]
    fn apply(self, network: &Network, from: &[Block], to: &mut [Block]) {
        match self {
            Switched::Nothing => to.copy_from_slice(from),
            Switched::Step(off, on) => {
                block::switch(from, to, [network.rows(off)], network.rows(on));
            }
            Switched::Flip(off, on, _) => {
                block::switch(from, to, [network.rows(off)], network.revealed(on));
            }
            Switched::Capture(off, on, _) => {
                let off = off.map(|input| network.rows(input));
                block::switch(from, to, off, network.rows(on));
            }
        }
    }
}

impl Change {
    /// What changes in red's view.
    fn between(before: &Position, after: &Position) -> Change {
        let mut change = Change::default();
        let (red, hidden) = (Color::Red, [before.hidden(), after.hidden()]);
        for piece in Piece::all() {
            let (old, new) = (before.pieces(piece), after.pieces(piece));
            let is_face_down_same = hidden[0].count(piece) == hidden[1].count(piece);
            if old == new && is_face_down_same {
                continue;
            }
            let gone = (old & !new).into_iter();
            change
                .off
                .extend(gone.map(|square| Input::piece(piece, square, red)));
            let come = (new & !old).into_iter();
            change
                .on
                .extend(come.map(|square| Input::piece(piece, square, red)));
            let counts = hidden.map(|bag| bag.count(piece) as usize);
            change.count(counts, |count| Input::hidden(piece, count, red));
            let living = [before, after].map(|position| position.living_of(piece) as usize);
            change.count(living, |count| Input::living(piece, count, red));
        }
        let (old, new) = (before.face_down(), after.face_down());
        change
            .off
            .extend((old & !new).into_iter().map(Input::face_down));
        change
            .on
            .extend((new & !old).into_iter().map(Input::face_down));
        change
    }

    fn count(&mut self, [old, new]: [usize; 2], input: impl Fn(usize) -> Input) {
        self.off.extend((new + 1..=old).map(&input));
        self.on.extend((old + 1..=new).map(&input));
    }

    /// Subtracts and adds rows, of red's view and then of black's.
    fn apply(&self, network: &Network, from: &[Block], to: &mut [Block]) {
        debug_assert!(self.off.len() + self.on.len() <= 2 * INPUTS);
        to.copy_from_slice(from);
        for &input in &self.off {
            block::subtract(to, network.rows(input));
        }
        for &input in &self.on {
            block::add(to, network.rows(input));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::any_ply::any_ply;
    use anqi_rules::Undo;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    /// Goes down and up at random, as a search does, and values some positions.
    #[test]
    fn sums_along_the_line_are_those_worked_out_from_nothing() {
        let network = Network::built_in();
        let mut accumulators = Accumulators::new(Arc::clone(network));
        let mut source = Pcg64Mcg::seed_from_u64(3);
        let mut compared = 0;
        for _ in 0..40 {
            let mut position = Position::start();
            let mut undone: Vec<Undo> = Vec::new();
            for _ in 0..400 {
                let goes_on = position.has_action() && position.annihilated().is_none();
                if goes_on && (undone.is_empty() || source.random_bool(0.6)) {
                    let ply = any_ply(&position, &mut source, 0.0);
                    let before = position;
                    undone.push(position.play_unchecked(ply));
                    accumulators.played(&position);
                    // Before the first flip there is no turn.
                    let is_known = Switched::by_ply(&before, &position).is_some();
                    assert_eq!(is_known, before.turn().is_some());
                    assert!(Switched::by_ply(&position, &before).is_none());
                } else if let Some(undo) = undone.pop() {
                    position.undo(undo);
                    accumulators.taken_back();
                }
                if source.random_bool(0.4) {
                    assert_eq!(accumulators.result(&position), network.result(&position));
                    let material = material::signature(&position);
                    assert_eq!(accumulators.material(&position), material);
                    compared += 1;
                }
                if source.random_bool(0.05) {
                    // A null move: a position that was not announced.
                    let passed = position.passed();
                    assert_eq!(accumulators.result(&passed), network.result(&passed));
                    assert_eq!(accumulators.material(&passed), material::signature(&passed));
                }
            }
            undone.iter().for_each(|_| accumulators.taken_back());
        }
        assert!(compared > 5_000, "{compared}");
    }
}
