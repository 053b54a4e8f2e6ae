//! Endgame tables for players.
//!
//! Tables of few pieces are solved in memory once for each set of rules and
//! shared by all players of the process; a folder of files can stand behind them
//! for more pieces. In the tree those in memory give exact values; at the root
//! all of them choose: the quickest win, the slowest loss, and of a draw only
//! what keeps it.

use crate::score::TABLE_WIN;
use anqi_rules::{Action, Position, Rules};
use anqi_tablebase::solved::Wdl;
use anqi_tablebase::{Endgames, Tables, rated_actions};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The most pieces that players solve by themselves: more would take minutes.
pub const MOST_SOLVED_PIECES: u32 = 4;

/// Where tables come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Those of up to so many pieces are solved in memory; fewer than two is none.
    Solved(u32),
    /// The most that players solve by themselves, and the files in a folder.
    Folder(PathBuf),
}

impl Source {
    /// Reads a number of pieces or the name of a folder that exists.
    pub fn read(text: &str) -> Option<Source> {
        match text.parse() {
            Ok(pieces) => Some(Source::Solved(pieces)).filter(|_| pieces <= MOST_SOLVED_PIECES),
            Err(_) => {
                let folder = PathBuf::from(text);
                (cfg!(feature = "os") && folder.is_dir()).then_some(Source::Folder(folder))
            }
        }
    }

    fn open(&self, rules: Rules) -> Option<Tables> {
        match self {
            Source::Solved(pieces) => Tables::solved(*pieces as usize, rules).ok(),
            #[cfg(feature = "os")]
            Source::Folder(folder) => Tables::open(folder, MOST_SOLVED_PIECES as usize, rules).ok(),
            #[cfg(not(feature = "os"))]
            Source::Folder(_) => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Solved(pieces) => write!(f, "{pieces}"),
            Source::Folder(folder) => write!(f, "{}", folder.display()),
        }
    }
}

type Shared = Vec<(Rules, Source, Arc<Tables>)>;

static SHARED: Mutex<Shared> = Mutex::new(Vec::new());

/// Returns the tables from this source for these rules, solving or opening them if nobody has yet.
///
/// `None` if there are none.
pub fn tables_for(rules: Rules, source: &Source) -> Option<Arc<Tables>> {
    if matches!(source, Source::Solved(0 | 1)) {
        return None;
    }
    // Whoever panicked with the lock held left the list whole: it only grows by whole entries.
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = |entry: &&(Rules, Source, _)| entry.0 == rules && entry.1 == *source;
    if let Some((_, _, tables)) = shared.iter().find(known) {
        return Some(Arc::clone(tables));
    }
    let tables = Arc::new(source.open(rules)?);
    shared.push((rules, source.clone(), Arc::clone(&tables)));
    Some(tables)
}

/// What a table in memory says of a position, as a search value; a draw as `draw`.
///
/// Files are left alone: a distance from one costs as much as a hundred nodes.
#[inline]
pub fn value(tables: &Tables, position: &Position, ply: u32, draw: i32) -> Option<i32> {
    let pieces = position.occupied().len() as u32;
    if !position.face_down().is_empty() || pieces > tables.hot_pieces() {
        return None;
    }
    let known = tables.known(position)?;
    let won = TABLE_WIN - i32::from(known.dtc.unwrap_or(0)) - ply as i32;
    Some(match known.wdl {
        Wdl::Win => won,
        Wdl::Draw => draw,
        Wdl::Loss => -won,
    })
}

/// What the tables leave to choose from at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootChoice {
    /// The position is won or lost: this is the best action, and the value for the side to move.
    Decided(Action, i32),
    /// The position is a draw, and these actions keep it.
    Draw(Vec<Action>),
}

/// Returns what the tables say of the actions of a position, `None` if they do not know it.
pub fn root_choice(tables: &Tables, position: &Position) -> Option<RootChoice> {
    if !position.face_down().is_empty() || position.occupied().len() as u32 > tables.pieces() {
        return None;
    }
    let rated = rated_actions(tables, position)?;
    let best = rated.first()?;
    let won = TABLE_WIN - i32::from(best.dtc.unwrap_or(0));
    Some(match best.wdl {
        Wdl::Win => RootChoice::Decided(best.action, won),
        Wdl::Loss => RootChoice::Decided(best.action, -won),
        Wdl::Draw => {
            let keeps = rated.iter().filter(|action| action.wdl == Wdl::Draw);
            RootChoice::Draw(keeps.map(|action| action.action).collect())
        }
    })
}
