//! A conversation in lines with an outside program, and the faults it may end with.
//!
//! What the clients of the dialects share that have no numbered requests.

use std::time::{Duration, Instant};

use anqi_protocol::{ChildProcess, Launch, NoLine};

use crate::engine::EngineFault;
use crate::interrupt::Interrupt;

/// How long a program that has closed its output may take to end.
const ENDING: Duration = Duration::from_millis(200);
/// How often a long wait checks for an interrupt.
const POLL: Duration = Duration::from_millis(50);
/// Lines that may come before an answer.
const STRAY_LINES: usize = 1_000_000;

/// A program in a child process, with which we talk in lines.
pub struct Talk {
    child: ChildProcess,
    interrupt: Interrupt,
}

impl Talk {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// Returns an error if the program cannot be started.
    pub fn start(launch: &Launch, interrupt: &Interrupt) -> Result<Talk, EngineFault> {
        let child = ChildProcess::start(launch).map_err(|error| {
            let program = launch.program.to_string_lossy().into_owned();
            EngineFault::Crash(format!("cannot start {program}: {error}"))
        })?;
        Ok(Talk {
            child,
            interrupt: interrupt.clone(),
        })
    }

    /// Sends a line.
    ///
    /// # Errors
    ///
    /// Returns an error if the program has ended.
    pub fn send(&mut self, line: &str) -> Result<(), EngineFault> {
        self.child.send(line).map_err(|_| self.ended(line))
    }

    /// Reads lines until `is_awaited` accepts one, and returns it.
    ///
    /// # Errors
    ///
    /// Returns an error if the program ends, or writes no such line in time.
    pub fn wait_for(
        &mut self,
        awaited: &str,
        tolerance: Duration,
        mut is_awaited: impl FnMut(&str) -> bool,
    ) -> Result<String, EngineFault> {
        let deadline = Instant::now() + tolerance;
        let mut lines = 0;
        while lines < STRAY_LINES {
            match self.child.receive(deadline.min(Instant::now() + POLL)) {
                Ok(line) if is_awaited(&line.text) => return Ok(line.text),
                Ok(_) => lines += 1,
                Err(NoLine::Ended) => return Err(self.ended(awaited)),
                Err(NoLine::Timeout) => self.check_patience(awaited, deadline, tolerance)?,
            }
        }
        Err(EngineFault::Flood(format!(
            "{STRAY_LINES} lines and no {awaited}"
        )))
    }

    /// Decides after a silent interval whether to keep waiting.
    fn check_patience(
        &self,
        awaited: &str,
        deadline: Instant,
        tolerance: Duration,
    ) -> Result<(), EngineFault> {
        if self.interrupt.stop_now() {
            return Err(EngineFault::Interrupted);
        }
        if Instant::now() >= deadline {
            let milliseconds = tolerance.as_millis();
            return Err(EngineFault::Stall(format!(
                "no {awaited} within {milliseconds} ms"
            )));
        }
        Ok(())
    }

    fn ended(&mut self, during: &str) -> EngineFault {
        let during = during.split(' ').next().unwrap_or(during);
        let ending = match self.child.wait(ENDING) {
            Some(status) => status.to_string(),
            None => "its output is closed, but it still runs".to_owned(),
        };
        let words = self.child.awaited_error_output(ENDING);
        let said = match words.trim() {
            "" => String::new(),
            words => format!("; its last words: {words}"),
        };
        EngineFault::Crash(format!("ended during {during} ({ending}){said}"))
    }
}
