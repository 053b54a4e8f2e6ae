//! The sums of the first layer along the line, computed lazily.
//!
//! The search announces the positions it visits; a table entry or a cutoff ends most of
//! them before they are evaluated, so announcing computes nothing. To evaluate a position,
//! the accumulator goes back to the last one on the line whose sums are known and subtracts
//! and adds the rows of what has changed since, ply by ply: siblings share this work.
//!
//! The changes are read off the positions themselves, so callers pass no actions, and a
//! position that was never announced costs more but is valued correctly.

use super::{Block, INPUTS, Input, Network, inputs};
use anqi_rules::{Action, Color, Piece, Position};
use smallvec::SmallVec;
use std::sync::Arc;

/// Sums of both views for each position of a line.
#[derive(Clone, Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    levels: Vec<Level>,
    /// By level and view.
    sums: Vec<Block>,
    /// The level of the last announced position.
    last: usize,
}

/// A position of the line.
#[derive(Clone, Debug)]
struct Level {
    position: Position,
    state: State,
}

/// Whether the sums of a level are those of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Unknown,
    Known,
}

/// The inputs that one ply switches off and on, in one view.
#[derive(Clone, Copy, Debug)]
enum Switched {
    /// A pass: nothing.
    Nothing,
    /// The first goes off, the second on.
    Step(Input, Input),
    /// Off: the attacker, the victim and the victim's living count. On: the attacker on its target.
    Capture([Input; 3], Input),
    /// Off: the piece in the bag. On: the revealed piece, by a row that also takes off the square.
    Flip(Input, Input),
}

/// The inputs that any change switches off and on, in one view.
#[derive(Clone, Debug, Default)]
struct Change {
    off: SmallVec<[Input; 8]>,
    on: SmallVec<[Input; 8]>,
}

