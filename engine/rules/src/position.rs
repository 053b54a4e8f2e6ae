//! Positions: the board, the face-down pieces, the side to move.
//!
//! A [`Position`] can only be made from [`crate::Setup`], by
//! [`Position::start`] or by playing, so it is always legal. It stores the
//! board by square and by kind of piece, and its hash key; the past of the game
//! is not part of it (see [`crate::Game`]).

use crate::ending::Convention;
use crate::hidden::HiddenBag;
use crate::moves::{Action, ActionList, Ply, jump_targets};
use crate::piece::{ByColor, Color, PIECES, Piece, ROLES, Role};
use crate::reveal::Reveals;
use crate::square::{SQUARES, Square, SquareSet};
use crate::zobrist;

/// The code of a face-down square in `cells`.
const FACE_DOWN: u8 = PIECES as u8;
/// The code of an empty square in `cells`.
const EMPTY: u8 = PIECES as u8 + 1;

/// What is on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// Nothing.
    Empty,
    /// A face-down piece.
    FaceDown,
    /// A face-up piece.
    FaceUp(Piece),
}

/// A legal position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pieces: [SquareSet; PIECES],
    colors: ByColor<SquareSet>,
    face_down: SquareSet,
    cells: [u8; SQUARES],
    hidden: HiddenBag,
    key: u64,
    quiet_counter: u32,
    ply: u32,
    turn: Option<Color>,
    convention: Convention,
}

const _: () = assert!(size_of::<Position>() == 128, "two cache lines");

/// What [`Position::undo`] needs to take a ply back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a played ply can only be taken back with its undo record"]
pub struct Undo {
    key: u64,
    quiet_counter: u32,
    action: Action,
    captured: u8,
    turn: Option<Color>,
}

impl Undo {
    /// Returns the action that was played.
    #[inline]
    pub fn action(&self) -> Action {
        self.action
    }

    /// Returns the piece that was captured, if any.
    #[inline]
    pub fn captured(&self) -> Option<Piece> {
        Piece::from_index(self.captured as usize)
    }
}

impl Position {
    /// Returns the position before the first flip.
    pub fn start() -> Position {
        let mut position = Position::blank();
        for square in Square::all() {
            position.put(square, Content::FaceDown);
        }
        position.finish(HiddenBag::full(), None, 0, 0)
    }

    /// An empty board for [`crate::Setup`] to fill; not itself a legal position.
    pub(crate) fn blank() -> Position {
        Position {
            pieces: [SquareSet::EMPTY; PIECES],
            colors: ByColor([SquareSet::EMPTY; 2]),
            face_down: SquareSet::EMPTY,
            cells: [EMPTY; SQUARES],
            hidden: HiddenBag::EMPTY,
            key: 0,
            quiet_counter: 0,
            ply: 0,
            turn: None,
            convention: Convention::Tournament,
        }
    }

    /// Puts content on an empty square of a position under construction.
    pub(crate) fn put(&mut self, square: Square, content: Content) {
        match content {
            Content::Empty => {}
            Content::FaceDown => {
                self.cells[square.index()] = FACE_DOWN;
                self.face_down.insert(square);
            }
            Content::FaceUp(piece) => self.add(square, piece),
        }
    }

    /// Completes a position under construction.
    pub(crate) fn finish(
        mut self,
        hidden: HiddenBag,
        turn: Option<Color>,
        quiet: u32,
        ply: u32,
    ) -> Position {
        self.hidden = hidden;
        self.turn = turn;
        self.quiet_counter = quiet;
        self.ply = ply;
        self.key = self.computed_key();
        self
    }

    /// Returns what is on a square.
    #[inline]
    pub fn content(&self, square: Square) -> Content {
        match self.cells[square.index()] {
            EMPTY => Content::Empty,
            FACE_DOWN => Content::FaceDown,
            _ => self
                .piece_at(square)
                .map_or(Content::Empty, Content::FaceUp),
        }
    }

