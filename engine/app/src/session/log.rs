//! The log of a conversation: every line with its time.
//!
//! A line of the log is `<ms> > <line>` for what was received and `<ms> < <line>` for what was
//! said, in milliseconds since the log began; its first line tells when that was. Every line is
//! written at once, because a server may kill the program at any time. A log that cannot be
//! written is given up; the conversation goes on.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// A log of a conversation, or none.
#[derive(Debug)]
pub struct Log {
    file: Option<LogFile>,
    begin: Instant,
}

#[derive(Debug)]
struct LogFile {
    file: File,
    name: String,
}

impl Log {
    /// Keeps no log.
    pub fn none() -> Log {
        Log {
            file: None,
            begin: Instant::now(),
        }
    }

    /// Appends to a file; if that is impossible, says so on standard error and keeps no log.
    pub fn append(path: &Path) -> Log {
        let mut log = Log::none();
        let name = path.display().to_string();
        match OpenOptions::new().append(true).create(true).open(path) {
            Ok(file) => log.file = Some(LogFile { file, name }),
            Err(error) => give_up(&name, &error),
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_millis());
        let version = env!("CARGO_PKG_VERSION");
        log.write(&format!("# anqi {version}, 0 ms is {now} ms after 1970\n"));
        log
    }

    /// Writes a line that was received.
    pub(super) fn received(&mut self, line: &[u8]) {
        if self.file.is_some() {
            self.note('>', &String::from_utf8_lossy(line));
        }
    }

    /// Writes the lines of a text that was said.
    pub(super) fn said(&mut self, text: &str) {
        if self.file.is_some() {
            self.note('<', text);
        }
    }

    fn note(&mut self, sign: char, text: &str) {
        let time = self.begin.elapsed().as_millis();
        let lines = text.lines();
        let noted: String = lines
            .map(|line| format!("{time} {sign} {line}\n"))
            .collect();
        self.write(&noted);
    }

    /// Writes a text in one piece.
    fn write(&mut self, text: &str) {
        let Some(log) = &mut self.file else {
            return;
        };
        let written = log.file.write_all(text.as_bytes());
        if let Err(error) = written.and_then(|()| log.file.flush()) {
            give_up(&log.name, &error);
            self.file = None;
        }
    }
}

fn give_up(name: &str, error: &io::Error) {
    eprintln!("anqi: cannot write the log '{name}': {error}; the session continues without it");
}
