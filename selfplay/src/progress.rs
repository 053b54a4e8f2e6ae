//! The live line: how far the match is, what it says so far, when it ends.
//!
//! One line on standard error, rewritten in place at most ten times a second,
//! and only if somebody is looking at a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::record::PairRecord;
use crate::report::text::fixed;
use crate::statistics::elo;
use crate::statistics::pentanomial::Pentanomial;
use crate::statistics::sprt::Sprt;

const BETWEEN_LINES: Duration = Duration::from_millis(100);

/// The live line of one match.
#[derive(Debug)]
pub struct Progress {
    shown: bool,
    label: String,
    started: Instant,
    last_line: Option<Instant>,
    counts: Pentanomial,
    resumed: u64,
    target: u64,
    sprt: Option<Sprt>,
}

impl Progress {
    /// Starts the line of a match of which `resumed` are already there.
    pub fn new(label: String, resumed: &[PairRecord], target: u64, sprt: Option<Sprt>) -> Progress {
        Progress {
            shown: io::stderr().is_terminal(),
            label,
            started: Instant::now(),
            last_line: None,
            counts: resumed.iter().map(PairRecord::half_points_a).collect(),
            resumed: resumed.len() as u64,
            target,
            sprt,
        }
    }

    /// Counts a finished pair and rewrites the line if it is time to.
    pub fn pair(&mut self, record: &PairRecord) {
        self.counts.add(record.half_points_a());
        let due = self
            .last_line
            .is_none_or(|last| last.elapsed() >= BETWEEN_LINES);
        if self.shown && due {
            self.last_line = Some(Instant::now());
            let line = self.line(self.started.elapsed());
            // A terminal that has gone away is no reason to stop a match.
            let _ = write!(io::stderr(), "\r\x1b[2K{line}").and_then(|()| io::stderr().flush());
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.last_line.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[2K").and_then(|()| io::stderr().flush());
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let pairs = self.counts.pairs();
        let played = pairs - self.resumed;
        let rate = 2.0 * played as f64 / elapsed.as_secs_f64().max(1e-9);
        let mut line = format!("{}: {}/{} games", self.label, 2 * pairs, 2 * self.target);
        if let (Some(score), Some(error)) = (self.counts.mean(), self.counts.standard_error()) {
            line += &format!(
                "  AR(A,B) {} ± {}",
                fixed(4.0 * score, 2),
                fixed(4.0 * error, 2)
            );
        }
        if let Some(estimate) = elo::logistic(&self.counts) {
            line += &format!("  Elo {}", fixed(estimate.elo, 0));
        }
        if let Some(sprt) = &self.sprt {
            let state = sprt.state(&self.counts);
            let bounds = format!("[{}, {}]", fixed(state.lower, 2), fixed(state.upper, 2));
            line += &format!("  LLR {} {bounds}", fixed(state.llr, 2));
        }
        line += &format!("  {} games/s", fixed(rate, if rate < 10.0 { 2 } else { 0 }));
        if played > 0 {
            let left =
                elapsed.mul_f64((self.target - pairs.min(self.target)) as f64 / played as f64);
            line += &format!("  ETA {}", clock_face(left));
        }
        line
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_how_good_and_how_long() {
        let mut progress = Progress::new("basic - enhance".to_owned(), &[], 100, None);
        progress.counts = Pentanomial([5, 6, 8, 4, 2]);
        let line = progress.line(Duration::from_secs(25));
        assert_eq!(
            line,
            "basic - enhance: 50/200 games  AR(A,B) 1.68 ± 0.24  Elo −56  2.00 games/s  ETA 1:15"
        );
    }

    #[test]
    fn durations_read_like_clocks() {
        assert_eq!(clock_face(Duration::from_secs(59)), "0:59");
        assert_eq!(clock_face(Duration::from_secs(3_725)), "1:02:05");
    }
}
