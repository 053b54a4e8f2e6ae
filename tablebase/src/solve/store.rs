//! Solved units kept in memory while larger ones are solved from them.

use std::sync::Arc;

use super::children::Children;
use super::distance::DistanceOverflow;
use super::goal::Goal;
use super::in_memory::solve;
use super::solved::Solved;
use crate::classes::{Unit, Units};

/// Solved units by number of pieces and number.
#[derive(Clone, Debug, Default)]
pub struct Store {
    by_pieces: Vec<Vec<Option<Arc<Solved>>>>,
}

impl Store {
    /// Solves all units of up to `pieces` pieces.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn solve(pieces: usize, goal: Goal) -> Result<Store, DistanceOverflow> {
        let mut store = Store::default();
        for count in 2..=pieces {
            let units = Units::of(count).list();
            let layer = crate::parallel::map(units, |unit| {
                solve(unit, &store.children(unit), goal).map(|solved| Some(Arc::new(solved)))
            });
            store
                .by_pieces
                .push(layer.into_iter().collect::<Result<_, _>>()?);
        }
        Ok(store)
    }

    /// Solves one unit and what it depends on.
    ///
    /// # Errors
    ///
    /// Fails if a distance does not fit.
    pub fn solve_unit(unit: &'static Unit, goal: Goal) -> Result<Store, DistanceOverflow> {
        let mut store = Store::default();
        for count in 2..=unit.pieces() {
            store
                .by_pieces
                .push(vec![None; Units::of(count).list().len()]);
        }
        store.add(unit, goal)?;
        Ok(store)
    }

    fn add(&mut self, unit: &'static Unit, goal: Goal) -> Result<(), DistanceOverflow> {
        if self.get(unit).is_some() {
            return Ok(());
        }
        for child in unit.children() {
            self.add(child, goal)?;
        }
        let solved = solve(unit, &self.children(unit), goal)?;
        self.by_pieces[unit.pieces() - 2][unit.number] = Some(Arc::new(solved));
        Ok(())
    }

    /// Returns a unit's solution, if it is there.
    pub fn get(&self, unit: &Unit) -> Option<&Arc<Solved>> {
        self.by_pieces
            .get(unit.pieces() - 2)?
            .get(unit.number)?
            .as_ref()
    }

    /// Frees what only the writing of files needs, unless it is still shared.
    pub fn forget_captures(&mut self) {
        for solved in self.by_pieces.iter_mut().flatten().flatten() {
            if let Some(solved) = Arc::get_mut(solved) {
                solved.captures = None;
            }
        }
    }

    /// Gathers the units that captures from `unit` lead to.
    ///
    /// # Panics
    ///
    /// Panics if the smaller units have not been solved.
    pub fn children(&self, unit: &Unit) -> Children {
        let mut children = Children::default();
        for child in unit.children() {
            children.insert(
                self.get(child)
                    .expect("smaller units are solved first")
                    .clone(),
            );
        }
        children
    }

    /// Iterates over all solved units, the small ones first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Solved>> {
        self.by_pieces.iter().flatten().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Fit;

    fn unit(set: &str) -> &'static Unit {
        Fit::of(&set.parse().unwrap()).unit
    }

    #[test]
    fn a_unit_and_all_it_depends_on_are_solved_and_nothing_else() {
        let all = Store::solve(3, Goal::Distances).unwrap();
        assert_eq!(all.iter().count(), 5 + 20);
        let wanted = unit("KGp");
        let some = Store::solve_unit(wanted, Goal::Distances).unwrap();
        assert_eq!(some.iter().count(), 1 + wanted.children().len());
        for solved in some.iter() {
            let same = all.get(solved.layout.unit).unwrap();
            assert!(solved.win == same.win && solved.loss == same.loss);
            assert_eq!(solved.longest, same.longest);
        }
        assert!(some.get(unit("CCk")).is_none());
        assert!(some.get(unit("KGgp")).is_none(), "larger than any there");
    }

    #[test]
    fn children_are_those_that_captures_lead_to() {
        let store = Store::solve(3, Goal::Values).unwrap();
        let parent = unit("KGgp");
        let children = store.children(parent);
        for child in parent.children() {
            assert_eq!(children.get(child).layout.unit.key, child.key);
        }
        assert_eq!(children.by_number.len(), parent.children().len());
    }

    #[test]
    fn captures_are_freed_where_nobody_else_needs_them() {
        let mut store = Store::solve(2, Goal::Values).unwrap();
        let held = store.get(unit("Kk")).unwrap().clone();
        store.forget_captures();
        let kept = store.iter().filter(|solved| solved.captures.is_some());
        assert_eq!(kept.count(), 1);
        assert!(held.captures.is_some());
    }
}