    /// Returns the face-up piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::from_index(self.cells[square.index()] as usize)
    }

    /// Returns the squares on which this piece stands face up.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> SquareSet {
        self.pieces[piece.index()]
    }

    /// Returns the squares of one colour's face-up pieces.
    #[inline]
    pub fn color(&self, color: Color) -> SquareSet {
        self.colors[color]
    }

    /// Returns the face-down squares.
    #[inline]
    pub fn face_down(&self) -> SquareSet {
        self.face_down
    }

    /// Returns all squares that are not empty.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.colors.0[0] | self.colors.0[1] | self.face_down
    }

    /// Returns the empty squares.
    #[inline]
    pub fn empty(&self) -> SquareSet {
        !self.occupied()
    }

    /// Returns the bag of face-down pieces.
    #[inline]
    pub fn hidden(&self) -> HiddenBag {
        self.hidden
    }

    /// Returns the colour to move, `None` before the first flip.
    #[inline]
    pub fn turn(&self) -> Option<Color> {
        self.turn
    }

    /// Returns the number of quiet plies: since the last capture or flip, or under
    /// [`Convention::Course`] since the last capture, flips not counted.
    #[inline]
    pub fn quiet_counter(&self) -> u32 {
        self.quiet_counter
    }

    /// Returns the number of plies played.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the convention by which flips count and the board ends the game.
    #[inline]
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// Returns this position under another convention; nothing else changes, not even the key.
    #[inline]
    #[must_use]
    pub fn under(&self, convention: Convention) -> Position {
        Position {
            convention,
            ..*self
        }
    }

    /// Returns the hash key of board, bag and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the number of living pieces of a colour, face up and face down.
    #[inline]
    pub fn living(&self, color: Color) -> u32 {
        self.colors[color].len() as u32 + self.hidden.total_of(color)
    }

    /// Returns the number of living pieces of one kind, face up and face down.
    #[inline]
    pub fn living_of(&self, piece: Piece) -> u32 {
        self.pieces[piece.index()].len() as u32 + self.hidden.count(piece)
    }

    /// Returns the outcomes of a flip, with weights.
    #[inline]
    pub fn reveals(&self) -> Reveals {
        Reveals::of(self.hidden)
    }

    /// Returns the enemy squares that each of `color`'s roles captures by a step,
    /// in the order `KGMRNCP`.
    #[inline]
    pub fn prey(&self, color: Color) -> [SquareSet; ROLES] {
        let enemy = !color;
        let of = |role| self.pieces(Piece::new(enemy, role));
        let all = self.colors[enemy];
        let (king, pawn) = (of(Role::King), of(Role::Pawn));
        let guard_prey = all & !king;
        let minister_prey = guard_prey & !of(Role::Guard);
        let rook_prey = minister_prey & !of(Role::Minister);
        let knight_prey = rook_prey & !of(Role::Rook);
        [
            all & !pawn,
            guard_prey,
            minister_prey,
            rook_prey,
            knight_prey,
            SquareSet::EMPTY,
            king | pawn,
        ]
    }

    /// Returns the squares that the face-up piece on `square` can go to,
    /// whichever side is to move; empty if there is no face-up piece.
    #[inline]
    pub fn targets(&self, square: Square) -> SquareSet {
        let Some(piece) = self.piece_at(square) else {
            return SquareSet::EMPTY;
        };
        let steps = square.neighbours();
        if piece.role().jumps() {
            let jumps = jump_targets(square, self.occupied());
            return steps & self.empty() | jumps & self.colors[!piece.color()];
        }
        let prey = self.prey(piece.color())[piece.role().index()];
        steps & (self.empty() | prey)
    }

    /// Returns all legal actions, in text order.
    ///
    /// # Examples
    ///
    /// ```
    /// use anqi_rules::{Action, Position};
    ///
    /// let position: Position = "K3/1r2/4/4/4/4/4/?2g r p 3 40".parse()?;
    /// let actions: Vec<String> = position.actions().iter().map(Action::to_string).collect();
    /// assert_eq!(actions, ["a1-a1", "a8-a7", "a8-b8"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn actions(&self) -> ActionList {
        let mut list = ActionList::new();
        self.for_each_action(|action| list.push(action));
        list
    }

    /// Calls `visit` with each legal action, in text order.
    #[inline]
    pub fn for_each_action(&self, visit: impl FnMut(Action)) {
        self.for_each_action_from(SquareSet::ALL, visit);
    }

    /// Calls `visit` with each legal action that starts on one of these squares, in text order.
    #[inline]
    pub fn for_each_action_from(&self, squares: SquareSet, mut visit: impl FnMut(Action)) {
        if self.decided().is_some() {
            return;
        }
        let movers = self.turn.map_or(SquareSet::EMPTY, |turn| self.colors[turn]);
        let empty = self.empty();
        let prey = self.turn.map(|turn| self.prey(turn));
        for from in (movers | self.face_down) & squares {
            let Some((piece, prey)) = self.piece_at(from).zip(prey.as_ref()) else {
                visit(Action::flip(from));
                continue;
            };
            let mut targets = from.neighbours() & (empty | prey[piece.role().index()]);
            if piece.role().jumps() {
                targets |= jump_targets(from, !empty) & self.colors[!piece.color()];
            }
            for to in targets {
                visit(Action::step(from, to));
            }
        }
    }

    /// Returns the number of flips, and the number of moves and captures.
    #[inline]
    pub fn count_actions(&self) -> (u32, u32) {
        if self.decided().is_some() {
            return (0, 0);
        }
        let flips = self.face_down.len() as u32;
        let Some(turn) = self.turn else {
            return (flips, 0);
        };
        let mut moves = steps_between(self.colors[turn], self.empty());
        let prey = self.prey(turn);
        for role in Role::ALL {
            moves += steps_between(self.pieces(Piece::new(turn, role)), prey[role.index()]);
        }
        for cannon in self.pieces(Piece::new(turn, Role::Cannon)) {
            moves += (jump_targets(cannon, self.occupied()) & self.colors[!turn]).len() as u32;
        }
        (flips, moves)
    }

    /// Plays a ply that is known to be legal.
    ///
    /// # Panics
    ///
    /// May panic, or leave a wrong position, if the ply is not legal here.
    #[inline]
    pub fn play_unchecked(&mut self, ply: Ply) -> Undo {
        match ply.reveal {
            Some(piece) => self.flip_unchecked(ply.action.from(), piece),
            None => self.step_unchecked(ply.action),
        }
    }

    /// Plays a flip that is known to be legal and reveals `piece`.
    #[inline]
    pub fn flip_unchecked(&mut self, square: Square, piece: Piece) -> Undo {
        debug_assert!(self.face_down.contains(square) && self.hidden.count(piece) > 0);
        let undo = self.undo_record(Action::flip(square), EMPTY);
        self.key = self.key_after_flip(square, piece);
        self.turn = Some(self.mover_after_flip(piece));
        self.hidden.remove(piece);
        self.face_down.remove(square);
        self.add(square, piece);
        self.quiet_counter = self.convention.after_flip(self.quiet_counter);
        self.ply += 1;
        undo
    }

    /// Returns the key of the position after a flip that is known to be legal and reveals `piece`.
    #[inline]
    pub fn key_after_flip(&self, square: Square, piece: Piece) -> u64 {
        let count = self.hidden.count(piece);
        self.key
            ^ zobrist::face_down_on(square)
            ^ zobrist::piece_on(piece, square)
            ^ zobrist::in_bag(piece, count)
            ^ zobrist::in_bag(piece, count - 1)
            ^ zobrist::turn(self.turn)
            ^ zobrist::turn(Some(self.mover_after_flip(piece)))
    }

    /// Returns the key of the position after a move or capture that is known to be legal.
    #[inline]
    pub fn key_after_step(&self, action: Action) -> u64 {
        let word = |of: Square, on: Square| {
            let piece = self.piece_at(of);
            piece.map_or(0, |piece| zobrist::piece_on(piece, on))
        };
        let (from, to) = (action.from(), action.to());
        self.key ^ word(from, from) ^ word(from, to) ^ word(to, to) ^ zobrist::pass_turn()
    }

    /// Returns the key of the position after passing the turn.
    #[inline]
    pub fn key_after_pass(&self) -> u64 {
        match self.turn {
            Some(_) => self.key ^ zobrist::pass_turn(),
            None => self.key,
        }
    }

    fn mover_after_flip(&self, piece: Piece) -> Color {
        // The player of the first flip gets the revealed colour.
        !self.turn.unwrap_or(piece.color())
    }

    /// Plays a move or capture that is known to be legal.
    #[inline]
    pub fn step_unchecked(&mut self, action: Action) -> Undo {
        let (from, to) = (action.from(), action.to());
        let mover = self.cells[from.index()];
        let captured = self.cells[to.index()];
        debug_assert!(mover < FACE_DOWN && captured != FACE_DOWN && from != to);
        let undo = self.undo_record(action, captured);
        if let Some(piece) = Piece::from_index(captured as usize) {
            self.remove(to, piece);
            self.key ^= zobrist::piece_on(piece, to);
            self.quiet_counter = 0;
        } else {
            self.quiet_counter += 1;
        }
        if let Some(piece) = Piece::from_index(mover as usize) {
            self.remove(from, piece);
            self.add(to, piece);
            self.key ^= zobrist::piece_on(piece, from)
                ^ zobrist::piece_on(piece, to)
                ^ zobrist::pass_turn();
        }
        self.turn = self.turn.map(Color::opposite);
        self.ply += 1;
        undo
    }

    /// Takes back the last ply.
    ///
    /// `undo` must be the record of the last ply; any other leaves a wrong position.
    #[inline]
    pub fn undo(&mut self, undo: Undo) {
        let (from, to) = (undo.action.from(), undo.action.to());
        if let Some(piece) = Piece::from_index(self.cells[to.index()] as usize) {
            self.remove(to, piece);
            if undo.action.is_flip() {
                self.hidden.insert(piece);
                self.face_down.insert(from);
                self.cells[from.index()] = FACE_DOWN;
            } else {
                self.add(from, piece);
            }
        }
        if let Some(piece) = undo.captured() {
            self.add(to, piece);
        }
        self.key = undo.key;
        self.quiet_counter = undo.quiet_counter;
        self.turn = undo.turn;
        self.ply -= 1;
    }

    /// Returns this position after a null move, with the other side to move.
    ///
    /// Nothing else changes, not even the counters. Before the first flip nothing changes at all.
    #[must_use]
    pub fn passed(&self) -> Position {
        let mut position = *self;
        if self.turn.is_some() {
            position.turn = self.turn.map(Color::opposite);
            position.key ^= zobrist::pass_turn();
        }
        position
    }

    /// Returns the key computed from scratch; always equal to [`Position::key`].
    pub fn computed_key(&self) -> u64 {
        let board = Square::all().fold(0, |key, square| {
            key ^ match self.content(square) {
                Content::Empty => 0,
                Content::FaceDown => zobrist::face_down_on(square),
                Content::FaceUp(piece) => zobrist::piece_on(piece, square),
            }
        });
        board ^ zobrist::bag(self.hidden) ^ zobrist::turn(self.turn)
    }

    #[inline]
    fn undo_record(&self, action: Action, captured: u8) -> Undo {
        Undo {
            key: self.key,
            quiet_counter: self.quiet_counter,
            action,
            captured,
            turn: self.turn,
        }
    }

    #[inline]
    fn add(&mut self, square: Square, piece: Piece) {
        self.cells[square.index()] = piece.index() as u8;
        self.pieces[piece.index()].insert(square);
        self.colors[piece.color()].insert(square);
    }

    #[inline]
    fn remove(&mut self, square: Square, piece: Piece) {
        self.cells[square.index()] = EMPTY;
        self.pieces[piece.index()].remove(square);
        self.colors[piece.color()].remove(square);
    }
}

