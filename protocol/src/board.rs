//! The board as text, in protocol and records.
//!
//! Thirty-two squares in reading order (a8 b8 c8 d8 a7 … d1), then fourteen
//! counts of **living** pieces, face up and face down together. The side to move
//! is not included. Two orders of the counts are in use, `KGMRNCPkgmrncp` in
//! records and `PCNRMGKpcnrmgk` inside the servers' skeleton engines; the reader
//! takes the first of the two in which the counts fit the squares.

use anqi_rules::notation::excerpt;
use anqi_rules::{COLUMNS, HiddenBag, PIECES, Piece, Position, ROWS, SQUARES, Square};
use anqi_rules::{Color, Content, Role, Setup, SetupError};
use std::fmt;

/// Squares and face-down pieces of a board whose side to move is not known.
///
/// ```
/// use anqi_protocol::BoardText;
/// use anqi_rules::{Color, Position};
///
/// // What a server sends as `init_board …`, and the position once the turn is known.
/// let start = BoardText::of(&Position::start());
/// assert!(start.to_string().ends_with("X X X X 1 2 2 2 2 2 5 1 2 2 2 2 2 5"));
///
/// let mut words = vec!["-"; 32];
/// (words[0], words[31]) = ("K", "k");
/// words.extend(["1", "0", "0", "0", "0", "0", "0", "1", "0", "0", "0", "0", "0", "0"]);
/// let kings = BoardText::from_words(&words)?;
/// assert_eq!(kings.position(Color::Red)?.to_string(), "K3/4/4/4/4/4/4/3k r - 0 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardText {
    squares: [Content; SQUARES],
    hidden: HiddenBag,
}

/// Why 46 words are not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The number of words is wrong.
    #[error("a board has 32 squares and 14 counts (expected 46 words, got {0})")]
    Words(usize),
    /// A square's word is unknown.
    #[error("'{token}' on {square} is not a square's content (expected a piece letter, X or -)")]
    Square {
        /// Which square.
        square: Square,
        /// The word.
        token: String,
    },
    /// A count's word is not a small number.
    #[error("'{token}' is not a count of living pieces (expected 0-5)")]
    Count {
        /// The word.
        token: String,
    },
    /// The counts fit the squares in neither order.
    #[error(
        "the counts do not fit the squares in either order (as KGMRNCPkgmrncp: {records}; as PCNRMGKpcnrmgk: {skeletons})"
    )]
    Counts {
        /// The fault in the records' order.
        records: CountFault,
        /// The fault in the skeletons' order.
        skeletons: CountFault,
    },
}

/// Why counts of living pieces do not fit the squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountFault {
    /// More than a side has.
    TooMany {
        /// The piece.
        piece: Piece,
        /// The count.
        living: u32,
    },
    /// Fewer than stand face up.
    TooFew {
        /// The piece.
        piece: Piece,
        /// The count.
        living: u32,
        /// How many are face up.
        face_up: u32,
    },
    /// The number of pieces left over is not that of the face-down squares.
    FaceDown {
        /// Pieces counted but not face up.
        left: u32,
        /// Face-down squares.
        squares: u32,
    },
}

impl fmt::Display for CountFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountFault::TooMany { piece, living } => {
                let most = piece.role().per_side();
                write!(f, "{living} {piece} are too many, expected at most {most}")
            }
            CountFault::TooFew {
                piece,
                living,
                face_up,
            } => write!(f, "{living} {piece} are too few, {face_up} are face up"),
            CountFault::FaceDown { left, squares } => {
                write!(f, "{left} pieces left for {squares} face-down squares")
            }
        }
    }
}

/// Iterates over the squares in reading order: a8 b8 c8 d8 a7 … d1.
pub fn reading_order() -> impl Iterator<Item = Square> {
    (0..ROWS).rev().flat_map(|row| {
        (0..COLUMNS).map(move |column| {
            Square::at(column, row).expect("column and row are counted within the board")
        })
    })
}

