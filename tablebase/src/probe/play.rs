//! Best play by plies to the end.

use std::sync::Arc;

use anqi_rules::{Action, Position};

use super::Tables;
use super::rated::after;
use crate::file::TableError;
use crate::solve::Wdl;

/// Returns the action that wins soonest or loses latest, among equals the first in text order; `None` in
/// a drawn position, after the end, and where something is not known.
///
/// # Errors
///
/// Fails if a file that is needed is damaged.
pub fn best_to_end(
    tables: &Tables,
    position: &Position,
) -> Result<Option<Action>, Arc<TableError>> {
    let mut best: Option<(i32, Action)> = None;
    let mut can_draw = false;
    for action in position.actions() {
        let next = after(position, action);
        let Some(known) = tables.look_up(&next)? else {
            return Ok(None);
        };
        if known.wdl == Wdl::Draw {
            can_draw = true;
            continue;
        }
        let Some(plies) = tables.plies_to_end(&next)? else {
            return Ok(None);
        };
        // A win counts more the sooner it comes, a loss the later.
        let worth = if known.wdl == Wdl::Loss {
            i32::from(u16::MAX) - i32::from(plies)
        } else {
            i32::from(plies) - i32::from(u16::MAX)
        };
        if best.is_none_or(|(most, _)| worth > most) {
            best = Some((worth, action));
        }
    }
    // What loses is not played where something draws.
    Ok(best
        .filter(|(worth, _)| *worth > 0 || !can_draw)
        .map(|(_, action)| action))
}
