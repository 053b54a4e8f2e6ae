//! The page: a server on this machine that plays, analyses and teaches.
//!
//! **Owns** games between browsers and players, their deals and clocks, and the
//! WebSocket protocol. **Must not know** how a player finds its action, nor how the
//! page looks. `web/src/wire.ts` is the contract with the page.
//!
//! A message arrives at a [`socket`], is read by [`wire`] and answered by a
//! [`connection`]; a game lives in a [`room`], all of them in the [`hub`]; work
//! of more than a millisecond is a task of the [`pool`].
//!
//! **Invariant:** a face-down piece is known to the deal of its room and to
//! nothing else: not to players, not to connections, not to logs.

pub mod analysis;
pub mod assets;
pub mod board;
pub mod config;
pub mod connection;
pub mod deal;
pub mod editor;
pub mod guard;
pub mod hint;
pub mod http;
pub mod hub;
pub mod line;
pub mod listener;
pub mod material;
pub mod notes;
pub mod outbox;
pub mod pgn;
pub mod pool;
pub mod review;
pub mod room;
pub mod socket;
pub mod tables;
pub mod wire;

pub use config::Config;

use http::{Shared, routes};
use hub::Hub;
use listener::Limited;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// The first port to try when none is given.
const FIRST_PORT: u16 = 8080;
const PORTS_TRIED: u16 = 20;
/// Plain HTTP connections allowed beside the WebSockets.
const MORE_CONNECTIONS: usize = 128;
/// Time for connections to close at shutdown.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The port is taken or not allowed.
    #[error("port {port} of this machine cannot be used: {error}")]
    Port {
        /// The port.
        port: u16,
        /// Why not.
        error: io::Error,
    },
    /// Another error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A server that listens but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    hub: Arc<Hub>,
}

impl Server {
    /// Listens on the loopback address only.
    ///
    /// # Errors
    ///
    /// Returns an error if the port, or without one every port, is unavailable.
    pub async fn bind(config: Config) -> Result<Server, ServeError> {
        let listener = match config.port {
            Some(port) => listen(port)
                .await
                .map_err(|error| ServeError::Port { port, error })?,
            None => listen_near().await?,
        };
        Ok(Server {
            address: listener.local_addr()?,
            listener,
            hub: Arc::new(Hub::new(config)),
        })
    }

    /// Returns the address to open in a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the games.
    pub fn hub(&self) -> &Arc<Hub> {
        &self.hub
    }

    /// Serves until `ending` completes; then closes every connection and stops every search.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let it serve.
    pub async fn run(self, ending: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let (end, ended) = watch::channel(false);
        let shared = Shared::new(Arc::clone(&self.hub), ended.clone());
        let tables = Arc::clone(&self.hub);
        tokio::task::spawn_blocking(move || tables.services.tables.open_all());
        let most = self.hub.services.config.connections + MORE_CONNECTIONS;
        let listener = Limited::new(self.listener, most);
        let mut waiting = ended.clone();
        let server = axum::serve(listener, routes(shared, self.address.port()))
            .with_graceful_shutdown(async move {
                ending.await;
                end.send_replace(true);
            });
        let late = async move {
            // An error would mean that the server is gone already.
            let _ = waiting.wait_for(|ending| *ending).await;
            tokio::time::sleep(FAREWELL).await;
        };
        let result = tokio::select! {
            result = server => result,
            () = late => Ok(()),
        };
        let hub = Arc::clone(&self.hub);
        let closed = tokio::task::spawn_blocking(move || hub.services.pool.close());
        // A panic while closing has been printed; there is nothing left to close.
        let _ = closed.await;
        result
    }
}

async fn listen(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await
}

/// Listens on the first free port near the usual one, or on any.
async fn listen_near() -> io::Result<TcpListener> {
    for port in FIRST_PORT..FIRST_PORT + PORTS_TRIED {
        if let Ok(listener) = listen(port).await {
            return Ok(listener);
        }
    }
    listen(0).await
}
