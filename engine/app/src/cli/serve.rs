//! `anqi serve`: the page on this machine, and with `--listen` on other devices.

use super::error::UsageError;
use crate::terminal::qr;
use crate::terminal::style::{Paint, Style};
use anqi_server::interrupt::interrupted;
use anqi_server::names::HostName;
use anqi_server::serving::address;
use anqi_server::{Config, Server};
use anyhow::Context;
use clap::Parser;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  anqi serve                       then open the address that it prints
  anqi serve --port 9000
  anqi serve --listen 0.0.0.0:8080     for a phone in the same network
  anqi serve --listen 127.0.0.1:8080 --host anqi.example.org     behind a proxy with TLS
  anqi --tables DIR serve --threads 4
";

/// Whom `--listen` lets in.
const WARNING: &str = "\
With --listen, everybody who has this link can play here and use this machine's processor until the server ends.
Hand it only to people you trust; the link of a single game is under \"By link\" on the page. A restart makes a new one.
";
/// What plain http does not protect.
const PLAIN: &str = "\
It is plain http: others in the same network can read along, the link included. Beyond a network that you trust
use a proxy with TLS and --host NAME (docs/page.md).
";

/// Play and analyse in a browser on this machine.
///
/// Prints the address of the page and serves it until interrupted. Only this machine can
/// reach it, unless --listen opens it to other devices. Games live as long as it runs.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The port; 0 for any [default: the first free one from 8080]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Listen at this address for other devices too; 0.0.0.0 stands for all of this machine's.
    /// Every request then needs the secret token in the printed address, which is also shown as a
    /// QR code
    #[arg(long, value_name = "IP:PORT", conflicts_with = "port", value_parser = address)]
    listen: Option<SocketAddr>,

    /// The name of a proxy with TLS in front of the server; links then begin with https://NAME
    #[arg(long, value_name = "NAME", requires = "listen")]
    host: Option<HostName>,

    /// Threads that think [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl Args {
    /// Serves until interrupted.
    pub fn run(self, tables: Option<PathBuf>) -> anyhow::Result<()> {
        if let Some(folder) = tables.as_ref().filter(|folder| !folder.is_dir()) {
            let message = format!("--tables: {} is not a folder", folder.display());
            return Err(UsageError(message).into());
        }
        let mut config = Config {
            port: self.port,
            listen: self.listen,
            host: self.host,
            tables,
            ..Config::default()
        };
        if let Some(threads) = self.threads {
            config.threads = threads.into();
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("cannot start")?;
        let interrupted = interrupted().context("cannot listen for interrupts")?;
        let served = runtime.block_on(async {
            let open = config.listen.is_some();
            let server = Server::bind(config).await?;
            print_addresses(&server.urls(), open)?;
            Ok(server.run(interrupted).await?)
        });
        // Tables may still be opening, which takes seconds and which nobody waits for any more.
        runtime.shutdown_background();
        served
    }
}

/// Prints the addresses, and if others than this machine may connect, a code and a warning too.
fn print_addresses(urls: &[String], open: bool) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for url in urls {
        writeln!(output, "{url}")?;
    }
    if let Some(first) = urls.first().filter(|_| open) {
        let colors = output.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let style = Style {
            paint: if colors { Paint::Colors } else { Paint::Plain },
            ..Style::default()
        };
        if let Some(code) = qr::drawn(first, style) {
            write!(output, "\n{code}\n")?;
        }
        output.flush()?;
        let mut errors = io::stderr().lock();
        // The server serves even if nobody can be warned.
        let _ = errors.write_all(WARNING.as_bytes());
        if first.starts_with("http:") {
            let _ = errors.write_all(PLAIN.as_bytes());
        }
    }
    output.flush()
}
