//! The server's configuration, and the state that its parts share.

use super::limits::PerAddress;
use super::names::HostName;
use super::pool::{IdlePlayers, Pool};
use super::tables::TableSet;
use super::wire::{Code, Refusal};
use anqi_analysis::{Analyst, analyst_spec};
use anqi_play::KnownDeal;
use anqi_rules::Rules;
use anqi_search::spec::SpecError;
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Fills bytes with unpredictable numbers.
pub type Entropy = Box<dyn Fn(&mut [u8]) -> Result<(), String> + Send + Sync>;

/// The server's configuration.
pub struct Config {
    /// The port; `None` for a free one near 8080, 0 for any.
    pub port: Option<u16>,
    /// The address to listen at for other devices too; `None` for this machine alone.
    pub listen: Option<SocketAddr>,
    /// The name of a proxy with TLS in front of the server.
    pub host: Option<HostName>,
    /// What each address may do if other devices reach the server.
    pub per_address: PerAddress,
    /// A folder of endgame tables.
    pub tables: Option<PathBuf>,
    /// Worker threads.
    pub threads: usize,
    /// The largest message that is read, in bytes.
    pub message_bytes: usize,
    /// The most games kept at once.
    pub games: usize,
    /// The most WebSockets at once.
    pub connections: usize,
    /// Longest time for one decision or analysis, in milliseconds.
    pub engine_ms: u64,
    /// Largest number of lines in an analysis.
    pub lines: usize,
    /// The least time from the start of an engine's thinking to its ply.
    pub pace: Duration,
    /// The source of nonces, tokens and deals.
    pub entropy: Entropy,
    /// A fixed deal for every game, instead of a random one.
    pub layout: Option<KnownDeal>,
    /// What panics, for tests of panics.
    #[cfg(test)]
    pub fault: Option<Fault>,
}

/// A planted panic.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// In tasks of the pool.
    Task,
    /// In answers that are given at once.
    Desk,
}

impl Default for Config {
    fn default() -> Config {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        Config {
            port: None,
            listen: None,
            host: None,
            per_address: PerAddress::default(),
            tables: None,
            threads: cores,
            message_bytes: 256 << 10,
            games: 256,
            connections: 128,
            engine_ms: 60_000,
            lines: 8,
            pace: Duration::from_millis(350),
            entropy: Box::new(|bytes| getrandom::fill(bytes).map_err(|error| error.to_string())),
            layout: None,
            #[cfg(test)]
            fault: None,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("port", &self.port)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// The state that games and connections share.
#[derive(Debug)]
pub struct Services {
    /// The configuration.
    pub config: Config,
    /// The worker threads.
    pub pool: Pool,
    /// The endgame tables.
    pub tables: TableSet,
    connections: Arc<AtomicUsize>,
}

/// A WebSocket's place under the connection limit; dropping it frees the place.
#[derive(Debug)]
pub struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Services {
    /// Starts one thread more than configured: it is kept free for moves and hints.
    pub fn new(config: Config) -> Services {
        Services {
            pool: Pool::new(config.threads + 1),
            tables: TableSet::new(config.tables.clone()),
            connections: Arc::default(),
            config,
        }
    }

    /// Panics if a panic is planted here.
    #[cfg(test)]
    pub fn meet(&self, fault: Fault) {
        assert_ne!(self.config.fault, Some(fault), "as planned");
    }

    /// Takes a place for a WebSocket, `None` if all are taken.
    pub fn place(&self) -> Option<Place> {
        let place = Place(Arc::clone(&self.connections));
        let taken = self.connections.fetch_add(1, Ordering::Relaxed);
        Some(place).filter(|_| taken < self.config.connections)
    }

    /// Returns how many WebSockets are open.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Returns random bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no random numbers.
    pub fn random<const N: usize>(&self) -> Result<[u8; N], Refusal> {
        let mut bytes = [0; N];
        (self.config.entropy)(&mut bytes).map_err(|error| Refusal {
            code: Code::Internal,
            message: format!("no random numbers: {error}"),
        })?;
        Ok(bytes)
    }

    /// Returns the idle analyst with this key, or a new one.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder of tables cannot be used.
    pub fn analyst(
        &self,
        idle: &IdlePlayers,
        key: &str,
        rules: Rules,
    ) -> Result<Analyst, SpecError> {
        #[cfg(test)]
        self.meet(Fault::Task);
        let tables = self.config.tables.as_deref();
        let player = idle.take(key, &analyst_spec(tables), rules)?;
        Ok(Analyst::with_player(player, tables, rules))
    }

    /// Returns the spec of the built-in player at a level, or of a player without settings.
    pub fn spec(&self, name: &str, level: Option<u32>) -> String {
        let mut spec = match level {
            // Small, so that many games fit into memory; up to level 7 this costs no strength.
            Some(level) if level <= 7 => format!("champion:level={level},hash=4"),
            Some(level) => format!("champion:level={level},hash=32"),
            None if name == "champion" => "champion:hash=32".to_owned(),
            None => return name.to_owned(),
        };
        if let Some(folder) = &self.config.tables {
            spec.push_str(&format!(",tables={}", folder.display()));
        }
        spec
    }
}