impl BoardText {
    /// Reads 32 squares and 14 counts.
    ///
    /// # Errors
    ///
    /// Returns a [`BoardError`] that names the word, or what does not fit.
    pub fn from_words(words: &[&str]) -> Result<BoardText, BoardError> {
        if words.len() != SQUARES + PIECES {
            return Err(BoardError::Words(words.len()));
        }
        let (board, counts) = words.split_at(SQUARES);
        let mut squares = [Content::Empty; SQUARES];
        for (square, &word) in reading_order().zip(board) {
            squares[square.index()] = content(word).ok_or_else(|| BoardError::Square {
                square,
                token: excerpt(word),
            })?;
        }
        let counts = counts
            .iter()
            .map(|&word| count(word))
            .collect::<Result<Vec<u32>, BoardError>>()?;
        let hidden = hidden_pieces(&squares, &counts)?;
        Ok(BoardText { squares, hidden })
    }

    /// Returns the visible part of a position, without the side to move.
    pub fn of(position: &Position) -> BoardText {
        let mut squares = [Content::Empty; SQUARES];
        for square in Square::all() {
            squares[square.index()] = position.content(square);
        }
        BoardText {
            squares,
            hidden: position.hidden(),
        }
    }

    /// Returns the legal position with this board in which `turn` is to move.
    ///
    /// Before the first flip neither side has a colour, whatever `turn` is.
    ///
    /// # Errors
    ///
    /// Returns every fault of the position at once.
    pub fn position(&self, turn: Color) -> Result<Position, SetupError> {
        if self.is_start() {
            return Ok(Position::start());
        }
        let mut setup = Setup {
            board: self.squares,
            turn: Some(turn),
            ..Setup::default()
        };
        for (piece, count) in self.hidden {
            setup.hidden[piece.index()] = count;
        }
        setup.position()
    }

    /// Returns the content of a square.
    pub fn content(&self, square: Square) -> Content {
        self.squares[square.index()]
    }

    /// Returns the face-down pieces.
    pub fn hidden(&self) -> HiddenBag {
        self.hidden
    }

    /// Returns whether nothing has been flipped yet.
    pub fn is_start(&self) -> bool {
        self.squares.iter().all(|c| *c == Content::FaceDown)
    }

    /// Returns the number of living pieces of each kind, in the order `KGMRNCPkgmrncp`.
    pub fn living(&self) -> [u32; PIECES] {
        let mut living = face_up(&self.squares);
        for (piece, count) in self.hidden {
            living[piece.index()] += count;
        }
        living
    }

    /// Returns the letter of a square's content: a piece, `X` face down, `-` empty.
    pub fn letter(&self, square: Square) -> char {
        match self.content(square) {
            Content::Empty => '-',
            Content::FaceDown => 'X',
            Content::FaceUp(piece) => piece.letter(),
        }
    }
}

impl fmt::Display for BoardText {
    /// Writes the 46 words, as `init_board` takes them, counts in the records' order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in reading_order() {
            write!(f, "{} ", self.letter(square))?;
        }
        f.write_str(&self.living().map(|count| count.to_string()).join(" "))
    }
}

fn content(word: &str) -> Option<Content> {
    match word {
        "X" => Some(Content::FaceDown),
        "-" => Some(Content::Empty),
        _ => {
            let mut letters = word.chars();
            let piece = letters.next().and_then(Piece::from_letter)?;
            letters.next().is_none().then_some(Content::FaceUp(piece))
        }
    }
}

fn count(word: &str) -> Result<u32, BoardError> {
    match word.as_bytes() {
        [digit @ b'0'..=b'5'] => Ok(u32::from(digit - b'0')),
        _ => Err(BoardError::Count {
            token: excerpt(word),
        }),
    }
}

fn face_up(squares: &[Content; SQUARES]) -> [u32; PIECES] {
    let mut counts = [0; PIECES];
    for content in squares {
        if let Content::FaceUp(piece) = content {
            counts[piece.index()] += 1;
        }
    }
    counts
}

/// Finds the bag in the first order of the counts that fits.
fn hidden_pieces(squares: &[Content; SQUARES], counts: &[u32]) -> Result<HiddenBag, BoardError> {
    let records = match bag(squares, Piece::all().zip(counts.iter().copied())) {
        Ok(bag) => return Ok(bag),
        Err(fault) => fault,
    };
    let skeletons = match bag(squares, skeleton_order().zip(counts.iter().copied())) {
        Ok(bag) => return Ok(bag),
        Err(fault) => fault,
    };
    Err(BoardError::Counts { records, skeletons })
}

