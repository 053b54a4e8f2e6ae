//! A cache of solved units for solving larger ones, within a limit of memory.
//!
//! Units of up to four pieces are solved at once and stay: they are small.
//! Larger ones are solved on demand and kept while memory allows; that adds a few
//! per cent to the cost of the larger units, and no file has to be trusted in
//! order to make another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::children::Children;
use super::distance::DistanceOverflow;
use super::goal::Goal;
use super::in_memory::solve;
use super::solved::Solved;
use super::store::Store;
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

    /// Caches what larger units need of a solved unit.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Units;

    #[test]
    fn the_least_recently_used_units_go_first() {
        let units = &Units::of(3).list()[..4];
        let store = Store::solve(2, Goal::Values).unwrap();
        let solved = |unit: &'static Unit| {
            Arc::new(solve(unit, &store.children(unit), Goal::Values).unwrap())
        };
        let all: Vec<Arc<Solved>> = units.iter().map(solved).collect();
        let mut kept = Kept::default();
        let room = all[0].bytes() + all[1].bytes() + all[2].bytes();
        for one in &all[..3] {
            kept.keep(one, room);
        }
        assert!(kept.find(&units[0].key).is_some(), "used again");
        kept.keep(&all[3], room);
        let left: Vec<bool> = units
            .iter()
            .map(|u| kept.kept.contains_key(&u.key))
            .collect();
        assert!(left[0] && !left[1] && left[3], "{left:?}");
        let bytes: u64 = kept.kept.values().map(|(solved, _)| solved.bytes()).sum();
        assert!(kept.bytes == bytes && bytes <= room);
        kept.keep(&all[1], all[1].bytes() - 1);
        assert!(!kept.kept.contains_key(&units[1].key), "it does not fit");
    }

    #[test]
    fn units_are_the_same_whether_they_were_offered_kept_or_solved_again() {
        let of_four = Units::of(4).list();
        let without = UnitCache::new(3, 0, Goal::Values).unwrap();
        let with = UnitCache::new(3, 1 << 30, Goal::Values).unwrap();
        for parent in of_four.iter().step_by(13) {
            let solved = solve(parent, &with.children(parent).unwrap(), Goal::Distances).unwrap();
            let longest = solved.longest;
            with.offer(solved);
            let (kept, again) = (with.get(parent).unwrap(), without.get(parent).unwrap());
            assert!(kept.win == again.win && kept.loss == again.loss, "{parent}");
            assert!(kept.longest == longest && kept.dtc.is_none() && kept.captures.is_none());
        }
        assert_eq!(without.kept_units().bytes, 0);
        assert!(with.kept_units().bytes > 0);
    }

    #[test]
    fn only_units_with_plies_to_the_end_serve_those_who_need_them() {
        let cache = UnitCache::new(3, 1 << 30, Goal::ToEnd).unwrap();
        let unit = &Units::of(4).list()[0];
        let children = cache.children(unit).unwrap();
        cache.offer(solve(unit, &children, Goal::Distances).unwrap());
        assert!(!cache.kept_units().kept.contains_key(&unit.key));
        cache.offer(solve(unit, &children, Goal::ToEnd).unwrap());
        assert!(cache.get(unit).unwrap().dtw.is_some());
    }
}
