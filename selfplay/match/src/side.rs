//! The two contestants of a match, A and B, and one value for each.
//!
//! A side is a participant, not a colour and not a seat at the table: within a
//! pair each side starts once, and the first flip decides its colour.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

use serde::{Deserialize, Serialize};

/// One of the two contestants of a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player named by `--a`.
    A,
    /// The player named by `--b`.
    B,
}

impl Side {
    /// Both sides, A first.
    pub const ALL: [Side; 2] = [Side::A, Side::B];

    /// Returns 0 for A and 1 for B.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter used on the command line and in records.
    pub const fn letter(self) -> char {
        match self {
            Side::A => 'a',
            Side::B => 'b',
        }
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::A => "A",
            Side::B => "B",
        })
    }
}

/// One value for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The value of side A.
    pub a: T,
    /// The value of side B.
    pub b: T,
}

impl<T> BySide<T> {
    /// Makes one value for each side.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> BySide<T> {
        let a = make(Side::A);
        BySide {
            a,
            b: make(Side::B),
        }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }
}
