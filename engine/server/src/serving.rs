//! Listening at an address, and serving until the end.

use crate::listener::{Limited, Peer};
use axum::Router;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Time for connections to close at shutdown.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why a server does not run.
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
    #[cfg(feature = "page")]
    #[error(transparent)]
    Token(#[from] anqi_desk::wire::Refusal),
    /// Another error of the system.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads an address with a port.
///
/// # Errors
///
/// Returns an error that shows what is expected.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        format!("`{text}` is not an address with a port (expected IP:PORT, such as 0.0.0.0:8080)")
    })
}

/// Listens at an address.
///
/// # Errors
///
/// Returns an error if the address is taken or not this machine's.
pub async fn listen_at(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| ServeError::Address { address, error })
}

/// Serves until `ending` completes; then `end` turns true, requests in progress are answered, and every
/// connection is closed.
///
/// # Errors
///
/// Returns an error if the system does not let it serve.
pub async fn serve_until(
    listener: Limited,
    routes: Router,
    end: watch::Sender<bool>,
    ending: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let mut ended = end.subscribe();
    let routes = routes.into_make_service_with_connect_info::<Peer>();
    let server = axum::serve(listener, routes).with_graceful_shutdown(async move {
        ending.await;
        end.send_replace(true);
    });
    let late = async move {
        // An error would mean that the server is gone already.
        let _ = ended.wait_for(|ending| *ending).await;
        tokio::time::sleep(FAREWELL).await;
    };
    tokio::select! {
        result = server => result,
        () = late => Ok(()),
    }
}
