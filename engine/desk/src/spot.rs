//! Tables of single units, solved when a position first needs them.
//!
//! All units of four pieces take 60 MB and a second or two; the unit of one position takes a megabyte and a
//! few hundredths of a second. The latest ones are kept.

use anqi_rules::{Color, Piece, Position, Role, Rules};
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_tablebase::Tables;
use anqi_tablebase::classes::{Fit, Material};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// The most units that are kept.
const KEPT: usize = 10;

/// A unit under some rules: its pieces and its number among those of as many pieces.
type Key = (Rules, usize, usize);

/// The units that positions have needed lately.
#[derive(Debug, Default)]
pub(crate) struct OnTheSpot {
    solved: Mutex<VecDeque<(Key, Arc<Tables>)>>,
}

impl OnTheSpot {
    /// Returns tables that have a position of few pieces, `None` for others.
    pub(crate) fn tables(&self, rules: Rules, position: &Position) -> Option<Arc<Tables>> {
        let set = few_pieces(position)?;
        let unit = Fit::of(&set).unit;
        let key = (rules, unit.pieces(), unit.number);
        // A unit is solved before the list changes, so a panic leaves the list whole.
        let mut solved = self.solved.lock().unwrap_or_else(PoisonError::into_inner);
        let place = solved.iter().position(|(known, _)| *known == key);
        let entry = match place.and_then(|place| solved.remove(place)) {
            Some(entry) => entry,
            None => (key, Arc::new(Tables::of_unit(unit, rules, false).ok()?)),
        };
        let tables = Arc::clone(&entry.1);
        solved.push_back(entry);
        if solved.len() > KEPT {
            solved.pop_front();
        }
        Some(tables)
    }
}

/// Returns the pieces of a position, face-down ones included, if there are few.
fn few_pieces(position: &Position) -> Option<Material> {
    if position.occupied().len() > MOST_SOLVED_PIECES as usize {
        return None;
    }
    let mut set = Material::empty();
    for piece in Piece::all() {
        let count = position.pieces(piece).len() + position.hidden().count(piece) as usize;
        for _ in 0..count {
            set = set.with(piece);
        }
    }
    let both = Color::ALL.into_iter().all(|color| set.side(color) > 0);
    // Where one side has lost everything the game is over, which any tables say.
    let kings = || Color::ALL.map(|color| Piece::new(color, Role::King));
    Some(if both {
        set
    } else {
        kings().into_iter().fold(Material::empty(), Material::with)
    })
}
