//! The deal: which piece lies under which face-down square.
//!
//! As on a real board, every face-down piece has its place from the beginning;
//! a flip only reveals it. So a flip that is undone and redone shows the same
//! piece. The terminal game has no other randomness: a deal follows from its
//! seed and its known pieces.

use anqi_rules::random::shuffle;
use anqi_rules::{HiddenBag, Piece, Position, SQUARES, Square, SquareSet};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::str::FromStr;

/// The piece under each face-down square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal {
    pieces: KnownDeal,
}

/// The known pieces of a deal, by square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownDeal(pub [Option<Piece>; SQUARES]);

/// Why a deal does not fit a position, or is not readable at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// Not eight rows.
    #[error("{0} rows, but a deal has 8, from row 8 down, separated by '/'")]
    Rows(usize),
    /// Not four squares in a row.
    #[error("row {row} has {squares} squares, but a row has 4")]
    Columns {
        /// The row, 1 to 8.
        row: usize,
        /// How many squares were given.
        squares: usize,
    },
    /// A letter that does not name a piece.
    #[error("'{0}' is not a piece (expected a letter of KGMRNCPkgmrncp, or ? for any piece)")]
    NoPiece(char),
    /// A piece is dealt to a square without a face-down piece.
    #[error("the deal puts {piece} on {square}, which is not face down")]
    NotFaceDown {
        /// The square.
        square: Square,
        /// The piece given for it.
        piece: Piece,
    },
    /// More of a piece are dealt than are face down.
    #[error("the deal has more {0} than are face down")]
    TooMany(Piece),
}

impl Deal {
    /// Deals the face-down pieces of `start`: the known ones to their squares,
    /// the others shuffled by `seed`.
    ///
    /// # Errors
    ///
    /// Fails if a known piece cannot be on its square.
    pub fn new(start: &Position, known: &KnownDeal, seed: u64) -> Result<Deal, DealError> {
        let rest = without_known(start, known)?;
        let mut pieces: Vec<Piece> = rest
            .iter()
            .flat_map(|(piece, count)| std::iter::repeat_n(piece, count as usize))
            .collect();
        let mut generator = Pcg64::seed_from_u64(seed);
        shuffle(&mut pieces, || generator.next_u64());
        let mut dealt = *known;
        let open = start.face_down().into_iter();
        let open = open.filter(|square| known.0[square.index()].is_none());
        for (square, piece) in open.zip(pieces) {
            dealt.0[square.index()] = Some(piece);
        }
        Ok(Deal { pieces: dealt })
    }

    /// Returns the piece that lies face down on `square` at the start, if one does.
    pub fn under(&self, square: Square) -> Option<Piece> {
        self.pieces.0[square.index()]
    }

    /// Exchanges the colours of all pieces.
    ///
    /// Before the first flip the two colours are alike, so this turns one fair
    /// deal into another.
    pub fn exchange_colors(&mut self) {
        for piece in self.pieces.0.iter_mut().flatten() {
            *piece = piece.recolored();
        }
    }
}

/// Returns the bag of `start` without the known pieces.
fn without_known(start: &Position, known: &KnownDeal) -> Result<HiddenBag, DealError> {
    let mut bag = start.hidden();
    for square in SquareSet::ALL {
        let Some(piece) = known.0[square.index()] else {
            continue;
        };
        if !start.face_down().contains(square) {
            return Err(DealError::NotFaceDown { square, piece });
        }
        if bag.count(piece) == 0 {
            return Err(DealError::TooMany(piece));
        }
        bag.remove(piece);
    }
    Ok(bag)
}

impl FromStr for KnownDeal {
    type Err = DealError;

    /// Reads rows 8 to 1 separated by `/`, each with four letters; `?`, `.` and `-` leave a square open.
    fn from_str(text: &str) -> Result<KnownDeal, DealError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 8 {
            return Err(DealError::Rows(rows.len()));
        }
        let mut known = KnownDeal::default();
        for (row, letters) in (0..8).rev().zip(rows) {
            let squares = letters.chars().count();
            if squares != 4 {
                let row = row + 1;
                return Err(DealError::Columns { row, squares });
            }
            for (column, letter) in letters.chars().enumerate() {
                let square = Square::at(column, row).expect("four columns, eight rows");
                known.0[square.index()] = match letter {
                    '?' | '.' | '-' => None,
                    _ => Some(Piece::from_letter(letter).ok_or(DealError::NoPiece(letter))?),
                };
            }
        }
        Ok(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bag_of(deal: &Deal) -> HiddenBag {
        Square::all().filter_map(|s| deal.under(s)).collect()
    }

    #[test]
    fn a_deal_is_the_whole_bag_and_follows_from_its_seed() {
        let start = Position::start();
        let deals: Vec<Deal> = (0..50)
            .map(|seed| Deal::new(&start, &KnownDeal::default(), seed).unwrap())
            .collect();
        for deal in &deals {
            assert_eq!(bag_of(deal), HiddenBag::full());
        }
        assert_eq!(
            deals[7],
            Deal::new(&start, &KnownDeal::default(), 7).unwrap()
        );
        assert_ne!(deals[7], deals[8]);
    }

    #[test]
    fn every_piece_reaches_every_square() {
        let start = Position::start();
        let mut kings = SquareSet::EMPTY;
        for seed in 0..400 {
            let deal = Deal::new(&start, &KnownDeal::default(), seed).unwrap();
            kings |= Square::all()
                .filter(|s| deal.under(*s).is_some_and(|p| p.letter() == 'K'))
                .collect();
        }
        assert_eq!(kings, SquareSet::ALL);
    }

    #[test]
    fn known_pieces_lie_where_they_are_known_to_lie() {
        let known: KnownDeal = "K???/????/????/????/????/????/????/??pk".parse().unwrap();
        let deal = Deal::new(&Position::start(), &known, 1).unwrap();
        let at = |name: &str| deal.under(name.parse().unwrap()).unwrap().letter();
        assert_eq!((at("a8"), at("c1"), at("d1")), ('K', 'p', 'k'));
        assert_eq!(bag_of(&deal), HiddenBag::full());
    }

    #[test]
    fn impossible_deals_are_refused_with_the_reason() {
        let message = |text: &str| match text.parse::<KnownDeal>() {
            Ok(known) => Deal::new(&Position::start(), &known, 1)
                .unwrap_err()
                .to_string(),
            Err(error) => error.to_string(),
        };
        assert!(message("KK??/????/????/????/????/????/????/????").contains("more K"));
        assert!(message("????/????").starts_with("2 rows"));
        assert!(message("????/???/????/????/????/????/????/????").starts_with("row 7 has 3"));
        assert!(message("x???/????/????/????/????/????/????/????").starts_with("'x'"));
    }

    #[test]
    fn exchanging_colors_twice_changes_nothing() {
        let deal = Deal::new(&Position::start(), &KnownDeal::default(), 3).unwrap();
        let mut other = deal.clone();
        other.exchange_colors();
        assert_ne!(other, deal);
        assert_eq!(bag_of(&other), HiddenBag::full());
        other.exchange_colors();
        assert_eq!(other, deal);
    }
}
