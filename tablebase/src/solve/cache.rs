//! A cache of solved units for solving larger ones, within a limit of memory.
//!
//! Units of up to four pieces are solved at once and stay: they are small.
//! Larger ones are solved when they are asked for and kept while there is room;
//! that costs a few per cent of what the larger units cost, and means that no
//! file has to be believed in order to make another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Children, DistanceOverflow, Goal, Solved, Store, solve};
use crate::classes::{Material, Unit};

/// The most pieces of the units that are always kept.
const ALWAYS: usize = 4;

/// Solved units, the least recently used evicted first.
#[derive(Debug)]
pub struct UnitCache {
    /// [`Goal::ToEnd`] if larger units need the plies to the end, else [`Goal::Values`].
    goal: Goal,
    small: Store,
    room: u64,
    large: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    kept: HashMap<Material, (Arc<Solved>, u64)>,
    bytes: u64,
    clock: u64,
}

impl UnitCache {
    /// Makes a cache for solving units of up to `pieces` pieces for `goal`, which keeps at most
    /// `room` bytes of larger units (but always those in use).
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn new(pieces: usize, room: u64, goal: Goal) -> Result<UnitCache, DistanceOverflow> {
        // Distances to captures concern one unit only.
        let goal = if goal == Goal::ToEnd {
            Goal::ToEnd
        } else {
            Goal::Values
        };
        let mut small = Store::solve(ALWAYS.min(pieces.saturating_sub(1)), goal)?;
        small.forget_captures();
        Ok(UnitCache {
            goal,
            small,
            room,
            large: Mutex::default(),
        })
    }

    /// Returns the units that captures from `unit` lead to.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn children(&self, unit: &Unit) -> Result<Children, DistanceOverflow> {
        let mut children = Children::default();
        for child in unit.children() {
            children.insert(self.get(child)?);
        }
        Ok(children)
    }

    fn get(&self, unit: &'static Unit) -> Result<Arc<Solved>, DistanceOverflow> {
        if let Some(solved) = self.small.get(unit) {
            return Ok(solved.clone());
        }
        if let Some(solved) = self.kept_units().find(&unit.key) {
            return Ok(solved);
        }
        let mut solved = solve(unit, &self.children(unit)?, self.goal)?;
        (solved.captures, solved.dtc) = (None, None);
        let solved = Arc::new(solved);
        self.kept_units().keep(&solved, self.room);
        Ok(solved)
    }

    /// Keeps what larger units need of a unit that has been solved for itself.
    pub fn offer(&self, mut solved: Solved) {
        let complete = self.goal == Goal::Values || solved.dtw.is_some();
        if !complete || self.small.get(solved.layout.unit).is_some() {
            return;
        }
        (solved.captures, solved.dtc) = (None, None);
        if self.goal == Goal::Values {
            solved.dtw = None;
        }
        self.kept_units().keep(&Arc::new(solved), self.room);
    }

    fn kept_units(&self) -> std::sync::MutexGuard<'_, Kept> {
        // The map is sound between any two statements.
        self.large.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn find(&mut self, key: &Material) -> Option<Arc<Solved>> {
        self.clock += 1;
        let clock = self.clock;
        let (solved, used) = self.kept.get_mut(key)?;
        *used = clock;
        Some(solved.clone())
    }

    fn keep(&mut self, solved: &Arc<Solved>, room: u64) {
        let key = solved.layout.unit.key;
        if solved.bytes() > room || self.kept.contains_key(&key) {
            return;
        }
        while self.bytes + solved.bytes() > room {
            let oldest = self
                .kept
                .iter()
                .min_by_key(|(_, (_, used))| *used)
                .map(|(key, _)| *key);
            let Some(gone) = oldest.and_then(|key| self.kept.remove(&key)) else {
                return;
            };
            self.bytes -= gone.0.bytes();
        }
        self.clock += 1;
        self.bytes += solved.bytes();
        self.kept.insert(key, (solved.clone(), self.clock));
    }
}
