//! Endgame tables for answers that do not come from a player.

use anqi_rules::Rules;
use anqi_search::endgames::{SharedTables, TablesSource};
use anqi_search::resources::tables_for;
use std::sync::Arc;

/// Returns the tables shared with the players of this process, or none if they cannot be opened.
///
/// A player with the same tables reports the error when it opens them.
pub fn shared_tables(rules: Rules, source: &TablesSource) -> Option<Arc<SharedTables>> {
    tables_for(rules, source).unwrap_or(None)
}
