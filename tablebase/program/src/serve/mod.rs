//! `tablebase serve`: probes over HTTP, for static pages and other programs.
//!
//! A request passes the [`door`], which counts it, limits its address and adds the headers that all
//! answers have. The `routes` read it (`question`), ask the `knowledge`, and write the answer
//! ([`reply`]). `openapi.json` beside this file describes all that for programs.

mod answer;
mod door;
mod knowledge;
mod metrics;
mod question;
mod refusal;
mod reply;
mod routes;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anqi_server::bucket::Rate;
use anqi_server::interrupt::interrupted;
use anqi_server::limits::{Limits, PerAddress};
use anqi_server::listener::Limited;
use anqi_server::serving::{address, listen_at, serve_until};
use anyhow::Context;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use knowledge::Knowledge;
use question::MOST_POSITIONS;
use routes::{Service, routes};

/// The most connections at once; others wait.
const CONNECTIONS: usize = 128;

/// The most threads that read tables: some wait for the disk while others compute.
const READERS: usize = 8;

/// Options of `tablebase serve`.
#[derive(clap::Args)]
pub struct Args {
    /// Directory of table files; positions of up to four pieces need none, nor do those of up to
    /// three with face-down pieces
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Listen at this address; port 0 for any
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:9000", value_parser = address)]
    listen: SocketAddr,
    /// How many positions a client may ask for in a second, on average; twice as many at once, and
    /// always a whole batch
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    per_second: u32,
    /// A proxy on this machine stands in front: count its requests for the address that it tells in
    /// X-Forwarded-For
    #[arg(long)]
    proxied: bool,
}

impl Args {
    /// What each client may do.
    fn per_client(&self) -> PerAddress {
        let a_second = f64::from(self.per_second);
        PerAddress {
            connections: CONNECTIONS / 2,
            requests: Rate {
                burst: (2.0 * a_second).max(f64::from(MOST_POSITIONS + 1)),
                a_second,
            },
            idle: Duration::from_secs(60),
            ..PerAddress::default()
        }
    }
}

/// Serves until interrupted.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = runtime().context("cannot start")?;
    // Before tables are opened: an address that is taken is told at once.
    let listener = runtime.block_on(listen_at(args.listen))?;
    let knowledge = Knowledge::open(&args.dir)?;
    let limits = Arc::new(Limits::new(args.per_client()));
    let service = Service::new(knowledge, &limits, args.proxied);
    let interrupted = interrupted().context("cannot listen for interrupts")?;
    let mut out = io::stdout().lock();
    writeln!(out, "http://{}", listener.local_addr()?)?;
    out.flush()?;
    drop(out);
    let listener = Limited::new(listener, CONNECTIONS, Some(limits), args.proxied);
    let (end, _) = watch::channel(false);
    let served = serve_until(listener, routes(service), end, interrupted);
    runtime.block_on(served)?;
    // A long line or batch may still be computed, for nobody any more.
    runtime.shutdown_background();
    Ok(())
}

fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(READERS)
        .enable_all()
        .build()
}
