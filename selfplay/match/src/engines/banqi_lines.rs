//! Positions and actions as the one-line dialect spells them.
//!
//! Its board lies on its side, like that of the UCI dialect: eight files `A`–`H`
//! by four ranks, so that our row is its file and our column its rank. Ranks come
//! from the first up, pieces are `K A E R N C P` (black in upper case), a face-down
//! piece is `?`. A flip is `FLIP D2`, a move `MOVE A1 A2`.

use super::banqi_fen::rank;
use anqi_rules::{Action, COLUMNS, Color, Piece, Position, Square};

/// The letters of the roles, from king to pawn.
const LETTERS: [char; 7] = ['K', 'A', 'E', 'R', 'N', 'C', 'P'];

/// Writes board and side to move; the side that makes the first flip is called red.
pub fn board(position: &Position) -> String {
    let ranks: Vec<String> = (0..COLUMNS)
        .map(|column| rank(position, column, '?', letter))
        .collect();
    let turn = position.turn().unwrap_or(Color::Red);
    format!("{} {}", ranks.join("/"), turn.letter())
}

fn letter(piece: Piece) -> char {
    let upper = LETTERS[piece.role().index()];
    match piece.color() {
        Color::Black => upper,
        Color::Red => upper.to_ascii_lowercase(),
    }
}

/// Reads `FLIP D2` or `MOVE A1 A2`.
pub fn parse_action(text: &str) -> Option<Action> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match words[..] {
        ["FLIP", square] => Some(Action::flip(parse_square(square)?)),
        ["MOVE", from, to] => {
            let action = Action::step(parse_square(from)?, parse_square(to)?);
            (!action.is_flip()).then_some(action)
        }
        _ => None,
    }
}

fn parse_square(text: &str) -> Option<Square> {
    match text.as_bytes() {
        [file @ b'A'..=b'H', rank @ b'1'..=b'4'] => {
            Square::at((rank - b'1') as usize, (file - b'A') as usize)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use anqi_protocol::dialect::lines;

    use super::*;

    #[test]
    fn boards_are_spelt_as_the_dialect_has_them() {
        let start = "????????/????????/????????/???????? r";
        assert_eq!(board(&Position::start()), start);
        // The red king on a1, a black pawn on d8, one piece face down on b2.
        let ours = "3p/4/4/4/4/4/1?2/K3 b N 3 9";
        let position = ours.parse().expect("a position");
        assert_eq!(board(&position), "k7/1?6/8/7P b");
        lines::read(&format!("{} 5647 1", board(&position))).expect("the engine's side reads it");
    }

    #[test]
    fn actions_there_and_back() {
        for ours in Action::all() {
            assert_eq!(parse_action(&lines::write_action(ours)), Some(ours));
        }
        for bad in [
            "",
            "FLIP",
            "FLIP I1",
            "FLIP A5",
            "MOVE A1",
            "MOVE A1 A1",
            "flip A1",
            "FLIP A1 A1",
            "a1-a2",
            "FLIP é1",
        ] {
            assert_eq!(parse_action(bad), None, "{bad}");
        }
    }
}
