//! Shared state of the players of a process: endgame tables and scheduling delays.
//!
//! The state has an owner, so a program can decide which players share it: players are made
//! with a handle ([`crate::players::by_spec_with`]), or with that of the process.

use crate::clock::Delays;
use crate::endgames::{Library, SharedTables, TablesSource};
use anqi_rules::Rules;
use std::sync::{Arc, LazyLock};

/// Shared state of players.
#[derive(Debug, Default)]
pub struct Resources {
    /// Endgame tables, solved or opened once.
    pub(crate) library: Library,
    /// Scheduling delays, which time limits allow for.
    pub(crate) delays: Delays,
}

static PROCESS: LazyLock<Arc<Resources>> = LazyLock::new(Arc::default);

impl Resources {
    /// Returns the resources that players of this process share by default.
    pub fn of_process() -> Arc<Resources> {
        Arc::clone(&PROCESS)
    }
}

/// Returns the tables from this source for these rules, shared by the whole process.
///
/// # Errors
///
/// Returns an error if a folder cannot be opened.
pub fn tables_for(
    rules: Rules,
    source: &TablesSource,
) -> Result<Option<Arc<SharedTables>>, String> {
    Resources::of_process().library.tables(rules, source)
}
