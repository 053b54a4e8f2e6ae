//! The deal: which piece lies under which face-down square.
//!
//! As on a real board, every face-down piece has its place from the beginning;
//! a flip only reveals it. So a flip that is undone and redone shows the same
//! piece. A deal follows from its seed and its known pieces.
//!
//! A match has another kind: the k-th flip of the game reveals the k-th piece, whatever square is
//! flipped. Both games of a pair then share all of their luck, even after they diverge.

use anqi_rules::random::shuffle;
use anqi_rules::{Game, HiddenBag, Piece, Position, SQUARES, Square, SquareSet};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::str::FromStr;

/// The piece that each flip reveals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal(Pieces);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Pieces {
    /// The piece under each face-down square.
    BySquare(KnownDeal),
    /// The pieces in the order of the flips.
    ByFlip(Vec<Piece>),
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
        let pieces = shuffled(without_known(start, known)?, seed);
        Ok(Deal::on_squares(start, known, pieces))
    }

    /// Deals the face-down pieces of `start` to their squares, shuffled by `seed`.
    pub fn by_square(start: &Position, seed: u64) -> Deal {
        Deal::on_squares(start, &KnownDeal::default(), shuffled(start.hidden(), seed))
    }

    /// Puts pieces on the face-down squares that are not known, in order.
    fn on_squares(start: &Position, known: &KnownDeal, pieces: Vec<Piece>) -> Deal {
        let mut dealt = *known;
        let open = start.face_down().into_iter();
        let open = open.filter(|square| known.0[square.index()].is_none());
        for (square, piece) in open.zip(pieces) {
            dealt.0[square.index()] = Some(piece);
        }
        Deal(Pieces::BySquare(dealt))
    }

    /// Deals the face-down pieces of `start` in the order in which flips reveal them, shuffled by
    /// `seed`.
    pub fn by_flip(start: &Position, seed: u64) -> Deal {
        Deal(Pieces::ByFlip(shuffled(start.hidden(), seed)))
    }

    /// Returns the deal whose flips reveal these pieces in this order.
    pub fn of_pieces(pieces: Vec<Piece>) -> Deal {
        Deal(Pieces::ByFlip(pieces))
    }

    /// Returns the piece that lies face down on `square` at the start, if the deal goes by squares
    /// and one does.
    pub fn under(&self, square: Square) -> Option<Piece> {
        match &self.0 {
            Pieces::BySquare(pieces) => pieces.0[square.index()],
            Pieces::ByFlip(_) => None,
        }
    }

    /// Returns the piece that a flip of `square` reveals after `flips` earlier flips.
    pub fn reveal(&self, square: Square, flips: usize) -> Option<Piece> {
        match &self.0 {
            Pieces::BySquare(pieces) => pieces.0[square.index()],
            Pieces::ByFlip(pieces) => pieces.get(flips).copied(),
        }
    }

    /// Returns the letters of the pieces: by square in reading order, `.` where none lay face down
    /// at the start, or in the order of the flips.
    pub fn layout(&self) -> String {
        match &self.0 {
            Pieces::BySquare(pieces) => reading_order()
                .map(|square| pieces.0[square.index()].map_or('.', Piece::letter))
                .collect(),
            Pieces::ByFlip(pieces) => pieces.iter().map(|piece| piece.letter()).collect(),
        }
    }

    /// Returns the deal by square whose layout this is.
    ///
    /// # Errors
    ///
    /// Fails if the layout is not one of `start`.
    pub fn of_layout(start: &Position, layout: &str) -> Result<Deal, DealError> {
        let letters: Vec<char> = layout.replace('.', "?").chars().collect();
        let rows: Vec<String> = letters.chunks(4).map(|row| row.iter().collect()).collect();
        Deal::new(start, &rows.join("/").parse()?, 0)
    }

    /// Exchanges the colours of all pieces.
    ///
    /// Before the first flip the two colours are alike, so this turns one fair
    /// deal into another.
    pub fn exchange_colors(&mut self) {
        let exchange = |piece: &mut Piece| *piece = piece.recolored();
        match &mut self.0 {
            Pieces::BySquare(pieces) => pieces.0.iter_mut().flatten().for_each(exchange),
            Pieces::ByFlip(pieces) => pieces.iter_mut().for_each(exchange),
        }
    }
}

impl KnownDeal {
    /// Returns the pieces that a game's flips have revealed.
    pub fn of(game: &Game) -> KnownDeal {
        let mut known = KnownDeal::default();
        for ply in game.plies() {
            let place = &mut known.0[ply.action.from().index()];
            *place = place.or(ply.reveal);
        }
        known
    }
}

/// The squares in reading order: a8 b8 c8 d8 a7 … d1.
pub fn reading_order() -> impl Iterator<Item = Square> {
    let rows = (0..anqi_rules::ROWS).rev();
    rows.flat_map(|row| (0..anqi_rules::COLUMNS).filter_map(move |column| Square::at(column, row)))
}

/// Returns the pieces of a bag in random order.
fn shuffled(bag: HiddenBag, seed: u64) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = bag
        .iter()
        .flat_map(|(piece, count)| std::iter::repeat_n(piece, count as usize))
        .collect();
    let mut generator = Pcg64::seed_from_u64(seed);
    shuffle(&mut pieces, || generator.next_u64());
    pieces
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
    fn flips_reveal_a_sequence_whatever_squares_they_open() {
        let start = Position::start();
        let deal = Deal::by_flip(&start, 3);
        let squares = Deal::new(&start, &KnownDeal::default(), 3).unwrap();
        let [a1, d8] = ["a1", "d8"].map(|name| name.parse().unwrap());
        assert_eq!(deal.reveal(a1, 4), deal.reveal(d8, 4));
        assert_eq!(squares.reveal(a1, 0), squares.reveal(a1, 9));
        // The same seed draws the same pieces; the squares are filled in the order of their numbers.
        let drawn: String = Square::all()
            .filter_map(|square| Some(squares.under(square)?.letter()))
            .collect();
        assert_eq!(deal.layout(), drawn);
        assert_eq!(deal.reveal(a1, 32), None);
        let pieces = drawn.chars().filter_map(Piece::from_letter).collect();
        assert_eq!(Deal::of_pieces(pieces), deal);
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
