//! Counters for whoever runs the service, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The upper ends of the classes of times, in seconds.
const CLASSES: [f64; 8] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

/// Everything counted.
#[derive(Debug, Default)]
pub struct Metrics(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// By endpoint and status.
    requests: BTreeMap<(&'static str, u16), u64>,
    /// By endpoint.
    times: BTreeMap<&'static str, Times>,
    answered: u64,
    refused: u64,
}

#[derive(Debug, Default)]
struct Times {
    /// Not above the end of each class.
    up_to: [u64; CLASSES.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts an answered request.
    pub fn request(&self, endpoint: &'static str, status: u16, time: Duration) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.requests.entry((endpoint, status)).or_default() += 1;
        let times = counts.times.entry(endpoint).or_default();
        let seconds = time.as_secs_f64();
        for (count, end) in times.up_to.iter_mut().zip(CLASSES) {
            *count += u64::from(seconds <= end);
        }
        times.count += 1;
        times.seconds += seconds;
    }

    /// Counts positions with and without an answer.
    pub fn positions(&self, answered: u64, refused: u64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.answered += answered;
        counts.refused += refused;
    }

    /// Returns all counts as text.
    pub fn text(&self) -> String {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        counts.write(&mut text).expect("a text takes everything");
        text
    }
}

impl Counts {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        head(
            out,
            "requests_total",
            "counter",
            "Requests by endpoint and status.",
        )?;
        for ((endpoint, status), count) in &self.requests {
            let labels = format!("endpoint=\"{endpoint}\",status=\"{status}\"");
            writeln!(out, "tablebase_requests_total{{{labels}}} {count}")?;
        }
        let name = "request_duration_seconds";
        head(out, name, "histogram", "Time to the answer, by endpoint.")?;
        for (endpoint, times) in &self.times {
            let label = format!("endpoint=\"{endpoint}\"");
            for (count, end) in times.up_to.iter().zip(CLASSES) {
                writeln!(
                    out,
                    "tablebase_{name}_bucket{{{label},le=\"{end}\"}} {count}"
                )?;
            }
            let Times { count, seconds, .. } = times;
            writeln!(
                out,
                "tablebase_{name}_bucket{{{label},le=\"+Inf\"}} {count}"
            )?;
            writeln!(out, "tablebase_{name}_sum{{{label}}} {seconds}")?;
            writeln!(out, "tablebase_{name}_count{{{label}}} {count}")?;
        }
        head(
            out,
            "positions_total",
            "counter",
            "Positions, answered or not.",
        )?;
        for (answered, count) in [("yes", self.answered), ("no", self.refused)] {
            writeln!(
                out,
                "tablebase_positions_total{{answered=\"{answered}\"}} {count}"
            )?;
        }
        Ok(())
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP tablebase_{name} {help}")?;
    writeln!(out, "# TYPE tablebase_{name} {kind}")
}
