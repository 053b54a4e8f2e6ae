//! Actions as UCI for banqi spells them: two squares, file `a`–`h` and rank
//! `0`–`3`; a flip names its square twice.

use anqi_rules::{Action, Square};

/// Reads `b1c1`.
pub fn read_action(word: &str) -> Option<Action> {
    let square = |file: u8, rank: u8| {
        let (file, rank) = (file.checked_sub(b'a')?, rank.checked_sub(b'0')?);
        Square::at(rank.into(), file.into())
    };
    let &[file, rank, to_file, to_rank] = word.as_bytes() else {
        return None;
    };
    Some(Action::step(square(file, rank)?, square(to_file, to_rank)?))
}

/// Writes `b1c1`.
pub fn write_action(action: Action) -> String {
    let square =
        |square: Square| format!("{}{}", (b'a' + square.row() as u8) as char, square.column());
    square(action.from()) + &square(action.to())
}
