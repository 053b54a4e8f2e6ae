//! The columns of each table.

use std::str::FromStr;

/// A table: its name on the command line, and its columns in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns.
    pub columns: &'static [Column],
}

/// A table about matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A row for each match.
    Matches,
    /// A row for each game.
    Games,
    /// A row for each flip, with its luck.
    Flips,
}

impl What {
    /// Every table.
    pub const ALL: [What; 3] = [What::Matches, What::Games, What::Flips];

    /// Returns the table's name and columns.
    pub const fn table(self) -> Table {
        match self {
            What::Matches => Table {
                name: "matches",
                columns: MATCHES,
            },
            What::Games => Table {
                name: "games",
                columns: GAMES,
            },
            What::Flips => Table {
                name: "flips",
                columns: FLIPS,
            },
        }
    }
}

impl FromStr for What {
    type Err = String;

    fn from_str(text: &str) -> Result<What, String> {
        let found = What::ALL.into_iter().find(|what| what.table().name == text);
        found.ok_or_else(|| format!("'{text}' is no table (expected matches, games or flips)"))
    }
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// A whole number of 64 bits, with a sign.
    Integer,
    /// A floating-point number of 64 bits.
    Number,
    /// Text in UTF-8.
    Text,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What its cells hold; any of them may be missing.
    pub kind: ColumnKind,
}

/// Returns a column of whole numbers.
pub const fn integer(name: &'static str) -> Column {
    let kind = ColumnKind::Integer;
    Column { name, kind }
}

/// Returns a column of numbers.
pub const fn number(name: &'static str) -> Column {
    let kind = ColumnKind::Number;
    Column { name, kind }
}

/// Returns a column of text.
pub const fn text(name: &'static str) -> Column {
    let kind = ColumnKind::Text;
    Column { name, kind }
}

/// The value of a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// No value.
    Missing,
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
}

impl From<i64> for Cell {
    fn from(value: i64) -> Cell {
        Cell::Integer(value)
    }
}

impl From<i32> for Cell {
    fn from(value: i32) -> Cell {
        Cell::Integer(value.into())
    }
}

impl From<u32> for Cell {
    fn from(value: u32) -> Cell {
        Cell::Integer(value.into())
    }
}

impl From<u64> for Cell {
    /// Seeds use all 64 bits: those of the upper half come out negative, bit for bit the same.
    fn from(value: u64) -> Cell {
        Cell::Integer(value.cast_signed())
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Cell {
        Cell::from(value as u64)
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::Number(value)
    }
}

impl From<String> for Cell {
    fn from(value: String) -> Cell {
        Cell::Text(value)
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Cell {
        Cell::Text(value.to_owned())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Missing, Into::into)
    }
}

const MATCHES: &[Column] = &[
    integer("match"),
    text("folder"),
    text("program"),
    text("player_a"),
    text("player_b"),
    text("name_a"),
    text("name_b"),
    text("limits_a"),
    text("limits_b"),
    text("rules"),
    text("deal"),
    integer("seed"),
    text("adjudication"),
    text("appraiser"),
    integer("games"),
    integer("wins_a"),
    integer("draws"),
    integer("wins_b"),
    integer("faults"),
    number("score_a"),
];

const GAMES: &[Column] = &[
    integer("match"),
    integer("pair"),
    integer("game"),
    text("player_a"),
    text("player_b"),
    text("starter"),
    text("starter_color"),
    text("winner"),
    text("reason"),
    text("detail"),
    number("points_a"),
    number("luck_a"),
    integer("length"),
    integer("flips"),
    integer("captures"),
    integer("nodes_a"),
    integer("nodes_b"),
    integer("last_value_a"),
    integer("last_value_b"),
    integer("thinking_us_a"),
    integer("thinking_us_b"),
    integer("total_us"),
    text("plies"),
];

const FLIPS: &[Column] = &[
    integer("match"),
    integer("pair"),
    integer("game"),
    integer("ply"),
    integer("flip"),
    text("side"),
    text("color"),
    text("square"),
    text("piece"),
    integer("face_down"),
    number("chance"),
    integer("luck_a"),
    integer("luck"),
    text("position"),
];