impl Accumulators {
    /// Begins a line at the start position.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let mut accumulators = Accumulators {
            network,
            levels: Vec::new(),
            sums: Vec::new(),
            last: 0,
        };
        accumulators.announce(&Position::start());
        accumulators
    }

    /// Begins another line, at this position.
    pub fn begin_at(&mut self, position: &Position) {
        self.last = 0;
        self.announce(position);
    }

    /// Returns the network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Announces the next position, one level down.
    #[inline]
    pub fn played(&mut self, position: &Position) {
        self.last += 1;
        self.announce(position);
    }

    /// Goes one level up.
    #[inline]
    pub fn taken_back(&mut self) {
        self.last -= 1;
    }

    #[inline]
    fn announce(&mut self, position: &Position) {
        let level = Level {
            position: *position,
            state: State::Unknown,
        };
        if let Some(old) = self.levels.get_mut(self.last) {
            *old = level;
            return;
        }
        self.levels.push(level);
        let zeros = [0; super::LANES];
        self.sums
            .resize(self.levels.len() * 2 * self.network.blocks, zeros);
    }

    /// Returns the network's value of a position for the side to move; 0 before the first flip.
    pub fn result(&mut self, position: &Position) -> i32 {
        position
            .turn()
            .map_or(0, |turn| self.result_for(position, turn))
    }

    /// Returns the network's value of a position if it were this side's turn.
    pub fn result_for(&mut self, position: &Position, turn: Color) -> i32 {
        self.settle(position);
        let (red, black) = self.last_sums();
        let (own, other) = match turn {
            Color::Red => (red, black),
            Color::Black => (black, red),
        };
        let result = self.network.weigh(super::bucket(position), own, other);
        debug_assert_eq!(
            result,
            self.network.result_for(position, turn),
            "{position}"
        );
        result
    }

    /// Returns the sums of a position in red's view and in black's.
    pub fn sums(&mut self, position: &Position) -> (&[Block], &[Block]) {
        self.settle(position);
        self.last_sums()
    }

    /// Makes the last level hold this position and computes its sums.
    fn settle(&mut self, position: &Position) {
        if !is_same(&self.levels[self.last].position, position) {
            self.replace(position);
        }
        let known = (0..=self.last).rev();
        let mut known = known.filter(|level| self.levels[*level].state == State::Known);
        let known = known.next().unwrap_or_else(|| {
            // From level 0, every later position of the line profits.
            self.begin(0);
            0
        });
        (known..self.last).for_each(|level| self.go_down(level));
    }

    fn last_sums(&self) -> (&[Block], &[Block]) {
        let blocks = self.network.blocks;
        self.sums[2 * self.last * blocks..][..2 * blocks].split_at(blocks)
    }

    /// Puts another position on the last level. If the sums there are known, the new ones
    /// are computed from them, as the two positions are usually alike.
    fn replace(&mut self, position: &Position) {
        let level = self.last;
        if self.levels[level].state == State::Known {
            self.played(position);
            self.go_down(level);
            self.last = level;
            let blocks = 2 * self.network.blocks;
            let next = (level + 1) * blocks;
            self.sums.copy_within(next..next + blocks, level * blocks);
            self.levels[level].position = *position;
        } else {
            self.announce(position);
        }
    }

    /// Computes the sums of a level from scratch.
    fn begin(&mut self, level: usize) {
        let blocks = self.network.blocks;
        for view in Color::ALL {
            let inputs = inputs(&self.levels[level].position, view);
            let sums = self.network.sums(inputs.into_iter());
            let place = (2 * level + view.index()) * blocks;
            self.sums[place..place + blocks].copy_from_slice(&sums);
        }
        self.levels[level].state = State::Known;
    }

    /// Computes the sums of the next level from those of this one.
    fn go_down(&mut self, level: usize) {
        let network = &*self.network;
        let blocks = network.blocks;
        let (above, below) = self.sums.split_at_mut(2 * (level + 1) * blocks);
        let above = &above[2 * level * blocks..];
        let (before, after) = (
            &self.levels[level].position,
            &self.levels[level + 1].position,
        );
        let (red_above, black_above) = above[..2 * blocks].split_at(blocks);
        let (red_below, black_below) = below[..2 * blocks].split_at_mut(blocks);
        match Switched::by_ply(before, after) {
            Some(switched) => {
                switched.apply(network, red_above, red_below);
                switched
                    .other_view()
                    .apply(network, black_above, black_below);
            }
            None => {
                let change = Change::between(before, after);
                change.apply(network, red_above, red_below);
                change.other_view().apply(network, black_above, black_below);
            }
        }
        self.levels[level + 1].state = State::Known;
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
            return Some(Switched::Flip(Input::hidden(piece, count, red), revealed));
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
                Switched::Capture([gone, Input::piece(victim, to, red), living], come)
            }
        })
    }

    #[inline]
    fn other_view(self) -> Switched {
        let other = Input::other_view;
        match self {
            Switched::Nothing => self,
            Switched::Step(off, on) => Switched::Step(other(off), other(on)),
            Switched::Capture(off, on) => Switched::Capture(off.map(other), other(on)),
            Switched::Flip(off, on) => Switched::Flip(other(off), other(on)),
        }
    }

    /// Subtracts and adds rows.
    #[inline]
    fn apply(self, network: &Network, from: &[Block], to: &mut [Block]) {
        match self {
            Switched::Nothing => to.copy_from_slice(from),
            Switched::Step(off, on) => exchange(from, to, network.row(off), network.row(on)),
            Switched::Flip(off, on) => exchange(from, to, network.row(off), network.revealed(on)),
            Switched::Capture(off, on) => {
                let [first, second, third] = off.map(|input| network.row(input));
                let rows = first.iter().zip(second).zip(third).zip(network.row(on));
                for ((to, from), (((a, b), c), on)) in to.iter_mut().zip(from).zip(rows) {
                    *to = std::array::from_fn(|i| {
                        let less = from[i].wrapping_sub(a[i]).wrapping_sub(b[i]);
                        less.wrapping_sub(c[i]).wrapping_add(on[i])
                    });
                }
            }
        }
    }
}

/// Subtracts one row and adds another.
#[inline]
fn exchange(from: &[Block], to: &mut [Block], off: &[Block], on: &[Block]) {
    for ((to, from), (off, on)) in to.iter_mut().zip(from).zip(off.iter().zip(on)) {
        *to = std::array::from_fn(|i| from[i].wrapping_sub(off[i]).wrapping_add(on[i]));
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

    fn other_view(&self) -> Change {
        let mut other = self.clone();
        let inputs = other.off.iter_mut().chain(&mut other.on);
        inputs.for_each(|input| *input = input.other_view());
        other
    }

    /// Subtracts and adds rows.
    fn apply(&self, network: &Network, from: &[Block], to: &mut [Block]) {
        debug_assert!(self.off.len() + self.on.len() <= 2 * INPUTS);
        to.copy_from_slice(from);
        for &input in &self.off {
            less(to, network.row(input));
        }
        for &input in &self.on {
            plus(to, network.row(input));
        }
    }
}

#[inline]
fn plus(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        (0..super::LANES).for_each(|lane| sums[lane] = sums[lane].wrapping_add(row[lane]));
    }
}

#[inline]
fn less(sums: &mut [Block], row: &[Block]) {
    for (sums, row) in sums.iter_mut().zip(row) {
        (0..super::LANES).for_each(|lane| sums[lane] = sums[lane].wrapping_sub(row[lane]));
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
                    compared += 1;
                }
                if source.random_bool(0.05) {
                    // A null move: a position that was not announced.
                    let passed = position.passed();
                    assert_eq!(accumulators.result(&passed), network.result(&passed));
                }
            }
            undone.iter().for_each(|_| accumulators.taken_back());
        }
        assert!(compared > 5_000, "{compared}");
    }
}
