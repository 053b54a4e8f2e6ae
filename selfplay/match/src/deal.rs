//! The hidden deal: the piece that each flip of a game will reveal.
//!
//! A *sequence* deal fixes the order in which pieces appear, whatever squares
//! are flipped: the k-th flip of the game reveals the k-th piece. Both games of
//! a pair then share all of their luck, even after they diverge. A *squares* deal
//! is the game as played over the board: each square hides its piece from the
//! start. Either is a [`Deal`] of a game; a match draws it from its seed.

use std::fmt;
use std::str::FromStr;

pub use anqi_play::{Deal, KnownDeal};
use anqi_rules::Position;
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

impl DealKind {
    /// Deals the pieces that lie face down where a pair of a match begins.
    pub fn deal(self, start: &Position, match_seed: u64, pair: u64) -> Deal {
        let seed = seed::deal_seed(match_seed, pair);
        match self {
            DealKind::Sequence => Deal::by_flip(start, seed),
            DealKind::Squares => Deal::by_square(start, seed),
        }
    }

    /// Deals all pieces for one pair of a match.
    pub fn deal_of_start(self, match_seed: u64, pair: u64) -> Deal {
        self.deal(&Position::start(), match_seed, pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_rules::{HiddenBag, Piece, Square};

    fn bag(pieces: Vec<Piece>) -> HiddenBag {
        pieces.into_iter().collect()
    }

    #[test]
    fn both_kinds_deal_the_full_set_and_bind_it_differently() {
        let sequence = DealKind::Sequence.deal_of_start(5, 3);
        let squares = DealKind::Squares.deal_of_start(5, 3);
        let corner = Square::new(0);
        let by_flip: Vec<Piece> = (0..32).filter_map(|k| sequence.reveal(corner, k)).collect();
        let by_square: Vec<Piece> = Square::all()
            .filter_map(|s| squares.reveal(s, 31))
            .collect();
        assert_eq!(by_flip, by_square, "one seed, one shuffle");
        assert_eq!(bag(by_flip), HiddenBag::full());
        assert_eq!(squares.reveal(corner, 0), squares.reveal(corner, 20));
    }

    #[test]
    fn in_an_opening_the_pieces_that_are_left_are_dealt_to_the_squares_that_are_left() {
        let text = "K1p1/1?2/4/c?P1/4/2r1/4/1G?? r GNpR 0 20";
        let opening: Position = text.parse().expect("a position");
        let sequence = DealKind::Sequence.deal(&opening, 5, 3);
        let squares = DealKind::Squares.deal(&opening, 5, 3);
        let face_down = opening.face_down().into_iter();
        let by_square: Vec<Piece> = face_down
            .filter_map(|square| squares.reveal(square, 9))
            .collect();
        let by_flip: Vec<Piece> = (0..4)
            .filter_map(|k| sequence.reveal(Square::new(0), k))
            .collect();
        assert_eq!(by_flip, by_square, "one seed, one shuffle");
        assert_eq!(bag(by_flip), opening.hidden());
        let orders: std::collections::HashSet<_> = (0..100)
            .map(|pair| DealKind::Squares.deal(&opening, 5, pair).layout())
            .collect();
        assert_eq!(orders.len(), 24, "every order of four pieces comes up");
    }

    #[test]
    fn a_deal_depends_on_seed_and_pair_only() {
        let deal = DealKind::Sequence.deal_of_start(1, 1);
        assert_eq!(deal, DealKind::Sequence.deal_of_start(1, 1));
        assert_ne!(deal, DealKind::Sequence.deal_of_start(1, 2));
        assert_ne!(deal, DealKind::Sequence.deal_of_start(2, 1));
    }

    #[test]
    fn every_piece_comes_first_as_often_as_it_is_in_the_set() {
        let deals = 32_000_u32;
        let mut first = [0_u32; 14];
        for pair in 0..u64::from(deals) {
            let deal = DealKind::Sequence.deal_of_start(1, pair);
            let piece = deal.reveal(Square::new(0), 0).expect("a piece");
            first[piece.index()] += 1;
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
