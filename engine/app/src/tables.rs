//! Endgame tables for everything that answers beside a player.

use anqi_rules::Rules;
use anqi_search::endgames::{SharedTables, TablesSource};
use anqi_search::resources::tables_for;
use std::sync::Arc;

/// Returns the tables that players of this process use too, or none if they cannot be opened.
///
/// The error is left to a player with the same tables: it opens them too and says what is wrong.
pub fn shared_tables(rules: Rules, source: &TablesSource) -> Option<Arc<SharedTables>> {
    tables_for(rules, source).unwrap_or(None)
}
