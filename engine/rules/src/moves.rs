//! Actions, plies and cannon jumps.
//!
//! An [`Action`] is a player's decision: a flip (a square twice) or a step from
//! one square to another. A [`Ply`] is the action with its result: for a flip,
//! the piece that appeared.
//!
//! Cannon jumps are looked up: a column is one byte of the occupied set, so
//! jumps along it depend only on the cannon's row and that byte; jumps along a
//! row depend on the column and on four bits gathered from the four bytes.

use crate::piece::Piece;
use crate::square::{COLUMNS, ROWS, Square, SquareSet};
use smallvec::SmallVec;
use std::fmt;

/// A flip, a move or a capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

/// The legal actions of a position; more than 64 are rare.
pub type ActionList = SmallVec<[Action; 64]>;

impl Action {
    /// Returns the flip of a face-down square.
    #[inline]
    pub const fn flip(square: Square) -> Action {
        Action::step(square, square)
    }

    /// Returns the move or capture from one square to another.
    ///
    /// A step from a square to itself is the flip of that square.
    #[inline]
    pub const fn step(from: Square, to: Square) -> Action {
        Action((from.index() as u16) << 5 | to.index() as u16)
    }

    /// Returns the action with these ten bits, as [`Action::bits`] returns them.
    #[inline]
    pub const fn from_bits(bits: u16) -> Action {
        Action(bits & 1023)
    }

    /// Returns the action as ten bits; their order is the text order of actions.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the square the action starts from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0 >> 5)
    }

    /// Returns the square the action ends on.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits(self.0)
    }

    /// Returns whether the action is a flip.
    #[inline]
    pub const fn is_flip(self) -> bool {
        self.0 >> 5 == self.0 & 31
    }

    /// Iterates over all 1,024 representable actions.
    pub fn all() -> impl Iterator<Item = Action> {
        (0..1024).map(Action)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from(), self.to())
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An action with what it revealed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The action.
    pub action: Action,
    /// The piece that a flip revealed; `None` for moves and captures.
    pub reveal: Option<Piece>,
}

impl Ply {
    /// Returns the ply of a flip that revealed `piece`.
    #[inline]
    pub const fn flip(square: Square, piece: Piece) -> Ply {
        Ply {
            action: Action::flip(square),
            reveal: Some(piece),
        }
    }

    /// Returns the ply of a move or capture.
    #[inline]
    pub const fn step(from: Square, to: Square) -> Ply {
        Ply {
            action: Action::step(from, to),
            reveal: None,
        }
    }
}

impl From<Action> for Ply {
    /// Returns the ply of an action without a reveal.
    fn from(action: Action) -> Ply {
        Ply {
            action,
            reveal: None,
        }
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reveal {
            Some(piece) => write!(f, "{}({piece})", self.action.from()),
            None => fmt::Display::fmt(&self.action, f),
        }
    }
}

impl fmt::Debug for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Returns the squares a cannon on `square` could capture on by jumping over
/// exactly one of the `occupied` squares, whatever stands there.
///
/// Includes a square only if it is itself occupied.
#[inline]
pub fn jump_targets(square: Square, occupied: SquareSet) -> SquareSet {
    jump_squares(square, occupied) & occupied
}

/// Returns the squares that have exactly one of the `occupied` squares between
/// them and `square`, themselves occupied or not.
///
/// The relation is symmetric: these are also the squares from which a cannon
/// could capture on `square`.
#[inline]
pub fn jump_squares(square: Square, occupied: SquareSet) -> SquareSet {
    let (column, row) = (square.column(), square.row());
    let column_byte = (occupied.0 >> (column * ROWS) & 0xff) as usize;
    let along_column = u32::from(COLUMN_JUMPS[row][column_byte]) << (column * ROWS);
    // Gather the row's four bits: bit 8c of the shifted set becomes bit c.
    let spread = occupied.0 >> row & 0x0101_0101;
    let row_bits = (spread.wrapping_mul(0x1020_4080) >> 28 & 15) as usize;
    let along_row = ROW_JUMPS[column][row_bits] << row;
    SquareSet(along_column | along_row)
}

/// The squares of a line with exactly one screen between them and `place`, as bits of the line.
const fn line_jumps(place: usize, occupied: usize, length: usize) -> usize {
    let mut found = 0;
    let mut screens = 0;
    let mut index = place + 1;
    while index < length {
        if screens == 1 {
            found |= 1 << index;
        }
        screens += occupied >> index & 1;
        index += 1;
    }
    screens = 0;
    index = place;
    while index > 0 {
        index -= 1;
        if screens == 1 {
            found |= 1 << index;
        }
        screens += occupied >> index & 1;
    }
    found
}

/// Returns, for each place of a line and each set of occupied places in it, the places that have exactly
/// one of these between: `1 << PLACES` is `SETS`.
pub const fn jumps_of_line<const PLACES: usize, const SETS: usize>() -> [[u8; SETS]; PLACES] {
    let mut table = [[0; SETS]; PLACES];
    let mut place = 0;
    while place < PLACES {
        let mut occupied = 0;
        while occupied < SETS {
            table[place][occupied] = line_jumps(place, occupied, PLACES) as u8;
            occupied += 1;
        }
        place += 1;
    }
    table
}

static COLUMN_JUMPS: [[u8; 256]; ROWS] = jumps_of_line();

/// Squares spread to the bits of row 1, one byte per column.
static ROW_JUMPS: [[u32; 16]; COLUMNS] = {
    let lines: [[u8; 16]; COLUMNS] = jumps_of_line();
    let mut table = [[0; 16]; COLUMNS];
    let mut column = 0;
    while column < COLUMNS {
        let mut occupied = 0;
        while occupied < 16 {
            let line = lines[column][occupied] as u32;
            table[column][occupied] =
                line & 1 | (line & 2) << 7 | (line & 4) << 14 | (line & 8) << 21;
            occupied += 1;
        }
        column += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the four directions one square at a time.
    fn jumps_by_walking(square: Square, occupied: SquareSet) -> SquareSet {
        let mut targets = SquareSet::EMPTY;
        for (dc, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut column, mut row) = (square.column() as i32, square.row() as i32);
            let mut screens = 0;
            loop {
                (column, row) = (column + dc, row + dr);
                let Some(next) = usize::try_from(column)
                    .ok()
                    .zip(usize::try_from(row).ok())
                    .and_then(|(column, row)| Square::at(column, row))
                else {
                    break;
                };
                if occupied.contains(next) {
                    screens += 1;
                    if screens == 2 {
                        targets.insert(next);
                    }
                }
            }
        }
        targets
    }

    #[test]
    fn looked_up_jumps_equal_walked_jumps() {
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let occupied = SquareSet((state >> 32) as u32);
            for square in Square::all() {
                assert_eq!(
                    jump_targets(square, occupied),
                    jumps_by_walking(square, occupied),
                    "{square} {occupied:?}"
                );
            }
        }
    }

    #[test]
    fn jump_squares_have_one_occupied_square_between() {
        let mut state = 7u64;
        for _ in 0..3000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let occupied = SquareSet((state >> 32) as u32 & (state >> 11) as u32);
            for square in Square::all() {
                let slow: SquareSet = Square::all()
                    .filter(|other| (square.between(*other) & occupied).len() == 1)
                    .collect();
                assert_eq!(
                    jump_squares(square, occupied),
                    slow,
                    "{square} {occupied:?}"
                );
            }
        }
    }

    #[test]
    fn bits_order_is_text_order() {
        let texts: Vec<String> = Action::all().map(|a| a.to_string()).collect();
        assert!(texts.is_sorted());
    }
}
