//! Endgame tables as a session probes them.

use anqi_rules::{Position, Rules};
use anqi_search::endgames::MOST_SOLVED_PIECES;
use anqi_tablebase::{Tables, Wdl};
use std::path::Path;
use std::sync::Arc;

/// Opens the endgame tables for a set of rules: those in a folder, or those that need none.
pub type OpenTables = Box<dyn Fn(Option<&Path>, Rules) -> Result<Arc<dyn Probe>, String> + Send>;

/// What a session needs of endgame tables.
pub trait Probe: Send + Sync {
    /// Returns the value of a position in words, `None` if no table has it.
    ///
    /// # Errors
    ///
    /// Fails with what is wrong with a file that is needed.
    fn probe(&self, position: &Position) -> Result<Option<String>, String>;
}

impl Probe for Tables {
    /// Writes `win 5`, `loss 4` or `draw`; the number counts plies to the next capture or the end.
    fn probe(&self, position: &Position) -> Result<Option<String>, String> {
        let Some(known) = self.look_up(position).map_err(|e| e.to_string())? else {
            return Ok(None);
        };
        let word = match known.wdl {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        Ok(Some(match known.dtc {
            Some(plies) => format!("{word} {plies}"),
            None => word.to_owned(),
        }))
    }
}

/// Opens the tables that need no file, solved on the spot, and those in a folder if one is named.
///
/// # Errors
///
/// Fails if the folder cannot be read.
pub fn builtin_tables(folder: Option<&Path>, rules: Rules) -> Result<Arc<dyn Probe>, String> {
    match folder {
        None => match Tables::solved(MOST_SOLVED_PIECES as usize, rules) {
            Ok(tables) => Ok(Arc::new(tables)),
            Err(error) => Err(error.to_string()),
        },
        Some(folder) => match Tables::open(folder, MOST_SOLVED_PIECES as usize, rules) {
            Ok(tables) => Ok(Arc::new(tables)),
            Err(error) => Err(error.to_string()),
        },
    }
}
