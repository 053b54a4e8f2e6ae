//! Counting the leaves of the game tree.
//!
//! The count at depth n, with every outcome of every flip counted separately, is a
//! signature of the rules: two implementations that agree on it over many
//! positions agree on the legal actions.

use crate::moves::Action;
use crate::position::Position;

/// Returns the number of ways to play `depth` plies from here, counting each
/// kind of piece that a flip may reveal separately. From the start, depth 1
/// gives 32 × 14 = 448.
///
/// # Examples
///
/// ```
/// use anqi_rules::{Position, perft};
///
/// assert_eq!(perft(&Position::start(), 1), 448);
/// let ending: Position = "K3/4/4/4/4/4/4/3g r - 0 0".parse()?;
/// assert_eq!(perft(&ending, 2), 4, "two steps of the king, two of the guard");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => below(&mut position.clone(), depth),
    }
}

/// Returns the perft counts under each legal action, in text order.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Action, u64)> {
    let count = |action: Action| {
        let mut position = *position;
        match depth {
            0 => 0,
            _ => under(&mut position, action, depth),
        }
    };
    let actions = position.actions();
    actions
        .iter()
        .map(|&action| (action, count(action)))
        .collect()
}

/// Returns the same number as [`perft`], but plays and takes back the last plies too:
/// a benchmark of play and undo.
pub fn perft_played(position: &Position, depth: u32) -> u64 {
    let mut position = *position;
    played(&mut position, depth)
}

fn played(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    let copy = *position;
    copy.for_each_action(|action| {
        if !action.is_flip() {
            let undo = position.step_unchecked(action);
            leaves += played(position, depth - 1);
            position.undo(undo);
            return;
        }
        for (piece, _) in copy.hidden() {
            let undo = position.flip_unchecked(action.from(), piece);
            leaves += played(position, depth - 1);
            position.undo(undo);
        }
    });
    leaves
}

/// Counts to a depth of at least 1; the last ply is counted without being played.
fn below(position: &mut Position, depth: u32) -> u64 {
    if depth == 1 {
        let (flips, moves) = position.count_actions();
        return u64::from(flips) * u64::from(position.hidden().kinds()) + u64::from(moves);
    }
    let mut leaves = 0;
    let copy = *position;
    copy.for_each_action(|action| leaves += under(position, action, depth));
    leaves
}

fn under(position: &mut Position, action: Action, depth: u32) -> u64 {
    if !action.is_flip() {
        let undo = position.step_unchecked(action);
        let leaves = if depth == 1 {
            1
        } else {
            below(position, depth - 1)
        };
        position.undo(undo);
        return leaves;
    }
    let mut leaves = 0;
    for (piece, _) in position.hidden() {
        let undo = position.flip_unchecked(action.from(), piece);
        leaves += if depth == 1 {
            1
        } else {
            below(position, depth - 1)
        };
        position.undo(undo);
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_counts() {
        let start = Position::start();
        assert_eq!(perft(&start, 0), 1);
        assert_eq!(perft(&start, 1), 448);
        assert_eq!(perft_played(&start, 2), perft(&start, 2));
        let divided: u64 = perft_divide(&start, 2).iter().map(|(_, n)| n).sum();
        assert_eq!(divided, perft(&start, 2));
    }

    #[test]
    fn nothing_is_counted_under_actions_at_depth_zero() {
        let counts = perft_divide(&Position::start(), 0);
        assert_eq!(counts.len(), 32);
        assert!(counts.iter().all(|(_, leaves)| *leaves == 0));
    }
}
