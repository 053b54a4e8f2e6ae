//! Two other dialects of banqi programs.
//!
//! Both lay the board on its side, eight files by four ranks: a file is our
//! row, a rank our column. Either orientation would do, as the rules are
//! symmetric, but reading and writing must use the same.

pub mod lines;
pub mod uci;

use anqi_rules::{Color, Content, Piece, Role, Square};

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
                .ok_or_else(|| format!("'{}' on the board is no piece", sign.escape_debug()))?;
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
    fn upper_case_is_the_colour_that_the_dialect_says() {
        let piece = |upper, sign| piece_among("GAERHCS", upper, sign).map(Piece::letter);
        assert_eq!(piece(Color::Red, 'G'), Some('K'));
        assert_eq!(piece(Color::Red, 's'), Some('p'));
        assert_eq!(piece(Color::Black, 'G'), Some('k'));
        assert_eq!(piece(Color::Red, 'K'), None);
        assert_eq!(piece(Color::Red, '帥'), None);
    }
}