/// Iterates over the pieces in the order `PCNRMGKpcnrmgk`.
fn skeleton_order() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().flat_map(|color| {
        Role::ALL
            .into_iter()
            .rev()
            .map(move |role| Piece::new(color, role))
    })
}

/// Subtracts the face-up pieces from the living ones and checks what is left.
fn bag(
    squares: &[Content; SQUARES],
    living: impl Iterator<Item = (Piece, u32)>,
) -> Result<HiddenBag, CountFault> {
    let face_up = face_up(squares);
    let mut bag = HiddenBag::EMPTY;
    for (piece, living) in living {
        let face_up = face_up[piece.index()];
        if living as usize > piece.role().per_side() {
            return Err(CountFault::TooMany { piece, living });
        }
        if living < face_up {
            return Err(CountFault::TooFew {
                piece,
                living,
                face_up,
            });
        }
        for _ in face_up..living {
            bag.insert(piece);
        }
    }
    let face_down = squares.iter().filter(|&&c| c == Content::FaceDown).count() as u32;
    if bag.total() != face_down {
        return Err(CountFault::FaceDown {
            left: bag.total(),
            squares: face_down,
        });
    }
    Ok(bag)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X";

    fn read(text: &str) -> Result<BoardText, BoardError> {
        BoardText::from_words(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn the_first_board_reads_in_both_orders() {
        let records = read(&format!("{START} 1 2 2 2 2 2 5 1 2 2 2 2 2 5")).expect("records");
        let skeletons = read(&format!("{START} 5 2 2 2 2 2 1 5 2 2 2 2 2 1")).expect("skeletons");
        assert_eq!(records, skeletons);
        assert!(records.is_start());
        assert_eq!(records.hidden(), HiddenBag::full());
        assert_eq!(
            records.to_string(),
            format!("{START} 1 2 2 2 2 2 5 1 2 2 2 2 2 5")
        );
    }

    #[test]
    fn reading_order_starts_at_a8_and_the_letters_land_there() {
        let order: Vec<String> = reading_order().map(|s| s.to_string()).collect();
        assert_eq!(order[..5], ["a8", "b8", "c8", "d8", "a7"]);
        assert_eq!(order[31], "d1");
        let board = "K - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - k";
        let text = format!("{board} 1 0 0 0 0 0 0 1 0 0 0 0 0 0");
        let board = read(&text).expect("two kings");
        assert_eq!(board.letter("a8".parse().expect("a square")), 'K');
        assert_eq!(board.letter("d1".parse().expect("a square")), 'k');
        assert_eq!(board.to_string(), text);
    }

    #[test]
    fn the_second_order_is_taken_only_if_the_first_does_not_fit() {
        // One face-up red pawn and one face-down piece: a black cannon or, in the other order, knight.
        let board = "P X - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -";
        let first = read(&format!("{board} 0 0 0 0 0 0 1 0 0 0 0 0 1 0")).expect("records");
        assert_eq!(first.hidden().to_string(), "c");
        let second = read(&format!("{board} 1 0 0 0 0 0 0 0 1 0 0 0 0 0")).expect("skeletons");
        assert_eq!(second.hidden().to_string(), "c");
    }

    #[test]
    fn faults_name_what_is_wrong() {
        let message = |text: &str| read(text).expect_err("a fault").to_string();
        assert!(message("X X").contains("got 2"));
        assert!(message(&format!("{START} 1 2 2 2 2 2 5 1 2 2 2 2 2 6")).contains("'6'"));
        assert!(
            message(&format!("{START} 1 2 2 2 2 2 5 1 2 2 2 2 2 4")).contains("31 pieces left")
        );
        let wrong = START.replacen('X', "Q", 1);
        let text = message(&format!("{wrong} 1 2 2 2 2 2 5 1 2 2 2 2 2 5"));
        assert!(text.contains("'Q' on a8"), "{text}");
        let two_kings = START.replacen("X X", "K K", 1);
        let text = message(&format!("{two_kings} 1 2 2 2 2 2 5 1 2 2 2 2 2 5"));
        assert!(text.contains("1 K are too few, 2 are face up"), "{text}");
    }
}
