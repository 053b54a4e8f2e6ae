//! The endgame tables that a command probes directly, without a player.

use super::error::UsageError;
use anqi_rules::Rules;
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_tablebase::Tables;
use std::path::Path;

/// Tables that are open for a command.
pub struct Opened {
    /// The tables.
    pub tables: Tables,
}

impl Opened {
    /// Solves the tables of few pieces, and opens the files in a folder if one is named.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong with the folder.
    pub fn new(folder: Option<&Path>, rules: Rules) -> anyhow::Result<Opened> {
        let pieces = MOST_SOLVED_PIECES as usize;
        let tables = match folder {
            None => Tables::solved(pieces, rules)?,
            Some(folder) => {
                let wrong =
                    |error: anqi_tablebase::TableError| UsageError(format!("--tables: {error}"));
                Tables::open(folder, pieces, rules).map_err(wrong)?
            }
        };
        Ok(Opened { tables })
    }

    /// Reports damage that a probe has found in a file on standard error.
    pub fn report_damage(&self) {
        if let Some(damage) = self.tables.damage() {
            eprintln!("anqi: damaged table, left out: {damage}");
        }
    }
}
