//! Positions and actions as the UCI dialect for banqi spells them.
//!
//! Its board lies on its side: eight files `a`–`h` by four ranks, so that our
//! row is its file and our column its rank. Ranks come from the fourth down,
//! pieces are `G A E R H C S` (red in upper case), a face-down piece is `X`, and
//! the bag counts what is still hidden: `G1A2…s5`, `-` when it is empty. Moves
//! name both squares with ranks from 0: `b1b2`, a flip names its square twice.

use anqi_rules::{Action, COLUMNS, Color, Content, Piece, Position, ROWS, Square};

/// The letters of the roles, from king to pawn.
const LETTERS: [char; 7] = ['G', 'A', 'E', 'R', 'H', 'C', 'S'];

fn letter(piece: Piece) -> char {
    let upper = LETTERS[piece.role().index()];
    match piece.color() {
        Color::Red => upper,
        Color::Black => upper.to_ascii_lowercase(),
    }
}

/// Writes a position.
pub fn position(position: &Position) -> String {
    let ranks: Vec<String> = (0..COLUMNS)
        .rev()
        .map(|column| rank(position, column, 'X', letter))
        .collect();
    let turn = position.turn().map_or('-', Color::letter);
    format!(
        "{} {turn} {} {} {}",
        ranks.join("/"),
        bag(position),
        position.quiet_counter(),
        position.ply() / 2 + 1
    )
}

/// Writes a rank of a board that lies on its side, with a dialect's signs for pieces.
pub(super) fn rank(
    position: &Position,
    column: usize,
    face_down: char,
    letter: fn(Piece) -> char,
) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for row in 0..ROWS {
        let square = Square::at(column, row).expect("both are on the board");
        let symbol = match position.content(square) {
            Content::Empty => {
                empty += 1;
                continue;
            }
            Content::FaceDown => face_down,
            Content::FaceUp(piece) => letter(piece),
        };
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        text.push(symbol);
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

fn bag(position: &Position) -> String {
    let hidden = position.hidden();
    let kinds = hidden
        .iter()
        .map(|(piece, count)| format!("{}{count}", letter(piece)));
    let text: String = kinds.collect();
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// Writes an action.
pub fn action(action: Action) -> String {
    square(action.from()) + &square(action.to())
}

fn square(square: Square) -> String {
    let file = (b'a' + square.row() as u8) as char;
    format!("{file}{}", square.column())
}

/// Reads an action.
pub fn parse_action(text: &str) -> Option<Action> {
    let (from, to) = text.split_at_checked(2)?;
    Some(Action::step(parse_square(from)?, parse_square(to)?))
}

fn parse_square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'0'..=b'3'] => {
            Square::at((rank - b'0') as usize, (file - b'a') as usize)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_spelt_as_the_dialect_has_them() {
        let start = "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1";
        assert_eq!(position(&Position::start()), start);
        // The king on a1, a black pawn on d8, one piece face down on b2, quiet for 3 plies.
        let ours = "3p/4/4/4/4/4/1?2/K3 r n 3 9";
        let theirs = "7s/8/1X6/G7 r h1 3 5";
        assert_eq!(position(&ours.parse().expect("a position")), theirs);
    }

    #[test]
    fn actions_there_and_back() {
        for ours in Action::all() {
            assert_eq!(parse_action(&action(ours)), Some(ours));
        }
        assert_eq!(action("b1-b1".parse().expect("a flip")), "a1a1");
        assert_eq!(action("d8-c8".parse().expect("a move")), "h3h2");
        for bad in ["", "a0", "a0i0", "a4a4", "(none)", "é0a0", "a0a0a0"] {
            assert_eq!(parse_action(bad), None, "{bad}");
        }
    }
}
