//! Actions as numbers: 32 flips, 104 steps, 216 jumps.
//!
//! | numbers | are |
//! |---|---|
//! | 0–31 | flips, by square: `column * 8 + row` |
//! | 32–59 | steps up, towards row 8: `32 + column * 7 + row` |
//! | 60–87 | steps down: `60 + column * 7 + row - 1` |
//! | 88–111 | steps left, towards column a: `88 + (column - 1) * 8 + row` |
//! | 112–135 | steps right: `112 + column * 8 + row` |
//! | 136–351 | jumps of two squares or more along a column or row, in text order |
//!
//! Columns and rows count from 0 and are those of the square that the action starts from. A step of one
//! square is a capture where an enemy stands on its target, a cannon's capture is a jump.

use anqi_rules::{Action, SQUARES, Square};

/// The number of actions.
pub const ACTIONS: usize = 352;
/// The first number of each group.
pub const UP: usize = SQUARES;
pub const DOWN: usize = UP + 28;
pub const LEFT: usize = DOWN + 28;
pub const RIGHT: usize = LEFT + 24;
pub const JUMPS: usize = RIGHT + 24;

/// What no action has as its number.
const NONE: u16 = u16::MAX;

struct Tables {
    /// By the ten bits of an action.
    numbers: [u16; 1024],
    /// By number: the ten bits.
    bits: [u16; ACTIONS],
}

static TABLES: Tables = tables();

const fn number_of(from: usize, to: usize, next_jump: usize) -> usize {
    let (column, row) = (from / 8, from % 8);
    let (other_column, other_row) = (to / 8, to % 8);
    if from == to {
        from
    } else if column == other_column && other_row == row + 1 {
        UP + column * 7 + row
    } else if column == other_column && other_row + 1 == row {
        DOWN + column * 7 + row - 1
    } else if row == other_row && other_column + 1 == column {
        LEFT + (column - 1) * 8 + row
    } else if row == other_row && other_column == column + 1 {
        RIGHT + column * 8 + row
    } else if column == other_column || row == other_row {
        next_jump
    } else {
        NONE as usize
    }
}

const fn tables() -> Tables {
    let mut tables = Tables {
        numbers: [NONE; 1024],
        bits: [0; ACTIONS],
    };
    let mut next_jump = JUMPS;
    let mut bits = 0;
    while bits < 1024 {
        let number = number_of(bits >> 5, bits & 31, next_jump);
        if number == next_jump {
            next_jump += 1;
        }
        if number != NONE as usize {
            tables.numbers[bits] = number as u16;
            tables.bits[number] = bits as u16;
        }
        bits += 1;
    }
    assert!(next_jump == ACTIONS);
    tables
}

/// Returns the number of an action, `None` for squares that no piece ever goes between.
#[inline]
pub fn number(action: Action) -> Option<u32> {
    let number = TABLES.numbers[usize::from(action.bits())];
    (number != NONE).then_some(number.into())
}

/// Returns the action with this number.
#[inline]
pub fn action(number: u32) -> Option<Action> {
    let bits = TABLES.bits.get(number as usize)?;
    Some(Action::from_bits(*bits))
}

/// Returns the place of a jump among all actions.
#[inline]
pub fn jump(from: Square, to: Square) -> usize {
    TABLES.numbers[usize::from(Action::step(from, to).bits())].into()
}