/// Counts the single steps from a square of one set to a square of the other.
#[inline]
fn steps_between(from: SquareSet, to: SquareSet) -> u32 {
    let count = |set: SquareSet| (set & to).0.count_ones();
    count(from.up()) + count(from.down()) + count(from.left()) + count(from.right())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{below, split_mix};

    /// Plays random plies from the start and visits every position with its next ply.
    fn random_walk(seed: u64, mut visit: impl FnMut(&mut Position, Ply)) {
        let mut state = seed;
        let mut draw = |limit: usize| below(limit as u64, || split_mix(&mut state)) as usize;
        let mut position = Position::start();
        while position.has_action() && position.ply() < 300 {
            let actions = position.actions();
            let action = actions[draw(actions.len())];
            let reveals: Vec<_> = position.reveals().collect();
            let ply = if action.is_flip() {
                let piece = reveals[draw(reveals.len())].piece;
                Ply::flip(action.from(), piece)
            } else {
                action.into()
            };
            visit(&mut position, ply);
            let _ = position.play_unchecked(ply);
        }
    }

    #[test]
    fn a_ply_that_is_taken_back_leaves_nothing_behind() {
        for seed in 0..20 {
            random_walk(seed, |position, ply| {
                let before = *position;
                let undo = position.play(ply).expect("a generated action is legal");
                assert_eq!(undo.action(), ply.action);
                assert_eq!(position.ply(), before.ply() + 1);
                let is_quiet = !ply.action.is_flip() && undo.captured().is_none();
                let counter = if is_quiet {
                    before.quiet_counter() + 1
                } else {
                    0
                };
                assert_eq!(position.quiet_counter(), counter);
                position.undo(undo);
                assert_eq!(*position, before);
            });
        }
    }

    #[test]
    fn only_the_convention_decides_what_a_flip_does_to_the_counter() {
        let position: Position = "K3/1r2/4/4/4/4/4/?2g r p 3 40".parse().expect("a position");
        for (convention, expected) in [(Convention::Tournament, 0), (Convention::Course, 3)] {
            let mut flipped = position.under(convention);
            assert_eq!(flipped.key(), position.key());
            let undo = flipped
                .play("a1(p)".parse().expect("a ply"))
                .expect("legal");
            assert_eq!(flipped.quiet_counter(), expected);
            flipped.undo(undo);
            assert_eq!(flipped, position.under(convention));
        }
    }

    #[test]
    fn keys_that_are_kept_or_foretold_are_those_computed() {
        for seed in 20..40 {
            random_walk(seed, |position, ply| {
                assert_eq!(position.key(), position.computed_key());
                let mut next = *position;
                let _ = next.play_unchecked(ply);
                let foretold = match ply.reveal {
                    Some(piece) => position.key_after_flip(ply.action.from(), piece),
                    None => position.key_after_step(ply.action),
                };
                assert_eq!(foretold, next.computed_key());
            });
        }
    }

    #[test]
    fn living_pieces_are_those_on_the_board_and_in_the_bag() {
        random_walk(40, |position, _| {
            let [red, black] = Color::ALL.map(|color| position.living(color));
            assert_eq!(red + black, position.occupied().len() as u32);
            let hidden = position.hidden().total();
            assert_eq!(hidden, position.face_down().len() as u32);
            for piece in Piece::all() {
                let face_up = position.pieces(piece).len() as u32;
                let face_down = position.hidden().count(piece);
                assert_eq!(position.living_of(piece), face_up + face_down);
            }
        });
    }

    #[test]
    fn a_refused_ply_changes_nothing() {
        let before: Position = "K3/1r2/4/4/4/4/4/?2g r p 3 40".parse().expect("a position");
        let mut position = before;
        for text in ["b7-b6", "a8-a6", "a8-b7", "a1(G)", "b6(p)"] {
            let ply: Ply = text.parse().expect("a ply");
            assert!(position.play(ply).is_err(), "{text}");
            assert_eq!(position, before, "{text}");
        }
    }
}
