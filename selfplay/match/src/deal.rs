//! The hidden deal: the piece that each flip of a game will reveal.
//!
//! A *sequence* deal fixes the order in which pieces appear, whatever squares
//! are flipped: the k-th flip of the game reveals the k-th piece. Both games of
//! a pair then share all of their luck, even after they diverge. A *squares* deal
//! is the game as played over the board: each square hides its piece from the
//! start.

use std::fmt;
use std::str::FromStr;

use anqi_rules::random::shuffle;
use anqi_rules::{Piece, Position, Square, SquareSet};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::seed;

/// How the pieces of a deal are bound to flips.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DealKind {
    /// The k-th flip of the game reveals the k-th piece.
    #[default]
    Sequence,
    /// Each square hides one piece.
    Squares,
}

/// Why a text does not name a kind of deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a kind of deal (expected sequence or squares)")]
pub struct ParseDealKindError(String);

impl FromStr for DealKind {
    type Err = ParseDealKindError;

    fn from_str(text: &str) -> Result<DealKind, ParseDealKindError> {
        match text {
            "sequence" => Ok(DealKind::Sequence),
            "squares" => Ok(DealKind::Squares),
            other => Err(ParseDealKindError(other.to_owned())),
        }
    }
}

impl fmt::Display for DealKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DealKind::Sequence => "sequence",
            DealKind::Squares => "squares",
        })
    }
}

/// The shuffled pieces that lie face down at the start, and how they are bound to flips.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal {
    kind: DealKind,
    /// The squares that hide them.
    face_down: SquareSet,
    pieces: Vec<Piece>,
}

impl Deal {
    /// Shuffles the pieces for one pair of a match.
    pub fn new(kind: DealKind, match_seed: u64, pair: u64) -> Deal {
        Deal::at(&Position::start(), kind, match_seed, pair)
    }

    /// Shuffles the pieces that lie face down where a pair of a match begins.
    pub fn at(start: &Position, kind: DealKind, match_seed: u64, pair: u64) -> Deal {
        let mut pieces = hidden(start);
        let mut generator = Pcg64::seed_from_u64(seed::deal_seed(match_seed, pair));
        shuffle(&mut pieces, || generator.next_u64());
        Deal {
            kind,
            face_down: start.face_down(),
            pieces,
        }
    }

    /// Returns the deal of these pieces in this order; `None` unless they are the full set.
    pub fn of_pieces(kind: DealKind, pieces: Vec<Piece>) -> Option<Deal> {
        let start = Position::start();
        let mut sorted = pieces.clone();
        sorted.sort();
        (sorted == hidden(&start)).then_some(Deal {
            kind,
            face_down: start.face_down(),
            pieces,
        })
    }

    /// Returns the pieces, by flip or by face-down square.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the piece that a flip of `square` reveals after `flips` earlier flips.
    pub fn reveal(&self, square: Square, flips: usize) -> Piece {
        match self.kind {
            DealKind::Sequence => self.pieces[flips],
            DealKind::Squares => {
                let earlier = self.face_down.into_iter().filter(|other| *other < square);
                self.pieces[earlier.count()]
            }
        }
    }
}

/// Returns the pieces that lie face down, in the order of their letters.
fn hidden(position: &Position) -> Vec<Piece> {
    let kinds = position.hidden().into_iter();
    kinds
        .flat_map(|(piece, count)| std::iter::repeat_n(piece, count as usize))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut pieces: Vec<Piece>) -> Vec<Piece> {
        pieces.sort();
        pieces
    }

    #[test]
    fn both_kinds_deal_the_full_set_and_bind_it_differently() {
        let sequence = Deal::new(DealKind::Sequence, 5, 3);
        let squares = Deal::new(DealKind::Squares, 5, 3);
        let corner = Square::new(0);
        let by_flip: Vec<Piece> = (0..32).map(|k| sequence.reveal(corner, k)).collect();
        let by_square: Vec<Piece> = Square::all().map(|s| squares.reveal(s, 31)).collect();
        assert_eq!(by_flip, by_square, "one seed, one shuffle");
        assert_eq!(sorted(by_flip), hidden(&Position::start()));
        assert_eq!(squares.reveal(corner, 0), squares.reveal(corner, 20));
    }

    #[test]
    fn a_deal_is_made_of_the_full_set_only() {
        let deal = Deal::new(DealKind::Squares, 5, 3);
        let mut pieces = deal.pieces().to_vec();
        assert_eq!(
            Deal::of_pieces(DealKind::Squares, pieces.clone()),
            Some(deal)
        );
        let other = pieces.iter().find(|piece| **piece != pieces[0]);
        pieces[0] = *other.expect("a set has several kinds");
        assert_eq!(Deal::of_pieces(DealKind::Squares, pieces), None);
    }

    #[test]
    fn in_an_opening_the_pieces_that_are_left_are_dealt_to_the_squares_that_are_left() {
        let text = "K1p1/1?2/4/c?P1/4/2r1/4/1G?? r GNpR 0 20";
        let opening: Position = text.parse().expect("a position");
        let sequence = Deal::at(&opening, DealKind::Sequence, 5, 3);
        let squares = Deal::at(&opening, DealKind::Squares, 5, 3);
        let face_down = opening.face_down().into_iter();
        let by_square: Vec<Piece> = face_down.map(|square| squares.reveal(square, 9)).collect();
        let by_flip: Vec<Piece> = (0..4).map(|k| sequence.reveal(Square::new(0), k)).collect();
        assert_eq!(by_flip, by_square, "one seed, one shuffle");
        assert_eq!(sorted(by_flip), hidden(&opening));
        let orders: std::collections::HashSet<_> = (0..100)
            .map(|pair| Deal::at(&opening, DealKind::Squares, 5, pair).pieces)
            .collect();
        assert_eq!(orders.len(), 24, "every order of four pieces comes up");
    }

    #[test]
    fn a_deal_depends_on_seed_and_pair_only() {
        let deal = Deal::new(DealKind::Sequence, 1, 1);
        assert_eq!(deal, Deal::new(DealKind::Sequence, 1, 1));
        assert_ne!(deal, Deal::new(DealKind::Sequence, 1, 2));
        assert_ne!(deal, Deal::new(DealKind::Sequence, 2, 1));
    }

    #[test]
    fn every_piece_comes_first_as_often_as_it_is_in_the_set() {
        let deals = 32_000_u32;
        let mut first = [0_u32; 14];
        for pair in 0..u64::from(deals) {
            let deal = Deal::new(DealKind::Sequence, 1, pair);
            first[deal.reveal(Square::new(0), 0).index()] += 1;
        }
        // Chi-square with 13 degrees of freedom: 34.5 is the 0.1 % point.
        let chi_square: f64 = Piece::all()
            .map(|piece| {
                let expected = f64::from(deals) * piece.role().per_side() as f64 / 32.0;
                (f64::from(first[piece.index()]) - expected).powi(2) / expected
            })
            .sum();
        assert!(chi_square < 34.5, "{chi_square}");
    }

    #[test]
    fn kinds_parse_what_they_print() {
        for kind in [DealKind::Sequence, DealKind::Squares] {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("rows".parse::<DealKind>().is_err());
    }
}
