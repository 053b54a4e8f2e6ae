//! `anqi serve`: the page on this machine.

use super::UsageError;
use anqi_app::serve::{Config, Server};
use anyhow::Context;
use clap::Parser;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use tokio::sync::oneshot;

const EXAMPLES: &str = "\
Examples:
  anqi serve                       then open the address that it prints
  anqi serve --port 9000
  anqi --tables DIR serve --threads 4
";

/// Play and analyse in a browser on this machine.
///
/// Prints the address of the page and serves it until interrupted. Only this machine can
/// reach it. Games live as long as it runs.
#[derive(Parser, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The port; 0 for any [default: the first free one from 8080]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

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
        let (interrupt, interrupted) = oneshot::channel();
        end_on_interrupt(interrupt)?;
        runtime.block_on(async {
            let server = Server::bind(config).await?;
            {
                let mut output = io::stdout().lock();
                writeln!(output, "{}", server.url())?;
                output.flush()?;
            }
            // The handler owns the sender for good: only a signal completes the channel.
            let ending = async {
                let _ = interrupted.await;
            };
            Ok(server.run(ending).await?)
        })
    }
}

/// Ends the server on Ctrl-C and on a request to terminate.
fn end_on_interrupt(interrupt: oneshot::Sender<()>) -> anyhow::Result<()> {
    let interrupt = Mutex::new(Some(interrupt));
    ctrlc::set_handler(move || {
        let taken = interrupt.lock().ok().and_then(|mut sender| sender.take());
        match taken {
            // The send fails if the server is already ending.
            Some(sender) => {
                let _ = sender.send(());
            }
            // A second interrupt exits at once.
            None => std::process::exit(130),
        }
    })
    .context("cannot listen for interrupts")
}
