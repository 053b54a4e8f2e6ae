//! Legality of single actions, and reasons against them.
//!
//! Generation lists the legal actions; here each is checked separately, and an
//! error names the broken rule in words a player can use. [`crate::Game`]
//! checks what depends on the past of a game.

use crate::moves::{Action, Ply};
use crate::piece::{Color, Piece, Role};
use crate::position::{Content, Position, Undo};
use crate::square::Square;

/// Why a ply cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// One side has no pieces left.
    #[error("the game is over: {0} has no pieces left")]
    Over(Color),
    /// One side has no legal action, so it has lost.
    #[error("the game is over: {0} has no legal action")]
    Stuck(Color),
    /// The square to flip is not face down.
    #[error("{0} is not face down, so it cannot be flipped")]
    NotFaceDown(Square),
    /// The piece that a flip revealed is missing.
    #[error("the flip of {0} does not say which piece appeared, such as {0}(G)")]
    MissingReveal(Square),
    /// A move has a revealed piece.
    #[error("a move reveals nothing, only a flip does")]
    UnexpectedReveal,
    /// The revealed piece is not in the bag.
    #[error("no {0} is face down any more")]
    NotHidden(Piece),
    /// No piece is face up yet.
    #[error("the first ply must be a flip")]
    FirstPlyMustFlip,
    /// The square is empty.
    #[error("{0} is empty")]
    NothingThere(Square),
    /// The piece to move is face down.
    #[error("the piece on {0} is face down: it can only be flipped")]
    StillFaceDown(Square),
    /// The piece to move belongs to the side that is not to move.
    #[error("the {} on {square} is {}'s, and {} is to move", piece.role().name(), piece.color(), !piece.color())]
    NotYours {
        /// Where the piece stands.
        square: Square,
        /// The piece.
        piece: Piece,
    },
    /// A face-down piece cannot be captured.
    #[error("the piece on {0} is face down and cannot be captured")]
    TargetFaceDown(Square),
    /// Own pieces cannot be captured.
    #[error("your own {} stands on {square}", piece.role().name())]
    TargetOwn {
        /// The target square.
        square: Square,
        /// The piece on it.
        piece: Piece,
    },
    /// Pieces move one step along a row or column.
    #[error("{from} to {to} is not one step along a row or column")]
    TooFar {
        /// From here.
        from: Square,
        /// To there.
        to: Square,
    },
    /// The capture table forbids it.
    #[error("a {} does not capture a {}", capturer.name(), prey.name())]
    CannotCapture {
        /// The piece that would capture.
        capturer: Role,
        /// The piece that would be captured.
        prey: Role,
    },
    /// A cannon captures only along its row or column.
    #[error("a cannon captures along its row or column; {to} is on neither from {from}")]
    CannonOutOfLine {
        /// From here.
        from: Square,
        /// To there.
        to: Square,
    },
    /// A cannon jumps over exactly one piece.
    #[error(
        "a cannon captures only over exactly one piece; between {from} and {to} there {}",
        if *.between == 0 { "is none".to_string() } else { format!("are {between}") }
    )]
    CannonScreens {
        /// From here.
        from: Square,
        /// To there.
        to: Square,
        /// The number of pieces between.
        between: usize,
    },
    /// The rules forbid perpetual chasing; only a [`crate::Game`] knows.
    #[error("{0} would bring the same position about once too often by chasing")]
    PerpetualChase(Action),
}

impl Position {
    /// Plays a ply.
    ///
    /// # Errors
    ///
    /// Returns an error if the ply is not legal here; the position is then unchanged.
    pub fn play(&mut self, ply: Ply) -> Result<Undo, PlayError> {
        self.check(ply)?;
        Ok(self.play_unchecked(ply))
    }

    /// Returns whether an action is legal here.
    #[inline]
    pub fn is_legal(&self, action: Action) -> bool {
        let from = action.from();
        if self.decided().is_some() {
            return false;
        }
        if action.is_flip() {
            return self.face_down().contains(from);
        }
        self.turn()
            .is_some_and(|turn| self.color(turn).contains(from))
            && self.targets(from).contains(action.to())
    }

    /// Checks a ply without playing it.
    ///
    /// # Errors
    ///
    /// Returns an error if the ply is not legal here.
    pub fn check(&self, ply: Ply) -> Result<(), PlayError> {
        self.check_action(ply.action)?;
        match ply.reveal {
            None if ply.action.is_flip() => Err(PlayError::MissingReveal(ply.action.from())),
            Some(_) if !ply.action.is_flip() => Err(PlayError::UnexpectedReveal),
            Some(piece) if self.hidden().count(piece) == 0 => Err(PlayError::NotHidden(piece)),
            _ => Ok(()),
        }
    }

    /// Checks an action, whatever a flip would reveal.
    ///
    /// # Errors
    ///
    /// Returns an error if the action is not legal here.
    pub fn check_action(&self, action: Action) -> Result<(), PlayError> {
        let (from, to) = (action.from(), action.to());
        if let Some(color) = self.decided() {
            return Err(match self.living(color) {
                0 => PlayError::Over(color),
                _ => PlayError::Stuck(color),
            });
        }
        if action.is_flip() {
            return match self.content(from) {
                Content::FaceDown => Ok(()),
                _ => Err(PlayError::NotFaceDown(from)),
            };
        }
        let turn = self.turn().ok_or(PlayError::FirstPlyMustFlip)?;
        match self.content(from) {
            Content::Empty => Err(PlayError::NothingThere(from)),
            Content::FaceDown => Err(PlayError::StillFaceDown(from)),
            Content::FaceUp(piece) if piece.color() != turn => Err(PlayError::NotYours {
                square: from,
                piece,
            }),
            Content::FaceUp(piece) => self.check_step(piece, from, to),
        }
    }

    fn check_step(&self, piece: Piece, from: Square, to: Square) -> Result<(), PlayError> {
        let adjacent = from.distance(to) == 1;
        match self.content(to) {
            Content::FaceDown => Err(PlayError::TargetFaceDown(to)),
            Content::Empty if adjacent => Ok(()),
            Content::Empty => Err(PlayError::TooFar { from, to }),
            Content::FaceUp(prey) if prey.color() == piece.color() => Err(PlayError::TargetOwn {
                square: to,
                piece: prey,
            }),
            Content::FaceUp(_) if piece.role().jumps() => self.check_jump(from, to),
            Content::FaceUp(_) if !adjacent => Err(PlayError::TooFar { from, to }),
            Content::FaceUp(prey) if !piece.role().captures(prey.role()) => {
                Err(PlayError::CannotCapture {
                    capturer: piece.role(),
                    prey: prey.role(),
                })
            }
            Content::FaceUp(_) => Ok(()),
        }
    }

    fn check_jump(&self, from: Square, to: Square) -> Result<(), PlayError> {
        if from.column() != to.column() && from.row() != to.row() {
            return Err(PlayError::CannonOutOfLine { from, to });
        }
        let between = Square::all()
            .filter(|s| s.distance(from) + s.distance(to) == from.distance(to))
            .filter(|s| *s != from && *s != to && self.occupied().contains(*s))
            .count();
        match between {
            1 => Ok(()),
            _ => Err(PlayError::CannonScreens { from, to, between }),
        }
    }
}
