//! Actions in UCI for banqi: two squares, file `a`–`h` and rank `0`–`3`; a flip
//! has its square twice.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_read_as_they_are_written() {
        for action in Action::all() {
            assert_eq!(read_action(&write_action(action)), Some(action));
        }
        assert_eq!(
            read_action("b0b0").map(|a| a.to_string()).as_deref(),
            Some("a2-a2")
        );
        assert_eq!(
            read_action("h3g3").map(|a| a.to_string()).as_deref(),
            Some("d8-d7")
        );
        for bad in ["", "a0", "a4a0", "i0a0", "a0a0a0", "a-a-"] {
            assert_eq!(read_action(bad), None, "{bad}");
        }
    }
}
