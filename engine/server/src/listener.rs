//! A listener that limits connections: their number, those of each address, and on a network
//! also the time they last without a request.

use crate::limits::{Held, Holding, Limits, PerAddress};
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// The end of a lease without end.
const NEVER: u64 = u64::MAX;

/// Accepts connections while there are places; others wait in the system's queue.
#[derive(Debug)]
pub struct Limited {
    listener: TcpListener,
    places: Arc<Semaphore>,
    limits: Option<Arc<Limits>>,
    /// Whether connections from this machine are those of a proxy, and so of many addresses.
    proxied: bool,
}

/// A connection and its place.
#[derive(Debug)]
pub struct Placed {
    stream: TcpStream,
    peer: Peer,
    alarm: Option<Pin<Box<Sleep>>>,
    _place: Option<OwnedSemaphorePermit>,
    _held: Option<Held>,
}

/// The two ends of a connection.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The other end.
    pub address: IpAddr,
    /// Our end.
    pub local: IpAddr,
    /// How long the connection may last.
    pub lease: Arc<Lease>,
}

/// The time that a connection may last; requests with a valid token extend it.
#[derive(Debug)]
pub struct Lease {
    begun: Instant,
    /// By how much a request extends it.
    idle: Duration,
    /// Milliseconds from the beginning.
    end_ms: AtomicU64,
}

impl Lease {
    /// Returns a lease under these limits, one without end if there are none.
    fn new(limits: Option<&PerAddress>) -> Lease {
        let end_ms = limits.map_or(NEVER, |limits| limits.patience.as_millis() as u64);
        Lease {
            begun: Instant::now(),
            idle: limits.map_or(Duration::ZERO, |limits| limits.idle),
            end_ms: AtomicU64::new(end_ms),
        }
    }

    fn end(&self) -> Option<Instant> {
        match self.end_ms.load(Ordering::Relaxed) {
            NEVER => None,
            ms => Some(self.begun + Duration::from_millis(ms)),
        }
    }

    /// Extends the lease, unless it is without end; it never becomes shorter.
    pub fn extend(&self) {
        let end = self.begun.elapsed().saturating_add(self.idle);
        self.end_ms
            .fetch_max(end.as_millis() as u64, Ordering::Relaxed);
    }

    /// Makes the lease one without end.
    pub fn keep(&self) {
        self.end_ms.store(NEVER, Ordering::Relaxed);
    }
}

impl Limited {
    /// Limits a listener to `most` connections at once, and to the limits of each address.
    pub fn new(
        listener: TcpListener,
        most: usize,
        limits: Option<Arc<Limits>>,
        proxied: bool,
    ) -> Limited {
        Limited {
            listener,
            places: Arc::new(Semaphore::new(most)),
            limits,
            proxied,
        }
    }

    /// Takes a place of its address for a connection; the error means that it has all of its own.
    fn hold(&self, address: IpAddr) -> Result<Option<Held>, ()> {
        match &self.limits {
            None => Ok(None),
            Some(_) if self.proxied && address.is_loopback() => Ok(None),
            Some(limits) => limits
                .hold(address, Holding::Connection)
                .map(Some)
                .ok_or(()),
        }
    }
}

impl Listener for Limited {
    type Io = Placed;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Placed, SocketAddr) {
        // The semaphore is never closed.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        loop {
            let (stream, remote) = Listener::accept(&mut self.listener).await;
            let address = remote.ip().to_canonical();
            let Ok(held) = self.hold(address) else {
                continue;
            };
            // Without Nagle's algorithm: small messages must not wait.
            let _ = stream.set_nodelay(true);
            let limits = self.limits.as_ref().map(|limits| limits.per_address());
            let local = stream.local_addr().map(|local| local.ip().to_canonical());
            let peer = Peer {
                address,
                // An address that is never ours, so that nothing is.
                local: local.unwrap_or(Ipv4Addr::UNSPECIFIED.into()),
                lease: Arc::new(Lease::new(limits)),
            };
            let placed = Placed {
                stream,
                alarm: limits.map(|limits| Box::pin(sleep(limits.patience))),
                peer,
                _place: place,
                _held: held,
            };
            return (placed, remote);
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Limited>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Limited>) -> Peer {
        stream.io().peer.clone()
    }
}

impl Placed {
    /// Returns an error when the lease has ended; else sees to it that its end wakes the task.
    fn check_lease(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        while let Some(alarm) = &mut self.alarm {
            if alarm.as_mut().poll(context).is_pending() {
                break;
            }
            match self.peer.lease.end() {
                None => self.alarm = None,
                Some(end) if end > Instant::now() => alarm.as_mut().reset(end),
                Some(_) => return Err(io::ErrorKind::TimedOut.into()),
            }
        }
        Ok(())
    }
}

impl AsyncRead for Placed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_lease(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Placed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_lease(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
