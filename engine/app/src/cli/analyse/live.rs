//! The live line on the terminal: depth, value and line of the running search.
//!
//! It is written to standard error, overwritten with each iteration, and cleared
//! before the answer. Without a terminal nothing is shown.

use super::line::steps;
use crate::terminal::width::fit;
use anqi_analysis::Valuation;
use anqi_analysis::ranking::Progress;
use anqi_rules::Ply;
use anqi_search::Report;
use std::io::{self, IsTerminal, Write};

/// Columns of a terminal that does not report its width.
const USUAL_COLUMNS: usize = 80;
/// Returns to the start of the line and erases it.
const CLEAR: &str = "\r\x1b[K";

/// The live line.
pub struct Live {
    shown: bool,
}

impl Live {
    /// Returns the live line of this process.
    pub fn on_terminal() -> Live {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Live {
            shown: io::stderr().is_terminal() && !dumb,
        }
    }

    /// Shows a text, cut to the width of the terminal.
    fn show(&self, text: &str) {
        if self.shown {
            // One column stays free: some terminals wrap as soon as the last one is written.
            let columns = columns().saturating_sub(1);
            write(&format!("{CLEAR}{}", fit(text, columns)));
        }
    }

    /// Clears the line.
    pub fn clear(&self) {
        if self.shown {
            write(CLEAR);
        }
    }
}

impl Progress for Live {
    /// Shows depth, value and line of the best action.
    fn report(&self, report: &Report) {
        if report.rank == 1 {
            self.show(&best_so_far(report));
        }
    }

    fn looking_at(&self, flip: Ply, number: usize, of: usize) {
        let square = flip.action.from();
        if let Some(piece) = flip.reveal {
            self.show(&format!("{square}? looking at {piece} ({number} of {of})"));
        }
    }
}

fn best_so_far(report: &Report) -> String {
    format!(
        "depth {}  {}  {}",
        report.depth,
        Valuation::from(report.score),
        steps(&report.line)
    )
}

fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(USUAL_COLUMNS, |(width, _)| width.0.into())
}

/// Writes and flushes; errors are ignored, as the terminal may be gone.
fn write(text: &str) {
    let mut terminal = io::stderr();
    let _ = terminal.write_all(text.as_bytes());
    let _ = terminal.flush();
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_search::{LineStep, Score};
    use std::time::Duration;

    #[test]
    fn depth_value_and_line_are_shown_and_cut() {
        let step = |text: &str| LineStep {
            action: text.parse().unwrap(),
            expectation: None,
        };
        let report = Report {
            depth: 6,
            selective_depth: 9,
            score: Score::Estimate(1_230),
            nodes: 5,
            elapsed: Duration::ZERO,
            table_hits: 0,
            hash_permille: 0,
            rank: 1,
            line: vec![step("a1-a2"), step("b2-b2")],
        };
        let text = best_so_far(&report);
        assert_eq!(text, "depth 6  +0.123  a1-a2 b2?");
        assert_eq!(fit(&text, 20), "depth 6  +0.123  a1…");
    }
}
