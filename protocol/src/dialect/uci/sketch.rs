//! The board of a `position` line that may be refused.
//!
//! A `go` after it must still be answered, by an action that is legal on the board that was
//! meant. So the board is read as far as it can be, and moves are played unchecked.

use super::action::read_action;
use super::fen::content;
use crate::dialect::{Diagram, draw_ranks};
use anqi_rules::{Color, Position};

/// Returns the board that a `position` line draws, `None` if it draws none.
///
/// ```
/// use anqi_protocol::dialect::uci::sketch;
///
/// // Two red kings; the second takes the guard.
/// let board = sketch(b"position fen GG6/8/8/1a5X r - 0 1 moves b3b0").expect("a board");
/// assert!(board.position().is_err());
/// let line = b"position fen G7/8/8/1a5X r - 3 1";
/// assert!(sketch(line).expect("a board").position().is_ok());
/// ```
pub fn sketch(line: &[u8]) -> Option<Diagram> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_ascii_whitespace();
    words.find(|word| *word == "position")?;
    let mut diagram = match words.next()? {
        "startpos" => Diagram::of(&Position::start()),
        "fen" => board(words.next()?, words.next())?,
        _ => return None,
    };
    words.find(|word| *word == "moves");
    for action in words.filter_map(read_action) {
        diagram.force(action);
    }
    Some(diagram)
}

fn board(ranks: &str, turn: Option<&str>) -> Option<Diagram> {
    if !ranks.contains('/') {
        return None;
    }
    let turn = match turn {
        Some("r") => Some(Color::Red),
        Some("b") => Some(Color::Black),
        _ => None,
    };
    let drawing = draw_ranks(ranks, |place| 3 - place, content);
    let certain = Diagram::new(drawing.certain, turn);
    match certain.safest() {
        Some(_) => Some(certain),
        None => Some(Diagram::new(drawing.likely, turn)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::uci::write_action;

    fn actions(line: &str) -> Option<String> {
        let actions = sketch(line.as_bytes())?.actions();
        let words: Vec<String> = actions.into_iter().map(write_action).collect();
        Some(words.join(" "))
    }

    #[test]
    fn boards_are_drawn_whatever_their_bags_and_moves() {
        let told = |line: &str| actions(line).expect(line);
        assert_eq!(told("position fen 8/8/8/G6a r - 0 1"), "a0b0 a0a1");
        // A bag that does not fit, no turn, a rank that is too long.
        assert_eq!(told("position fen 8/8/8/X6a b - 0 1"), "a0a0 h0g0 h0h1");
        assert_eq!(told("position fen 8/8/8/X7 ? s2"), "a0a0");
        assert_eq!(told("position fen 9/8/8/X7"), "a0a0");
        // Moves are played, even illegal ones; a flipped piece is nobody's.
        assert_eq!(told("position fen 8/8/8/G6a r - 0 1 moves a0h0"), "");
        assert_eq!(
            told("position fen 8/8/8/G6a r - 0 1 moves h0g0"),
            "g0f0 g0h0 g0g1".replace("g0f0 g0h0 g0g1", &told("position fen 8/8/8/G5a1 b - 0 1"))
        );
        let flipped = told("position fen 8/8/8/G5X1 r s1 0 1 moves g0g0");
        assert_eq!(flipped, "");
        assert_eq!(told("position startpos").split(' ').count(), 32);
    }

    #[test]
    fn lines_without_a_board_draw_none() {
        for line in [
            "",
            "position",
            "position fen",
            "position fen 8",
            "go depth 1",
        ] {
            assert_eq!(actions(line), None, "{line}");
        }
    }
}
