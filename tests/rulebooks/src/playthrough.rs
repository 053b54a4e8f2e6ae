//! The reader of the games that OpenSpiel has played (`data/openspiel-playthroughs.txt.gz`).
//!
//! `data/README.md` describes the format; `openspiel/make_playthroughs.py` writes the file. The reader panics at a line
//! that it does not understand, and names it: a line silently skipped would be a check silently not made.

use flate2::read::GzDecoder;
use std::io::Read;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The number of leaves of a position at a depth.
    Perft {
        /// Plies down.
        depth: u32,
        /// Leaves, each possible reveal counted once.
        leaves: u64,
        /// The position string.
        position: String,
    },
    /// A new game starts.
    Game(String),
    /// The position at this place of the game.
    At(String),
    /// A ply, and what was legal before it.
    Ply {
        /// The ply as records write it.
        ply: String,
        /// How many actions were legal before it.
        legal: usize,
        /// The check of their list.
        check: u16,
    },
    /// One side has lost all its pieces while others are face down: OpenSpiel plays on, we do not.
    Wiped {
        /// The side without pieces, `r` or `b`.
        loser: char,
        /// The position string.
        position: String,
    },
    /// OpenSpiel's game is over.
    End {
        /// `red wins`, `black wins` or `draw`.
        result: String,
        /// The position string.
        position: String,
    },
}

/// Returns the lines of the file after its head.
///
/// # Panics
///
/// Panics at the first line that is not as described.
pub fn playthroughs() -> Vec<Line> {
    let packed: &[u8] = include_bytes!("../data/openspiel-playthroughs.txt.gz");
    let mut text = String::new();
    GzDecoder::new(packed)
        .read_to_string(&mut text)
        .expect("the file in the repository is whole");
    let mut lines = text.lines();
    let head = lines.next().expect("the file has a head");
    assert!(
        head.starts_with("openspiel-playthroughs 1 "),
        "unknown format: {head}"
    );
    lines
        .map(|line| read(line).unwrap_or_else(|| panic!("unreadable line: {line}")))
        .collect()
}

fn read(line: &str) -> Option<Line> {
    let (kind, rest) = line.split_once(' ')?;
    Some(match kind {
        "perft" => {
            let (depth, rest) = rest.split_once(' ')?;
            let (leaves, position) = rest.split_once(' ')?;
            Line::Perft {
                depth: depth.parse().ok()?,
                leaves: leaves.parse().ok()?,
                position: position.to_string(),
            }
        }
        "game" => Line::Game(rest.to_string()),
        "at" => Line::At(rest.to_string()),
        "wiped" => Line::Wiped {
            loser: rest.chars().next()?,
            position: rest.get(2..)?.to_string(),
        },
        "end" => {
            let result = ["red wins", "black wins", "draw"]
                .into_iter()
                .find(|result| rest.starts_with(result))?;
            Line::End {
                result: result.to_string(),
                position: rest.get(result.len() + 1..)?.to_string(),
            }
        }
        ply => {
            let (legal, check) = rest.split_once(' ')?;
            Line::Ply {
                ply: ply.to_string(),
                legal: legal.parse().ok()?,
                check: u16::from_str_radix(check, 16).ok()?,
            }
        }
    })
}

/// Returns the 16-bit check of a sorted list of actions: FNV-1a over its text, folded twice.
pub fn check(actions: &[String]) -> u16 {
    let mut value: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in actions.join(" ").bytes() {
        value = (value ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    value ^= value >> 32;
    ((value ^ value >> 16) & 0xffff) as u16
}
