//! The desk with what a server gives it: threads, clocks, random numbers.

use crate::config::{Config, Entropy};
use crate::folder::Folder;
use crate::pool::{Pool, Think};
use anqi_desk::material::TableFolder;
use anqi_desk::{Alarm, Host, Hub, Job, Services, TableSet, Thinker};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};
use tokio::runtime::Handle;

/// The games, and what all connections share.
#[derive(Debug)]
pub struct Backend {
    /// The games.
    pub hub: Arc<Hub>,
    /// The worker threads.
    pub pool: Arc<Pool>,
    /// The endgame tables.
    pub tables: Arc<TableSet>,
    /// The configuration.
    pub config: Arc<Config>,
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

impl Backend {
    /// Starts one thread more than configured: it is kept free for moves and hints.
    ///
    /// # Panics
    ///
    /// Panics outside a runtime of tokio.
    pub fn new(config: Config) -> Backend {
        let config = Arc::new(config);
        let tables = Arc::new(TableSet::new(config.tables.clone()));
        let path = config.tables.clone();
        let folder = path.clone().map(Folder);
        let folder = folder.map(|folder| Box::new(folder) as Box<dyn TableFolder>);
        let thinker = Thinker::new(Arc::clone(&tables), path, folder);
        #[cfg(test)]
        let searches_panic = config.searches_panic;
        let think: Think = Box::new(move |work, stop, report| {
            #[cfg(test)]
            assert!(!searches_panic, "as planned");
            let found = thinker.think(work, stop, report);
            while let Some(warning) = thinker.take_warning() {
                warn(&warning);
            }
            found
        });
        let pool = Arc::new(Pool::new(config.threads + 1, think));
        let host = ServerHost {
            pool: Arc::clone(&pool),
            config: Arc::clone(&config),
            runtime: Handle::current(),
            begun: Instant::now(),
        };
        let services = Services {
            host: Arc::new(host),
            config: Arc::new(config.desk()),
            tables: Arc::clone(&tables),
            folder: config
                .tables
                .clone()
                .map(|path| Arc::new(Folder(path)) as Arc<dyn TableFolder>),
        };
        Backend {
            hub: Arc::new(Hub::new(services)),
            pool,
            tables,
            config,
            connections: Arc::default(),
        }
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
}

/// The host of the desk.
struct ServerHost {
    pool: Arc<Pool>,
    config: Arc<Config>,
    runtime: Handle,
    begun: Instant,
}

impl fmt::Debug for ServerHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerHost")
    }
}

impl Host for ServerHost {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn unix_seconds(&self) -> Option<u64> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.ok().map(|time| time.as_secs())
    }

    fn random(&self, bytes: &mut [u8]) -> Result<(), String> {
        let entropy: &Entropy = &self.config.entropy;
        entropy(bytes)
    }

    fn submit(&self, job: Job) {
        self.pool.submit(job);
    }

    fn after(&self, delay: Duration, alarm: Alarm) {
        self.runtime.spawn(async move {
            tokio::time::sleep(delay).await;
            alarm();
        });
    }

    fn warn(&self, warning: &str) {
        warn(warning);
    }
}

fn warn(warning: &str) {
    eprintln!("anqi: {warning}");
}
