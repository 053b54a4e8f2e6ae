//! A child process that talks in lines.
//!
//! A thread cuts its output into lines and hands them over a bounded queue, so
//! that a child which writes faster than it is read is slowed down by its own
//! pipe. What it writes to standard error is not looked at. The child is alone
//! in its process group: Ctrl-C at the terminal is for the match, which decides
//! itself when its programs end.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child as Process, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anqi_protocol::Launch;

/// Bytes of a line that are kept; the rest comes as lines of its own.
const LINE_BYTES: u64 = 64 * 1024;
/// Lines that wait to be looked at.
const WAITING_LINES: usize = 256;

/// A running child; killed when dropped.
pub struct Child {
    process: Process,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// Why no line came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The child has ended, or closed its output.
    Ended,
    /// The time is up.
    Timeout,
}

impl Child {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// Returns the system's error if it cannot be started.
    pub fn start(launch: &Launch) -> io::Result<Child> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let (sender, lines) = sync_channel(WAITING_LINES);
        if let Some(output) = process.stdout.take() {
            thread::spawn(move || hand_over(output, &sender));
        }
        Ok(Child {
            input: process.stdin.take(),
            process,
            lines,
        })
    }

    /// Sends a line; the newline is added.
    ///
    /// # Errors
    ///
    /// Fails if the child no longer reads.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// Waits for the next line.
    ///
    /// # Errors
    ///
    /// Says why none came.
    pub fn receive(&self, deadline: Instant) -> Result<String, Silence> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => Silence::Timeout,
            RecvTimeoutError::Disconnected => Silence::Ended,
        })
    }

    /// Says how the child ended, after a moment for it to do so.
    pub fn ending(&mut self) -> String {
        const POLL: Duration = Duration::from_millis(5);
        for _ in 0..40 {
            match self.process.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) => thread::sleep(POLL),
                Err(error) => return error.to_string(),
            }
        }
        "its output is closed, but it still runs".to_owned()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Both fail only if the process has ended already, which is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Hands over line after line until the output or the receiver is closed.
fn hand_over(output: ChildStdout, sender: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output
            .by_ref()
            .take(LINE_BYTES)
            .read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        if sender.send(text).is_err() {
            return;
        }
    }
}
