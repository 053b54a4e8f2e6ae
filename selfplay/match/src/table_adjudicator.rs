//! Ending games by tables: only where the value is certain under the rules of the match.
//!
//! A table knows a position, not its history. So a game is looked up right after
//! a capture or a flip, when the quiet counter is zero and no earlier position can
//! recur. Tables of up to four pieces are solved in memory for the quiet limit of
//! the rules. Files of larger ones hold values of unlimited play; for them
//!
//! - a draw is a draw, because a limit makes winning no easier;
//! - a win whose next capture comes too late is a draw for the same reason;
//! - a win whose next capture comes in time is certain if no smaller set has a
//!   win that the limit could spoil. Otherwise the game continues.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anqi_rules::{Color, Game, Rules};
use anqi_tablebase::classes::Units;
use anqi_tablebase::file::{Metric, TableFile, table_name};
use anqi_tablebase::{TableError, TableValue, Tables, Wdl};

use crate::adjudication::TableRule;
use crate::live::warn;

/// Most pieces of tables solved in memory.
const IN_MEMORY: u32 = 4;

/// Which tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableChoice {
    /// Those of up to this many pieces, solved in memory.
    InMemory(u32),
    /// Those in a folder.
    Folder(PathBuf),
}

impl FromStr for TableChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<TableChoice, String> {
        match text.parse::<u32>() {
            Ok(pieces @ 2..=IN_MEMORY) => Ok(TableChoice::InMemory(pieces)),
            Ok(_) => Err(format!(
                "tables of 2 to {IN_MEMORY} pieces are solved in memory; larger ones come from a folder"
            )),
            Err(_) => Ok(TableChoice::Folder(text.into())),
        }
    }
}

/// Why tables cannot adjudicate.
#[derive(Debug, thiserror::Error)]
pub enum AdjudicatorError {
    /// A table is missing from a folder that has others.
    #[error("{}: {name} is missing (tablebase build --pieces {pieces} makes all that are)", folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The file.
        name: String,
        /// How many pieces it has.
        pieces: u32,
    },
    /// A folder cannot be listed.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A folder has no tables.
    #[error("{} holds no tables (tablebase build makes some)", .0.display())]
    NoTables(PathBuf),
    /// A table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Ends games whose value is known from tables.
#[derive(Clone)]
pub struct TableAdjudicator {
    tables: Arc<Tables>,
    pieces: u32,
    /// For each number of pieces, the most plies to a capture in wins of files of at most as many.
    longest: Arc<[u32]>,
    /// Whether the user has been told of a damaged file.
    told: Arc<AtomicBool>,
}

impl fmt::Debug for TableAdjudicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableAdjudicator({} pieces)", self.pieces)
    }
}

impl TableAdjudicator {
    /// Prepares the tables of a choice for a set of rules.
    ///
    /// # Errors
    ///
    /// Returns an error that names the table that is missing or damaged.
    pub fn new(choice: &TableChoice, rules: Rules) -> Result<TableAdjudicator, AdjudicatorError> {
        match choice {
            TableChoice::InMemory(pieces) => Ok(TableAdjudicator::in_memory(*pieces, rules)),
            TableChoice::Folder(folder) => TableAdjudicator::open(folder, rules),
        }
    }

    /// Solves the tables of up to this many pieces, four at most.
    pub fn in_memory(pieces: u32, rules: Rules) -> TableAdjudicator {
        let pieces = pieces.min(IN_MEMORY);
        let tables = Tables::solved(pieces as usize, rules);
        TableAdjudicator {
            tables: Arc::new(tables.expect("distances of few pieces are small")),
            pieces,
            longest: Arc::new([]),
            told: Arc::default(),
        }
    }

    /// Opens a folder, which must have all tables up to the size of its largest.
    fn open(folder: &Path, rules: Rules) -> Result<TableAdjudicator, AdjudicatorError> {
        let tables = Tables::open(folder, IN_MEMORY as usize, rules)?;
        let mut longest = vec![0; 2];
        for pieces in 2..=largest(folder)? {
            let plies = longest_of(folder, pieces)?;
            longest.push(plies.max(longest[pieces as usize - 1]));
        }
        Ok(TableAdjudicator {
            tables: Arc::new(tables),
            pieces: longest.len() as u32 - 1,
            longest: longest.into(),
            told: Arc::default(),
        })
    }

    /// Returns the rule that records of these games are checked against.
    pub fn rule(&self) -> TableRule {
        TableRule {
            pieces: self.pieces,
        }
    }

    /// Returns the winner, or a draw, if that is certain.
    pub(crate) fn certain(&self, game: &Game) -> Option<Option<Color>> {
        let position = game.position();
        if !self.rule().applies(game) {
            return None;
        }
        let TableValue { wdl, .. } = match self.tables.look_up(position) {
            Ok(known) => known?,
            // A damaged file decides nothing; the game continues.
            Err(damage) => {
                if !self.told.swap(true, Ordering::Relaxed) {
                    warn(&damage.to_string());
                }
                return None;
            }
        };
        let turn = position.turn()?;
        let pieces = position.occupied().len() as u32;
        match wdl {
            Wdl::Draw => Some(None),
            _ if !self.stands(pieces, game.rules()) => None,
            Wdl::Win => Some(Some(turn)),
            Wdl::Loss => Some(Some(!turn)),
        }
    }

    /// Returns whether the quiet limit cannot spoil a win after its next capture.
    fn stands(&self, pieces: u32, rules: Rules) -> bool {
        let Some(limit) = rules.quiet_limit else {
            return true;
        };
        let smaller = self.longest.get(pieces as usize - 1);
        pieces <= IN_MEMORY || smaller.is_some_and(|plies| *plies <= limit.get())
    }
}

