//! Endgame tables for players.
//!
//! Tables are solved in memory once for each set of rules and shared by all
//! players of the process. In the tree they give exact values; at the root they
//! choose: the quickest win, the slowest loss, and of a draw only what keeps it.

use crate::score::TABLE_WIN;
use anqi_rules::{Action, Position, Rules};
use anqi_tablebase::solved::Wdl;
use anqi_tablebase::{Endgames, Tables, rated_actions};
use std::sync::{Arc, Mutex, PoisonError};

/// The most pieces that players solve by themselves: more would take minutes.
pub const MOST_SOLVED_PIECES: u32 = 4;

type Shared = Vec<(Rules, u32, Arc<Tables>)>;

static SHARED: Mutex<Shared> = Mutex::new(Vec::new());

/// Returns the tables of up to so many pieces for these rules, solving them if nobody has yet.
///
/// `None` for fewer than two pieces.
pub fn tables_for(rules: Rules, pieces: u32) -> Option<Arc<Tables>> {
    if pieces < 2 {
        return None;
    }
    // Whoever panicked with the lock held left the list whole: it only grows by whole entries.
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = |entry: &&(Rules, u32, Arc<Tables>)| (entry.0, entry.1) == (rules, pieces);
    if let Some((_, _, tables)) = shared.iter().find(known) {
        return Some(Arc::clone(tables));
    }
    let pieces_solved = pieces.min(MOST_SOLVED_PIECES) as usize;
    let tables = Arc::new(Tables::solved(pieces_solved, rules).ok()?);
    shared.push((rules, pieces, Arc::clone(&tables)));
    Some(tables)
}

/// What a table says of a position, as a search value; a draw as `draw`.
#[inline]
pub fn value(tables: &Tables, position: &Position, ply: u32, draw: i32) -> Option<i32> {
    if !position.face_down().is_empty() || position.occupied().len() as u32 > tables.pieces() {
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
