//! The live line: the progress of a long command at a terminal.
//!
//! One line on standard error, rewritten in place a few times a second, and
//! only if standard error is a terminal. It never wraps: a line longer than the
//! terminal would scroll it with every refresh, so the parts that matter least
//! are left out.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anqi_search::Player;

/// Time between two refreshes.
const REFRESH: Duration = Duration::from_millis(250);
/// Columns of a terminal that does not report its width.
const USUAL_WIDTH: usize = 80;
/// The gap between two parts of the line.
const GAP: &str = "  ";

/// Prints a player's warning, such as a damaged table file; a player gives each only once.
pub fn print_warning(player: &mut dyn Player) {
    if let Some(warning) = player.take_warning() {
        warn(&warning);
    }
}

/// Prints a warning on a line of its own, in place of the live line.
pub(crate) fn warn(warning: &str) {
    let wipe = if io::stderr().is_terminal() {
        "\r\x1b[2K"
    } else {
        ""
    };
    eprintln!("{wipe}selfplay: {warning}");
}

/// The content of a live line.
pub trait Status: Send + 'static {
    /// Returns the parts of the line, most important first.
    fn parts(&self, elapsed: Duration) -> Vec<String>;
}

/// A line that refreshes itself until it is dropped.
#[derive(Debug)]
pub struct LiveLine<S> {
    shared: Arc<Shared<S>>,
    refresher: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared<S> {
    state: Mutex<State<S>>,
    ended: Condvar,
    started: Instant,
}

#[derive(Debug)]
struct State<S> {
    status: S,
    has_ended: bool,
}

impl<S: Status> LiveLine<S> {
    /// Shows a line at once if standard error is a terminal.
    pub fn start(status: S) -> LiveLine<S> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                status,
                has_ended: false,
            }),
            ended: Condvar::new(),
            started: Instant::now(),
        });
        let refresher = io::stderr().is_terminal().then(|| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.refresh())
        });
        LiveLine { shared, refresher }
    }

    /// Changes what the line shows from its next refresh on.
    pub fn update(&self, change: impl FnOnce(&mut S)) {
        change(&mut self.shared.lock().status);
    }
}

impl<S> LiveLine<S> {
    /// Removes the line.
    fn end(&mut self) {
        self.shared.lock().has_ended = true;
        self.shared.ended.notify_all();
        if let Some(refresher) = self.refresher.take() {
            // A panic while drawing the line does not matter.
            let _ = refresher.join();
            write("");
        }
    }
}

impl<S> Drop for LiveLine<S> {
    fn drop(&mut self) {
        self.end();
    }
}

impl<S> Shared<S> {
    /// Locks the state, which a panic with the lock held cannot leave inconsistent.
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Status> Shared<S> {
    fn refresh(&self) {
        let mut state = self.lock();
        while !state.has_ended {
            let parts = state.status.parts(self.started.elapsed());
            write(&fitted(&parts, width()));
            let waited = self.ended.wait_timeout(state, REFRESH);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Rewrites the line; write errors are ignored.
fn write(line: &str) {
    let mut out = io::stderr();
    let _ = write!(out, "\r\x1b[2K{line}").and_then(|()| out.flush());
}

fn width() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0))
}

/// Joins as many parts as fit the width, and truncates the first if even that does not.
fn fitted(parts: &[String], width: usize) -> String {
    // Some terminals wrap as soon as the last column is written.
    let room = width.saturating_sub(1);
    let mut line = String::new();
    let mut used = 0;
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let gap = if line.is_empty() { "" } else { GAP };
        let longer = used + gap.len() + part.chars().count();
        if longer > room {
            break;
        }
        line += gap;
        line += part;
        used = longer;
    }
    match (line.is_empty(), parts.first()) {
        (true, Some(first)) => first.chars().take(room).collect(),
        _ => line,
    }
}

/// Writes a duration as minutes and seconds, or hours where there are any.
pub fn clock_face(duration: Duration) -> String {
    let seconds = duration.as_secs_f64().round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Returns the time left at the present rate; `None` before anything is done.
pub fn time_left(elapsed: Duration, done: u64, left: u64) -> Option<Duration> {
    (done > 0).then(|| elapsed.mul_f64(left as f64 / done as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn a_line_is_never_as_wide_as_the_terminal() {
        let all = parts(&["12/100 pairs", "Elo +3 ± 40", "", "left 1:15", "LLR −0.40"]);
        assert_eq!(
            fitted(&all, 80),
            "12/100 pairs  Elo +3 ± 40  left 1:15  LLR −0.40"
        );
        for width in 0..80 {
            let line = fitted(&all, width);
            assert!(line.chars().count() <= width.saturating_sub(1), "{line}");
        }
        assert_eq!(fitted(&all, 40), "12/100 pairs  Elo +3 ± 40  left 1:15");
        assert_eq!(fitted(&all, 6), "12/10");
        assert_eq!(fitted(&[], 80), "");
    }

    #[test]
    fn durations_read_like_clocks() {
        assert_eq!(clock_face(Duration::from_secs(59)), "0:59");
        assert_eq!(clock_face(Duration::from_secs(3_725)), "1:02:05");
    }

    #[test]
    fn the_rest_takes_as_long_as_what_is_done() {
        let elapsed = Duration::from_secs(10);
        assert_eq!(time_left(elapsed, 0, 5), None);
        assert_eq!(time_left(elapsed, 2, 5), Some(Duration::from_secs(25)));
    }

    #[test]
    fn a_line_may_be_changed_and_dropped_without_a_terminal() {
        struct Count(u32);
        impl Status for Count {
            fn parts(&self, _elapsed: Duration) -> Vec<String> {
                vec![self.0.to_string()]
            }
        }
        let line = LiveLine::start(Count(1));
        line.update(|count| count.0 += 1);
        assert_eq!(line.shared.lock().status.0, 2);
    }
}
