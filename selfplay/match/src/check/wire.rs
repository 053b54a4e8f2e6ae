//! The pipe to the engine under test.
//!
//! Every wait has a limit, and all waits together end with the check's own deadline. A
//! thread of its own writes, so that an engine that reads nothing cannot hold up a check.
//! Dropping the wire kills the engine.

use std::io::Write;
use std::process::ExitStatus;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use anqi_protocol::{ChildProcess, Launch, NoLine};
use anqi_rules::notation::excerpt;

use super::finding::{Checked, fail};

/// How long an engine that has closed its output may take to end.
const ENDING: Duration = Duration::from_millis(300);
/// Bytes without an answer among them that are too many.
const FLOOD_BYTES: u64 = 64 << 20;
/// Lines that answered nothing and are kept.
const STRAY_LINES: usize = 20;

/// A running engine and the lines to and from it.
pub struct Wire {
    child: ChildProcess,
    writer: Option<Sender<Vec<u8>>>,
    deadline: Instant,
    stray: Vec<String>,
}

impl Wire {
    /// Starts an engine; nothing waits for it beyond the deadline.
    pub fn start(launch: &Launch, deadline: Instant) -> Checked<Wire> {
        let mut child = match ChildProcess::start(launch) {
            Ok(child) => child,
            Err(error) => {
                let program = launch.program.to_string_lossy();
                return fail(format!("cannot start {program}: {error}"));
            }
        };
        let (writer, texts) = channel::<Vec<u8>>();
        if let Some(mut input) = child.take_input() {
            // An engine that has ended is noticed by who reads.
            thread::spawn(move || {
                for text in texts {
                    if input.write_all(&text).and_then(|()| input.flush()).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Wire {
            child,
            writer: Some(writer),
            deadline,
            stray: Vec::new(),
        })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    /// Sends a line of any bytes.
    pub fn send_bytes(&mut self, line: &[u8]) {
        if let Some(writer) = &self.writer {
            // Fails only if the engine has ended, which the next wait tells.
            let _ = writer.send([line, b"\n"].concat());
        }
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.writer = None;
    }

    /// Waits for a line that `is_awaited` accepts, at most so long; other lines are stray.
    pub fn wait(
        &mut self,
        awaited: &str,
        limit: Duration,
        mut is_awaited: impl FnMut(&str) -> bool,
    ) -> Checked<String> {
        let begun = Instant::now();
        let until = (begun + limit).min(self.deadline);
        let mut bytes = 0;
        while bytes < FLOOD_BYTES && Instant::now() < self.deadline {
            match self.child.receive(until) {
                Ok(line) if is_awaited(&line.text) => return Ok(line.text),
                Ok(line) => {
                    bytes += line.bytes;
                    self.keep(line.text);
                }
                Err(NoLine::Ended) => return fail(format!("no {awaited}: {}", self.ending())),
                Err(NoLine::Timeout) => break,
            }
        }
        let waited = begun.elapsed().as_millis();
        fail(format!(
            "no {awaited} within {waited} ms{}",
            self.last_stray()
        ))
    }

    /// Waits so long, and fails if a line comes that `is_unwanted` accepts.
    pub fn expect_none(
        &mut self,
        unwanted: &str,
        time: Duration,
        mut is_unwanted: impl FnMut(&str) -> bool,
    ) -> Checked {
        let begun = Instant::now();
        let until = begun + time;
        loop {
            match self.child.receive(until) {
                Ok(line) if is_unwanted(&line.text) => {
                    let after = begun.elapsed().as_millis();
                    return fail(format!(
                        "{unwanted}: '{}' after {after} ms",
                        excerpt(&line.text)
                    ));
                }
                Ok(line) => self.keep(line.text),
                Err(NoLine::Ended) => return fail(self.ending()),
                Err(NoLine::Timeout) => return Ok(()),
            }
            if Instant::now() >= until {
                return Ok(());
            }
        }
    }

    /// Waits for the end of the engine, at most so long, and returns its status.
    pub fn exit(&mut self, after: &str, limit: Duration) -> Checked<ExitStatus> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.child.wait(limit.min(left)) {
            Some(status) => Ok(status),
            None => fail(format!(
                "still running {} ms after {after}",
                limit.as_millis()
            )),
        }
    }

    /// Returns the first lines that answered nothing.
    pub fn stray(&self) -> &[String] {
        &self.stray
    }

    /// Returns the process id of the engine.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    fn keep(&mut self, line: String) {
        if self.stray.len() < STRAY_LINES && !line.is_empty() {
            self.stray.push(line);
        }
    }

    fn last_stray(&self) -> String {
        match self.stray.last() {
            Some(line) => format!(" (it wrote '{}')", excerpt(line)),
            None => String::new(),
        }
    }

    fn ending(&mut self) -> String {
        let ending = match self.child.wait(ENDING) {
            Some(status) => status.to_string(),
            None => "its output is closed, but it still runs".to_owned(),
        };
        let words = self.child.awaited_error_output(ENDING);
        match words.trim().lines().last() {
            None => format!("the engine ended ({ending})"),
            Some(line) => format!("the engine ended ({ending}; '{}')", excerpt(line)),
        }
    }
}
