//! The terminal that the program runs at, and its signals.

use crate::terminal::screen::{Interrupts, Reaction, Signal};
use crate::terminal::{Paint, Rescue, tty};
use anyhow::Context;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

/// Exit code after Ctrl-C, as shells expect it.
pub(super) const INTERRUPTED: i32 = 130;
/// Columns of a screen that does not report its width.
const USUAL_COLUMNS: usize = 80;
/// Terminals on which lines cannot be edited.
const PLAIN_TERMINALS: [&str; 3] = ["dumb", "cons25", "emacs"];

/// What standard input and output offer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Terminal {
    /// A keyboard and a screen.
    Both,
    /// A keyboard and a screen without line editing.
    Plain,
    /// A screen, while the input is a file or a pipe.
    Output,
    /// No screen.
    None,
}

impl Terminal {
    /// Inspects standard input and output.
    pub(super) fn found() -> Terminal {
        let kind = std::env::var("TERM").unwrap_or_default();
        match (io::stdout().is_terminal(), io::stdin().is_terminal()) {
            (false, _) => Terminal::None,
            (true, false) => Terminal::Output,
            (true, true) if PLAIN_TERMINALS.contains(&kind.as_str()) => Terminal::Plain,
            (true, true) => Terminal::Both,
        }
    }
}

/// Returns the columns of the screen at this moment.
pub(super) fn screen_columns() -> Option<usize> {
    Some(tty::columns().unwrap_or(USUAL_COLUMNS))
}

/// Returns whether NO_COLOR and TERM allow colours.
pub(super) fn environment_allows_color() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && !dumb
}

/// Lets Ctrl-C stop a thinking player, or else end the program; other signals end it at once.
pub(super) fn on_signal(
    interrupts: Arc<Interrupts>,
    paint: Paint,
    rescue: Arc<Rescue>,
) -> anyhow::Result<()> {
    watch(move |signal| {
        if interrupts.hear(signal) == Reaction::Leave {
            leave(paint, &rescue);
        }
    })
}

/// Lets any signal end the program, for games without line editing.
pub(super) fn leave_on_signal(paint: Paint, rescue: Arc<Rescue>) -> anyhow::Result<()> {
    watch(move |_| leave(paint, &rescue))
}

/// Hands signals to `hear`, on a thread of their own.
#[cfg(unix)]
fn watch(hear: impl Fn(Signal) + Send + 'static) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    let mut signals =
        Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot watch for interrupts")?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            hear(match signal {
                SIGINT => Signal::Interrupt,
                _ => Signal::Terminate,
            });
        }
    });
    Ok(())
}

/// Hands Ctrl-C to `hear`, on a thread of its own.
#[cfg(not(unix))]
fn watch(hear: impl Fn(Signal) + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(move || hear(Signal::Interrupt)).context("cannot watch for interrupts")
}

/// Ends an interrupted game on a line of its own, with the colours reset, and saves what nobody
/// was asked about.
fn leave(paint: Paint, rescue: &Rescue) -> ! {
    let reset = match paint {
        Paint::Colors => "\x1b[0m",
        Paint::Plain => "",
    };
    // Standard output is locked by the game; standard error shows on the same terminal.
    let _ = writeln!(io::stderr(), "{reset}");
    if let Some(sentence) = rescue.save(Path::new("")) {
        let _ = writeln!(io::stderr(), "{sentence}");
    }
    std::process::exit(INTERRUPTED);
}
