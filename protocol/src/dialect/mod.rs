//! Two other languages that banqi programs speak, as far as text goes.
//!
//! Both lay the board on its side, eight files by four ranks: a file is our
//! row, a rank our column. Which way round is a matter of taste, as the rules
//! have the board's symmetries; it must only be the same in both directions.

pub mod lines;
pub mod uci;

use anqi_rules::{Color, Content, Piece, Role, Square};

/// Reads four ranks of eight files; `rank_of` says which rank comes where.
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
