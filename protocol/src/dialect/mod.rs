//! Two other dialects of banqi programs.
//!
//! Both lay the board on its side, eight files by four ranks: a file is our
//! row, a rank our column. Either orientation would do, as the rules are
//! symmetric, but reading and writing must use the same.

mod diagram;
pub mod lines;
pub mod uci;

pub use diagram::Diagram;

use anqi_rules::{Color, Content, Piece, Position, Role, SQUARES, Square};
use diagram::Cell;

/// Reads four ranks of eight files; `rank_of` maps a rank's place in the text to its number.
fn read_ranks(
    text: &str,
    rank_of: impl Fn(usize) -> usize,
    content: impl Fn(char) -> Option<Content>,
) -> Result<[Content; 32], String> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 4 {
        return Err(format!(
            "{} ranks (expected 4, separated by /)",
            ranks.len()
        ));
    }
    let mut board = [Content::Empty; 32];
    for (place, rank) in ranks.into_iter().enumerate() {
        let mut file = 0;
        for sign in rank.chars() {
            if let Some(empty) = sign.to_digit(10) {
                file += empty as usize;
                continue;
            }
            let found = content(sign)
                .ok_or_else(|| format!("'{}' on the board is not a piece", sign.escape_debug()))?;
            let square = Square::at(rank_of(place), file)
                .ok_or_else(|| format!("a rank of more than 8 squares ({})", place + 1))?;
            board[square.index()] = found;
            file += 1;
        }
        if file != 8 {
            return Err(format!("a rank of {file} squares (expected 8)"));
        }
    }
    Ok(board)
}

/// Writes what [`read_ranks`] reads; `sign` has the sign of a piece.
fn write_ranks(
    position: &Position,
    rank_of: impl Fn(usize) -> usize,
    face_down: char,
    sign: impl Fn(Piece) -> char,
) -> String {
    let rank = |place: usize| {
        let (mut text, mut empty) = (String::new(), 0);
        for square in (0..8).filter_map(|file| Square::at(rank_of(place), file)) {
            let sign = match position.content(square) {
                Content::Empty => {
                    empty += 1;
                    continue;
                }
                Content::FaceDown => face_down,
                Content::FaceUp(piece) => sign(piece),
            };
            push_count(&mut text, &mut empty);
            text.push(sign);
        }
        push_count(&mut text, &mut empty);
        text
    };
    [0, 1, 2, 3].map(rank).join("/")
}

