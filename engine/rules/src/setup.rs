//! From any described position to a legal one.
//!
//! A [`Setup`] is an unchecked position from a text or a program.
//! [`Setup::position`] checks it and returns either a [`Position`] or every
//! fault at once, so that they can be corrected in one go.

use crate::hidden::HiddenBag;
use crate::piece::{Color, PIECES, Piece};
use crate::position::{Content, Position};
use crate::square::{SQUARES, Square};
use std::fmt;

/// Counters above this are refused: no game is that long.
pub const MOST_PLIES: u32 = 1_000_000;

/// A described position, possible or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What is on each square, by index.
    pub board: [Content; SQUARES],
    /// The number of each kind face down, in the order `KGMRNCPkgmrncp`.
    pub hidden: [u32; PIECES],
    /// The side to move; `None` before the first flip.
    pub turn: Option<Color>,
    /// Plies since the last capture or flip.
    pub quiet: u32,
    /// Plies played.
    pub ply: u32,
}

/// One thing that is wrong with a [`Setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Fault {
    /// More of one kind than the game has, face up and face down together.
    #[error("{count} of {piece}, but the game has {}", piece.role().per_side())]
    TooMany {
        /// The kind.
        piece: Piece,
        /// How many there are.
        count: u32,
    },
    /// More pieces of one colour than the game has.
    #[error("{count} {color} pieces, but a side has 16")]
    TooManyOfColor {
        /// The colour.
        color: Color,
        /// How many there are.
        count: u32,
    },
    /// The bag does not match the face-down squares.
    #[error("{squares} squares are face down, but {letters} pieces are listed as hidden")]
    HiddenMismatch {
        /// Face-down squares on the board.
        squares: u32,
        /// Pieces in the bag.
        letters: u32,
    },
    /// There is no piece at all.
    #[error("there is no piece at all")]
    NoPieces,
    /// No side is to move although the game has begun.
    #[error(
        "the turn is '-', which is only right before the first flip, with all 32 pieces face down"
    )]
    TurnMissing,
    /// A side is to move although no colour can be known.
    #[error("{0} is to move, but no piece is face up: colours are not known yet")]
    TurnUnknown(Color),
    /// The ply number is not 0 before the first flip.
    #[error("{0} plies were played before the first flip")]
    PliesBeforeFirstFlip(u32),
    /// More quiet plies than plies.
    #[error("{quiet} quiet plies, but only {ply} plies played")]
    QuietBeyondPly {
        /// The quiet counter.
        quiet: u32,
        /// The ply number.
        ply: u32,
    },
    /// A counter is absurdly large.
    #[error("{0} plies are more than the {MOST_PLIES} that are allowed")]
    TooManyPlies(u32),
}

/// All faults of a [`Setup`], at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    faults: Vec<Fault>,
}

impl SetupError {
    /// Returns the faults in the order of the checks.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("impossible position: ")?;
        for (index, fault) in self.faults.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

impl Default for Setup {
    /// Returns an empty board with red to move.
    fn default() -> Setup {
        Setup {
            board: [Content::Empty; SQUARES],
            hidden: [0; PIECES],
            turn: Some(Color::Red),
            quiet: 0,
            ply: 0,
        }
    }
}

impl Setup {
    /// Returns the legal position that this setup describes.
    ///
    /// # Errors
    ///
    /// Returns every fault at once.
    pub fn position(&self) -> Result<Position, SetupError> {
        let faults = self.faults();
        if !faults.is_empty() {
            return Err(SetupError { faults });
        }
        let mut bag = HiddenBag::EMPTY;
        for piece in Piece::all() {
            for _ in 0..self.hidden[piece.index()] {
                bag.insert(piece);
            }
        }
        let mut position = Position::blank();
        for square in Square::all() {
            position.put(square, self.board[square.index()]);
        }
        Ok(position.finish(bag, self.turn, self.quiet, self.ply))
    }

    /// Returns all faults, none for a legal position.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.count_faults(&mut faults);
        self.turn_faults(&mut faults);
        self.counter_faults(&mut faults);
        faults
    }

    /// Returns the number of one kind, face up and face down.
    fn count(&self, piece: Piece) -> u32 {
        let face_up = |content: &&Content| **content == Content::FaceUp(piece);
        let on_board = self.board.iter().filter(face_up).count() as u32;
        on_board.saturating_add(self.hidden[piece.index()])
    }

    fn face_down(&self) -> u32 {
        let hidden = |content: &&Content| **content == Content::FaceDown;
        self.board.iter().filter(hidden).count() as u32
    }

    fn face_up(&self) -> u32 {
        let known = |content: &&Content| matches!(content, Content::FaceUp(_));
        self.board.iter().filter(known).count() as u32
    }

    fn letters(&self) -> u32 {
        self.hidden.iter().fold(0, |sum, &n| sum.saturating_add(n))
    }

    fn count_faults(&self, faults: &mut Vec<Fault>) {
        for piece in Piece::all() {
            let count = self.count(piece);
            if count > piece.role().per_side() as u32 {
                faults.push(Fault::TooMany { piece, count });
            }
        }
        for color in Color::ALL {
            let count = Piece::all()
                .filter(|piece| piece.color() == color)
                .fold(0u32, |sum, piece| sum.saturating_add(self.count(piece)));
            if count > 16 {
                faults.push(Fault::TooManyOfColor { color, count });
            }
        }
        let (squares, letters) = (self.face_down(), self.letters());
        if squares != letters {
            faults.push(Fault::HiddenMismatch { squares, letters });
        }
        if self.face_up() == 0 && squares == 0 {
            faults.push(Fault::NoPieces);
        }
    }

    fn turn_faults(&self, faults: &mut Vec<Fault>) {
        let untouched = self.face_down() == SQUARES as u32;
        match self.turn {
            None if !untouched => faults.push(Fault::TurnMissing),
            Some(color) if self.face_up() == 0 && self.face_down() > 0 => {
                faults.push(Fault::TurnUnknown(color));
            }
            _ => {}
        }
        if untouched && self.turn.is_none() && self.ply > 0 {
            faults.push(Fault::PliesBeforeFirstFlip(self.ply));
        }
    }

    fn counter_faults(&self, faults: &mut Vec<Fault>) {
        let (quiet, ply) = (self.quiet, self.ply);
        if quiet > ply {
            faults.push(Fault::QuietBeyondPly { quiet, ply });
        }
        if ply > MOST_PLIES {
            faults.push(Fault::TooManyPlies(ply));
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut setup = Setup {
            turn: position.turn(),
            quiet: position.quiet_counter(),
            ply: position.ply(),
            ..Setup::default()
        };
        for square in Square::all() {
            setup.board[square.index()] = position.content(square);
        }
        for (piece, count) in position.hidden() {
            setup.hidden[piece.index()] = count;
        }
        setup
    }
}
