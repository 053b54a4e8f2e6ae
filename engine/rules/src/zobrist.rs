//! Zobrist hash keys of positions.
//!
//! A key is the exclusive or of one random word for each fact: each piece face
//! up on a square, each face-down square, the number of each kind in the bag,
//! the side to move. The quiet counter and the ply number are not part of it.
//! The words come from a fixed generator evaluated at compile time, so keys are
//! the same on every machine and in every build.

use crate::hidden::HiddenBag;
use crate::piece::{Color, PIECES, Piece};
use crate::random::split_mix;
use crate::square::{SQUARES, Square};

/// The largest count of one kind, plus one: five pawns.
const COUNTS: usize = 6;

struct Words {
    pieces: [[u64; SQUARES]; PIECES],
    face_down: [u64; SQUARES],
    bag: [[u64; COUNTS]; PIECES],
    black_to_move: u64,
    nobody_to_move: u64,
}

static WORDS: Words = words();

const fn words() -> Words {
    let mut state = 0x616e_7169; // "anqi"
    let mut words = Words {
        pieces: [[0; SQUARES]; PIECES],
        face_down: [0; SQUARES],
        bag: [[0; COUNTS]; PIECES],
        black_to_move: 0,
        nobody_to_move: 0,
    };
    let mut square = 0;
    while square < SQUARES {
        let mut piece = 0;
        while piece < PIECES {
            words.pieces[piece][square] = split_mix(&mut state);
            piece += 1;
        }
        words.face_down[square] = split_mix(&mut state);
        square += 1;
    }
    let mut piece = 0;
    while piece < PIECES {
        let mut count = 1; // the word of a count of 0 is 0
        while count < COUNTS {
            words.bag[piece][count] = split_mix(&mut state);
            count += 1;
        }
        piece += 1;
    }
    words.black_to_move = split_mix(&mut state);
    words.nobody_to_move = split_mix(&mut state);
    words
}

/// Returns the word of a piece face up on a square.
#[inline]
pub(crate) fn piece_on(piece: Piece, square: Square) -> u64 {
    WORDS.pieces[piece.index()][square.index()]
}

/// Returns the word of a face-down square.
#[inline]
pub(crate) fn face_down_on(square: Square) -> u64 {
    WORDS.face_down[square.index()]
}

/// Returns the word of `count` pieces of one kind in the bag.
#[inline]
pub(crate) fn in_bag(piece: Piece, count: u32) -> u64 {
    WORDS.bag[piece.index()][count as usize]
}

/// Returns the word of a whole bag.
pub(crate) fn bag(bag: HiddenBag) -> u64 {
    bag.iter()
        .fold(0, |key, (piece, count)| key ^ in_bag(piece, count))
}

/// Returns the word of the side to move; `None` before the first flip.
#[inline]
pub(crate) fn turn(turn: Option<Color>) -> u64 {
    match turn {
        Some(Color::Red) => 0,
        Some(Color::Black) => WORDS.black_to_move,
        None => WORDS.nobody_to_move,
    }
}

/// Returns the word that changes the side to move.
#[inline]
pub(crate) fn pass_turn() -> u64 {
    WORDS.black_to_move
}

#[cfg(test)]
mod tests {
    use crate::Position;

    /// Whatever tells two positions apart, but for the counters, is in the key.
    #[test]
    fn positions_that_differ_have_different_keys() {
        let texts = [
            "K3/?3/4/4/4/4/4/3g r P 0 9",
            "K3/1?2/4/4/4/4/4/3g r P 0 9",
            "K3/??2/4/4/4/4/4/3g r PP 0 9",
            "K3/??2/4/4/4/4/4/3g r Pp 0 9",
            "K3/?3/4/4/4/4/4/3g r p 0 9",
            "K3/?3/4/4/4/4/4/3g b P 0 9",
            "1K2/?3/4/4/4/4/4/3g r P 0 9",
            "G3/?3/4/4/4/4/4/3g r P 0 9",
            "g3/?3/4/4/4/4/4/3K r P 0 9",
            "K3/P3/4/4/4/4/4/3g r - 0 9",
            "K3/4/4/4/4/4/4/3g r - 0 9",
        ];
        let keys = texts.map(|text| text.parse::<Position>().unwrap().key());
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{}", texts[index]);
        }
        let counted: Position = "K3/?3/4/4/4/4/4/3g r P 7 9".parse().unwrap();
        assert_eq!(counted.key(), keys[0]);
    }
}
