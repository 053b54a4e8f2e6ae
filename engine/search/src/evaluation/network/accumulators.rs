//! The sums of the first layer along the line, worked out when they are asked for.
//!
//! The search says which positions it goes through; most of them end by a table entry
//! or a cutoff before anybody evaluates them, so nothing is summed up then. When a position
//! is to be valued, the last one on the line whose sums are known is found, and the rows of
//! what has changed since are taken off and added, ply by ply: siblings find the work done.
//!
//! What has changed is read off the positions themselves. No kind of action has to be told
//! apart, and a position that the search never announced costs more but is valued rightly.

use super::{Block, INPUTS, Input, Network, inputs};
use anqi_rules::{Color, Piece, Position};
use smallvec::SmallVec;
use std::sync::Arc;

/// Sums of both views for each position of a line.
#[derive(Clone, Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    levels: Vec<Level>,
    /// By level and view.
    sums: Vec<Block>,
    /// The level of the position that was announced last.
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

/// The inputs that a change switches off and on, as one side sees them.
#[derive(Clone, Debug, Default)]
struct Change {
    off: SmallVec<[Input; 8]>,
    on: SmallVec<[Input; 8]>,
}

impl Accumulators {
    /// Begins a line.
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

    /// Returns the network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Goes one level down to a position.
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

    /// Returns what the network says of a position for the side to move.
    pub fn result(&mut self, position: &Position) -> i32 {
        let Some(turn) = position.turn() else {
            return 0;
        };
        let network = Arc::clone(&self.network);
        let (red, black) = self.sums(position);
        let (own, other) = match turn {
            Color::Red => (red, black),
            Color::Black => (black, red),
        };
        let result = network.weigh(super::bucket(position), own, other);
        debug_assert_eq!(result, network.result(position), "{position}");
        result
    }

    /// Returns the sums of a position as red and as black see them.
    pub fn sums(&mut self, position: &Position) -> (&[Block], &[Block]) {
        if !is_same(&self.levels[self.last].position, position) {
            self.replace(position);
        }
        let known = (0..=self.last).rev();
        let mut known = known.filter(|level| self.levels[*level].state == State::Known);
        match known.next() {
            Some(level) => (level..self.last).for_each(|level| self.go_down(level)),
            None => self.begin(self.last),
        }
        let blocks = self.network.blocks;
        self.sums[2 * self.last * blocks..][..2 * blocks].split_at(blocks)
    }

    /// Puts another position on the last level. What was known there is as good a beginning
    /// as any if the two are much alike.
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

    /// Works the sums of a level out from nothing.
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

    /// Works the sums of the next level out from those of this one.
    fn go_down(&mut self, level: usize) {
        let network = &*self.network;
        let blocks = network.blocks;
        let (above, below) = self.sums.split_at_mut(2 * (level + 1) * blocks);
        let above = &above[2 * level * blocks..];
        let (before, after) = (
            &self.levels[level].position,
            &self.levels[level + 1].position,
        );
        let red = Change::between(before, after);
        let black = red.other_view();
        let views = above
            .chunks_exact(blocks)
            .zip(below.chunks_exact_mut(blocks));
        for ((above, below), change) in views.zip([red, black]) {
            change.apply(network, above, below);
        }
        self.levels[level + 1].state = State::Known;
    }
}

/// Whether two positions show the same inputs; which side moves is no input.
#[inline]
fn is_same(one: &Position, other: &Position) -> bool {
    one.key() == other.key() && one.ply() == other.ply()
}

impl Change {
    /// What changes as red sees it.
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
        let other = |inputs: &SmallVec<[Input; 8]>| inputs.iter().map(|i| i.other_view()).collect();
        Change {
            off: other(&self.off),
            on: other(&self.on),
        }
    }

    /// Takes rows off and adds others.
    fn apply(&self, network: &Network, from: &[Block], to: &mut [Block]) {
        debug_assert!(self.off.len() + self.on.len() <= 2 * INPUTS);
        if let ([off], [on]) = (&self.off[..], &self.on[..]) {
            // A step: by far the most common change.
            let rows = network.row(*off).iter().zip(network.row(*on));
            for ((to, from), (off, on)) in to.iter_mut().zip(from).zip(rows) {
                for lane in 0..super::LANES {
                    to[lane] = from[lane].wrapping_sub(off[lane]).wrapping_add(on[lane]);
                }
            }
            return;
        }
        to.copy_from_slice(from);
        for &input in &self.off {
            for (to, row) in to.iter_mut().zip(network.row(input)) {
                (0..super::LANES).for_each(|lane| to[lane] = to[lane].wrapping_sub(row[lane]));
            }
        }
        for &input in &self.on {
            for (to, row) in to.iter_mut().zip(network.row(input)) {
                (0..super::LANES).for_each(|lane| to[lane] = to[lane].wrapping_add(row[lane]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{Ply, Undo};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn any_ply(position: &Position, source: &mut Pcg64Mcg) -> Ply {
        let actions = position.actions();
        let action = actions[source.random_range(0..actions.len())];
        let bag: Vec<Piece> = position.hidden().iter().map(|(piece, _)| piece).collect();
        let reveal = action
            .is_flip()
            .then(|| bag[source.random_range(0..bag.len())]);
        Ply { action, reveal }
    }

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
                    let ply = any_ply(&position, &mut source);
                    undone.push(position.play_unchecked(ply));
                    accumulators.played(&position);
                } else if let Some(undo) = undone.pop() {
                    position.undo(undo);
                    accumulators.taken_back();
                }
                if source.random_bool(0.4) {
                    assert_eq!(accumulators.result(&position), network.result(&position));
                    compared += 1;
                }
                if source.random_bool(0.05) {
                    // A null move, and a position that nobody announced.
                    let passed = position.passed();
                    assert_eq!(accumulators.result(&passed), network.result(&passed));
                }
            }
            undone.iter().for_each(|_| accumulators.taken_back());
        }
        assert!(compared > 5_000, "{compared}");
    }
}
