//! The server of the page.

use crate::access::{Access, Network};
use crate::backend::Backend;
use crate::http::{Shared, routes};
use crate::limits::Limits;
use crate::listener::Limited;
use crate::names::Names;
use crate::secret::{self, Cookie, Secret};
use crate::serving::{ServeError, listen_at, serve_until};
use crate::{Config, addresses};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// The first port to try when none is given.
const FIRST_PORT: u16 = 8080;
const PORTS_TRIED: u16 = 20;
/// Plain HTTP connections allowed beside the WebSockets.
const MORE_CONNECTIONS: usize = 128;

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
            (Some(address), _) => listen_at(address).await?,
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
        let routes = routes(shared, &self.access);
        let result = serve_until(listener, routes, end, ending).await;
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
