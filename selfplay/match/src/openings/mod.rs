//! Opening suites: positions that games begin at instead of the usual start.
//!
//! A suite is a text file with one position a line; `#` starts a comment. Pair `k`
//! of a match begins at position `k` modulo their number, and each side moves
//! first once. The face-down pieces are shuffled for each pair.
//!
//! The positions are part of a match: its folder lists them, and every record
//! says where its games began.

pub mod endings;
pub mod suite;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anqi_files::read_text_limited;
use anqi_rules::{Game, Outcome, Position, Rules};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Size limit of a file in bytes: a hundred thousand openings with comments.
const FILE_BYTES: u64 = 1 << 24;

/// A position that a game begins at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening(pub Position);

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Opening, D::Error> {
        let text = String::deserialize(from)?;
        let position = text.parse();
        position
            .map(Opening)
            .map_err(|error| de::Error::custom(format!("'{text}' is {error}")))
    }
}

/// The openings of a match; without any, all games begin at the usual start.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Opening>", into = "Vec<Opening>")]
pub struct Openings(Arc<[Opening]>);

impl From<Vec<Opening>> for Openings {
    fn from(all: Vec<Opening>) -> Openings {
        Openings(all.into())
    }
}

impl From<Openings> for Vec<Opening> {
    fn from(openings: Openings) -> Vec<Opening> {
        openings.0.to_vec()
    }
}

/// Why a file is not a file of openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line is no opening.
    #[error("{}, line {line}: {fault}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: OpeningFault,
    },
    /// There is none.
    #[error("{}: holds no position (expected one a line)", .0.display())]
    Empty(PathBuf),
}

/// Why a line is no opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningFault {
    /// It is no position.
    #[error("'{text}' is {error}")]
    NoPosition {
        /// The line.
        text: String,
        /// Why.
        error: String,
    },
    /// A game would end there at once.
    #[error("'{text}' is the end of a game ({outcome}), not the beginning of one")]
    Over {
        /// The line.
        text: String,
        /// How it has ended.
        outcome: Outcome,
    },
    /// It repeats an earlier line.
    #[error("'{text}' is on line {first} already")]
    Repeated {
        /// The line.
        text: String,
        /// Where it was.
        first: usize,
    },
}

impl Openings {
    /// Makes a suite of these positions.
    pub fn new(positions: impl IntoIterator<Item = Position>) -> Openings {
        Openings(positions.into_iter().map(Opening).collect())
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns an error that names the line that is no opening under these rules.
    pub fn read(path: &Path, rules: Rules) -> Result<Openings, OpeningsError> {
        let text = read_text_limited(path, FILE_BYTES).map_err(|error| OpeningsError::File {
            path: path.to_owned(),
            error,
        })?;
        let openings = Openings::parse(&text, rules);
        let openings = openings.map_err(|(line, fault)| OpeningsError::Line {
            path: path.to_owned(),
            line,
            fault,
        })?;
        if openings.is_empty() {
            Err(OpeningsError::Empty(path.to_owned()))
        } else {
            Ok(openings)
        }
    }

    /// Reads the text of a file; an error says on which line.
    fn parse(text: &str, rules: Rules) -> Result<Openings, (usize, OpeningFault)> {
        let mut lines = HashMap::new();
        let mut all = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let text = line.split('#').next().unwrap_or(line).trim();
            if text.is_empty() {
                continue;
            }
            let number = index + 1;
            let position = opening(text, rules).map_err(|fault| (number, fault))?;
            if let Some(first) = lines.insert(position.to_string(), number) {
                let text = text.to_owned();
                return Err((number, OpeningFault::Repeated { text, first }));
            }
            all.push(Opening(position));
        }
        Ok(Openings(all.into()))
    }

    /// Returns whether games begin at the usual start.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns where a pair begins, if not at the usual start.
    pub fn of_pair(&self, pair: u64) -> Option<Opening> {
        let place = pair.checked_rem(self.0.len() as u64)?;
        Some(self.0[place as usize])
    }

    /// Returns the first one.
    pub fn first(&self) -> Option<&Position> {
        self.0.first().map(|opening| &opening.0)
    }
}

impl fmt::Display for Openings {
    /// Writes their number and a checksum.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("the usual start");
        }
        let mut sum = crc32fast::Hasher::new();
        for opening in &*self.0 {
            sum.update(format!("{}\n", opening.0).as_bytes());
        }
        let count = self.len();
        let positions = if count == 1 { "position" } else { "positions" };
        write!(f, "{count} {positions} (checksum {:08x})", sum.finalize())
    }
}

fn opening(text: &str, rules: Rules) -> Result<Position, OpeningFault> {
    let parsed: Result<Position, _> = text.parse();
    let position = parsed.map_err(|error| OpeningFault::NoPosition {
        text: text.to_owned(),
        error: error.to_string(),
    })?;
    match Game::new(position, rules).outcome() {
        None => Ok(position),
        Some(outcome) => Err(OpeningFault::Over {
            text: text.to_owned(),
            outcome,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: &str = "K1p1/1?2/4/c?P1/4/2r1/4/1G?? r GRNp 0 20";
    const FEW: &str = "K3/4/4/4/4/4/4/2k? r p 0 0";

    fn parse(text: &str) -> Result<Openings, (usize, OpeningFault)> {
        Openings::parse(text, Rules::OLYMPIAD)
    }

    #[test]
    fn a_position_a_line_with_comments() {
        let text = format!("# a suite\n\n{OPEN} # level\n  {FEW}\n");
        let openings = parse(&text).expect("openings");
        assert_eq!(openings.len(), 2);
        let at = |pair| openings.of_pair(pair).expect("an opening").0.to_string();
        assert_eq!([at(0), at(1), at(2)], [OPEN, FEW, OPEN]);
        assert_eq!(Openings::default().of_pair(3), None);
        assert!(openings.to_string().starts_with("2 positions (checksum "));
    }

    #[test]
    fn bad_lines_are_refused_by_number() {
        let refused = |text: &str| {
            let (line, fault) = parse(text).expect_err("no openings");
            format!("{line}: {fault}")
        };
        assert!(refused("\nhello").starts_with("2: 'hello' is not a position"));
        let twice = format!("{OPEN}\n{FEW}\n{OPEN}");
        assert!(refused(&twice).ends_with("is on line 1 already"));
        let over = refused("4/4/4/4/4/4/4/k3 r - 0 0");
        assert!(over.contains("the end of a game"), "{over}");
        let drawn = refused("K3/4/4/4/4/4/4/k3 r - 180 180");
        assert!(drawn.contains("the end of a game"), "{drawn}");
    }

    #[test]
    fn openings_are_text_in_records() {
        let openings = parse(&format!("{OPEN}\n{FEW}")).expect("openings");
        let text = serde_json::to_string(&openings).expect("JSON");
        assert_eq!(text, format!("[\"{OPEN}\",\"{FEW}\"]"));
        assert_eq!(
            serde_json::from_str::<Openings>(&text).expect("openings"),
            openings
        );
        let error = serde_json::from_str::<Openings>("[\"tea\"]").expect_err("no position");
        assert!(
            error.to_string().contains("'tea' is not a position"),
            "{error}"
        );
    }
}
