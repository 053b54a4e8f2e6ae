//! The solved units that a unit's captures lead to.

use std::collections::HashMap;
use std::sync::Arc;

use super::solved::Solved;
use crate::classes::Unit;

/// The units that captures from one unit lead to.
#[derive(Clone, Debug, Default)]
pub struct Children {
    pub(super) by_number: HashMap<usize, Arc<Solved>>,
}

impl Children {
    /// Adds a solved unit.
    pub fn insert(&mut self, solved: Arc<Solved>) {
        self.by_number.insert(solved.layout.unit.number, solved);
    }

    /// Returns a unit's solution.
    ///
    /// # Panics
    ///
    /// Panics if the unit was not inserted: callers gather all of [`Unit::children`] first.
    pub fn get(&self, unit: &Unit) -> &Solved {
        self.by_number
            .get(&unit.number)
            .unwrap_or_else(|| panic!("{unit} was not gathered"))
    }
}
