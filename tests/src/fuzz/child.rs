//! A wire to an engine in a process of its own.

use super::Wire;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// An engine that is silent for this long counts as hung.
const PATIENCE: Duration = Duration::from_secs(20);

/// An engine in a process of its own, spoken to over its standard input and output.
pub struct Process {
    path: PathBuf,
    running: Running,
}

/// One run of the program.
struct Running {
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
}

impl Process {
    /// Starts the program.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be started.
    pub fn start(path: &Path) -> Result<Process, String> {
        Ok(Process {
            path: path.to_path_buf(),
            running: Running::start(path)?,
        })
    }
}

impl Running {
    fn start(path: &Path) -> Result<Running, String> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let (lines, output) = channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                match stdout.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) if lines.send(line).is_err() => return,
                    Ok(_) => {}
                }
            }
        });
        Ok(Running {
            child,
            input,
            output,
        })
    }

    fn say(&mut self, line: &[u8]) -> Result<(), String> {
        let mut line = line.to_vec();
        line.push(b'\n');
        let said = self
            .input
            .write_all(&line)
            .and_then(|()| self.input.flush());
        said.map_err(|error| format!("the engine listens no more: {error}"))
    }

    /// Returns the next line of output without its newline.
    fn hear(&mut self) -> Result<String, String> {
        let line = self
            .output
            .recv_timeout(PATIENCE)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => "the engine does not answer".to_string(),
                RecvTimeoutError::Disconnected => {
                    format!("the engine has ended: {:?}", self.child.try_wait())
                }
            })?;
        let text =
            String::from_utf8(line).map_err(|_| "the answer is not UTF-8 text".to_string())?;
        let line = text
            .strip_suffix('\n')
            .ok_or("the last line has no newline")?;
        Ok(line.to_string())
    }

    /// Waits for the engine to exit with success.
    fn end(&mut self) -> Result<(), String> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(Some(status)) => return Err(format!("the engine ended with {status}")),
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(error) => return Err(format!("the engine is lost: {error}")),
            }
        }
        Err("the engine does not end".to_string())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Wire for Process {
    fn exchange(&mut self, lines: &[Vec<u8>], answers: usize) -> Result<Vec<String>, String> {
        for line in lines {
            self.running.say(line)?;
        }
        let mut heard: Vec<String> = Vec::new();
        while heard.len() < answers {
            let line = self.running.hear()?;
            match heard.last_mut() {
                Some(last) if line.starts_with(' ') => {
                    last.push('\n');
                    last.push_str(&line);
                }
                _ if line.starts_with("info ") => {}
                _ => heard.push(line),
            }
        }
        Ok(heard)
    }

    fn restart(&mut self, line: &[u8]) -> Result<(), String> {
        self.running.say(line)?;
        let farewell = self.running.hear()?;
        if !farewell.starts_with('=') {
            return Err(format!("the farewell is {farewell:?}"));
        }
        self.running.end()?;
        self.running = Running::start(&self.path)?;
        Ok(())
    }
}