/// Returns the most plies to a capture in the tables of this many pieces.
fn longest_of(folder: &Path, pieces: u32) -> Result<u32, AdjudicatorError> {
    let mut most = 0;
    for unit in Units::of(pieces as usize).list() {
        for metric in [Metric::Wdl, Metric::Dtc] {
            let name = format!("{unit}.{}", metric.name());
            let path = folder.join(&name);
            if !path.is_file() {
                let folder = folder.to_owned();
                return Err(AdjudicatorError::Missing {
                    folder,
                    name,
                    pieces,
                });
            }
            if metric == Metric::Dtc {
                most = most.max(TableFile::open(&path)?.header.longest.plies);
            }
        }
    }
    Ok(most)
}

/// Returns how many pieces the largest tables in a folder have.
fn largest(folder: &Path) -> Result<u32, AdjudicatorError> {
    let unreadable = |error| AdjudicatorError::Folder {
        folder: folder.to_owned(),
        error,
    };
    let mut most = 0;
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let table = name.to_str().and_then(table_name);
        most = most.max(table.map_or(0, |(unit, _)| unit.pieces() as u32));
    }
    match most {
        0 => Err(AdjudicatorError::NoTables(folder.to_owned())),
        most => Ok(most),
    }
}

#[cfg(test)]
mod tests {
    use anqi_tablebase::file::{Order, Packing, build_unit, goal_for};
    use anqi_tablebase::solve::UnitCache;

    use super::*;

    fn adjudicator(pieces: u32) -> TableAdjudicator {
        TableAdjudicator::in_memory(pieces, Rules::PAPER)
    }

    fn certain(adjudicator: &TableAdjudicator, text: &str) -> Option<Option<Color>> {
        let position = text.parse().expect("a position");
        adjudicator.certain(&Game::new(position, Rules::PAPER))
    }

    #[test]
    fn a_value_is_certain_right_after_a_capture_only() {
        let adjudicator = adjudicator(3);
        assert_eq!(
            certain(&adjudicator, "4/4/4/4/4/4/4/Kg2 r - 0 9"),
            Some(Some(Color::Red))
        );
        assert_eq!(
            certain(&adjudicator, "4/4/4/4/4/4/4/Kg2 r - 1 9"),
            None,
            "quiet plies"
        );
        assert_eq!(
            certain(&adjudicator, "P3/4/4/4/4/4/4/3c r - 0 9"),
            Some(None)
        );
        assert_eq!(
            certain(&adjudicator, "4/4/4/4/4/4/4/Kg?1 r p 0 9"),
            None,
            "face down"
        );
        assert_eq!(
            certain(&adjudicator, "4/4/4/4/4/4/4/KGgp r - 0 9"),
            None,
            "four pieces"
        );
    }

    /// A won position of five pieces may lead to one of four that takes too long.
    #[test]
    fn a_win_from_a_file_stands_if_no_smaller_one_takes_too_long() {
        let adjudicator = TableAdjudicator {
            longest: Arc::new([0, 0, 18, 24, 101, 231]),
            ..adjudicator(2)
        };
        let unlimited = Rules::UNLIMITED;
        for (pieces, rules, stands) in [
            (4, Rules::PAPER, true),
            (5, Rules::PAPER, false),
            (5, Rules::OLYMPIAD, true),
            (6, Rules::OLYMPIAD, false),
            (6, unlimited, true),
        ] {
            assert_eq!(
                adjudicator.stands(pieces, rules),
                stands,
                "{pieces} {rules:?}"
            );
        }
    }

    #[test]
    fn a_folder_must_have_all_tables_of_its_largest_number_of_pieces() {
        let folder = tempfile::tempdir().expect("a folder");
        let open =
            || TableAdjudicator::new(&TableChoice::Folder(folder.path().into()), Rules::PAPER);
        let error = open().expect_err("no tables");
        assert!(error.to_string().contains("holds no tables"), "{error}");
        let order = Order {
            dir: folder.path().into(),
            metrics: vec![Metric::Wdl, Metric::Dtc],
            packing: Packing::default(),
            memory: 1 << 30,
        };
        let goal = goal_for(&order.metrics);
        let cache = UnitCache::new(2, 1 << 20, goal).expect("a cache");
        let units = Units::of(2).list();
        for unit in units {
            build_unit(unit, &order, &cache).expect("a table");
        }
        assert_eq!(open().expect("tables").rule().pieces, 2);
        let missing = format!("{}.dtc", units[3]);
        fs::remove_file(folder.path().join(&missing)).expect("a file");
        let error = open().expect_err("a table is missing");
        assert!(error.to_string().contains(&missing), "{error}");
    }

    #[test]
    fn choices_are_a_number_or_a_folder() {
        assert_eq!("3".parse(), Ok(TableChoice::InMemory(3)));
        assert_eq!("./3".parse(), Ok(TableChoice::Folder("./3".into())));
        assert!("5".parse::<TableChoice>().is_err());
    }

    #[test]
    fn a_damaged_file_has_no_say_and_is_told_of() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("KMkgp.wdl"), "junk").expect("writable");
        let tables = Tables::open(folder.path(), 2, Rules::PAPER).expect("a folder");
        let adjudicator = TableAdjudicator {
            tables: Arc::new(tables),
            pieces: 5,
            longest: Arc::new([]),
            told: Arc::default(),
        };
        let told = || adjudicator.told.load(Ordering::Relaxed);
        assert_eq!(
            certain(&adjudicator, "4/4/4/4/4/4/4/Kg2 r - 0 9"),
            Some(Some(Color::Red))
        );
        assert!(!told());
        let damaged = "4/4/2g1/K3/1M2/3k/4/3p r - 0 0";
        assert_eq!(certain(&adjudicator, damaged), None);
        assert!(told());
    }
}