/// Writes how many squares are empty, and counts anew.
fn push_count(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// A board read from a text that may be damaged.
struct Drawing {
    /// The squares that are certain; the others are unreadable.
    certain: [Cell; SQUARES],
    /// The squares as far as they can be guessed.
    likely: [Cell; SQUARES],
    /// What is wrong.
    doubts: Vec<String>,
}

/// Reads a board like [`read_ranks`], but takes what it can get from a damaged text.
///
/// A rank that is too long or too short may have lost or gained a square anywhere, so none of
/// its squares is certain. If the text has not four ranks, its squares are taken in one row.
fn draw_ranks(
    text: &str,
    rank_of: impl Fn(usize) -> usize,
    content: impl Fn(char) -> Option<Content>,
) -> Drawing {
    let mut drawing = Drawing {
        certain: [Cell::Unreadable; SQUARES],
        likely: [Cell::Unreadable; SQUARES],
        doubts: Vec::new(),
    };
    let ranks: Vec<&str> = text.split('/').collect();
    let count = ranks.len();
    if count == 4 {
        for (place, rank) in ranks.into_iter().enumerate() {
            let row = drawing.row(rank, &content);
            drawing.place(rank_of(place), &row, row.len() == 8);
            if row.len() != 8 {
                let reason = format!("a rank of {} squares (expected 8)", row.len());
                drawing.doubts.push(reason);
            }
        }
        return drawing;
    }
    let row = drawing.row(&ranks.concat(), &content);
    for (place, rank) in row.chunks(8).enumerate().take(4) {
        drawing.place(rank_of(place), rank, row.len() == SQUARES);
    }
    let reason = format!("{count} ranks (expected 4, separated by /)");
    drawing.doubts.push(reason);
    drawing
}

impl Drawing {
    fn row(&mut self, text: &str, content: impl Fn(char) -> Option<Content>) -> Vec<Cell> {
        let mut row = Vec::new();
        for sign in text.chars() {
            let cell = match (sign.to_digit(10), content(sign)) {
                (Some(empty), _) => {
                    row.extend(vec![Cell::Known(Content::Empty); empty as usize]);
                    continue;
                }
                (None, Some(content)) => Cell::Known(content),
                (None, None) if sign.is_ascii_alphabetic() => Cell::Strange,
                (None, None) => Cell::Unreadable,
            };
            if !matches!(cell, Cell::Known(_)) {
                let sign = sign.escape_debug();
                self.doubts
                    .push(format!("'{sign}' on the board is not a piece"));
            }
            row.push(cell);
        }
        row
    }

    fn place(&mut self, rank: usize, row: &[Cell], is_certain: bool) {
        for (file, &cell) in row.iter().enumerate() {
            if let Some(square) = Square::at(rank, file) {
                self.likely[square.index()] = cell;
                if is_certain {
                    self.certain[square.index()] = cell;
                }
            }
        }
    }
}

/// Returns the piece with this letter among seven, king first, upper case for `upper`.
fn piece_among(letters: &str, upper: Color, sign: char) -> Option<Piece> {
    let place = letters.find(sign.to_ascii_uppercase())?;
    let color = if sign.is_ascii_uppercase() {
        upper
    } else {
        !upper
    };
    Some(Piece::new(color, Role::ALL[place]))
}

/// Returns a piece's letter among seven, as [`piece_among`] reads it.
fn letter_among(letters: &str, upper: Color, piece: Piece) -> char {
    let letter = char::from(letters.as_bytes()[piece.role().index()]);
    if piece.color() == upper {
        letter
    } else {
        letter.to_ascii_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_placed_where_the_dialect_has_them() {
        let content = |sign| (sign == '?').then_some(Content::FaceDown);
        let board = read_ranks("7?/8/8/8", |place| 3 - place, content).expect("a board");
        let place = Square::at(3, 7).expect("the corner d8");
        assert_eq!(board[place.index()], Content::FaceDown);
        assert_eq!(board.iter().filter(|c| **c != Content::Empty).count(), 1);
        // A bad sign is quoted without control characters.
        let told = read_ranks("\u{1b}7/8/8/8", |place| place, content).expect_err("no piece");
        assert!(told.contains("\\u{1b}"), "{told}");
    }

    #[test]
    fn a_damaged_board_keeps_the_squares_that_are_certain() {
        let content = |sign| (sign == '?').then_some(Content::FaceDown);
        let draw = |text: &str| draw_ranks(text, |place| place, content);
        let known = |cells: &[Cell; SQUARES]| {
            let known = |cell: &&Cell| matches!(cell, Cell::Known(_));
            cells.iter().filter(known).count()
        };
        let face_down = |cells: &[Cell; SQUARES]| {
            let is_down = |cell: &&Cell| **cell == Cell::Known(Content::FaceDown);
            cells.iter().filter(is_down).count()
        };
        let whole = draw("7?/8/8/8");
        assert_eq!((known(&whole.certain), whole.doubts.len()), (32, 0));
        // A strange letter, an unreadable sign, a short rank, a long one.
        for (text, certain, likely) in [
            ("D7/8/8/8", 31, 31),
            ("*7/8/8/8", 31, 31),
            ("7/8/8/8", 24, 31),
            ("9/8/8/8", 24, 32),
            ("8?/8/8/8", 24, 32),
            ("8/8/8", 0, 24),
            ("88/8/8", 32, 32),
            ("", 0, 0),
        ] {
            let drawing = draw(text);
            assert_eq!(known(&drawing.certain), certain, "{text}");
            assert_eq!(known(&drawing.likely), likely, "{text}");
            assert_eq!(drawing.doubts.len(), 1, "{text}: {:?}", drawing.doubts);
            assert_eq!(face_down(&drawing.certain), 0, "{text}");
        }
    }

    #[test]
    fn upper_case_is_the_colour_that_the_dialect_says() {
        let piece = |upper, sign| piece_among("GAERHCS", upper, sign).map(Piece::letter);
        assert_eq!(piece(Color::Red, 'G'), Some('K'));
        assert_eq!(piece(Color::Red, 's'), Some('p'));
        assert_eq!(piece(Color::Black, 'G'), Some('k'));
        assert_eq!(piece(Color::Red, 'K'), None);
        assert_eq!(piece(Color::Red, '帥'), None);
    }
}
