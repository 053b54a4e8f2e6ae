//! Random endings that the tables call won.
//!
//! The pieces are drawn from the thirty-two of the game without replacement, so that pawns are as common as in games;
//! the squares and the side to move are drawn uniformly. Endings not won for the side to move are discarded.

use std::ops::RangeInclusive;

use anqi_rules::{Color, Content, Piece, Position, Setup, Square};
use anqi_tablebase::{Endgames, Tables, Wdl};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::EndingsError;

/// A won ending.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The side to move wins.
    pub position: Position,
    /// The number of pieces left.
    pub pieces: usize,
    /// Plies to the next capture, or to the end, with best play.
    pub distance: u16,
}

/// An infinite sequence of endings; the same seed gives the same one.
pub struct RandomEndings<'a> {
    tables: &'a Tables,
    pieces: RangeInclusive<usize>,
    source: Pcg64,
}

impl<'a> RandomEndings<'a> {
    /// Returns endings with this many pieces, each number equally likely.
    pub fn new(tables: &'a Tables, pieces: RangeInclusive<usize>, seed: u64) -> RandomEndings<'a> {
        RandomEndings {
            tables,
            pieces,
            source: Pcg64::seed_from_u64(seed),
        }
    }

    fn position(&mut self, pieces: usize) -> Position {
        loop {
            let both_live = |position: &Position| {
                Color::ALL
                    .iter()
                    .all(|&color| !position.color(color).is_empty())
            };
            let setup = self.setup(pieces);
            let drawn = setup
                .position()
                .expect("pieces from one box on different squares are a position");
            if both_live(&drawn) && drawn.loser().is_none() {
                return drawn;
            }
        }
    }

    fn setup(&mut self, pieces: usize) -> Setup {
        let mut box_of_pieces: Vec<Piece> = Piece::all()
            .flat_map(|piece| std::iter::repeat_n(piece, piece.role().per_side()))
            .collect();
        let mut squares: Vec<Square> = Square::all().collect();
        box_of_pieces.shuffle(&mut self.source);
        squares.shuffle(&mut self.source);
        let mut setup = Setup::default();
        for (piece, square) in box_of_pieces.into_iter().zip(squares).take(pieces) {
            setup.board[square.index()] = Content::FaceUp(piece);
        }
        setup.turn = Some(Color::ALL[self.source.random_range(0..2)]);
        setup
    }
}

impl Iterator for RandomEndings<'_> {
    type Item = Result<Ending, EndingsError>;

    fn next(&mut self) -> Option<Self::Item> {
        let pieces = self.source.random_range(self.pieces.clone());
        loop {
            let position = self.position(pieces);
            let Some(known) = self.tables.known(&position) else {
                return Some(Err(EndingsError::unknown(&position, self.tables)));
            };
            if let (Wdl::Win, Some(distance)) = (known.wdl, known.dtc) {
                return Some(Ok(Ending {
                    position,
                    pieces,
                    distance,
                }));
            }
        }
    }
}
