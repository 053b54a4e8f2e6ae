//! The columns of each table.

use std::str::FromStr;

/// Which table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A row for each match.
    Matches,
    /// A row for each game.
    Games,
    /// A row for each flip, with its luck.
    Flips,
    /// A row for each training position.
    Positions,
}

impl What {
    /// Every table.
    pub const ALL: [What; 4] = [What::Matches, What::Games, What::Flips, What::Positions];

    /// Returns the word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            What::Matches => "matches",
            What::Games => "games",
            What::Flips => "flips",
            What::Positions => "positions",
        }
    }

    /// Returns the columns, in order.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            What::Matches => MATCHES,
            What::Games => GAMES,
            What::Flips => FLIPS,
            What::Positions => POSITIONS,
        }
    }
}

impl FromStr for What {
    type Err = String;

    fn from_str(text: &str) -> Result<What, String> {
        let found = What::ALL.into_iter().find(|what| what.name() == text);
        found.ok_or_else(|| {
            format!("'{text}' is no table (expected matches, games, flips or positions)")
        })
    }
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
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
    pub kind: Kind,
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

const fn integer(name: &'static str) -> Column {
    let kind = Kind::Integer;
    Column { name, kind }
}

const fn number(name: &'static str) -> Column {
    let kind = Kind::Number;
    Column { name, kind }
}

const fn text(name: &'static str) -> Column {
    let kind = Kind::Text;
    Column { name, kind }
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

const POSITIONS: &[Column] = &[
    text("file"),
    integer("seed"),
    integer("game"),
    integer("ply"),
    integer("quiet"),
    text("position"),
    text("turn"),
    integer("pieces_red"),
    integer("pieces_black"),
    integer("face_down"),
    integer("value"),
    integer("result"),
    text("best"),
    integer("depth"),
];
