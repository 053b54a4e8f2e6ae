//! The page's server: HTTP and WebSockets around a desk.
//!
//! **Owns** who may enter, limits, connections, and the threads that search. **Must not know** what a
//! message means ([`anqi_desk`] does), how a player finds its action, nor how the page looks.
//!
//! Every request passes the [`guard`], whose rules are in [`access`]: on this machine a host of
//! ours, from a network a token too. A message arrives at a [`socket`] and is answered by a connection of
//! the desk; work of more than a millisecond is a job of the [`pool`].

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod access;
pub mod addresses;
pub mod allowance;
pub mod assets;
pub mod backend;
pub mod bucket;
pub mod caller;
pub mod config;
pub mod folder;
pub mod guard;
pub mod http;
pub mod limits;
pub mod listener;
pub mod names;
pub mod outbox;
#[cfg(test)]
mod panics;
pub mod pool;
pub mod secret;
pub mod socket;

pub use config::Config;

use access::{Access, Network};
use anqi_desk::wire::Refusal;
use backend::Backend;
use http::{Shared, routes};
use limits::Limits;
use listener::{Limited, Peer};
use names::Names;
use secret::{Cookie, Secret};
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
    /// The address is taken or not this machine's.
    #[error("cannot listen at {address}: {error}")]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
    /// There are no random numbers for the token.
    #[error(transparent)]
    Token(#[from] Refusal),
    /// Another error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A server that listens but does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    backend: Arc<Backend>,
    access: Arc<Access>,
    /// Where a browser reaches it; the best address for other devices first.
    origins: Vec<String>,
}

impl Server {
    /// Listens, on the loopback address unless another one is configured.
    ///
    /// # Errors
    ///
    /// Returns an error if the address or the port, or without one every port, is unavailable.
    pub async fn bind(config: Config) -> Result<Server, ServeError> {
        let listener = match (config.listen, config.port) {
            (Some(address), _) => TcpListener::bind(address)
                .await
                .map_err(|error| ServeError::Address { address, error })?,
            (None, Some(port)) => listen(port)
                .await
                .map_err(|error| ServeError::Port { port, error })?,
            (None, None) => listen_near().await?,
        };
        let address = listener.local_addr()?;
        let open = config.listen.is_some();
        let proxy = config.host.clone();
        let backend = Arc::new(Backend::new(config));
        let origins = addresses::origins(address, proxy.as_ref())?;
        let port = address.port();
        let access = if open {
            Access {
                names: Names::Network { port, proxy },
                network: Some(Network {
                    secret: Secret::new(backend.hub.services.random()?),
                    cookie: Cookie::new(port),
                    limits: Arc::new(Limits::new(backend.config.per_address)),
                    hub: Arc::clone(&backend.hub),
                }),
            }
        } else {
            Access {
                names: Names::ThisMachine { port },
                network: None,
            }
        };
        Ok(Server {
            listener,
            address,
            backend,
            access: Arc::new(access),
            origins,
        })
    }

    /// Returns the addresses to open in a browser, with the token if there is one; the best for
    /// other devices first.
    pub fn urls(&self) -> Vec<String> {
        let network = self.access.network.as_ref();
        let query = network.map(|network| secret::query(network.secret.text()));
        let query = query.unwrap_or_default();
        let origins = self.origins.iter();
        origins.map(|origin| format!("{origin}/{query}")).collect()
    }

    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the games, and what all connections share.
    pub fn backend(&self) -> &Arc<Backend> {
        &self.backend
    }

    /// Serves until `ending` completes; then closes every connection and stops every search.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let it serve.
    pub async fn run(self, ending: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let (end, ended) = watch::channel(false);
        let limits = self.access.network.as_ref().map(|open| &open.limits);
        let reach = limits.and(self.origins.first()).cloned();
        let shared = Shared::new(Arc::clone(&self.backend), ended.clone(), reach);
        let tables = Arc::clone(&self.backend.tables);
        tokio::task::spawn_blocking(move || tables.open_all());
        let config = &self.backend.config;
        let most = config.connections + MORE_CONNECTIONS;
        let proxied = config.host.is_some();
        let listener = Limited::new(self.listener, most, limits.cloned(), proxied);
        let mut waiting = ended.clone();
        let routes = routes(shared, &self.access).into_make_service_with_connect_info::<Peer>();
        let server = axum::serve(listener, routes).with_graceful_shutdown(async move {
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
        let pool = Arc::clone(&self.backend.pool);
        let closed = tokio::task::spawn_blocking(move || pool.close());
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
