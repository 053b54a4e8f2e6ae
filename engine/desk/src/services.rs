//! What all games and connections of a desk share.

use crate::host::Host;
use crate::material::TableFolder;
use crate::tables::TableSet;
use crate::wire::{Code, Refusal};
use anqi_play::KnownDeal;
use anqi_protocol::record::Date;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The limits of a desk.
#[derive(Clone, Debug)]
pub struct Config {
    /// The largest message that is read, in bytes.
    pub message_bytes: usize,
    /// The most games kept at once.
    pub games: usize,
    /// Longest time for one decision or analysis, in milliseconds.
    pub engine_ms: u64,
    /// Largest number of lines in an analysis.
    pub lines: usize,
    /// How many plies of a game are reviewed at once.
    pub threads: usize,
    /// The longest round of an analysis, before other jobs get a turn.
    pub round: Duration,
    /// The largest transposition table of a player, in mebibytes.
    pub hash: u32,
    /// The least time from the start of an engine's thinking to its ply.
    pub pace: Duration,
    /// A fixed deal for every game, instead of a random one.
    pub layout: Option<KnownDeal>,
    /// The folder of endgame tables that players are given.
    pub tables: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            message_bytes: 256 << 10,
            games: 256,
            engine_ms: 60_000,
            lines: 8,
            threads: 2,
            round: Duration::from_millis(1_500),
            hash: 32,
            pace: Duration::from_millis(350),
            layout: None,
            tables: None,
        }
    }
}

/// What games and connections share.
#[derive(Clone, Debug)]
pub struct Services {
    /// The surroundings.
    pub host: Arc<dyn Host>,
    /// The limits.
    pub config: Arc<Config>,
    /// The endgame tables.
    pub tables: Arc<TableSet>,
    /// The folder of tables, as far as it is asked which lessons it has.
    pub folder: Option<Arc<dyn TableFolder>>,
}

impl Services {
    /// Returns random bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no random numbers.
    pub fn random<const N: usize>(&self) -> Result<[u8; N], Refusal> {
        let mut bytes = [0; N];
        self.host
            .random(&mut bytes)
            .map_err(|error| Refusal::new(Code::Internal, format!("no random numbers: {error}")))?;
        Ok(bytes)
    }

    /// Returns the date, if it is known.
    pub fn date(&self) -> Option<Date> {
        self.host.unix_seconds().map(Date::from_unix_seconds)
    }

    /// Returns the spec of the built-in player at a level, or of a player without settings.
    pub fn spec(&self, name: &str, level: Option<u32>) -> String {
        let hash = self.config.hash;
        let mut spec = match level {
            // Small, so that many games fit into memory; up to level 7 this costs no strength.
            Some(level) if level <= 7 => format!("champion:level={level},hash=4"),
            Some(level) => format!("champion:level={level},hash={hash}"),
            None if name == "champion" => format!("champion:hash={hash}"),
            None => return name.to_owned(),
        };
        if let Some(folder) = &self.config.tables {
            spec.push_str(&format!(",tables={}", folder.display()));
        }
        spec
    }
}
