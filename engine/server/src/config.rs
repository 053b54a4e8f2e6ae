//! The server's configuration.

use crate::limits::PerAddress;
use crate::names::HostName;
use anqi_play::KnownDeal;
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
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
    /// Whether searches panic, for tests of panics.
    #[cfg(test)]
    pub searches_panic: bool,
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
            searches_panic: false,
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

impl Config {
    /// Returns what the desk needs of it.
    pub fn desk(&self) -> anqi_desk::Config {
        anqi_desk::Config {
            message_bytes: self.message_bytes,
            games: self.games,
            engine_ms: self.engine_ms,
            lines: self.lines,
            threads: self.threads,
            pace: self.pace,
            layout: self.layout,
            tables: self.tables.clone(),
            ..anqi_desk::Config::default()
        }
    }
}
