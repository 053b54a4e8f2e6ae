//! The child process: its pipes, drained by threads, and its end.
//!
//! One thread splits standard output into lines and sends them over a bounded
//! queue: an engine that writes faster than it is read is slowed down by its own
//! pipe. Lines longer than any answer come in pieces, of which only the first has
//! a text. Another thread keeps the end of standard error, so that a crash can be
//! explained and an engine that writes much there never blocks.
//!
//! Nothing here knows a protocol: [`crate::Client`] speaks the tournament
//! protocol over a [`ChildProcess`], and other dialects can too.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The most bytes of a line that are kept.
const LINE_BYTES: usize = 64 * 1024;
/// The most lines waiting in the queue.
const WAITING_LINES: usize = 256;
/// The last bytes of standard error that are kept.
const LAST_WORDS_BYTES: usize = 2048;
/// The interval for polling a process that should end.
const POLL: Duration = Duration::from_millis(5);

/// What to start.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it runs in; `None` for this process's own.
    pub directory: Option<PathBuf>,
}

impl Launch {
    /// Returns the launch of a program without arguments.
    pub fn new(program: impl Into<OsString>) -> Launch {
        Launch {
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
        }
    }

    /// Reads a command line: words separated by blanks, optionally quoted by `'` or `"`.
    ///
    /// Returns `None` if there is no word or a quote stays open.
    pub fn from_command_line(text: &str) -> Option<Launch> {
        let mut words = split_words(text)?.into_iter().map(OsString::from);
        Some(Launch {
            program: words.next()?,
            arguments: words.collect(),
            directory: None,
        })
    }
}

fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A line of output, or a piece of a line too long to be an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputLine {
    /// Its text without the newline; empty for all but the first piece of a long line.
    pub text: String,
    /// Its length in bytes, newline included.
    pub bytes: u64,
}

/// Why no line was received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLine {
    /// The process has ended, or closed its output.
    Ended,
    /// The time is up.
    Timeout,
}

/// A running child that talks in lines; killed when dropped.
pub struct ChildProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<OutputLine>,
    error_output: Arc<Mutex<VecDeque<u8>>>,
    /// Reads standard error until it is closed.
    errors: Option<JoinHandle<()>>,
}

impl ChildProcess {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// Returns the system's error if it cannot be started.
    pub fn start(launch: &Launch) -> io::Result<ChildProcess> {
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        // An interrupt at the keyboard is meant for the match, not for the engine.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let (sender, lines) = sync_channel(WAITING_LINES);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || forward_lines(BufReader::new(output), &sender));
        }
        let error_output = Arc::new(Mutex::new(VecDeque::new()));
        let errors = child.stderr.take().map(|errors| {
            let kept = Arc::clone(&error_output);
            thread::spawn(move || keep_the_end(errors, &kept))
        });
        Ok(ChildProcess {
            child,
            input,
            lines,
            error_output,
            errors,
        })
    }

    /// Sends a line; the newline is added.
    ///
    /// # Errors
    ///
    /// Fails if the process no longer reads.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(format!("{line}\n").as_bytes())?;
        input.flush()
    }

    /// Waits for the next line.
    ///
    /// # Errors
    ///
    /// Returns why none was received.
    pub fn receive(&self, deadline: Instant) -> Result<OutputLine, NoLine> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Timeout,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// Returns the end of standard error so far.
    pub fn error_output(&self) -> String {
        let kept = self
            .error_output
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns the end of standard error once all of it is read.
    ///
    /// That may be a moment after the process has ended. The wait is limited,
    /// because other processes may keep the pipe open.
    pub fn awaited_error_output(&self, patience: Duration) -> String {
        let deadline = Instant::now() + patience;
        let reading = || self.errors.as_ref().is_some_and(|e| !e.is_finished());
        while reading() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        self.error_output()
    }

    /// Waits for the process to end; returns its status, `None` if it still runs.
    pub fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(POLL);
        }
    }

    /// Takes standard input out, for a writer that must not be held up by an engine that reads
    /// nothing; `send` fails from then on.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Closes standard input, which tells an engine that no request will follow.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        // Both fail only if the process has already ended, as it should.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Forwards line after line until the output or the receiver is closed.
fn forward_lines(output: impl BufRead, sender: &SyncSender<OutputLine>) {
    let mut lines = Lines {
        output,
        within_line: false,
    };
    while let Ok(Some(line)) = lines.next() {
        if sender.send(line).is_err() {
            return;
        }
    }
}

/// Splits output into lines; the excess of a long line comes as lines without text.
struct Lines<R> {
    output: R,
    within_line: bool,
}

impl<R: BufRead> Lines<R> {
    /// Returns the next line, an unfinished last one included, `None` at the end.
    fn next(&mut self) -> io::Result<Option<OutputLine>> {
        let mut read = Vec::new();
        let mut limited = self.output.by_ref().take(LINE_BYTES as u64);
        limited.read_until(b'\n', &mut read)?;
        let bytes = read.len() as u64;
        let continues = self.within_line;
        self.within_line = bytes > 0 && !read.ends_with(b"\n");
        let text = if continues {
            String::new()
        } else {
            String::from_utf8_lossy(&read).trim_end().to_owned()
        };
        Ok((bytes > 0).then_some(OutputLine { text, bytes }))
    }
}

fn keep_the_end(mut errors: impl Read, kept: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&buffer[..count]);
        let surplus = kept.len().saturating_sub(LAST_WORDS_BYTES);
        kept.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_split_at_blanks_outside_quotes() {
        let launch = Launch::from_command_line(" ./engine  -a 'b c' \"d\"e ''").expect("words");
        assert_eq!(launch.program, "./engine");
        assert_eq!(launch.arguments, ["-a", "b c", "de", ""]);
        assert!(Launch::from_command_line("   ").is_none());
        assert!(Launch::from_command_line("a 'b").is_none());
    }

    #[test]
    fn long_lines_come_in_pieces() {
        let mut text = vec![b'x'; LINE_BYTES + 10];
        text.extend_from_slice(b"\nshort\nunfinished");
        let mut lines = Lines {
            output: BufReader::with_capacity(100, text.as_slice()),
            within_line: false,
        };
        let mut sizes = || {
            let line = lines.next().expect("no fault").expect("a line");
            (line.text.len(), line.bytes)
        };
        assert_eq!(sizes(), (LINE_BYTES, LINE_BYTES as u64));
        assert_eq!(sizes(), (0, 11));
        let mut next = || lines.next().expect("no fault").map(|line| line.text);
        assert_eq!(next().as_deref(), Some("short"));
        assert_eq!(next().as_deref(), Some("unfinished"));
        assert_eq!(next(), None);
    }
}
